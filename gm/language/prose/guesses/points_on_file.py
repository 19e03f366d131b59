"""Points on file that change: "take the points off Switzerland and put them on Portugal", "nothing for Sweden"; and
those of the letter right behind them: "2 points on the Dutch to support Cologne … no wait, they should hold".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from msgspec.structs import replace

from gm.judge.model.orders import Allocate, Hold
from gm.judge.model.variant import Minor
from gm.language.orders.parsing.lexer import Token
from gm.language.prose.guesses.clause import AMOUNTS, NAMES, Clause
from gm.language.prose.guesses.guess import REFUSED, Guess
from gm.language.prose.guesses.shares_of_points import OF_MINORS
from gm.language.rendering.order_text import statement

DeedOf = Callable[[Clause, Token, Sequence[Token], Minor], str]
"""The order of a minor power's unit that a word for what it does means, with the tokens behind it; "" if none."""
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


def points_corrected(clause: Clause, deed_of: DeedOf) -> Guess | None:
    """The last line of the letter with another order or number, where it is one of points and no other power is named;
    it is asked about where no words of correction stand before.
    """
    last = clause.memory.statements[-1] if clause.memory.statements else None
    if not isinstance(last, Allocate) or clause.memory.is_doubted:
        return None
    minor = next((each for each in clause.context.variant.minors if each.name == last.minor), None)
    if minor is None:
        return None
    number = _number_alone(clause)
    order = "" if number else _order_instead(clause, deed_of, minor)
    if not (number or order) or not clause.memory.corrects:
        return REFUSED if order.endswith(" H") else None
    line = f"{last.points} DP {order}" if order else statement(replace(last, points=number))
    guess = clause.guess([line])
    return replace(guess, withdrawn=(last.slot,)) if guess is not None else None


def _number_alone(clause: Clause) -> int:
    """The only number, beside words that say nothing else; 0 if there is none."""
    numbers = [str(token.value) for token in clause.of(*AMOUNTS)]
    others = clause.types - AMOUNTS - {"POINTS", "SEP", "TALK"}
    if len(numbers) != 1 or others or not numbers[0].isdigit():
        return 0
    return int(numbers[0]) if 0 < int(numbers[0]) <= clause.purse.amount else 0


def _order_instead(clause: Clause, deed_of: DeedOf, minor: Minor) -> str:
    """What its unit does instead: the deed stands first, behind a pronoun at most."""
    at = next((at for at, token in enumerate(clause.tokens) if token.type in OF_MINORS), None)
    if at is None or clause.types & AMOUNTS or any(token.type in NAMES for token in clause.tokens[:at]):
        return ""
    return deed_of(clause, clause.tokens[at], clause.tokens[at + 1 :], minor)
