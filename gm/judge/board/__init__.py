"""The board: provinces, borders, coasts, convoy routes."""
