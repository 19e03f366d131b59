"""Warnings about a sheet of moves before the deadline: impossible lines, and lines that do not fit each other."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from gm.judge.board.board import Place
from gm.judge.board.convoy_routes import shortest_route
from gm.judge.model.orders import Statement, Support, UnitOrder
from gm.judge.model.position import Unit
from gm.judge.model.sheets import Problem, ProblemEffect
from gm.judge.movement.battle import Intent, IntentKind
from gm.judge.movement.legality import IllegalOrder, LegalityChecker
from gm.judge.movement.unnumbered_fleets import numbered_target, unclear_target


def check_moves(checker: LegalityChecker, power: str, sheet: tuple[Statement, ...]) -> tuple[Problem, ...]:
    intents: dict[Unit, tuple[Statement, Intent]] = {}
    problems: list[Problem] = []
    orders = own_orders(checker, power, sheet) if checker.adjacency.shared else {}
    for statement in sheet:
        meant, warning = statement, None
        if isinstance(statement, Support) and orders:
            warning = unclear_target(checker, power, statement, orders)
            target = numbered_target(checker, power, statement, orders)
            meant = statement if isinstance(target, IllegalOrder) else replace(statement, target=target)
        intent = _intent(checker, power, meant)
        if isinstance(intent, IllegalOrder):
            problems.append(intent.problem(statement))
        elif warning is not None:
            problems.append(warning)
        else:
            intents[intent.unit] = statement, intent
    meant_by = {unit: intent for unit, (_, intent) in intents.items()}
    for statement, intent in intents.values():
        problems.extend(_mismatches(checker, power, statement, intent, meant_by))
    return tuple(problems)


def own_orders(checker: LegalityChecker, power: str, sheet: tuple[Statement, ...]) -> dict[Unit, Statement]:
    orders = ((checker.find(line.unit, power), line) for line in sheet if isinstance(line, UnitOrder))
    return {unit: line for unit, line in orders if unit is not None and unit.power == power}


def _intent(checker: LegalityChecker, power: str, statement: Statement) -> Intent | IllegalOrder:
    if not isinstance(statement, UnitOrder):
        return IllegalOrder("wrong-phase")
    unit = checker.find(statement.unit, power)
    if unit is None:
        return IllegalOrder("no-unit", (statement.unit.at.province,))
    if unit.power != power:
        return IllegalOrder("not-yours", (statement.unit.at.province,))
    return checker.intent(unit, statement)


def _mismatches(
    checker: LegalityChecker, power: str, statement: Statement, intent: Intent, intents: dict[Unit, Intent]
) -> Iterator[Problem]:
    if intent.action is IntentKind.MOVE:
        yield from _missing_convoy(checker, power, statement, intent, intents)
    target = intents.get(intent.target) if intent.target else None
    if target is None or intent.target is None or intent.target.power != power:
        return
    where = (str(intent.target.at.place),)
    if intent.goal is None:
        if target.action is IntentKind.MOVE:
            yield Problem("supported-moves", ProblemEffect.WARN, statement, where)
    elif not _goes_to(target, intent.goal):
        key = "supported-differs" if intent.action is IntentKind.SUPPORT else "convoyed-differs"
        yield Problem(key, ProblemEffect.WARN, statement, (*where, str(intent.goal)))


def _goes_to(intent: Intent, goal: Place) -> bool:
    if intent.to is None or intent.to.province != goal.province:
        return False
    return not goal.coast or intent.to.place.coast in ("", goal.coast)


def _missing_convoy(
    checker: LegalityChecker, power: str, statement: Statement, intent: Intent, intents: dict[Unit, Intent]
) -> Iterator[Problem]:
    """Warns about an army that needs a fleet of its own power which is not ordered to convoy it."""
    unit, end = intent.unit, intent.to
    if end is None or (end in checker.adjacency.moves[unit.at] and not intent.via):
        return
    idle = {
        at
        for at in checker.carriers
        for fleet in [checker.unit_at(at)]
        if fleet is not None and fleet.power == power and not _convoys(intents.get(fleet), intent)
    }
    if shortest_route(checker.convoy_steps, unit.at, end, checker.carriers - idle) is None:
        needed = shortest_route(checker.convoy_steps, unit.at, end, checker.carriers) or ()
        names = tuple(at.province for at in needed if at in idle)
        yield Problem("convoy-missing", ProblemEffect.WARN, statement, (unit.at.province, end.province, *names))


def _convoys(fleet: Intent | None, army: Intent) -> bool:
    return (
        fleet is not None
        and fleet.action is IntentKind.CONVOY
        and fleet.target == army.unit
        and fleet.goal is not None
        and army.to is not None
        and fleet.goal.province == army.to.province
    )
