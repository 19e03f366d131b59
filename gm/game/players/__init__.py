"""People, seats and observers of a game."""
