"""Clauses that take orders back, exchange them, or name a goal anew."""
