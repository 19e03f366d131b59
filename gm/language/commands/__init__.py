"""Lines of a letter that ask for something, and the table of all commands."""
