"""Lists of orders with boxes: only what is ticked counts. "[x] Vie-Gal  [ ] Vie-Tyr", "✓ Bud-Ser ✗ Bud-Rum"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from gm.language.i18n.normalize import clean
from gm.language.lines.blocks import NumberedLine
from gm.language.lines.lines import LetterLine

CHECK = frozenset("v✓✔☑✅*+") | {"yes"}
"""Marks that choose, whatever else stands in the letter."""
CROSS = frozenset("x✗✘✖☒❌❎")
"""They choose beside empty boxes, and reject beside checks."""
REJECTS = CROSS - {"x", "☒"}
"""Crosses that reject where they are the only marks."""
EMPTY = frozenset("-_☐□▢◻⬜") | {"", "no", "--"}
SIGNS = "✓✔☑✅✗✘✖☒❌❎☐□▢◻⬜"
"""Marks that need no brackets."""
BOX = re.compile(
    rf"(?<![\w\])])(?:\[\s*(?P<box>[\w{SIGNS}*+-]{{0,4}})\s*\]|\(\s*(?P<round>[xXv{SIGNS}*+-]?)\s*\)"
    rf"|(?P<sign>[{SIGNS}]))(?![\w(\[])"
)
LIST_MARK = re.compile(r"\s*(?:[-*]|\d{1,2}[.)])?\s*")
MOST_LINES = 300
MOST_BOXES = 12
"""Boxes of one line."""
NOT_TICKED = "[ ] "
"""Before the words of a line that has nothing ticked."""


class BoxMarks(Struct, frozen=True):
    """The marks of a letter: those that choose an order, and those that do not."""

    ticked: frozenset[str] = frozenset()
    empty: frozenset[str] = frozenset()


def box_marks(lines: Sequence[NumberedLine]) -> BoxMarks:
    """No marks where a letter does not show which of them choose: boxes need one that is ticked and one that is not."""
    written = frozenset(_mark(box) for _, text in lines[:MOST_LINES] for box in _boxes(clean(text).text))
    checks, crosses, empty = written & CHECK, written & CROSS, written & EMPTY
    if checks and crosses:
        return BoxMarks(checks, crosses | empty)
    if crosses & REJECTS and not (checks or empty):
        return BoxMarks(frozenset(), crosses & REJECTS)
    ticked = checks or crosses
    return BoxMarks(ticked, empty) if ticked and empty else BoxMarks()


def ticked_alone(line: LetterLine, marks: BoxMarks) -> LetterLine:
    """A line whose body has only what is ticked, and no boxes."""
    known, body = marks.ticked | marks.empty, line.body
    boxes = [box for box in _boxes(body) if _mark(box) in known][:MOST_BOXES] if known else []
    if not boxes:
        return line
    mark = LIST_MARK.match(body)
    first = mark.end() if mark is not None else 0
    if not any(_mark(box) in marks.ticked for box in boxes):
        return replace(line, body=NOT_TICKED + body[boxes[0].end() :].lstrip())
    closes = boxes[0].start() > first and not body[boxes[-1].end() :].strip(" .,;")
    starts = [first, *(box.end() for box in boxes[:-1])] if closes else [box.end() for box in boxes]
    ends = [box.start() for box in boxes] if closes else [*(box.start() for box in boxes[1:]), len(body)]
    head = "" if closes else body[: boxes[0].start()]
    kept, separator = head, ""
    for box, start, end in zip(boxes, starts, ends, strict=True):
        if _mark(box) in marks.ticked:
            kept = f"{kept.rstrip(' ,') if separator else kept}{separator}".ljust(start) + body[start:end]
            separator = ";"
    return replace(line, body=kept.rstrip(" ,"))


def _boxes(text: str) -> list[re.Match[str]]:
    """The boxes of a line; none where two of them have nothing between: "( ) ( )"."""
    boxes = list(BOX.finditer(text))
    gaps = [text[before.end() : after.start()].strip() for before, after in pairwise(boxes)]
    return boxes if all(gaps) else []


def _mark(box: re.Match[str]) -> str:
    return next(part for part in box.groups() if part is not None).lower()
