"""A game master that runs Diplomacy and its variants by email."""

__version__ = "0.1.0"
