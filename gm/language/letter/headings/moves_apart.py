"""Moves in a row with nothing between them: "spa-por mao-spa bur-bel". The text keeps its length, so columns stay."""

from __future__ import annotations

import re

from gm.language.orders.parsing.lexer import Scanner

LETTERS = {"KIND": "k", "PLACE": "p", "ARROW": "a", "TO": "a", "WORD": "w"}
"""A letter for each type of token that such moves have."""
BEFORE_ANOTHER = re.compile(r"(?<!a)(?<!ak)k?pa[pw](?=k?pa[pw])")


def with_moves_apart(body: str, scanner: Scanner) -> str:
    """With commas between them, so that one that is not clear is asked about alone."""
    tokens = scanner.scan(body)
    types = "".join(LETTERS.get(token.type, " ") for token in tokens)
    for match in BEFORE_ANOTHER.finditer(types):
        at, past = tokens[match.end() - 1].end_pos, tokens[match.end()].start_pos
        if at < past and not body[at:past].strip():
            body = body[:at] + "," + body[at + 1 :]
    return body
