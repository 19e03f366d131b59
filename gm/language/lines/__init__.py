"""Lines and blocks of a letter, and the values that reading them gives."""
