"""Points on file that change: "take the points off Switzerland and put them on Portugal", "nothing for Sweden"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from msgspec.structs import replace

from gm.judge.model.orders import Allocate, Hold
from gm.judge.model.variant import Minor
from gm.language.orders.parsing.lexer import Token
from gm.language.prose.guesses.clause import NAMES, Clause
from gm.language.prose.guesses.guess import Guess
from gm.language.rendering.order_text import statement

MinorOf = Callable[[Clause, Token], Minor | None]
NO_POINTS = "DP none"
TELLING = ("SUPPORT", "SUPPORTED", "HOLD", "CONVOY", "ARROW", "MINUS")
"""Types of words that tell a unit what to do."""


def lines_on_file(clause: Clause) -> list[Allocate]:
    """Those that count until the letter writes points of its own; all of a letter's points replace them."""
    return [] if clause.written(Allocate) else clause.on_file(Allocate)


def points_without(clause: Clause, names: Sequence[Token], minor_of: MinorOf) -> Guess | None:
    """All lines on file but those for the powers named."""
    gone = {minor.name for token in names if (minor := minor_of(clause, token)) is not None}
    before = lines_on_file(clause)
    kept = [statement(line) for line in before if line.minor not in gone]
    if not gone or len(gone) != len({line.minor for line in before} & gone):
        return None
    return clause.guess(kept or [NO_POINTS])


def points_lowered(clause: Clause, minor: Minor, number: str) -> Guess | None:
    """ "One of the Danish points": so many fewer, on the only line for that power."""
    before = lines_on_file(clause)
    own = [line for line in before if line.minor == minor.name]
    if len(own) != 1 or not number.isdigit() or not 0 < int(number) <= own[0].points:
        return None
    left = [replace(line, points=line.points - int(number)) if line is own[0] else line for line in before]
    return clause.guess([statement(line) for line in left if line.points] or [NO_POINTS])


def points_answered(clause: Clause) -> Guess | None:
    """ "All three, please" below a quoted line of points: as many for the same order. The others stay if they can."""
    before, numbers = lines_on_file(clause) or clause.on_file(Allocate), clause.of("NUMBER")
    line = next((line for line in before if statement(line).removesuffix(" H") == clause.memory.order), None)
    if line is None or clause.of(*NAMES, *TELLING) or len(numbers) > 1 or not clause.of("NUMBER", "WHOLE"):
        return None
    points = int(numbers[0].value) if numbers and str(numbers[0].value).isdigit() else clause.purse.amount
    others = [each for each in clause.written(Allocate) or before if each.minor != line.minor]
    stay = sum(each.points for each in others) + points <= clause.purse.amount
    lines = [replace(line, points=points), *(others if stay else ())]
    changes = points != line.points and 0 < points <= clause.purse.amount  # "three, not two"
    return clause.guess([statement(each) for each in lines]) if changes else None


def named_with_points(clause: Clause) -> list[Token]:
    """ "The Spanish point"."""
    return [name for name, points in pairwise(clause.tokens) if points.type == "POINTS" and name.type in NAMES]


def source_of(clause: Clause, minor_of: MinorOf) -> tuple[Token, Allocate] | None:
    """The name behind "from", or before the points ("the Spanish point"), and the only line on file for that power."""
    named = clause.behind_from or named_with_points(clause)
    minors = {minor.name for token in named if (minor := minor_of(clause, token)) is not None}
    lines = [line for line in lines_on_file(clause) if line.minor in minors]
    return (named[0], lines[0]) if len(named) == len(lines) == 1 else None


def points_moved(clause: Clause, source: Allocate, points: int | None, minor: Minor, order: str) -> Guess | None:
    """`points` of a line on file (None: all) go to another power, for `order` ("A Bul H"), or for the one on file. All
    that this power then has may be told instead: "the Spanish point on Sweden as well, so that all three …".
    """
    before = lines_on_file(clause)
    own = [line for line in before if line.minor == minor.name and line is not source]
    told_all = points == source.points + sum(line.points for line in own)
    amount = source.points if points is None or told_all else points
    certain = bool(order) or len(own) == 1
    if not order and own:
        order = statement(own[0].order)
    elif not order and isinstance(source.order, Hold):
        order = f"{minor.kind} {minor.home} H"
    if not order or not 0 < amount <= source.points:
        return None
    lines = [replace(line, points=line.points - amount) if line is source else line for line in before]
    same = [line for line in lines if line.minor == minor.name and statement(line.order) == order]
    kept = [statement(line) for line in lines if line.points and line not in same]
    total = amount + sum(line.points for line in same)
    return clause.guess([*kept, f"{total} DP {order}"], certain=certain)
