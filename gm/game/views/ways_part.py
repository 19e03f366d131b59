"""How a line could have been written that asked for something and was no request: forms of the manual, with examples of
the reader's own.
"""

from __future__ import annotations

from gm.game.letters.answer_inserts import help_fields
from gm.game.model.recipient import Recipient
from gm.game.views import help as handbook
from gm.judge.model.position import Position
from gm.language.commands import plain_questions as plainly
from gm.language.lines.letter_contents import LineError

MOST = 4
"""So many forms are shown beside one line."""


def forms(reader: Recipient, position: Position | None, trouble: LineError) -> tuple[str, ...]:
    """Whole requests, of one line or several; () for a line that was meant for an order."""
    if trouble.key not in plainly.KEYS:
        return ()
    said = dict(trouble.fields)
    found = dict(help_fields(reader, position))
    if said.get("power"):
        found["other"] = reader.called(said["power"])
    whole = (handbook.written(reader, found, name) for name in said.get("commands", "").split())
    if first := next((form for form in whole if form), ""):
        return (first,)
    return tuple(dict.fromkeys(handbook.beginning(reader, found, said.get("word", ""))))[:MOST]
