"""Lines and blocks of a letter, and what reading them gives."""
