"""Points on file that several powers share in another way: "one more for Sweden, one less for Austria", "Austria gets
nothing more and Sweden all three", "take one off Austria and add it to Sweden". What they do stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from gm.judge.model.orders import Allocate
from gm.language.orders.parsing.lexer import Token
from gm.language.prose.guesses.amounts_changed import AmountChange, amount_changes, amounts_after
from gm.language.prose.guesses.clause import NAMES, Clause
from gm.language.prose.guesses.guess import Guess
from gm.language.prose.guesses.points_on_file import NO_POINTS, MinorOf, lines_on_file
from gm.language.rendering.order_text import statement

LEAST = 2
"""Powers whose amounts change."""
OTHERWISE = frozenset({"SUPPORT", "SUPPORTED", "CONVOY", "VIA", "NONE", "IF"})


def points_shared_anew(clause: Clause, minor_of: MinorOf) -> Guess | None:
    """None where a power has no line on file and no deed beside it, or where the words say no such change."""
    before = lines_on_file(clause)
    left = {line.minor: line.points for line in before}
    if not clause.is_sentence or not before or len(left) < len(before) or clause.types & OTHERWISE:
        return None

    def who(token: Token) -> str:
        minor = minor_of(clause, token)
        return minor.name if minor is not None else ""

    tokens = [token for token in clause.tokens if token.type not in NAMES or token.value != clause.context.power]
    changes = list(amount_changes(tokens, who))
    if any(token.type in NAMES and not who(token) for token in tokens) or not _are_changes(changes, left):
        return None
    after = amounts_after(changes, left, clause.purse.amount)
    return _with_lines(clause, minor_of, before, after) if after is not None else None


def _are_changes(changes: Sequence[AmountChange], before: dict[str, int]) -> bool:
    """Whether each part names a power, at least two do, and some amount is raised, lowered, none or all."""
    powers = [change.power for change in changes]
    if not all(powers) or len({*powers}) < max(LEAST, len(powers)) or not {*powers} & {*before}:
        return False
    if any(not change.is_whole and not (at and changes[at - 1].sign < 0) for at, change in enumerate(changes)):
        return False
    if any((change.power in before) == change.holds for change in changes):
        return False
    return any(change.sign or change.is_all or change.amount == 0 for change in changes)


def _with_lines(clause: Clause, minor_of: MinorOf, before: Sequence[Allocate], left: dict[str, int]) -> Guess | None:
    lines = [statement(replace(line, points=left[line.minor])) for line in before if left[line.minor]]
    known = {line.minor for line in before}
    minors = [minor_of(clause, token) for token in clause.of(*NAMES)]
    new = {minor.name: minor for minor in minors if minor is not None and minor.name not in known}
    lines += [f"{left[name]} DP {minor.kind} {minor.home} H" for name, minor in new.items()]
    if sum(left.values()) > clause.purse.amount:
        return None
    return clause.guess(lines or [NO_POINTS])
