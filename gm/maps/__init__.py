"""Maps: drawing them, and making new ones."""
