"""Wings: units of the air, on a second board above the first.

`AirMoves` is the movement phase with them, `AirRetreats` the retreats, `BaseCheck` the step after a census in which
wings lose their bases; `with_air` lays the second board over the first. The adjudicator knows nothing of them: layers,
borders, weights in half units, backings, spoiled supports and barred moves are all it is told.
"""
