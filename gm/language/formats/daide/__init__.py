"""DAIDE messages."""
