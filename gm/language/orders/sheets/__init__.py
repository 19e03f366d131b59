"""One file for each kind of sheet."""
