"""A player of all powers who knows the rules and has no plan: legal orders by dice, for whole games."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from msgspec.structs import replace
from support import random_border_orders as upheavals

from gm.judge.board.board import Place, Use, locations
from gm.judge.mechanics.dips.dip_orders import DipSupport, InterceptMail, Protect
from gm.judge.mechanics.influence.bid_orders import Bid
from gm.judge.model.calendar import resolve_phase
from gm.judge.model.orders import (
    Allocate,
    Build,
    Convoy,
    Disband,
    Entry,
    Hold,
    Move,
    Retreat,
    Statement,
    Support,
    UnitRef,
)
from gm.judge.model.position import Position, Unit
from gm.judge.model.sheets import ResolvedStep, Submissions
from gm.judge.model.variant import Variant
from gm.judge.movement.legality import IllegalOrder, LegalityChecker
from gm.judge.movement.movement_step import MovementStep
from gm.judge.steps.adjustments import allowance, sites
from gm.judge.steps.unit_placement import UnitPlacementStep


def game(variant: Variant, seed: int, phases: int) -> Iterator[tuple[Position, Submissions, tuple[ResolvedStep, ...]]]:
    """Phase after phase until somebody wins or `phases` are over."""
    dice = Random(seed)
    position = variant.start
    for _ in range(phases):
        book = orders(variant, position, dice)
        legs = resolve_phase(variant, position, book)
        yield position, book, legs
        position = legs[-1].turn.position
        if position.ended:
            return


def orders(variant: Variant, position: Position, dice: Random) -> Submissions:
    """Of every power with a seat, and of those that it writes for."""
    step = variant.step(position)
    write = {"M": _moves, "R": _retreats, "A": _builds, "B": _bids, "Q": _retreats, "U": _choices, "S": _upheavals}[
        step.letter
    ]
    sheets: dict[tuple[str, str], tuple[Entry, ...]] = {}
    for p in variant.powers:
        statements = (
            *write(variant, position, p.name, dice),
            *_points(variant, position, p.name, dice),
            *_pledges(variant, position, p.name, dice),
        )
        sheets[p.name, p.name] = tuple(Entry(s) for s in statements)
        for ward in step.controlled(position, variant, p.name):
            sheets[p.name, ward] = tuple(Entry(s) for s in write(variant, position, ward, dice))
    return Submissions({who: sheet for who, sheet in sheets.items() if sheet})


def _bids(variant: Variant, position: Position, power: str, dice: Random) -> Iterator[Statement]:
    """What there is, now and then one too many, on some minor powers; some of it in support of another."""
    purse = variant.step(position).budgets(position, variant, power)[0]
    left = purse.amount + (dice.random() < 0.05)
    minors = [minor.name for minor in variant.minors if minor.homes]
    for minor in dice.sample(minors, dice.randint(0, 3)):
        spent = dice.randint(0, min(left, purse.most))
        left -= spent
        yield Bid(minor, spent, dice.choice(variant.powers).name if dice.random() < 0.25 else "")


def ref(unit: Unit) -> UnitRef:
    return UnitRef(unit.kind, unit.at.place, unit.number)


def named(position: Position, unit: Unit, writer: str) -> UnitRef:
    """Another unit, with its power where it shares a place with others' and is not the writer's own."""
    shared = position.board.provinces[unit.at.province].shared
    crowd = {other.power for other in position.units if shared and other.at == unit.at}
    return replace(ref(unit), power=unit.power if len(crowd) > 1 and unit.power != writer else "")


def _moves(variant: Variant, position: Position, power: str, dice: Random) -> Iterator[Statement]:
    checker = LegalityChecker(position.board, variant.kinds, position.units)
    for unit in position.units_of(power):
        if dice.random() < 0.05:
            continue
        order = _one(checker, position, unit, dice)
        yield Hold(ref(unit)) if isinstance(checker.intent(unit, order), IllegalOrder) else order


def spendable(variant: Variant, position: Position) -> tuple[type[Statement], ...]:
    """What the open phase's sheets hold besides orders."""
    step = variant.step(position)
    return step.rights.statements if isinstance(step, MovementStep) else ()


def _points(variant: Variant, position: Position, power: str, dice: Random) -> Iterator[Statement]:
    """As many points as there are, now and then one too many, on minor powers' orders, possible ones and others."""
    if Allocate not in spendable(variant, position):
        return
    checker = LegalityChecker(position.board, variant.kinds, position.units)
    for purse in variant.step(position).budgets(position, variant, power) if variant.minors else ():
        left = purse.amount + (dice.random() < 0.1)
        while left > 0 and dice.random() < 0.9:
            minor = dice.choice(variant.minors)
            unit = next(iter(position.units_of(minor.name)), None)
            if minor.dormant and unit is None:
                continue
            order = _stand(checker, position, unit, dice) if unit else Hold(UnitRef(minor.kind, Place(minor.home)))
            spent = dice.randint(1, min(left, purse.most))
            left -= spent
            yield Allocate(spent, minor.name, order)


def _pledges(variant: Variant, position: Position, power: str, dice: Random) -> Iterator[Statement]:
    """What dips are set aside for; now and then for more than there are, or than may be."""
    if "dips" not in {purse.name for purse in variant.step(position).budgets(position, variant, power)}:
        return
    others = [country.name for country in variant.powers if country.name != power]
    while dice.random() < 0.5:
        yield InterceptMail(*sorted(dice.sample(others, 2))) if dice.random() < 0.5 else Protect(dice.choice(others))
    shared = {code for code, province in position.board.provinces.items() if province.shared}
    helped = [unit for unit in position.units if unit.at.province not in shared]
    if helped and dice.random() < 0.5 and any(country.name == power and country.major for country in variant.powers):
        unit = dice.choice(helped)
        near = [None, *(at.place for at in position.board.neighbours(unit.at, Use.MOVE) if at.province not in shared)]
        whose = replace(ref(unit), power="" if unit.power == power else unit.power)
        yield DipSupport(3, whose, dice.choice(near))


def _choices(variant: Variant, position: Position, power: str, dice: Random) -> Iterator[Statement]:
    step = variant.step(position)
    assert isinstance(step, UnitPlacementStep)
    for example in step.examples(position, variant, power):
        if isinstance(example, Build) and dice.random() < 0.8:
            yield example


def _stand(checker: LegalityChecker, position: Position, unit: Unit, dice: Random) -> Statement:
    """A hold or a support; few orders to choose from, so that powers agree and conflict."""
    near = {at.province for at in checker.adjacency.moves[unit.at] if checker.stands(unit, at)}
    close = [
        u for u in position.units if u != unit and near & ({u.at.province} | set(checker.adjacency.near[u.at.province]))
    ]
    if not close or dice.random() < 0.2:
        return Hold(ref(unit))
    helped = dice.choice(close[:3])
    to = [at.place for at in checker.adjacency.moves[helped.at] if checker.stands(helped, at) and at.province in near]
    return Support(ref(unit), named(position, helped, unit.power), to[0] if to and dice.random() < 0.7 else None)


def _one(checker: LegalityChecker, position: Position, unit: Unit, dice: Random) -> Statement:
    choice = dice.random()
    near = [at.place for at in checker.adjacency.moves[unit.at] if checker.stands(unit, at)]
    other = dice.choice(position.units)
    theirs = [at.place for at in checker.adjacency.moves[other.at] if checker.stands(other, at)]
    shores = [
        Place(at.province) for c in sorted(checker.carriers) for at in checker.convoy_steps(c) if at.slot == "land"
    ]
    if choice < 0.6 or other == unit:
        return Move(ref(unit), dice.choice(near)) if near else Hold(ref(unit))
    if choice < 0.7 and shores and unit.kind == "A":
        return Move(ref(unit), dice.choice(shores))
    if choice < 0.8 and shores and unit.kind == "F":
        return Convoy(ref(unit), ref(other), dice.choice(shores))
    close = [
        u
        for u in position.units
        if u != unit and set(checker.adjacency.near[u.at.province]) & {p.province for p in near}
    ]
    helped = dice.choice(close) if close else other
    theirs = [at.place for at in checker.adjacency.moves[helped.at] if checker.stands(helped, at)]
    both = [p for p in theirs if p.province in {n.province for n in near}]
    return Support(
        ref(unit), named(position, helped, unit.power), dice.choice(both) if both and dice.random() < 0.7 else None
    )


def _upheavals(variant: Variant, position: Position, power: str, dice: Random) -> Iterator[Statement]:
    yield from upheavals.sheet(position, power, dice)


def _retreats(variant: Variant, position: Position, power: str, dice: Random) -> Iterator[Statement]:
    for driven in position.dislodged:
        if driven.unit.power == power and driven.retreats and dice.random() < 0.9:
            yield Retreat(ref(driven.unit), dice.choice(driven.retreats).place)


def _builds(variant: Variant, position: Position, power: str, dice: Random) -> Iterator[Statement]:
    count = allowance(position, variant, power)
    if count > 0:
        for code in dice.sample(sites(position, variant, power), count):
            ends = [(kind, at) for kind in variant.kinds.values() for at in locations(position.board, kind, code)]
            kind, at = dice.choice(ends)
            yield Build(UnitRef(kind.code, at.place))
    elif count < 0 and dice.random() < 0.7:
        for unit in dice.sample(position.units_of(power), -count):
            yield Disband(ref(unit))


WRITERS = {
    "M": _moves,
    "R": _retreats,
    "A": _builds,
    "B": _bids,
    "Q": _retreats,
    "U": _choices,
    "S": _upheavals,
}
"""By the letter of the phase."""
