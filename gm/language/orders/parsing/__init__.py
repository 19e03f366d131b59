"""From a line to a parse tree."""
