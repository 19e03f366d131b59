"""What a player is to order, has ordered, or plans: sheets, tasks, examples."""
