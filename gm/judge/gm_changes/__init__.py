"""Changes that a game master makes to a position between deadlines."""
