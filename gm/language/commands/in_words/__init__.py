"""What people write in sentences of one kind, where commands are meant."""
