"""Commands with lines below them, and the lines of each."""
