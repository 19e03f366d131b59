"""What happened in a turn, or what a change of it would alter."""
