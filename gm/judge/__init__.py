"""The rules: positions in, positions out. Standard library only; no clock, no chance, no files, no logging.

Read in this order: board, position, statements, events, variant, steps; then contest and adjudicate.
"""
