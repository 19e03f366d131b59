"""The rules: positions in, positions out. Standard library only; no clock, no chance, no files, no logging.

Read in this order: board/board, model/position, model/orders, model/events, model/variant, steps; then movement/battle
and movement/adjudicate.
"""
