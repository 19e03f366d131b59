"""HELP: pages and commands, with the names of the reader's variant."""
