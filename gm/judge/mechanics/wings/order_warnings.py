"""Warnings about orders for wings, and for the fleets that carry them, before the deadline."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gm.judge.board.board import AIR, GROUND, SEA, Board, UnitKind
from gm.judge.mechanics.wings.air_board import AirBases
from gm.judge.mechanics.wings.landing import carrier, is_carrier
from gm.judge.mechanics.wings.wing_orders import Bomb, Intercept
from gm.judge.model.orders import Statement, UnitOrder
from gm.judge.model.position import Unit
from gm.judge.model.sheets import Problem, ProblemEffect
from gm.judge.movement.battle import Intent, IntentKind
from gm.judge.movement.legality import IllegalOrder, LegalityChecker


def out_of_both_ranges(
    board: Board, intent: Intent, statement: Statement, fleet: Intent | None, kinds: Mapping[str, UnitKind]
) -> IllegalOrder | None:
    """Why an order is impossible for a wing on a moving fleet: its target must be in range of both places."""
    if fleet is None or fleet.action is not IntentKind.MOVE or fleet.to is None:
        return None
    aim = _aim(intent, statement)
    if aim is None:
        return None
    supports_ground = intent.target is not None and kinds[intent.target.kind].layer == GROUND
    most = 1 if supports_ground else kinds[intent.unit.kind].reach
    there = fleet.to.province
    steps = board.adjacency.steps_from(there).get(aim)
    if steps is not None and steps <= most:
        return None
    return IllegalOrder("out-of-both-ranges", (aim, there))


def _aim(intent: Intent, statement: Statement) -> str | None:
    """The province that an order targets."""
    if isinstance(statement, Bomb):
        return statement.target
    if intent.to is not None:
        return intent.to.province
    if intent.target is not None:
        return intent.goal.province if intent.goal else intent.target.at.province
    return None


def check_wings(
    checker: LegalityChecker, bases: AirBases, power: str, sheet: tuple[Statement, ...]
) -> Iterator[Problem]:
    orders = dict(_own(checker, power, sheet))
    intents = {unit: intent for unit, (_, intent) in orders.items()}
    for unit, (statement, intent) in orders.items():
        if checker.kinds[unit.kind].layer == AIR:
            fleet = carrier(unit, intents, checker.kinds)
            fault = out_of_both_ranges(checker.board, intent, statement, fleet, checker.kinds)
            if fault is not None:
                yield Problem(fault.key, ProblemEffect.VOID_LINE, statement, fault.places)
            elif intent.to is not None:
                yield from _no_base(checker, bases, statement, intent, intents)
            elif isinstance(statement, Intercept):
                yield from _out_of_sight(checker, unit, statement)
        elif is_carrier(unit, checker.kinds) and intent.to is not None and intent.to.slot != SEA:
            yield from _carrier_warnings(checker, statement, intent, intents)


def _own(
    checker: LegalityChecker, power: str, sheet: tuple[Statement, ...]
) -> Iterator[tuple[Unit, tuple[Statement, Intent]]]:
    for statement in sheet:
        unit = checker.find(statement.unit, power) if isinstance(statement, UnitOrder) else None
        if unit is None or unit.power != power:
            continue
        intent = checker.intent(unit, statement)
        if isinstance(intent, Intent):
            yield unit, (statement, intent)


def _no_base(
    checker: LegalityChecker, bases: AirBases, statement: Statement, intent: Intent, intents: Mapping[Unit, Intent]
) -> Iterator[Problem]:
    """Warns about moves to provinces that are not bases, unless a unit of the power moves there."""
    code = intent.to.province if intent.to else ""
    expected = any(
        other.to is not None and other.to.province == code and other.to.slot != AIR for other in intents.values()
    )
    if bases.has(intent.unit.power, code) or expected:
        return
    area = checker.board.provinces[code]
    key = "no-base-centre" if area.centre else "no-base-sea" if SEA in area.slots else "no-base-ever"
    yield Problem(key, ProblemEffect.WARN, statement, (code,))


def _out_of_sight(checker: LegalityChecker, unit: Unit, statement: Intercept) -> Iterator[Problem]:
    near = {unit.at.province, *checker.adjacency.near.get(unit.at.province, ())}
    far = tuple(code for code in statement.over if code not in near)
    if far:
        yield Problem("intercept-far", ProblemEffect.WARN, statement, (far[0], unit.at.province))


def _carrier_warnings(
    checker: LegalityChecker, statement: Statement, intent: Intent, intents: Mapping[Unit, Intent]
) -> Iterator[Problem]:
    """Warns about a fleet that carries a wing to where the wing cannot stay."""
    wing = checker.unit_in_air(intent.unit.at.province)
    if wing is None or wing.power != intent.unit.power or intent.to is None:
        return
    leaves = wing in intents and intents[wing].to is not None
    code = intent.to.province
    there = checker.unit_in_air(code)
    if not checker.board.provinces[code].centre and not leaves:
        yield Problem("carrier-ashore", ProblemEffect.WARN, statement, (code, wing.at.province))
    elif there is not None and not leaves:
        yield Problem("carrier-crowd", ProblemEffect.WARN, statement, (code, wing.at.province))
