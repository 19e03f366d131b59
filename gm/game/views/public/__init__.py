"""What anybody may see: the web page of a game, the list of games, and how to get into one."""
