"""Finds the `Ref:` line that ends our letters in what a player sends back.

    Ref: ostend S1902M k7f3qm2xw9hd4tzp5sanb8vcye
    > Ref: ostend press France-Russia
    > k7f3qm2xw9hd4tzp5sanb8vcye          (wrapped by a mail program)

It needs a game's name and then a phase, the word press, or a token: "Ref: my last letter" is prose.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gm.game.model.reply_addresses import GAME_NAME, TOKEN

LINE = re.compile(r"[>|*_\s]{0,40}Ref:\s*(\S.{0,200})", re.IGNORECASE)
MARKS = re.compile(r"^[>|*_\s]{0,40}")
PHASE = re.compile(r"[A-Z]\d{3,4}[A-Z]", re.IGNORECASE)


def find_ref_lines(lines: Sequence[str]) -> dict[int, tuple[str, ...]]:
    """The fields of each Ref line by its index; the next line, with a wrapped token, maps to ()."""
    references: dict[int, tuple[str, ...]] = {}
    for index, line in enumerate(lines):
        match = LINE.match(line) if "ef:" in line or "EF:" in line else None
        if not match:
            continue
        fields = match[1].rstrip(" *_").split()
        if not _is_token(fields[-1]):
            below = MARKS.sub("", lines[index + 1]).rstrip(" *_") if index + 1 < len(lines) else ""
            if _is_token(below):
                fields.append(below)
                references[index + 1] = ()
        if _is_reference(fields):
            token = (fields[-1].lower(),) if _is_token(fields[-1]) else (fields[-1],)
            references[index] = (fields[0].lower(), *fields[1:-1], *token) if len(fields) > 1 else ()
        else:
            references.pop(index + 1, None)
    return references


def _is_token(word: str) -> bool:
    return TOKEN.fullmatch(word.lower()) is not None


def _is_reference(fields: list[str]) -> bool:
    if len(fields) < 2 or not GAME_NAME.fullmatch(fields[0].lower()):
        return False
    return _is_token(fields[-1]) or PHASE.fullmatch(fields[1]) is not None or fields[1].lower() == "press"
