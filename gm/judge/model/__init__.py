"""The values of the rules: position, orders, events, and all that a variant may vary."""
