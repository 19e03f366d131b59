"""`gm demo`: a game year played by letters on this machine, over real SMTP on the loopback interface.

story.toml holds the letters, `mail_programs` formats each as a mail program would, `stage` plays them against the game
master and an SMTP sink, `show` prints the correspondence and writes the page of letters.
"""
