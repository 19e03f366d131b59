"""Dips in words: "read whatever passes between France and Russia (intercept, 2 dips)"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from gm.judge.mechanics.dips.dip_orders import DipOrder, DipSupport, InterceptMail, NoDips, Protect
from gm.judge.model.orders import Statement
from gm.language.orders.parsing.lexer import Token
from gm.language.prose.guesses.clause import AMOUNTS, NAMES, Clause
from gm.language.prose.guesses.guess import REFUSED, Guess
from gm.language.prose.guesses.moves_guess import guess_orders
from gm.language.prose.guesses.named_orders import guess_moves, without_coast
from gm.language.prose.memory import province_of, unit_of
from gm.language.prose.mentions import mentions_of, unit_called
from gm.language.rendering.order_text import statement

LISTING = ("INTERCEPT", "PROTECT")
SAYING = NAMES | {"SUPPORT", "KIND"}
"""Token types of what an order is about, and of a support."""
BESIDE = AMOUNTS | {"POINTS", "SUPPORT", "SEP", "FOR", "OF", "WITH", "BY"}
"""Token types of a clause that say nothing of the order that is paid for."""
HEADS = (["POINTS", "SEP"], ["POINTS", "COLON"])
"""Token types behind the number of all dips, in front of what they are for."""
NO_DIPS = "dips none"
COUNTRIES = LEAST_SHARES = 2
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
    if clause.is_sentence and (shared := _shares(clause)):
        return shared
    if clause.of(*LISTING):
        again = not clause.types & (NAMES | AMOUNTS | {"PROTECT", "NONE"}) and clause.written(InterceptMail)
        return Guess((), certain=True) if again else _listed(clause)  # "Intercept their letters please."
    if clause.is_sentence:
        return None
    if "FROM" in clause.types and clause.types & {"POINTS", "SUPPORT"} and (turned := _turned(clause)):
        return turned if turned.lines else None
    if "POINTS" in clause.types:
        return _paid(clause) or _paid_to_others(clause) if clause.types & AMOUNTS else None
    return guess_orders(clause)


def _shares(clause: Clause) -> Guess | None:
    """ "Three dips for Greece, three for Bulgaria", "support London with three, and Wales with the other three"."""
    every = [at for at, token in enumerate(clause.tokens) if token.type == "NUMBER"]
    numbers = [int(str(clause.tokens[at].value)) for at in every if str(clause.tokens[at].value).isdigit()]
    total = [token.type for token in clause.tokens[1:3]] in HEADS
    amounts = [at for at in every if at or not total]
    points = next((token for token in clause.tokens if token.type == "POINTS"), None)
    if len(amounts) < LEAST_SHARES or len(numbers) < len(every) or points is None or clause.types & {"NONE", "FROM"}:
        return None
    first = len(HEADS[0]) + 1 if total else 0
    at_end = any(token.type in NAMES for token in clause.tokens[first : amounts[0]])
    starts = [first, *(at + 1 for at in amounts)] if at_end else amounts
    lines: list[str] = []
    for begin, past in pairwise([*starts, len(clause.tokens)]):
        part = [token for token in clause.tokens[begin:past] if token.type != "COLON"]
        if at_end and {token.type for token in part} <= {"SEP", "POINTS"}:
            continue
        guess = guess_dips(replace(clause, tokens=[*part, points], is_sentence=False))
        if guess is None or not guess.certain or not {token.type for token in part} & NAMES:
            return None
        lines += guess.lines
    return clause.guess(lines) if len(set(lines)) == len(lines) else None


def _turned(clause: Clause) -> Guess | None:
    """ "Swap the dip support from Cuba to Alaska": a support on file for another order."""
    before = _before(clause)
    orders = clause.unit_orders
    behind = clause.tokens[clause.tokens.index(clause.of("FROM")[0]) :]
    named = [token for token in behind if token.type == "PLACE"][:1]
    old = [line for line in before if isinstance(line, DipSupport) and named and _concerns(line, named[0])]
    if len(old) != 1:
        return None
    given_up = f"{old[0].target} - "  # "no longer for Baghdad to Teheran, but for Tripoli to Egypt"
    beside = [_order_at(orders, token) for token in clause.of("PLACE") if token not in named]
    new = [line for line in beside if not line.startswith(given_up)]
    if not new and (not beside or not clause.types & AMOUNTS):
        return _without(clause, old, [])  # "take the dips off Cuba"
    if len(set(new)) != 1 or not new[0]:
        return REFUSED  # it is not clear what the dips are for instead
    return _without(clause, old, [_support(new[0], old[0].dips)])


def _concerns(line: DipSupport, name: Token) -> bool:
    provinces = getattr(name.value, "provinces", ())
    return line.target.at.province in provinces or (line.to is not None and line.to.province in provinces)


def _order_at(orders: Mapping[str, str], name: Token) -> str:
    """The only order of the writer's whose unit stands at a place or goes there; "" if there is none."""
    provinces: tuple[str, ...] = name.value.provinces
    own = [line for line in orders.values() if line[:1].isupper() and {"S", "C"}.isdisjoint(line.split())]
    at = [line for line in own if _province(unit_of(line)) in provinces]
    to = [line for line in own if " - " in line and _province(line.removesuffix(" VIA")) in provinces]
    return next(iter(to or at), "") if len(to or at) == 1 else ""


def _province(called: str) -> str:
    """That of "F StP/sc", or where "A Vie - Gal" goes."""
    return province_of(called).partition("#")[0]


def guess_dips_taken_back(clause: Clause) -> Guess | None:
    """ "Drop the intercept", "cancel the support for London": behind words that take something back."""
    if clause.of(*LISTING):
        return _changed(clause, [replaced._replace(is_gone=True) for replaced in _countries(clause)])
    if not clause.types & {"POINTS", "SUPPORT"}:
        return None
    every = [line for line in _before(clause) if not isinstance(line, NoDips)]
    supports = [line for line in every if isinstance(line, DipSupport)]
    if not clause.types & SAYING and len(every) > 1:  # "all the dips", or those of one kind
        guess = _without(clause, every, [])
        return replace(guess, certain=guess.certain and bool(clause.of("WHOLE"))) if guess is not None else None
    named = {code for token in clause.of("PLACE") for code in token.value.provinces}
    if named:
        goals = {line: line.to.province if line.to is not None else "" for line in supports}
        supports = [line for line, goal in goals.items() if {line.target.at.province, goal} & named]
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
    wanted: list[Listed] = []
    for each in listed:
        if each.is_gone:  # "Intercept France and Germany. No, no interception"
            wanted = [other for other in wanted if other.verb != each.verb or not {*each.powers} <= {*other.powers}]
        else:
            wanted.append(each)
    new = [line for each in wanted for line in each.lines]
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
    tokens = clause.of(*LISTING, "NATION", "NONE", "NUMBER")
    for at, token in enumerate(tokens):
        group = groups[-1]
        denies = token.type == "NONE" and [other.type for other in tokens[at + 1 : at + 2]] == ["NATION"]
        if denies and group.verb and not group.is_gone:  # "intercept Spain and Mexico, not France and Russia"
            group.is_gone = not group.powers
            groups += [Group(group.verb, True)] if group.powers else []
        elif token.type == "NONE":
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
    if amount is None or clause.types & {"CONVOY", "VIA", "MESSAGES", "NONE"}:
        return None
    if not any(token.type in ("PLACE", "KIND") for token in plain):
        return _behind_last(clause, amount, plain)
    named = mentions_of(plain, clause.context)
    if len(named) == 1 and (line := clause.memory.orders.get(named[0].called)):  # "3 dips for the fleet"
        return clause.guess([_support(line, amount)])
    places = [token for token in plain if token.type == "PLACE"]
    if len(places) == 1 and (line := _order_at(clause.unit_orders, places[0])):  # "3 dips for Greece"
        return clause.guess([_support(line, amount)]) if "HOLD" not in clause.types or line.endswith(" H") else None
    while plain and plain[-1].type in ("ARROW", "MINUS", "MOVE"):
        plain.pop()  # "the Calcutta - Rangoon move"
    order = guess_moves(plain, clause.context, clause.memory, clause.legal)
    if order is None or len(order.lines) != 1:
        return None
    line = order.lines[0]
    if "SUPPORT" in clause.types:
        first = next((token.type for token in clause.tokens if token.type in SAYING), "")
        return clause.guess([_support(line, amount)], certain=order.certain) if first == "SUPPORT" else None
    return clause.guess([line, _support(line, amount)], certain=order.certain)


def _paid_to_others(clause: Clause) -> Guess | None:
    """ "3 dips go behind Mexico's army moving from Central America to Colombia"."""
    amount, places = _amount(clause), mentions_of(clause.tokens, clause.context)
    owners = {str(token.value) for token in clause.of("NATION")}
    if "HOLD" in clause.types and len(places) > 1 and {place.name for place in places} == {places[0].name}:
        places = places[:1]  # "the army of Mexico holding in Mexico"
        owners |= {unit.power for unit in clause.context.position.standing.get(places[0].name, ())}
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
    order = without_coast(line.removesuffix(" H").removesuffix(" VIA"))
    return f"{amount} dips support {order}{held}"


def _amount(clause: Clause) -> int | None:
    """The number written; all there are only where the letter spends none besides."""
    numbers = {str(token.value) for token in clause.of("NUMBER")}
    if len(numbers) == 1:
        number = numbers.pop()
        return int(number) if number.isdigit() else None
    spent = any(isinstance(line, DipSupport | InterceptMail | Protect) for line in clause.memory.statements)
    return clause.purse.amount if not numbers and clause.of("WHOLE") and not spent else None
