"""Changes of sheets by FORCE, PROXY and planned orders."""
