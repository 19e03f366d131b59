"""Proposals about points that leave out what their sentence says: they are not made.

A sentence that pays a minor power buys what it says. An order to hold is proposed for a power that is only named, and
not beside words that may ask for something else; a move of the writer's is proposed with the points of its sentence, or
not at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from gm.language.lines.spans import QUIET
from gm.language.orders.parsing.lexer import Token
from gm.language.prose.guesses.clause import AMOUNTS, NAMES, Clause
from gm.language.prose.guesses.likely_points import HELP, MOTION
from gm.language.prose.memory import province_of, unit_of
from gm.language.prose.readings import ClauseReading
from gm.language.prose.stretches import StretchReader

POINTS = " DP "
"""Stands in each line of points."""


def assumes_hold(
    reader: StretchReader, text: str, lines: Sequence[str], run: Sequence[ClauseReading], rest: Sequence[ClauseReading]
) -> bool:
    """Whether a hold is bought that no word of the run asks for, where words of the sentence may ask for another order:
    "one point for Hungary: back Slovakia", "two to Bulgaria so it marches into Greece".
    """
    bought = (line.rpartition(POINTS)[2].rpartition(": ")[2] for line in lines if POINTS in line)
    paid = {province_of(unit_of(order)) for order in bought if order.endswith(" H")}
    if not paid:
        return False
    clauses = [(reading, reader.clause_of(text, reading.start, reading.end)) for reading in (*run, *rest)]
    holding = (
        "HOLD" in clause.types and (at < len(run) or not clause.of(*NAMES)) for at, (_, clause) in enumerate(clauses)
    )
    if any(holding):  # also "… and all three of them are to hold"
        return False
    asked = (each for each in clauses if not each[0].is_settled)
    return any(_may_tell(clause, paid, hinted=reading.fate in QUIET) for reading, clause in asked)


def _may_tell(clause: Clause, paid: set[str], *, hinted: bool) -> bool:
    """Whether words may say what the unit of a power that is paid does. `hinted`: they only give a reason."""
    names = clause.of(*NAMES)
    again = _does_the_same(clause) and len(names) <= 1
    if clause.types & HELP or _goes_itself(clause) or again:
        return True
    if hinted:
        return False
    others = [name for name in names if paid.isdisjoint(_homes(clause, name))]
    past = min((name.end_pos for name in names), default=0)
    unread = any(token.start_pos >= past for token in clause.of("WORD"))  # "Spain leaning in for one point"
    return bool(others or unread)


def _does_the_same(clause: Clause) -> bool:
    """ "Two for Austria: do the same", but not "one point each"."""
    pairs = pairwise(("", *(token.type for token in clause.tokens)))
    return any(behind == "EACH" and before not in ("NUMBER", "POINTS") for before, behind in pairs)


def _homes(clause: Clause, name: Token) -> set[str]:
    if name.type == "PLACE":
        return {*name.value.provinces}
    return {minor.home for minor in clause.context.variant.minors if minor.name == name.value}


def _goes_itself(clause: Clause) -> bool:
    """ "… so it marches into Greece": whoever was named before goes somewhere."""
    types = [token.type for token in clause.tokens if token.type not in ("SEP", "TALK", "WORD")]
    goes = len(types) > 1 and types[0] in MOTION and types[1] in NAMES
    return goes and clause.types.isdisjoint(AMOUNTS)  # "… to Latvia goes one"


def leaves_points(
    reader: StretchReader, text: str, lines: Sequence[str], run: Sequence[ClauseReading], rest: Sequence[ClauseReading]
) -> bool:
    """Whether only moves are proposed where the sentence speaks of points that nobody gets: "Greece shall be guarded by
    Bulgaria, with three points" is no attack on Bulgaria.
    """
    if not reader.sheet.kind.numbers_in_front or not any(" - " in line for line in lines):
        return False
    orders = (each.orders.statements for each in rest if each.orders is not None)
    if any(POINTS in line for line in (*lines, *(line for each in orders for line in reader.lines(each)))):
        return False
    types = {kind for each in (*run, *rest) for kind in reader.clause_of(text, each.start, each.end).types}
    return "POINTS" in types and not types.isdisjoint(AMOUNTS)
