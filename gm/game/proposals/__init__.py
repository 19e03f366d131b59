"""Proposals for what was not taken, the YES and NO to them, and what settles them."""
