"""Dips in words: "read whatever passes between France and Russia (intercept, 2 dips)"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from gm.judge.mechanics.dips.dip_orders import DipOrder, DipSupport, InterceptMail, NoDips, Protect
from gm.judge.model.orders import Statement
from gm.language.orders.parsing.lexer import Token
from gm.language.prose.clause import AMOUNTS, Clause
from gm.language.prose.guess import Guess, guess_moves, mentions_of, unit_called
from gm.language.rendering.order_text import statement

LISTING = ("INTERCEPT", "PROTECT")
BESIDE = AMOUNTS | {"POINTS", "SUPPORT", "SEP", "FOR", "OF", "WITH"}
"""Token types of a clause that say nothing of the order that is paid for."""
NO_DIPS = "dips none"
COUNTRIES = 2
"""Between which messages are intercepted."""


class Listed(NamedTuple):
    """A word for intercepting or protecting, with its countries. `is_gone`: "no" or "instead of" stands before it."""

    verb: str
    powers: tuple[str, ...]
    is_gone: bool = False

    @property
    def is_whole(self) -> bool:
        return len(self.powers) == COUNTRIES if self.verb == "INTERCEPT" else bool(self.powers)

    @property
    def lines(self) -> tuple[str, ...]:
        """An intercept is between two countries; a protection is against one, so several are so many."""
        if self.verb == "PROTECT":
            return tuple(f"protect against {power}" for power in self.powers)
        return (f"intercept {', '.join(self.powers)}",)


class Group(Struct):
    """A verb and the countries behind it; `number`: one that stands there as well."""

    verb: str
    is_gone: bool = False
    powers: list[str] = field(default_factory=list)
    number: str = ""


def guess_dips(clause: Clause) -> Guess | None:
    if clause.of(*LISTING):
        return _listed(clause)
    if clause.is_sentence:
        return None
    if "POINTS" in clause.types:
        return (_paid(clause) or _paid_to_others(clause)) if clause.types & AMOUNTS else None
    return guess_moves(clause.tokens, clause.context, clause.memory, clause.legal)


def guess_dips_taken_back(clause: Clause) -> Guess | None:
    """ "Drop the intercept", "cancel the dips for London": behind words that take something back."""
    if clause.of(*LISTING):
        return _changed(clause, [replaced._replace(is_gone=True) for replaced in _countries(clause)])
    if "POINTS" not in clause.types:
        return None
    supports = [line for line in _before(clause) if isinstance(line, DipSupport)]
    named = {code for token in clause.of("PLACE") for code in token.value.provinces}
    if named:
        supports = [line for line in supports if line.target.at.province in named]
    return _without(clause, supports, []) if len(supports) == 1 else None


def _listed(clause: Clause) -> Guess | None:
    """ "Two to intercept Spain and Mexico, one to protect against Great Britain"."""
    kinds = [token for token in clause.of("KIND") if token.end_pos - token.start_pos > 1]  # but "a dip"
    if clause.types & {"PLACE", "HOLD", "SUPPORT"} or kinds:
        return None
    return _changed(clause, list(_countries(clause)))


def _changed(clause: Clause, listed: Sequence[Listed]) -> Guess | None:
    """The lines that are new, or all that are left where some are taken back."""
    if any(not each.verb or not (each.is_gone or each.is_whole) for each in listed):
        return None
    new = [line for each in listed if not each.is_gone for line in each.lines]
    if not any(each.is_gone for each in listed):
        return clause.guess(new)
    gone = [line for line in _before(clause) if any(_is_meant(line, each) for each in listed if each.is_gone)]
    guess = _without(clause, gone, new) if gone else None
    return replace(guess, whole=clause.is_sentence and not guess.certain) if guess is not None else None


def _is_meant(line: Statement, listed: Listed) -> bool:
    if listed.verb == "PROTECT":
        return isinstance(line, Protect) and (not listed.powers or line.against in listed.powers)
    return isinstance(line, InterceptMail) and {*listed.powers} <= {line.one, line.other}


def _before(clause: Clause) -> list[Statement]:
    """The lines about dips that stand: those on file, and those of the letter so far."""
    lines = {line.slot: line for line in (*clause.memory.on_file, *clause.memory.statements)}
    return [line for line in lines.values() if isinstance(line, DipOrder)]


def _without(clause: Clause, gone: Sequence[Statement], new: Sequence[str]) -> Guess | None:
    """Lines about dips add up until one withdraws them all: those that stay are written anew."""
    kept = [statement(line) for line in _before(clause) if line not in gone and not isinstance(line, NoDips)]
    return clause.guess(list(dict.fromkeys((NO_DIPS, *kept, *new))))


def _countries(clause: Clause) -> Iterator[Listed]:
    """Each verb with the countries behind it, or before it where they stand first: as in German.

    "Both" behind a verb are the countries of the verb before. One without a verb says that it is not clear whose its
    countries are.
    """
    first, *groups = _groups(clause)
    last: list[str] = []
    left = first.powers
    for at, group in enumerate(groups):
        taken, behind = left, group.powers
        if not left:
            leaves = group.verb == "INTERCEPT" and at + 1 < len(groups) and not groups[at + 1].powers
            past = COUNTRIES if leaves else len(behind)  # "… and one to keep Spain out"
            taken, behind = behind[:past], behind[past:]
        if not taken and group.number == str(len(last)):
            taken = last
        yield Listed(group.verb, tuple(dict.fromkeys(taken)), group.is_gone)
        last, left = taken or last, behind
    if left:
        yield Listed("", tuple(left))


def _groups(clause: Clause) -> list[Group]:
    """The countries before the first verb and behind each, up to the next; a verb that adds nothing belongs to the one
    before it: "protect against interception by Spain".
    """
    groups = [Group("")]
    is_gone = False
    for token in clause.of(*LISTING, "NATION", "NONE", "NUMBER"):
        group = groups[-1]
        if token.type == "NONE":
            is_gone = True
        elif token.type == "NATION":
            group.powers.append(str(token.value))
        elif token.type == "NUMBER":
            group.number = str(token.value)
        elif is_gone or not group.verb or group.powers or group.number or group.is_gone:
            groups.append(Group(token.type, is_gone))
            is_gone = False
    return groups


def _paid(clause: Clause) -> Guess | None:
    """ "A LON - PLY (3 dips)": a support of this order, which the writer gives as well where the unit is theirs."""
    amount = _amount(clause)
    plain = [token for token in clause.tokens if token.type not in BESIDE]
    if amount is None or clause.types & {"CONVOY", "VIA"}:
        return None
    if not any(token.type in ("PLACE", "KIND") for token in plain):
        return _behind_last(clause, amount, plain)
    named = mentions_of(plain, clause.context)
    if len(named) == 1 and (line := clause.memory.orders.get(named[0].called)):  # "3 dips for the fleet"
        return clause.guess([_support(line, amount)])
    if "SUPPORT" in clause.types:
        return None
    order = guess_moves(plain, clause.context, clause.memory, clause.legal)
    if order is None or len(order.lines) != 1:
        return None
    line = order.lines[0]
    return clause.guess([line, _support(line, amount)], certain=order.certain)


def _paid_to_others(clause: Clause) -> Guess | None:
    """ "3 dips go behind Mexico's army moving from Central America to Colombia"."""
    amount, places = _amount(clause), mentions_of(clause.tokens, clause.context)
    owners = {str(token.value) for token in clause.of("NATION")}
    if amount is None or not 0 < len(places) <= 2 or clause.types & {"CONVOY", "VIA"}:
        return None
    standing = clause.context.position.standing.get(places[0].name.partition("/")[0], ())
    units = [unit for unit in standing if unit.power in owners]
    if len(units) != 1 or (len(places) == 1) != ("HOLD" in clause.types):
        return None
    act = f" - {places[1].name}" if len(places) > 1 else " hold"
    return clause.guess([f"{amount} dips support {units[0].power} {unit_called(units[0])}{act}"])


def _behind_last(clause: Clause, amount: int, plain: list[Token]) -> Guess | None:
    """ "Three dips in support", "three of my dips go to keeping it there": for the order before, or for the one of the
    writer's that it supports.
    """
    line = clause.memory.last
    _, support, supported = line.partition(" S ")
    if support:
        line = next((order for order in clause.memory.orders.values() if order.startswith(supported)), "")
    fits = line.endswith(" H") or not any(token.type == "HOLD" for token in plain)
    moves = bool(line) and {"S", "C"}.isdisjoint(line.split())
    return clause.guess([_support(line, amount)]) if clause.is_known and fits and moves else None


def _support(line: str, amount: int) -> str:
    held = " hold" if line.endswith(" H") else ""
    return f"{amount} dips support {line.removesuffix(' H').removesuffix(' VIA')}{held}"


def _amount(clause: Clause) -> int | None:
    """The number written; all there are only where the letter spends none besides."""
    numbers = {str(token.value) for token in clause.of("NUMBER")}
    if len(numbers) == 1:
        number = numbers.pop()
        return int(number) if number.isdigit() else None
    spent = any(isinstance(line, DipSupport | InterceptMail | Protect) for line in clause.memory.statements)
    return clause.purse.amount if not numbers and clause.of("WHOLE") and not spent else None
