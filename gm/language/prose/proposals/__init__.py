"""Orders that words most likely mean: they are proposed, never taken."""
