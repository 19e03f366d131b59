"""Renders orders in their canonical form, and their outcomes as sentences.

Sheets store the canonical form and letters show it; reading it returns the same order. Sentences are in
templates/sentences/<language>/order_outcomes.toml: `cause.<key>` for the reason, `outcome.<word>` for the outcome.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial

from gm.judge.mechanics.influence.bid_orders import Bid, NoBids
from gm.judge.mechanics.wings.wing_orders import Bomb, Intercept
from gm.judge.model.events import Allocated, Cause, OrderResult, Outcome
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
from gm.language.rendering import border_words

ADJUSTMENTS = "A"
"""The letter of phases of builds."""
SETUP = "U"
POINTS = "DP"
CACHE_SIZE = 8192
DISLODGED = "dislodged"
"""Cause of a unit dislodged by an attack; a wing may lose its base in other ways."""
IMPLIED_BY_DISLODGEMENT = frozenset({"fleet-dislodged", "dislodged-support"})
"""Causes that add nothing to the fact that the unit was dislodged."""


@lru_cache(maxsize=CACHE_SIZE)
def unit(named: Unit | UnitRef) -> str:
    """A Bud, F StP/sc, F NAT#2. Cached, only for speed."""
    return str(named)


def statement(order: Statement, letter: str = "") -> str:
    """`letter` is the phase's: a Disband reads "Remove A Bur" in builds (A) and "A Bur D" elsewhere."""
    match order:
        case Hold():
            return f"{unit(order.unit)} H"
        case Move():
            return _move(order)
        case Support(to=None):
            return f"{unit(order.unit)} S {unit(order.target)}"
        case Support() | Convoy():
            verb = "S" if isinstance(order, Support) else "C"
            return f"{unit(order.unit)} {verb} {unit(order.target)} - {order.to}"
        case Retreat():
            return f"{order.unit} - {order.to}"
        case Disband():
            return f"Remove {order.unit}" if letter == ADJUSTMENTS else f"{order.unit} D"
        case Allocate():
            home = order.order.unit.at.province if isinstance(order.order, UnitOrder) else order.minor
            return f"{order.points} {POINTS} {home}: {statement(order.order)}"
        case Bomb():
            return f"{order.unit} bomb {order.target}"
        case Intercept():
            return f"{order.unit} intercept ({', '.join(order.over)})" if order.over else f"{order.unit} intercept"
        case NoPoints():
            return f"{POINTS} none"
        case Bid():
            part = f" with {order.part}" if order.part else ""
            return f"bid {order.minor} {order.points}{f' support {order.backs}{part}' if order.backs else ''}"
        case NoBids():
            return "bid none"
        case Passage():
            where = f" {' - '.join(order.places)}" if order.places else ""
            return f"allow passage{where}{f' for {order.whom}' if order.whom else ''}"
        case Build():
            return str(order.unit) if letter == SETUP else f"Build {order.unit}"
        case Waive():
            return "Waive" if order.count is None else f"Waive {order.count}"
        case _:
            return str(order)


def _move(move: Move) -> str:
    """A route already shows that the army is convoyed."""
    legs = "".join(f" - {sea}" for sea in move.route) if move.route else ""
    return f"{unit(move.unit)}{legs} - {move.to}{' VIA' if move.via and not move.route else ''}"


def halves(strength: int) -> str:
    """Strengths are counted in halves: 2 -> "1", 3 -> "1½"."""
    whole, half = divmod(strength, 2)
    return f"{whole or ''}½" if half else str(whole)


def outcome_sentence(catalogue: Catalogue, result: OrderResult, variant: Variant) -> str:
    """Why an order ended as it did and who dislodged its unit, to follow the outcome's word; may be "".

    Units of the order's own power are named without it.
    """
    parts = []
    if result.cause is not None and not (result.dislodged_by and result.cause.key in IMPLIED_BY_DISLODGEMENT):
        parts.append(_cause(catalogue, result.cause, result, variant))
    if result.dislodged_by is not None:
        parts.append(_dislodgement(catalogue, result, result.dislodged_by, variant))
    return catalogue.say("outcome.then", first=parts[0], last=parts[1]) if len(parts) > 1 else "".join(parts)


def _dislodgement(catalogue: Catalogue, result: OrderResult, by: Unit, variant: Variant) -> str:
    """Who dislodged the unit, or why else it lost its place."""
    cause = result.dislodged_cause or Cause(DISLODGED)
    if cause.key != DISLODGED:
        return _cause(catalogue, cause, result, variant)
    key = "dislodged" if cause.force is not None else "dislodged-bare"
    named = _named(catalogue, by, result.power)
    return catalogue.say(f"outcome.{key}", by=named, strengths=_strengths(catalogue, cause))


def full_sentence(catalogue: Catalogue, result: OrderResult, variant: Variant) -> str:
    """Outcome and reason in one sentence: "bounced: with Russia's A War, 1 against 1"."""
    word, (before, after) = _word(catalogue, result.outcome, result.dislodged_by is not None, result.given)
    why = outcome_sentence(catalogue, result, variant)
    text = f"{before}{catalogue.called(why)}{after}" if why else word
    if result.gone:
        text = catalogue.say("outcome.then", first=text, last=_gone(catalogue, result))
    return f"{text} {bought(catalogue, result)}" if result.bought else text


def _gone(catalogue: Catalogue, result: OrderResult) -> str:
    """ "disbanded: there was nowhere to go"."""
    word = catalogue.say(f"outcome.{Outcome.DESTROYED.value}")
    if result.dislodged_by is None:
        return word
    return catalogue.say("outcome.because", word=word, why=catalogue.say("cause.no-retreat"))


def bought(catalogue: Catalogue, result: OrderResult) -> str:
    """The note on bought support: "(+1 dip)", with the payers where they are public."""
    payers = [payer for payer in result.bought if payer]
    if not payers:
        return catalogue.say("outcome.bought") if result.bought else ""
    return catalogue.say("outcome.bought-by", payers=catalogue.every(payers))


def problem_sentence(catalogue: Catalogue, problem: Problem, variant: Variant, letter: str) -> str:
    """A problem of a sheet: `problem.<key>` (of points for an order: `problem.points-<key>`), else the cause by which
    the order would fail. A sentence that lists what would do instead has a twin `<key>-none`. `letter` is the phase's.
    """
    own = f"problem.points-{problem.key}" if isinstance(problem.statement, Allocate) else ""
    key = own if own in catalogue else f"problem.{problem.key}"
    if key not in catalogue:
        cause = Cause(problem.key, places=problem.places, borders=problem.reach)
        return _cause(catalogue, cause, OrderResult("", problem.statement or Waive(), Outcome.VOID), variant)
    if not problem.reach and f"{key}-none" in catalogue:
        key = f"{key}-none"
    places = _place_names(problem.places, variant)
    return catalogue.say(
        key,
        order=statement(problem.statement, letter) if problem.statement is not None else "",
        places=catalogue.every(problem.places),
        reach=catalogue.every(problem.reach),
        **dict(zip(("one", "two", "three"), (*places, "", "", ""), strict=False)),
    )


def points_sentence(catalogue: Catalogue, line: Allocated) -> str:
    """What became of a line of points: "followed", "outbid", "void: its unit does not reach that place"."""
    return points_problem(catalogue, line.why or "followed")


def points_problem(catalogue: Catalogue, why: str) -> str:
    """Why a line of points did not count: "void: its unit does not reach that place"."""
    return catalogue.choose("event-why", why)


@lru_cache(maxsize=CACHE_SIZE)
def _word(catalogue: Catalogue, outcome: Outcome, dislodged: bool, given: bool) -> tuple[str, tuple[str, str]]:
    """The word for an outcome, and the text before and after its reason."""
    word = catalogue.say(f"outcome.{outcome.value}")
    if dislodged:
        key = "driven-out" if outcome is Outcome.SUCCEEDS else "and-driven-out"
        word = catalogue.say(f"outcome.{key}", word=word)
    word = word if given else catalogue.say("outcome.not-given", word=word)
    return word, catalogue.around("outcome.because", "why", word=word)


@lru_cache(maxsize=CACHE_SIZE)
def _named(catalogue: Catalogue, other: Unit, power: str) -> str:
    if other.power == power:
        return unit(other)
    return catalogue.say("outcome.theirs", power=other.power, unit=unit(other))


def _listed(catalogue: Catalogue, units: Sequence[Unit], power: str) -> str:
    if len(units) == 1:
        return catalogue.called(_named(catalogue, units[0], power))
    return catalogue.every([_named(catalogue, each, power) for each in units])


def _cause(catalogue: Catalogue, cause: Cause, result: OrderResult, variant: Variant) -> str:
    key = f"cause.{cause.key}"
    if cause.key == "won" and not (cause.helpers or cause.route):
        key = "cause.won-alone"
    elif cause.key == "withstood" and cause.helpers:
        key = "cause.withstood-helped"
    fields = {name: FIELDS[name](catalogue, cause, result, variant) for name in catalogue.fields(key)}
    text = catalogue.say(key, **fields)
    if cause.key == "won" and cause.route:
        return _carried(catalogue, cause, text)
    return text


Field = Callable[[Catalogue, Cause, OrderResult, Variant], object]


def _place_names(codes: Iterable[str], variant: Variant) -> list[str]:
    provinces = variant.start.board.provinces
    return [provinces[code].name if code in provinces else code for code in codes]


def _places(cause: Cause, variant: Variant) -> list[str]:
    return _place_names(cause.places, variant)


def _orders(catalogue: Catalogue, cause: Cause) -> list[str]:
    """Each order once, with the powers that gave it."""
    authors: dict[str, list[str]] = {}
    for power, order in cause.orders:
        authors.setdefault(statement(order), []).append(power)
    return [
        catalogue.say("outcome.order-of", powers=catalogue.every(powers), order=text)
        for text, powers in authors.items()
    ]


def _nth(cause: Cause, variant: Variant, n: int) -> str:
    return next(iter(_places(cause, variant)[n:]), "")


def _stand(catalogue: Catalogue, cause: Cause, result: OrderResult, variant: Variant) -> str:
    """The first place; its code with coast where the unit stands there, since another coast may allow the order."""
    unit = result.unit
    if unit is not None and unit.at.place.coast and cause.places[:1] == (unit.at.province,):
        return str(unit.at.place)
    return _nth(cause, variant, 0)


def _code(at: int, catalogue: Catalogue, cause: Cause, result: OrderResult, variant: Variant) -> str:
    return cause.places[at] if at < len(cause.places) else ""


def _borders(
    render: Callable[[Catalogue, Sequence[str]], str],
    catalogue: Catalogue,
    cause: Cause,
    result: OrderResult,
    v: Variant,
) -> str:
    return render(catalogue, cause.borders)


FIELDS: Mapping[str, Field] = {
    "by": lambda c, cause, result, v: _listed(c, cause.by, result.power),
    "strengths": lambda c, cause, result, v: _strengths(c, cause),
    "helpers": lambda c, cause, result, v: _listed(c, cause.helpers, result.power),
    "places": lambda c, cause, result, v: c.every(_places(cause, v)),
    "place": lambda c, cause, result, v: next(iter(_places(cause, v)), ""),
    "stand": _stand,
    "last": lambda c, cause, result, v: next(reversed(_places(cause, v)), ""),
    "route": lambda c, cause, result, v: c.every(cause.route),
    "kind": lambda c, cause, result, v: v.kinds[result.unit.kind].name if result.unit else "",
    "n": lambda c, cause, result, v: max(1, len(cause.by)),
    "one": lambda c, cause, result, v: _nth(cause, v, 0),
    "two": lambda c, cause, result, v: _nth(cause, v, 1),
    "three": lambda c, cause, result, v: _nth(cause, v, 2),
    "orders": lambda c, cause, result, v: c.every(_orders(c, cause)),
    "unit": lambda c, cause, result, v: unit(result.unit) if result.unit else "",
    "powers": lambda c, cause, result, v: c.every([power for power, _ in cause.orders]),
    "code": partial(_code, 0),
    **{name: partial(_code, at) for at, name in enumerate(("here", "there", "third", "fourth"))},
    **{name: partial(_borders, render) for name, render in border_words.FORMS.items()},
}
"""The fields that the sentence of a cause may use."""


def _carried(catalogue: Catalogue, cause: Cause, fight: str) -> str:
    """A convoyed army that had to fight: the route first, then the fight."""
    first = catalogue.say("cause.convoyed", route=catalogue.every(cause.route))
    return catalogue.say("outcome.then", first=first, last=fight if cause.helpers else _strengths(catalogue, cause))


def _strengths(catalogue: Catalogue, cause: Cause) -> str:
    if cause.force is None or cause.against is None:
        return ""
    return _compared(catalogue, cause.force, cause.against)


@lru_cache(maxsize=CACHE_SIZE)
def _compared(catalogue: Catalogue, force: int, against: int) -> str:
    return catalogue.say("outcome.strengths", force=halves(force), against=halves(against))
