"""The records of a game, its settings, and the ports that the store implements."""
