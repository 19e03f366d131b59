"""Order lines read against a position."""
