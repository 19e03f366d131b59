"""Statements and outcomes as text: the canonical form of every order, and one sentence for every cause.

The canonical form is what sheets are stored in and what every letter shows; reading it gives the same statement again.
Sentences stand in templates/sentences/<language>/order_outcomes.toml: `cause.<key>` for why, `outcome.<word>` for what.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial

from gm.judge.mechanics.influence.bid_orders import Bid, NoBids
from gm.judge.mechanics.wings.wing_orders import Bomb, Intercept
from gm.judge.model.events import Cause, OrderResult, Outcome
from gm.judge.model.orders import (
    Allocate,
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    NoPoints,
    Passage,
    Retreat,
    Statement,
    Support,
    UnitOrder,
    UnitRef,
    Waive,
)
from gm.judge.model.position import Unit
from gm.judge.model.sheets import Problem
from gm.judge.model.variant import Variant
from gm.language.i18n.catalogue import Catalogue
from gm.language.rendering import border_words as stretches

ADJUSTMENTS = "A"
SETUP = "U"
POINTS = "DP"
MEMO = 8192
DISLODGED = "dislodged"
"""The cause of being driven out by a unit that came in; a wing may lose its base otherwise."""
DROWNED = frozenset({"fleet-dislodged", "dislodged-support"})
"""Causes that say no more than that the unit was driven out, which is told anyway."""


@lru_cache(maxsize=MEMO)
def unit(named: Unit | UnitRef) -> str:
    """A Bud, F StP/sc, F NAT#2."""
    if isinstance(named, Unit):
        return str(UnitRef(named.kind, named.at.place, named.number))
    return str(named)


def statement(said: Statement, letter: str = "") -> str:
    """`letter` is that of the phase: a Disband reads "Remove A Bur" among builds (A), and "A Bur D" elsewhere."""
    match said:
        case Hold():
            return f"{unit(said.unit)} H"
        case Move():
            return _move(said)
        case Support(to=None):
            return f"{unit(said.unit)} S {unit(said.target)}"
        case Support() | Convoy():
            verb = "S" if isinstance(said, Support) else "C"
            return f"{unit(said.unit)} {verb} {unit(said.target)} - {said.to}"
        case Retreat():
            return f"{said.unit} - {said.to}"
        case Disband():
            return f"Remove {said.unit}" if letter == ADJUSTMENTS else f"{said.unit} D"
        case Allocate():
            home = said.order.unit.at.province if isinstance(said.order, UnitOrder) else said.minor
            return f"{said.points} {POINTS} {home}: {statement(said.order)}"
        case Bomb():
            return f"{said.unit} bomb {said.target}"
        case Intercept():
            return f"{said.unit} intercept ({', '.join(said.over)})" if said.over else f"{said.unit} intercept"
        case NoPoints():
            return f"{POINTS} none"
        case Bid():
            return f"bid {said.minor} {said.points}{f' support {said.backs}' if said.backs else ''}"
        case NoBids():
            return "bid none"
        case Passage():
            where = f" {' - '.join(said.places)}" if said.places else ""
            return f"allow passage{where}{f' for {said.whom}' if said.whom else ''}"
        case Build():
            return str(said.unit) if letter == SETUP else f"Build {said.unit}"
        case Waive():
            return "Waive" if said.count is None else f"Waive {said.count}"
        case _:
            return str(said)


def _move(said: Move) -> str:
    """A route says by itself that the army sails."""
    legs = "".join(f" - {sea}" for sea in said.route) if said.route else ""
    return f"{unit(said.unit)}{legs} - {said.to}{' VIA' if said.via and not said.route else ''}"


def halves(strength: int) -> str:
    """Strengths are counted in half units: 2 -> "1", 3 -> "1½"."""
    whole, half = divmod(strength, 2)
    return f"{whole or ''}½" if half else str(whole)


def joined(catalogue: Catalogue, words: Iterable[str]) -> str:
    """ "A Bul, A Ser and A Ukr"."""
    *first, last = [catalogue.called(word) for word in words] or [""]
    return catalogue.say("outcome.and", first=", ".join(first), last=last) if first else last


def outcome_sentence(catalogue: Catalogue, result: OrderResult, variant: Variant, reader: str | None) -> str:
    """Why an order ended as it did, and who drove its unit out: to stand behind the outcome's word; "" says nothing.

    Units of the order's own power are named without it. `reader` is the power that reads, None for a game master.
    """
    parts = []
    if result.cause is not None and not (result.dislodged_by and result.cause.key in DROWNED):
        parts.append(_cause(catalogue, result.cause, result, variant))
    if result.dislodged_by is not None:
        parts.append(_driven_out(catalogue, result, result.dislodged_by, variant))
    return catalogue.say("outcome.then", first=parts[0], last=parts[1]) if len(parts) > 1 else "".join(parts)


def _driven_out(catalogue: Catalogue, result: OrderResult, by: Unit, variant: Variant) -> str:
    """Who came in; or what else left the unit without a place to stand."""
    cause = result.dislodged_cause or Cause(DISLODGED)
    if cause.key != DISLODGED:
        return _cause(catalogue, cause, result, variant)
    key = "dislodged" if cause.force is not None else "dislodged-bare"
    named = _named(catalogue, by, result.power)
    return catalogue.say(f"outcome.{key}", by=named, strengths=_strengths(catalogue, cause))


def full_sentence(catalogue: Catalogue, result: OrderResult, variant: Variant) -> str:
    """What and why together, for a reader who sees nothing else: "bounced: with Russia's A War, 1 against 1"."""
    word, (before, after) = _word(catalogue, result.outcome, result.dislodged_by is not None, result.given)
    why = outcome_sentence(catalogue, result, variant, None)
    said = f"{before}{catalogue.called(why)}{after}" if why else word
    if result.gone:
        said = catalogue.say("outcome.then", first=said, last=_gone(catalogue, result))
    return f"{said} {bought(catalogue, result)}" if result.bought else said


def _gone(catalogue: Catalogue, result: OrderResult) -> str:
    """ "disbanded: there was nowhere to go"."""
    word = catalogue.say(f"outcome.{Outcome.DESTROYED.value}")
    if result.dislodged_by is None:
        return word
    return catalogue.say("outcome.because", word=word, why=catalogue.say("cause.no-retreat"))


def bought(catalogue: Catalogue, result: OrderResult) -> str:
    """What is told with an order that points supported: "(+1 dip)", with the payers where they are public."""
    payers = [payer for payer in result.bought if payer]
    if not payers:
        return catalogue.say("outcome.bought") if result.bought else ""
    return catalogue.say("outcome.bought-by", payers=joined(catalogue, payers))


def cause_sentence(catalogue: Catalogue, problem: Problem, variant: Variant) -> str:
    """What a step finds wrong with a line, in the words of the cause that the line would fail of."""
    cause = Cause(problem.key, places=problem.places, borders=problem.reach)
    said = problem.statement if problem.statement is not None else Waive()
    return _cause(catalogue, cause, OrderResult("", said, Outcome.VOID), variant)


@lru_cache(maxsize=MEMO)
def _word(catalogue: Catalogue, outcome: Outcome, dislodged: bool, given: bool) -> tuple[str, tuple[str, str]]:
    """What became of an order, and the sentence with it around its reason."""
    word = catalogue.say(f"outcome.{outcome.value}")
    if dislodged:
        key = "driven-out" if outcome is Outcome.SUCCEEDS else "and-driven-out"
        word = catalogue.say(f"outcome.{key}", word=word)
    word = word if given else catalogue.say("outcome.not-given", word=word)
    return word, catalogue.around("outcome.because", "why", word=word)


@lru_cache(maxsize=MEMO)
def _named(catalogue: Catalogue, one: Unit, power: str) -> str:
    if one.power == power:
        return unit(one)
    return catalogue.say("outcome.theirs", power=one.power, unit=unit(one))


def _listed(catalogue: Catalogue, units: Sequence[Unit], power: str) -> str:
    if len(units) == 1:
        return catalogue.called(_named(catalogue, units[0], power))
    return joined(catalogue, [_named(catalogue, one, power) for one in units])


def _cause(catalogue: Catalogue, cause: Cause, result: OrderResult, variant: Variant) -> str:
    key = f"cause.{cause.key}"
    if cause.key == "won" and not (cause.helpers or cause.route):
        key = "cause.won-alone"
    elif cause.key == "withstood" and cause.helpers:
        key = "cause.withstood-helped"
    fields = {name: FIELDS[name](catalogue, cause, result, variant) for name in catalogue.fields(key)}
    said = catalogue.say(key, **fields)
    if cause.key == "won" and cause.route:
        return _carried(catalogue, cause, said)
    return said


Field = Callable[[Catalogue, Cause, OrderResult, Variant], object]


def _places(cause: Cause, variant: Variant) -> list[str]:
    provinces = variant.start.board.provinces
    return [provinces[code].name if code in provinces else code for code in cause.places]


def _orders(catalogue: Catalogue, cause: Cause) -> list[str]:
    """Each order once, with all who wrote it."""
    authors: dict[str, list[str]] = {}
    for power, said in cause.orders:
        authors.setdefault(statement(said), []).append(power)
    return [
        catalogue.say("outcome.order-of", powers=joined(catalogue, powers), order=order)
        for order, powers in authors.items()
    ]


def _nth(cause: Cause, variant: Variant, n: int) -> str:
    return next(iter(_places(cause, variant)[n:]), "")


def _stand(catalogue: Catalogue, cause: Cause, result: OrderResult, variant: Variant) -> str:
    """The first place, by its code where the ordered unit stands there on one coast: from another one may go on."""
    unit = result.unit
    if unit is not None and unit.at.place.coast and cause.places[:1] == (unit.at.province,):
        return str(unit.at.place)
    return _nth(cause, variant, 0)


def _code(at: int, catalogue: Catalogue, cause: Cause, result: OrderResult, variant: Variant) -> str:
    """A place by its code."""
    return cause.places[at] if at < len(cause.places) else ""


def _borders(
    told: Callable[[Catalogue, Sequence[str]], str], catalogue: Catalogue, cause: Cause, result: OrderResult, v: Variant
) -> str:
    return told(catalogue, cause.borders)


FIELDS: Mapping[str, Field] = {
    "by": lambda c, cause, result, v: _listed(c, cause.by, result.power),
    "strengths": lambda c, cause, result, v: _strengths(c, cause),
    "helpers": lambda c, cause, result, v: _listed(c, cause.helpers, result.power),
    "places": lambda c, cause, result, v: joined(c, _places(cause, v)),
    "place": lambda c, cause, result, v: next(iter(_places(cause, v)), ""),
    "stand": _stand,
    "last": lambda c, cause, result, v: next(reversed(_places(cause, v)), ""),
    "route": lambda c, cause, result, v: joined(c, cause.route),
    "kind": lambda c, cause, result, v: v.kinds[result.unit.kind].name if result.unit else "",
    "n": lambda c, cause, result, v: max(1, len(cause.by)),
    "one": lambda c, cause, result, v: _nth(cause, v, 0),
    "two": lambda c, cause, result, v: _nth(cause, v, 1),
    "three": lambda c, cause, result, v: _nth(cause, v, 2),
    "orders": lambda c, cause, result, v: joined(c, _orders(c, cause)),
    "unit": lambda c, cause, result, v: unit(result.unit) if result.unit else "",
    "powers": lambda c, cause, result, v: joined(c, [power for power, _ in cause.orders]),
    "code": partial(_code, 0),
    **{name: partial(_code, at) for at, name in enumerate(("here", "there", "third", "fourth"))},
    **{name: partial(_borders, told) for name, told in stretches.FORMS.items()},
}
"""What the sentence of a cause may speak of."""


def _carried(catalogue: Catalogue, cause: Cause, said: str) -> str:
    """An army that came over water and had to fight: the way first, then the fight."""
    first = catalogue.say("cause.convoyed", route=joined(catalogue, cause.route))
    return catalogue.say("outcome.then", first=first, last=said if cause.helpers else _strengths(catalogue, cause))


def _strengths(catalogue: Catalogue, cause: Cause) -> str:
    if cause.force is None or cause.against is None:
        return ""
    return _compared(catalogue, cause.force, cause.against)


@lru_cache(maxsize=MEMO)
def _compared(catalogue: Catalogue, force: int, against: int) -> str:
    return catalogue.say("outcome.strengths", force=halves(force), against=halves(against))
