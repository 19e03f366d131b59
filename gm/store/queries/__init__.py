"""Queries on the tables, by subject; `row_mapping` has their base class."""
