"""Orders of a letter that wait for a YES, as other words of it may be about them."""
