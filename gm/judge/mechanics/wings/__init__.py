"""Wings: air units, which stand in a second layer above the ground (Europe 1933).

`AirMoves` is their movement phase, `AirRetreats` the retreats, `BaseCheck` the step after a census in which wings lose
their bases; `with_air` adds the air layer to a board. The adjudicator has no code for them: layers, borders, weights in
half units, bought supports, spoiled supports and barred moves are enough.
"""
