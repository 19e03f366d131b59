"""A whole letter read into orders, commands and errors."""
