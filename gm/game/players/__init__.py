"""Persons, seats and observers: how they come, change and go."""
