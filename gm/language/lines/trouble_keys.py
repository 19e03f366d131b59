"""Keys of troubles (`LineError`) that more than one module asks for: the sentence of each, and what it decides.

`error_key` of gm/language/prose/stance.py makes those of a stance from its name.
"""

NOT_TAKEN = "not-taken"
"""Words name a unit, and nothing tells what it is to do."""
ALTERNATIVE = "not-taken-alternative"
PROPOSED = "not-taken-proposed"
LATER = "not-taken-later"
NEGATED = "not-taken-negated"
NAMED_IN_PASSING = "named-in-passing"
QUESTION = "question"
"""An order with a question mark."""
NOT_YOURS = "not-yours"
"""An order for another power's unit."""
STILL_ON_FILE = "not-taken-still-on-file"
"""An order is taken back, and words that are not taken may say what comes instead."""
ASK_FOR_NOTHING = (NAMED_IN_PASSING, "not-taken-cancel", STILL_ON_FILE)
"""Clauses that name something of an order and ask for none."""
