"""Orders outside a player's own lines: proposals and the YES to them, FORCE, PROXY, plans."""
