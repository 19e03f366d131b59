"""`LetterReport`: the result of processing a letter, rendered by `gm.game.letters.answer`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime

from msgspec import Struct

from gm.game.model.proposals import Proposals
from gm.game.model.records import Sheet, Snapshot
from gm.judge.model.position import Position
from gm.judge.model.sheets import DueOrders, Problem
from gm.language.commands.requests import MapRequest
from gm.language.i18n.catalogue import Catalogue
from gm.language.lines.letter_contents import LineError


class StateBefore(Struct, frozen=True):
    """The position and deadline before an act. `snapshot`: where they are stored, 0 for a preview."""

    position: Position
    due: datetime | None
    snapshot: int = 0


class Note(Struct, frozen=True):
    """The result of a request. `key` names a sentence of the catalogue; `done` is False if it was refused.

    `headline`: it opens the answer ("The deadline is now …").
    """

    key: str
    fields: tuple[tuple[str, str], ...] = ()
    done: bool = True
    line: int = 0
    headline: bool = False


def note_to_text(note: Note) -> str:
    """Encodes a note as JSON, to be rendered later in any language by `render_note_text`."""
    return json.dumps([note.key, dict(note.fields)], ensure_ascii=False)


def render_note_text(catalogue: Catalogue, words: str) -> str:
    """Renders what `note_to_text` encoded; returns other words unchanged."""
    try:
        key, fields = json.loads(words)
        return catalogue.say(key, **fields) if key in catalogue else words
    except (ValueError, TypeError, KeyError):
        return words


class SheetReport(Struct, frozen=True):
    """A sheet before and after the letter. `changed` is False when it is only shown.

    `problems` are those of the whole sheet, `missing` the orders that are still due, `rejected` the words of the letter
    whose orders were refused.
    """

    power: str
    author: str
    before: Sheet | None
    after: Sheet | None
    missing: DueOrders
    problems: tuple[Problem, ...] = ()
    changed: bool = True
    rejected: tuple[str, ...] = ()


IMPORTED = "imported"


class AnswerInsert(Struct, frozen=True):
    """A requested part of the answer: "status", "history", "rules", "help", "missing", "all-sheets", "absences", "map",
    "check", "sheet" (the reader's own); "unsent", a message returned to its writer; for a game master "ledger",
    "preview", "preview-difference", "difference", "edits" and "imported".

    `topic` is the help topic, the phase of a history, the words of the message, the lines to check, or a position as
    JSON. `turn` is the
    result of a preview or a corrected position, `earlier` the one it is compared with. `former` is the game before the
    change.
    """

    kind: str
    topic: str = ""
    turn: Snapshot | None = None
    earlier: Snapshot | None = None
    former: StateBefore | None = None


class LetterReport(Struct, frozen=True):
    """`late_for` is the phase that was over when the letter came ("": it was in time); then nothing was applied.

    `stored` counts the accepted order lines, `asked` the lines that the sender must clarify. `lines` are the letter's
    own, by number.
    `language` is that of the answer, "" for the reader's own. `came_from`: an address that is not the seat's.
    `proposals`: orders that the lines not taken would mean; `listed`: those of earlier letters. `heeded`: some request
    of the letter was heeded.
    `keeps_orders`: its words leave what is on file as it is.
    `remarks` are the numbers of lines that ask for nothing, `unanswered` sentences that ask for what nothing here does.
    """

    notes: tuple[Note, ...] = ()
    sheets: tuple[SheetReport, ...] = ()
    troubles: tuple[LineError, ...] = ()
    inserts: tuple[AnswerInsert, ...] = ()
    map: MapRequest | None = None
    late_for: str = ""
    stored: int = 0
    asked: int = 0
    quoted_lines: int = 0
    signature_lines: int = 0
    other_ignored: tuple[tuple[str, int], ...] = ()
    lines: Mapping[int, str] = {}
    language: str = ""
    came_from: str = ""
    proposals: Proposals | None = None
    listed: tuple[Proposals, ...] = ()
    heeded: bool = False
    keeps_orders: bool = False
    remarks: tuple[int, ...] = ()
    unanswered: tuple[str, ...] = ()
