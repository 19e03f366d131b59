"""Draw votes and polls."""
