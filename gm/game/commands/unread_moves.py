"""Moves between names that are no places here, beside other orders: "Manche - Londres, Paris - Bourgogne".

The line has orders, so its writer believes that this is one as well: it is not passed over as talk.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from gm.game.model.records import Letter
from gm.game.press.addressing import names_of_people
from gm.game.session.session import LetterSession
from gm.language.i18n.normalize import clean
from gm.language.lines.letter_contents import LetterContents, LineError
from gm.language.lines.spans import Fate

MOVE = re.compile(
    r"(?:^|[,;:])\s*(?P<move>(?P<unit>[^\W\d_][\w.' ]{2,24}?) (?:-+>?|\u2013|\u2014|\u2192|>) "
    r"(?P<to>[^\W\d_][\w.' ]{2,24}))\s*(?=[,;.]|$)"
)
MOST_WORDS = 3
"""Words of a name."""
ORDERED = frozenset({Fate.ORDER, Fate.NOT_TAKEN})


def with_unread_moves(session: LetterSession, letter: Letter, reading: LetterContents) -> LetterContents:
    if not session.plays or session.late_for:
        return reading
    ordered = {span.line for span in reading.spans if span.fate in ORDERED}
    lines = {number: text for number, text in letter.lines if number in ordered}
    unread: list[LineError] = []
    for span in reading.spans:
        if span.fate is Fate.TALK and span.line in lines:
            unread += _moves(session, span.line, lines[span.line], span.text)
    return replace(reading, troubles=(*reading.troubles, *unread)) if unread else reading


def _moves(session: LetterSession, number: int, text: str, words: str) -> Iterator[LineError]:
    """The moves in words of talk. A name behind a dash may be a signature."""
    for match in MOVE.finditer(words):
        names = match["unit"].strip(), match["to"].strip()
        written = all(name[:1].isupper() and len(name.split()) <= MOST_WORDS for name in names)
        people = names_of_people(session)
        start = text.find(match["move"].strip())
        if written and start >= 0 and not any(clean(name).text.lower() in people for name in names):
            end = start + len(match["move"].strip())
            yield LineError(number, text, start, end, "unknown-place", (("word", names[0]),))
