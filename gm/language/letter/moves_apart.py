"""Moves in a row with nothing between them: "spa-por mao-spa bur-bel". The text keeps its length, so columns stay."""

from __future__ import annotations

import re

from gm.language.orders.parsing.lexer import Scanner

LETTERS = {"KIND": "k", "PLACE": "p", "ARROW": "a", "TO": "t", "WORD": "w"}
"""A letter for each type of token that such moves have."""
GOES = "(?:a[pw]|tp)"
"""Behind "to" an unknown word is no place: "two for Austria to back Krakow into Czechya"."""
BEFORE_ANOTHER = re.compile(rf"(?<![at])(?<![at]k)k?p{GOES}(?=k?p{GOES})")


def with_moves_apart(body: str, scanner: Scanner) -> str:
    """With commas between them, so that one that is not clear is asked about alone."""
    tokens = scanner.scan(body)
    types = "".join(LETTERS.get(token.type, " ") for token in tokens)
    for match in BEFORE_ANOTHER.finditer(types):
        at, past = tokens[match.end() - 1].end_pos, tokens[match.end()].start_pos
        if at < past and not body[at:past].strip():
            body = body[:at] + "," + body[at + 1 :]
    return body
