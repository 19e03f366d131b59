"""Sentences around and instead of order lines: clauses, what they affirm or take back, and the orders in them."""
