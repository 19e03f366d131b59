"""Directions beside the place that is meant: "Paris goes east (Burgundy I mean)", "Marseilles west, that is Spain".

The text keeps its length, so that columns stay.
"""

from __future__ import annotations

import re

from gm.language.i18n.needed_words import may_match
from gm.language.orders.parsing.lexer import Scanner
from gm.language.prose.clauses import blank
from gm.language.prose.phrases.prose_phrases import ProsePhrases

GAP = re.compile(r"\s*(?:[(,:]|[-–—]+(?=\s)|\.\.\.)\s*")
END = re.compile(r"\s*\)?\s*(?=[,.;:!)]|$)")
MOST = 12
"""Directions of one line."""
TO = " to "


def with_goals_for_directions(body: str, scanner: Scanner, phrases: ProsePhrases) -> str:
    """With "to" and the place in the room of a direction, a mark and the place, where nothing else stands behind it."""
    low = body.lower()
    if not may_match(phrases.direction, low):
        return body
    for match in list(phrases.direction.finditer(low))[:MOST]:
        gap, low = GAP.match(body, match.end()), body.lower()
        if gap is None:
            types = [token.type for token in scanner.scan(body[match.end() :])[:2]]
            body = blank(body, *match.span()) if types == ["TO", "PLACE"] else body  # "goes west into the Atlantic"
            continue
        start = _past(phrases.meaning, low, gap.end())
        token = next(iter(scanner.scan(body[start:])), None)
        if token is not None and token.type in ("TO", "OF"):
            start += token.end_pos
            token = next(iter(scanner.scan(body[start:])), None)
        if token is None or token.type != "PLACE":
            continue
        past = start + token.end_pos
        end = END.match(body, _past(phrases.meaning, low, past))
        if end is None or (") " if "(" in gap.group() else "") not in f"{end.group().strip()} ":
            continue
        place = f"{TO}{body[start + token.start_pos : past]}"
        body = body[: match.start()] + place.ljust(end.end() - match.start()) + body[end.end() :]
    return body


def _past(pattern: re.Pattern[str], low: str, at: int) -> int:
    """Where words of this kind end that stand here, with the marks around them."""
    words = pattern.match(low, at + len(low[at:]) - len(low[at:].lstrip(" ,")))
    return words.end() + len(low[words.end() :]) - len(low[words.end() :].lstrip(" ,:")) if words is not None else at
