"""From a line to order nodes."""
