"""What is due: reading letters, resolving turns, sending reminders and queued mail."""
