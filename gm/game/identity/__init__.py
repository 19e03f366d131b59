"""Whose letter it is, for which game, power and phase."""
