"""Lists of units in words: "fleets in London and Edinburgh, an army in Bombay", "Hamburg und München Armeen"."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from gm.language.orders.line_meaning import OrderPiece
from gm.language.orders.parsing.lexer import Token
from gm.language.prose.clause import Clause

LISTED = frozenset({"KIND", "PLACE", "ALL", "EXCEPT"})


UNIT_LISTS = frozenset({"adjustments", "unit_placement"})
"""Sheets with lists of new units."""


def lacks_kinds(pieces: Sequence[OrderPiece]) -> bool:
    """Whether a line names a kind for some units and none for others: "fleets in London and Edinburgh"."""
    units = [unit for piece in pieces for unit in getattr(piece.node, "units", ())]
    return any(unit.kind for unit in units) and not all(unit.kind for unit in units)


class ListedUnits(NamedTuple):
    """(kind or "", place) of each unit; `others` is the kind of all that are not named, `excepted` has none."""

    units: tuple[tuple[str, Token], ...]
    others: str = ""
    excepted: tuple[Token, ...] = ()


def listed_units(clause: Clause) -> ListedUnits | None:
    """A kind of several units goes with the places behind it, or before it where it stands at the end; None where the
    words do not say which.
    """
    if len(kinds := clause.of("KIND")) == len(places := clause.of("PLACE")) == 1 and not clause.types & {
        "ALL",
        "EXCEPT",
    }:
        return ListedUnits(((str(kinds[0].value), places[0]),))  # "a fleet, in London"
    parts = [list(part) for is_listed, part in groupby(clause.tokens, _is_listed) if is_listed]
    rows = [[token for token in part if token.type in LISTED] for part in parts]
    units: list[tuple[str, Token]] = []
    waiting: list[Token] = []
    excepted: list[Token] = []
    others = going_on = ""
    for row in filter(None, rows):
        types = [token.type for token in row]
        places = [token for token in row if token.type == "PLACE"]
        kinds = [token for token in row if token.type == "KIND"]
        if "EXCEPT" in types and not kinds[1:] and types.index("EXCEPT") > max(_at(types, "KIND"), _at(types, "ALL")):
            excepted += places
            places = []
        if len(kinds) > 1 or (len(places) > 1 and types[1:-1].count("KIND")):
            return None
        if not kinds and excepted and not going_on:  # "all but Bombay and Montreal"
            excepted += places
            continue
        if not kinds:
            units, waiting = _without_kind(units, waiting, places, going_on)
            continue
        kind, many = str(kinds[0].value), clause.is_plural(kinds[0])
        if not places:
            if others or not (many or "ALL" in types):
                return None
            going_on, others = ("", kind) if "ALL" in types else (kind, others)
            continue
        behind = types[0] == "PLACE"
        if len(places) > 1 and not many:
            return None
        units += [(kind if behind and many else "", place) for place in waiting]
        units += [(kind, place) for place in places]
        waiting, going_on = [], kind if many and not behind else ""
    units += [("", place) for place in waiting]
    return ListedUnits(tuple(units), others, tuple(excepted)) if units or others else None


def _is_listed(token: Token) -> bool:
    """No mark between two units; a colon stands between a place and its unit."""
    return token.type != "SEP" or token.value == ":"


def _at(types: Sequence[str], kind: str) -> int:
    return types.index(kind) if kind in types else -1


def _without_kind(
    units: list[tuple[str, Token]], waiting: list[Token], places: list[Token], going_on: str
) -> tuple[list[tuple[str, Token]], list[Token]]:
    if going_on:
        return [*units, *((going_on, place) for place in places)], waiting
    return units, [*waiting, *places]
