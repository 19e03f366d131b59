"""One letter while it is processed."""
