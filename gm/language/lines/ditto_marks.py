"""Marks for the words of the line above: "do. Edinburgh do. Norwegian Sea" below "Fleet London to North Sea".

The line keeps its length: where a word does not fit in the room of its mark, a shorter one for it stands there.
"""

from __future__ import annotations

import re

from msgspec.structs import replace

from gm.language.lines.lines import LetterLine

SIGN = r"\"|''|,,|〃|- ?\" ?-|- ?'' ?-"
WORDS = r"do\.|ditto\.?|dito\.?|dto\.?|idem\.?|id\.|dsgl\.?|desgl\.?"
MARK = re.compile(rf"(?:{SIGN}|{WORDS}|do)", re.IGNORECASE)
"""A whole cell; the full stop of an abbreviation before a gap may be gone."""
LEADING = re.compile(rf"\s*(?P<mark>{SIGN}|{WORDS})\s+(?=\w)", re.IGNORECASE)
INSIDE = re.compile(rf"(?<=\w )\s*(?P<mark>{SIGN}|{WORDS})(?= +\w)", re.IGNORECASE)
MAY_HOLD = re.compile(rf"(?<!\S)(?:{SIGN}|{WORDS}|do(?=\s\s))(?!\S)", re.IGNORECASE)
CELL = re.compile(r"\S+(?: \S+)*")
"""Words with single blanks between them."""
KIND = re.compile(
    r"\s*(?P<word>[AF]|army|fleet|armee|flotte|build|remove|disband|baue?|entferne|aufl\S*)\b\.?\s+(?=\w)",
    re.IGNORECASE,
)
"""The first word of an order that the line below may repeat."""
ARROW = re.compile(r"\s(?P<word>to|nach|into|in|-+>?|s|supports?|unterst\S+tzt)\s", re.IGNORECASE)
SHORT = (
    ("-", re.compile(r"to|nach|into|in|goes(?: to)?|moves(?: to)?|-+>?", re.IGNORECASE)),
    ("H", re.compile(r"h|holds?|halt(?:en)?|stays?|bleibt", re.IGNORECASE)),
    ("S", re.compile(r"s|supports?|unterst\S+tzt", re.IGNORECASE)),
    ("A", re.compile(r"a\.?|army|armee", re.IGNORECASE)),
    ("F", re.compile(r"f\.?|fleet|flotte", re.IGNORECASE)),
)
"""Signs of orders for words."""
LEAST_CELLS = 2
LONGEST = 120


def with_dittos(line: LetterLine, above: str) -> LetterLine:
    """The line with words for its marks. `above` is the body of the line before it."""
    body = line.body
    if not above or len(body) > LONGEST or MAY_HOLD.search(body) is None:
        return line
    cells, over = list(CELL.finditer(body)), [cell.group() for cell in CELL.finditer(above)]
    if len(cells) == len(over) >= LEAST_CELLS:
        for cell, words in zip(cells, over, strict=True):
            body = _filled(body, cell.start(), cell.end(), words) if MARK.fullmatch(cell.group()) else body
        return replace(line, body=body.rstrip())
    mark, first, arrow = LEADING.match(body), KIND.match(above), ARROW.search(above)
    if mark is not None and first is not None:
        body = _filled(body, *mark.span("mark"), first["word"])
    if arrow is not None and KIND.match(body):
        for inside in list(INSIDE.finditer(body)):
            body = _filled(body, *inside.span("mark"), arrow["word"])
    return replace(line, body=body)


def _filled(body: str, start: int, end: int, words: str) -> str:
    """With words, or a sign for them, in the room of a mark and the blanks behind it; unchanged if none fits."""
    behind = len(body[end:]) - len(body[end:].lstrip())
    room = end - start + (max(behind - 1, 0) if body[end:].strip() else 0)
    short = (sign for sign, pattern in SHORT if pattern.fullmatch(words))
    fitting = next((each for each in (words, *short) if len(each) <= room), "")
    return f"{body[:start]}{fitting.ljust(room)}{body[start + room :]}" if fitting else body
