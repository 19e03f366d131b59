"""The result of reading a letter: made by the intake, shown by `gm.game.letters.answer`."""

from __future__ import annotations

import json
from datetime import datetime

from msgspec import Struct

from gm.game.model.records import Sheet, Snapshot
from gm.judge.model.position import Position
from gm.judge.model.sheets import DueOrders, Problem
from gm.language.commands.requests import MapRequest
from gm.language.i18n.catalogue import Catalogue
from gm.language.lines.letter_contents import LineError


class StateBefore(Struct, frozen=True):
    """How the game stood before an act: the position, and when its phase was due."""

    position: Position
    due: datetime | None


class Note(Struct, frozen=True):
    """What became of one request. `key` names a sentence of the catalogue; `done` False: it was refused, and why.

    `headline`: important enough to open the answer with ("The deadline is now …").
    """

    key: str
    fields: tuple[tuple[str, str], ...] = ()
    done: bool = True
    line: int = 0
    headline: bool = False


def note_to_text(note: Note) -> str:
    """A note to be told later, to readers of any language (`told`)."""
    return json.dumps([note.key, dict(note.fields)], ensure_ascii=False)


def render_note_text(catalogue: Catalogue, words: str) -> str:
    """What `kept` gave, as a sentence; other words as they are."""
    try:
        key, fields = json.loads(words)
        return catalogue.say(key, **fields) if key in catalogue else words
    except (ValueError, TypeError, KeyError):
        return words


class SheetReport(Struct, frozen=True):
    """A sheet before and after the letter. `changed` is False when it only is shown.

    `problems` are what the step found on the whole sheet, `missing` what is still owed.
    """

    power: str
    author: str
    before: Sheet | None
    after: Sheet | None
    missing: DueOrders
    problems: tuple[Problem, ...] = ()
    changed: bool = True


class AnswerInsert(Struct, frozen=True):
    """Something asked for that the answer carries: "status", "history", "rules", "help", "missing", "all-sheets",
    "absences", "map", "check", "sheet" (the reader's own, which every answer shows); "unsent", a message that comes
    back to its writer; for a game master "ledger", "preview", "difference" and "edits".

    `topic` narrows it: the help topic, the phase of a history, the words of the message, the lines to try out. `turn`
    is a turn that was not taken: what a preview or a mended position would be. `former` is how the game stood before
    what is told of.
    """

    kind: str
    topic: str = ""
    turn: Snapshot | None = None
    former: StateBefore | None = None


class LetterReport(Struct, frozen=True):
    """`late_for` is the phase a letter answered that is over ("": it was in time); nothing in it was applied then.

    `stored` counts the lines of orders taken, `asked` the lines that need another word.
    """

    notes: tuple[Note, ...] = ()
    sheets: tuple[SheetReport, ...] = ()
    troubles: tuple[LineError, ...] = ()
    inserts: tuple[AnswerInsert, ...] = ()
    map: MapRequest | None = None
    late_for: str = ""
    stored: int = 0
    asked: int = 0
    read_lines: int = 0
    quoted_lines: int = 0
    signature_lines: int = 0
    other_ignored: tuple[tuple[str, int], ...] = ()
