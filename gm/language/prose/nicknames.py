"""Names that a letter gives to units: "Blücher (Munich) goes to Burgundy, Moltke (Ruhr) supports Blücher".

The text keeps its length, so that columns stay.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gm.judge.model.position import Unit
from gm.language.lines.signatures import TITLES
from gm.language.orders.parsing.lexer import Scanner

NAMED = re.compile(
    r"(?<![\w(])(?P<name>[A-Z][\w'-]+(?: [A-Z][\w'-]+){0,2})"
    r"\s?\((?P<unit>[^()]{3,30})\)"
)
TITLE = re.compile(TITLES)
UNIT = (["PLACE"], ["KIND", "PLACE"], ["PLACE", "KIND"])
"""Types of the words in the bracket."""
MOST_NAMES = 40


def with_units_named(body: str, scanner: Scanner, units: Sequence[Unit], nicknames: dict[str, str]) -> str:
    """The line with the province of a unit for each name; adds to `nicknames` those that it gives."""
    if "(" in body:
        for match in list(NAMED.finditer(body))[:MOST_NAMES]:
            titled = TITLE.fullmatch(match["unit"].strip())  # "Margaret Oldershaw (Mrs)"
            province = _province_of(match["unit"], scanner, units) if titled is None else ""
            if province and all(token.type == "WORD" for token in scanner.scan(match["name"])):
                nicknames[match["name"]] = province
                unit = match["unit"].rjust(match.end() - match.start() - 1)
                body = f"{body[: match.start()]}{unit} {body[match.end() :]}"
    for name, province in nicknames.items():
        if len(province) <= len(name):
            body = re.sub(rf"\b{re.escape(name)}\b", province.ljust(len(name)), body)
    return body


def _province_of(words: str, scanner: Scanner, units: Sequence[Unit]) -> str:
    """The province of the writer's unit that words name and nothing else; else ""."""
    tokens = [token for token in scanner.scan(words) if token.type != "SEP"]
    if [token.type for token in tokens] not in UNIT:
        return ""
    named = next(set(token.value.provinces) for token in tokens if token.type == "PLACE")
    own = [unit.at.province for unit in units if unit.at.province in named]
    return own[0] if len(own) == 1 else ""
