"""Letters to another player that came to the game master: "Hi Franz! Venice stays, so you can use your fleet".

A letter is one where it greets somebody who is not called the game master, and speaks of units or bargains of the
person greeted: a game master has none. What it says of orders is for that player.
"""

from __future__ import annotations

from collections.abc import Sequence

from gm.language.i18n.normalize import clean
from gm.language.lines.blocks import NumberedLine
from gm.language.prose.phrases.prose_phrases import ProsePhrases

MOST_LINES = 60
LONGEST = 400
"""Characters of a line that are searched."""
QUOTED = (">", "|")


def is_for_a_player(lines: Sequence[NumberedLine], phrases: ProsePhrases) -> bool:
    written = (clean(text[:LONGEST]).text.lower().strip() for _, text in lines[:MOST_LINES])
    own = (low for low in written if low and not low.startswith(QUOTED))
    first = next(own, "")
    if phrases.greeting.match(first) is None or phrases.greets_master.match(first) is not None:
        return False
    return any(phrases.of_greeted.search(low) for low in (first, *own))
