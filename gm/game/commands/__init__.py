"""What each command in a letter does, by role."""
