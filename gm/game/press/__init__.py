"""Messages between players: rules, writing, delivery."""
