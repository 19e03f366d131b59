"""Orders outside a player's own lines: FORCE, PROXY and plans, and what a letter's orders mean for the phase."""
