"""What a game master changes about a position between deadlines."""
