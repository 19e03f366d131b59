"""Resolving a turn, and what a game master changes about it."""
