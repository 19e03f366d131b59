"""The values of the rules: position, orders, events, and everything that may differ between variants."""
