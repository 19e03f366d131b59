"""What the game master does: read a letter, watch the clock, resolve a turn, pass on press, write results.

Each public function is one transaction on the ports of `gm.game.model.ports`. No SQL here, and no sockets.
"""
