"""Saved games of PyPI's `diplomacy` (diplomacy.utils.export.to_saved_game_format), read and written.

    {"id": "ostend", "map": "standard", "rules": [], "phases": [{"name": "S1901R", "state": {
        "name": "S1901R", "units": {"GERMANY": ["F KIE", "*A BER"]}, "retreats": {"GERMANY": {"A BER": ["SIL"]}},
        "centers": {"GERMANY": ["BER"]}, "attackers": {"A BER": "A PRU"}}, "orders": {…}, "results": {…}}]}

The program does not keep who dislodged a unit: our files have "attackers", which it passes over. In others it follows
from the orders of the phase before.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from gm.judge.model.position import Position
from gm.judge.model.variant import Variant
from gm.judge.steps.adjustments import allowance, sites
from gm.language.formats.json_position import phase_to_json
from gm.language.formats.json_values import ExchangeError, read_list, read_object, read_text
from gm.language.formats.saved_game import (
    GameFormat,
    SavedGame,
    UnreadGameError,
    check_variant,
    checked,
    name_elsewhere,
)
from gm.language.rendering.order_text import unit as written

PROGRAM = "diplomacy"
DETECT = re.compile(r"\s*\{(?=.{0,400}?\"(?:phases|state|map|rules|id)\"\s*:)", re.DOTALL)
PHASES = re.compile(r'"phases"\s*:\s*\[')
OVER = "COMPLETED"
MOVE = re.compile(r"(?P<unit>[A-Z] \S+) - (?P<to>\w+)")
RULES = ["POWER_CHOICE"]


def _detect(text: str) -> bool:
    return DETECT.match(text) is not None and PHASES.search(text) is not None


def _read(variant: Variant, own: Mapping[str, Any], text: str) -> SavedGame:
    game = _decoded(text)
    check_variant(variant, PROGRAM, str(game.get("map", "")))
    phases = [read_object(phase, "a phase") for phase in read_list(game.get("phases"), "phases")]
    last = next((n for n in range(len(phases) - 1, -1, -1) if _name(phases[n]) != OVER), None)
    if last is None:
        raise UnreadGameError("no-phase")
    assumed = ("over",) if last < len(phases) - 1 else ()
    document, destroyed = checked(_document(phases[last], phases[last - 1] if last else {}))
    return SavedGame(document, len(phases), (*assumed, *destroyed))


def _decoded(text: str) -> Mapping[str, Any]:
    try:
        game = json.loads(text, strict=False)
    except (ValueError, RecursionError) as error:
        raise ExchangeError(f"not JSON: {str(error)[:80]}") from None
    return read_object(game, "the saved game")


def _name(phase: Mapping[str, Any]) -> str:
    state = phase.get("state")
    named = state.get("name") if isinstance(state, dict) else None
    return read_text(named or phase.get("name"), "name of a phase")


def _document(phase: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
    state = read_object(phase.get("state"), "state")
    units = {power: _texts(names, "units") for power, names in read_object(state.get("units"), "units").items()}
    attackers = read_object(state.get("attackers", {}), "attackers")
    dislodged: dict[str, list[dict[str, Any]]] = {}
    for power, driven in read_object(state.get("retreats") or {}, "retreats").items():
        for unit, ends in read_object(driven, "retreats").items():
            by = attackers.get(unit) or _attacker(before, _province(unit))
            item = {"unit": unit, "by": read_text(by, "attackers"), "retreats": _texts(ends, "retreats")}
            dislodged.setdefault(power, []).append(item)
    return {
        "phase": _name(phase),
        "units": {power: [unit for unit in names if not unit.startswith("*")] for power, names in units.items()},
        "centers": {
            power: _texts(codes, "centers") for power, codes in read_object(state.get("centers"), "centers").items()
        },
        "dislodged": dislodged,
    }


def _texts(value: object, what: str) -> list[str]:
    """Mail programs may have broken lines inside of the texts."""
    return [" ".join(read_text(text, what).split()) for text in read_list(value, what)]


def _province(unit: str) -> str:
    return unit.partition(" ")[2].partition("/")[0]


def _attacker(before: Mapping[str, Any], province: str) -> str:
    """The unit whose move into the province succeeded in the phase before, as it stood then."""
    results = before.get("results") or {}
    orders = before.get("orders") or {}
    for texts in orders.values() if isinstance(orders, dict) else ():
        for text in texts if isinstance(texts, list) else ():
            move = MOVE.match(str(text))
            if move and move["to"] == province and isinstance(results, dict) and not results.get(move["unit"]):
                return move["unit"]
    raise UnreadGameError("no-attacker", place=province)


FORMAT = GameFormat(PROGRAM, _detect, _read)


# ---- writing


def write(variant: Variant, position: Position, game: str) -> str:
    """The position as a saved game with one phase, without orders. Raises UnreadGameError for other variants."""
    name = name_elsewhere(variant, PROGRAM)
    state = _state(variant, position) | {"game_id": game, "map": name, "rules": RULES}
    orders = dict.fromkeys(_powers(variant))
    phase = {"name": state["name"], "state": state, "orders": orders, "results": {}, "messages": []}
    return json.dumps({"id": game, "map": name, "rules": RULES, "phases": [phase]}) + "\n"


def _powers(variant: Variant) -> Iterator[str]:
    return (power.upper() for power in variant.nations)


def _state(variant: Variant, position: Position) -> dict[str, Any]:
    state: dict[str, Any] = {
        "timestamp": 0, "note": "", "name": phase_to_json(variant, position), "units": {}, "retreats": {},
        "centers": {}, "homes": {}, "influence": {}, "civil_disorder": {}, "builds": {}, "attackers": {},
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
        state["influence"][name] = sorted({*centres, *(_province(unit) for unit in units)})
        state["civil_disorder"][name] = int(position.collapsed(power))
        state["builds"][name] = _builds(variant, position, power)
    state["attackers"] = {written(out.unit).upper(): written(out.by).upper() for out in position.dislodged}
    return state


def _builds(variant: Variant, position: Position, power: str) -> dict[str, Any]:
    """{"count": builds, or removals as a negative number, "homes": where it may build}."""
    count = allowance(position, variant, power) if power in variant.step(position).due(position, variant) else 0
    if phase_to_json(variant, position)[-1:] != "A":
        count = 0
    homes = [code.upper() for code in sites(position, variant, power)] if count > 0 else []
    return {"count": count, "homes": homes}
