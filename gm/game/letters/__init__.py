"""Letters to players: answers, results, reminders, questions."""
