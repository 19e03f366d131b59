"""Writes saved games of PyPI's `diplomacy`: the phases played with their orders and results, and the position now.

diplomacy_game.py describes the form. The orders of the open phase are not in it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from gm.judge.model.events import OrderResult, Outcome
from gm.judge.model.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Retreat,
    Statement,
    Support,
    UnitOrder,
    UnitRef,
    Waive,
)
from gm.judge.model.position import Position
from gm.judge.model.variant import Variant
from gm.judge.steps.adjustments import allowance, sites
from gm.language.formats.diplomacy_game import PROGRAM
from gm.language.formats.json_position import phase_to_json
from gm.language.formats.saved_game import name_elsewhere, province_of_code
from gm.language.rendering.order_text import unit as written

PlayedPhase = tuple[Position, tuple[OrderResult, ...]]
RULES = ["POWER_CHOICE"]
RESULTS = {
    Outcome.BOUNCED: "bounce",
    Outcome.CUT: "cut",
    Outcome.VOID: "void",
    Outcome.ILLEGAL: "void",
    Outcome.DISRUPTED: "disrupted",
    Outcome.NO_ROUTE: "no convoy",
    Outcome.DESTROYED: "disband",
}


def write(variant: Variant, position: Position, game: str, played: Iterable[PlayedPhase] = ()) -> str:
    """`played` are the phases before, each with the position before it. Raises UnreadGameError for other variants."""
    name = name_elsewhere(variant, PROGRAM)
    phases = [_phase(variant, before, results) for before, results in played]
    phases.append(_phase(variant, position, ()))
    for phase in phases:
        phase["state"] |= {"game_id": game, "map": name, "rules": RULES}
    return json.dumps({"id": game, "map": name, "rules": RULES, "phases": phases}) + "\n"


def _phase(variant: Variant, position: Position, results: tuple[OrderResult, ...]) -> dict[str, Any]:
    state = _state(variant, position)
    orders: dict[str, list[str] | None] = {power.upper(): [] if results else None for power in variant.nations}
    outcomes: dict[str, list[str]] = {}
    for result in results:
        listed = orders.setdefault(result.power.upper(), [])
        if result.given and listed is not None and result.outcome is not Outcome.SUPERSEDED:
            listed.append("".join(_order(position, result.order)))
        if isinstance(result.order, UnitOrder):
            outcomes[_unit(position, result.order.unit)] = list(_outcomes(result))
    return {"name": state["name"], "state": state, "orders": orders, "results": outcomes, "messages": []}


def _outcomes(result: OrderResult) -> Iterator[str]:
    if result.outcome in RESULTS:
        yield RESULTS[result.outcome]
    if result.dislodged_by is not None:
        yield "dislodged"


def _order(position: Position, order: Statement) -> Iterator[str]:
    """ "F NTH C A YOR - NWY", in pieces."""
    if isinstance(order, UnitOrder):
        yield _unit(position, order.unit)
    match order:
        case Hold():
            yield " H"
        case Move():
            yield f" - {str(order.to).upper()}{' VIA' if order.via or order.route else ''}"
        case Support(_, target, to):
            yield f" S {_unit(position, target)}{f' - {to.province.upper()}' if to is not None else ''}"
        case Convoy(_, target, to):
            yield f" C {_unit(position, target)} - {to.province.upper()}"
        case Retreat(_, to):
            yield f" R {str(to).upper()}"
        case Disband():
            yield " D"
        case Build(unit):
            yield f"{unit.kind} {str(unit.at).upper()} B"
        case Waive():
            yield "WAIVE"


def _unit(position: Position, named: UnitRef) -> str:
    """With the coast on which the unit stands, which an order need not name."""
    driven = (out.unit for out in position.dislodged)
    everybody = (*driven, *position.standing.get(named.at.province, ()))
    standing = (unit for unit in everybody if (unit.kind, unit.at.province) == (named.kind, named.at.province))
    unit = next(standing, None)
    return (written(unit) if unit is not None else f"{named.kind} {named.at}").upper()


def _state(variant: Variant, position: Position) -> dict[str, Any]:
    state: dict[str, Any] = {
        "timestamp": 0, "note": "", "name": phase_to_json(variant, position), "units": {}, "retreats": {},
        "centers": {}, "homes": {}, "influence": {}, "civil_disorder": {}, "builds": {},
    }  # fmt: skip
    for power in variant.nations:
        name = power.upper()
        units = [written(unit).upper() for unit in position.units_of(power)]
        driven = {
            written(out.unit).upper(): [str(at.place).upper() for at in out.retreats]
            for out in position.dislodged
            if out.unit.power == power
        }
        centres = [code.upper() for code in position.centres_of(power)]
        state["units"][name] = [*units, *(f"*{unit}" for unit in driven)]
        state["retreats"][name] = driven
        state["centers"][name] = centres
        state["homes"][name] = [p.code.upper() for p in position.board.provinces.values() if p.home == power]
        state["influence"][name] = sorted({*centres, *(province_of_code(unit) for unit in units)})
        state["civil_disorder"][name] = int(position.collapsed(power))
        state["builds"][name] = _builds(variant, position, power)
    state["attackers"] = {written(out.unit).upper(): written(out.by).upper() for out in position.dislodged}
    return state


def _builds(variant: Variant, position: Position, power: str) -> dict[str, Any]:
    """{"count": builds, or removals as a negative number, "homes": where it may build}."""
    builds = phase_to_json(variant, position)[-1:] == "A"
    count = allowance(position, variant, power) if builds else 0
    return {"count": count, "homes": [code.upper() for code in sites(position, variant, power)] if count > 0 else []}
