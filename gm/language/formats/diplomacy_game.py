"""Reads games of PyPI's `diplomacy`: saved games (to_saved_game_format), and dumps of `Game.to_dict`.

    {"id": "ostend", "map": "standard", "rules": [], "phases": [{"name": "S1901R", "state": {
        "name": "S1901R", "units": {"GERMANY": ["F KIE", "*A BER"]}, "retreats": {"GERMANY": {"A BER": ["SIL"]}},
        "centers": {"GERMANY": ["BER"]}, "attackers": {"A BER": "A PRU"}}, "orders": {…}, "results": {…}}]}

The program does not keep who dislodged a unit: our files (diplomacy_export.py) have "attackers", which it passes over.
In others it follows from the orders of the phase before.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from gm.judge.model.variant import Variant
from gm.language.formats.json_values import ExchangeError, read_list, read_object, read_text
from gm.language.formats.saved_game import (
    GameFormat,
    SavedGame,
    UnreadGameError,
    check_variant,
    checked,
    province_of_code,
)

PROGRAM = "diplomacy"
DETECT = re.compile(r'\s*\{.*?"(?:phases"\s*:\s*\[|map_name"\s*:)', re.DOTALL)
OVER = "COMPLETED"
MOVE = re.compile(r"(?P<unit>[A-Z] \S+) - (?P<to>\w+)")
LONG_PHASE = re.compile(r"(?P<season>[SFW])\w+ (?P<year>\d{4}) (?P<letter>[MRA])\w+")


def _read(variant: Variant, own: Mapping[str, Any], text: str) -> SavedGame:
    game = _decoded(text)
    if "map_name" in game:
        game = _from_dump(game)
    check_variant(variant, PROGRAM, str(game.get("map", "")))
    phases = [read_object(phase, "a phase") for phase in read_list(game.get("phases"), "phases")]
    last = next((n for n in range(len(phases) - 1, -1, -1) if _name(phases[n]) != OVER), None)
    if last is None:
        raise UnreadGameError("no-phase")
    assumed = ("over",) if last < len(phases) - 1 else ()
    document, destroyed = checked(_document(phases[last], phases[last - 1] if last else {}))
    return SavedGame(document, len(phases), (*assumed, *destroyed))


def _decoded(text: str) -> Mapping[str, Any]:
    """The game; the program's own files hold one game in each line."""
    try:
        game, end = json.JSONDecoder(strict=False).raw_decode(text.lstrip())
    except (ValueError, RecursionError) as error:
        raise ExchangeError(f"not JSON: {str(error)[:80]}") from None
    if text.lstrip()[end:].strip():
        raise UnreadGameError("several-games")
    return read_object(game, "the saved game")


def _from_dump(game: Mapping[str, Any]) -> Mapping[str, Any]:
    """A dump as a saved game: its last phase but one with orders, and the present one."""
    powers = {name: read_object(power, "a power") for name, power in read_object(game.get("powers"), "powers").items()}
    phase = LONG_PHASE.fullmatch(read_text(game.get("phase"), "phase"))
    state: dict[str, Any] = {
        key: {name: power.get(key) for name, power in powers.items()} for key in ("units", "retreats", "centers")
    }
    state["name"] = "".join(phase.groups()) if phase else OVER
    states, orders, results = (
        read_object(game.get(f"{key}_history", {}), "a history") for key in ("state", "order", "result")
    )
    past = [
        {"name": name, "state": states[name], "orders": orders.get(name), "results": results.get(name)}
        for name in states
    ]
    return {"map": game["map_name"], "phases": [*past, {"name": state["name"], "state": state}]}


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
            by = attackers.get(unit) or _attacker(before, province_of_code(unit))
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


FORMAT = GameFormat(PROGRAM, DETECT.match, _read)
