"""The tables, their column types, and migrations."""
