"""A letter in the inbox: who handles it, and in what order."""
