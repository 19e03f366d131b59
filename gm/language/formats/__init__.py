"""Positions, orders and results as JSON, CSV and njudge text."""
