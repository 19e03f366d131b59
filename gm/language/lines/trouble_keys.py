"""Keys of troubles (`LineError`) that more than one module asks for: the sentence of each, and what it decides.

`error_key` of gm/language/prose/stance.py makes those of a stance from its name.
"""

NOT_TAKEN = "not-taken"
"""Words name a unit, and nothing tells what it is to do."""
ALTERNATIVE = "not-taken-alternative"
PROPOSED = "not-taken-proposed"
HEDGED = "not-taken-hedge"
LATER = "not-taken-later"
NEGATED = "not-taken-negated"
NAMED_IN_PASSING = "named-in-passing"
TWO_EVENTS = "two-events"
"""More events than may count."""
UNCLEAR = frozenset({NOT_TAKEN, NAMED_IN_PASSING})
"""Words that say nothing against an order."""
OPEN_POINTS = "not-taken-points"
"""Words buy an order, and it is not clear which."""
QUESTION = "question"
"""An order with a question mark."""
NOT_YOURS = "not-yours"
"""An order for another power's unit."""
STILL_ON_FILE = "not-taken-still-on-file"
"""An order is taken back, and words that are not taken may say what comes instead."""
WHICH_TAKEN_BACK = "not-taken-cancel"
"""Words take back an order, and do not say which."""
MAY_CHANGE = "not-taken-may-change"
"""Words that are not understood may change the orders that the error proposes."""
OF_WHICH_UNIT = "not-taken-of-which-unit"
"""An order names no unit, and words before it that are not understood name another than it seems to be about."""
ASK_FOR_NOTHING = (NAMED_IN_PASSING, WHICH_TAKEN_BACK, STILL_ON_FILE)
"""Clauses that name something of an order and ask for none."""
