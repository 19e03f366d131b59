"""A player of all powers who has wings: legal and hopeful orders by dice, for whole games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from msgspec.structs import replace

from gm.judge.board.board import AIR, GROUND, Location, Place, locate
from gm.judge.mechanics.wings.air_board import AirBases
from gm.judge.mechanics.wings.wing_orders import Bomb, Intercept
from gm.judge.model.calendar import resolve_phase
from gm.judge.model.orders import Build, Disband, Entry, Hold, Move, Retreat, Statement, Support, UnitRef
from gm.judge.model.position import LedgerKey, Position, Unit
from gm.judge.model.sheets import ResolvedStep, Submissions
from gm.judge.model.variant import Variant
from gm.judge.movement.legality import LegalityChecker
from gm.judge.steps.adjustments import sites
from gm.judge.steps.build_rules import balance

MIDDLE, REACH = "ENG", 3


def game(variant: Variant, seed: int, phases: int) -> Iterator[tuple[Position, Submissions, tuple[ResolvedStep, ...]]]:
    """Phase after phase until somebody wins or `phases` are over. Every box is empty but for what stood there first."""
    dice = Random(seed)
    position = opening(variant, dice)
    for _ in range(phases):
        book = orders(variant, position, dice)
        legs = resolve_phase(variant, position, book)
        yield position, book, legs
        position = legs[-1].turn.position
        if position.ended:
            return


def opening(variant: Variant, dice: Random) -> Position:
    """A crowd round the Channel: units on most provinces and centres of anybody's, wings over most bases. Each minor
    power is under somebody's word.
    """
    start, majors = variant.start, [power.name for power in variant.powers]
    steps = start.board.adjacency.distances(frozenset({MIDDLE}))
    crowd = [start.board.provinces[code] for code, far in steps.items() if far <= REACH]
    centres = {**start.centres, **{area.code: dice.choice(majors) for area in crowd if area.centre}}
    units: list[Unit] = []
    for area in crowd:
        slots = [slot for slot in area.slots if slot != AIR]
        if dice.random() < 0.6:
            at = Location(area.code, dice.choice(slots))
            units.append(Unit(dice.choice(majors), "A" if at.slot == "land" else "F", at))
    bases = AirBases(start.board, variant.kinds, centres, units, "control")
    for area in crowd:
        owners = [name for name in majors if bases.has(name, area.code)]
        if owners and dice.random() < 0.8:
            units.append(Unit(dice.choice(owners), "W", Location(area.code, AIR)))
    control = {LedgerKey("control", dice.choice(majors), minor.name): 1 for minor in variant.minors}
    points = {LedgerKey("IP", key.power, key.subject): 40 for key in control}
    year, at_step = variant.phase_at("S1933M")
    return replace(start, year=year, at=at_step, units=tuple(units), centres=centres, ledger=control | points)


def orders(variant: Variant, position: Position, dice: Random) -> Submissions:
    """A minor power's orders are written by whoever may."""
    step = variant.step(position)
    write = {"M": moves, "R": retreats, "Q": retreats, "A": builds}.get(step.letter)
    sheets: dict[tuple[str, str], tuple[Entry, ...]] = {}
    for author in variant.powers if write else ():
        for power in (author.name, *step.controlled(position, variant, author.name)):
            assert write is not None
            sheet = tuple(Entry(statement) for statement in write(variant, position, power, dice))
            if sheet:
                sheets[author.name, power] = sheet
    return Submissions(sheets)


def ref(unit: Unit) -> UnitRef:
    return UnitRef(unit.kind, unit.at.place)


def moves(variant: Variant, position: Position, power: str, dice: Random) -> Iterator[Statement]:
    checker = LegalityChecker(position.board, variant.kinds, position.units)
    bases = AirBases.now(position, variant.kinds, "control")
    plan = planned(checker, position, bases, Random(hash_of(position)))
    for unit in position.units_of(power):
        roll = dice.random()
        if roll < 0.08:
            continue
        if unit in plan:
            yield Move(ref(unit), plan[unit].place)
        elif unit.kind == "W" and roll < 0.5:
            yield _sortie(checker, position, unit, dice)
        else:
            yield _help(checker, position, unit, plan, dice)


def hash_of(position: Position) -> int:
    """The same for everybody who looks at the position, however its units are listed."""
    return sum(len(unit.power) * ord(unit.at.province[0]) * ord(unit.kind) for unit in position.units) + position.year


def planned(checker: LegalityChecker, position: Position, bases: AirBases, dice: Random) -> Mapping[Unit, Location]:
    """Who will move, and where: known to all, so that supports fit."""
    goals: dict[Unit, Location] = {}
    for unit in sorted(position.units):
        ends = list(checker.adjacency.moves[unit.at])
        open_ = [at for at in ends if unit.kind != "W" or bases.has(unit.power, at.province)]
        if ends and dice.random() < 0.45:
            goals[unit] = dice.choice(open_ if open_ and dice.random() < 0.7 else ends)
    return goals


def _sortie(checker: LegalityChecker, position: Position, unit: Unit, dice: Random) -> Statement:
    near = checker.adjacency.near[unit.at.province]
    if dice.random() < 0.7:
        target = dice.choice([at.province for at in checker.adjacency.moves[unit.at]])
        standing = [u.at.province for u in position.units if u.power != unit.power and u.kind != "W"]
        close = [code for code in standing if code in near]
        return Bomb(ref(unit), dice.choice(close) if close and dice.random() < 0.7 else target)
    return Intercept(ref(unit), tuple(dice.sample(near, min(len(near), dice.randrange(4)))))


def _help(
    checker: LegalityChecker, position: Position, unit: Unit, plan: Mapping[Unit, Location], dice: Random
) -> Statement:
    """A support of what somebody within reach will do, or a hold."""
    spaces = checker.adjacency.supports[unit.at]
    fitting = [
        other
        for other in position.units
        if other != unit and (plan.get(other, other.at).province, checker.kinds[other.kind].layer) in spaces
    ]
    if not fitting or dice.random() < 0.25:
        return Hold(ref(unit))
    other = dice.choice(fitting)
    return Support(ref(unit), ref(other), plan[other].place if other in plan else None)


def retreats(variant: Variant, position: Position, power: str, dice: Random) -> Iterator[Statement]:
    for driven in position.dislodged:
        if driven.unit.power == power and driven.retreats and dice.random() < 0.9:
            yield Retreat(ref(driven.unit), dice.choice(driven.retreats).place)


def builds(variant: Variant, position: Position, power: str, dice: Random) -> Iterator[Statement]:
    left = balance(position, variant, power)
    if left < 0:
        yield from (Disband(ref(unit)) for unit in position.units_of(power) if dice.random() < 0.3)
    for layer in (GROUND, AIR):
        for code in sites(position, variant, power, layer):
            kind = "W" if layer == AIR else dice.choice("AF")
            if dice.random() < 0.7 and (at := locate(position.board, variant.kinds[kind], Place(code))):
                yield Build(UnitRef(kind, at.place), layer)
