"""What is due: reading letters, resolving turns, announcing events, sending reminders and queued mail."""
