"""Backstabbr's pages as their source, with the position in JavaScript.

    <meta property="og:title" content="Sausage War (Fall 1902)">
    var stage = "NEEDS_ORDERS";
    var unitsByPlayer = {"Austria": {"Bud": "A", "Spa": {"type": "F", "coast": "sc"}}};
    var territories = {"Bud": "Austria"};
    var orders = {"Austria": {"Bud": {"type": "MOVE", "to": "Ser", "result": "SUCCEEDS"}}};

A page of the past has outcomes with its orders; the units stand as before them, and are left there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from gm.judge.board.board import Place
from gm.judge.model.variant import Variant
from gm.language.formats.json_values import ExchangeError, read_object, read_text
from gm.language.formats.saved_game import GameFormat, SavedGame, UnreadGameError, checked, name_elsewhere

PROGRAM = "backstabbr"
LONGEST_SOURCE = 1_000_000
DETECT = re.compile(r"\bvar\s+unitsByPlayer\s*=")
TITLE = re.compile(r"og:title[^>]{0,200}?\b(Spring|Fall|Winter)\s+(\d{4})", re.IGNORECASE)
SEASON = re.compile(r"\b(Spring|Fall|Winter)\s+(\d{4})\b|/(\d{4})/(spring|fall|winter)\b", re.IGNORECASE)
STAGE = re.compile(r"\bvar\s+stage\s*=\s*[\"'](\w+)[\"']")
VALUE = r"\bvar\s+{name}\s*=\s*"
BARE_KEY = re.compile(r"([{,]\s*)([A-Za-z]\w*)\s*:")


def _read(variant: Variant, own: Mapping[str, Any], text: str) -> SavedGame:
    name_elsewhere(variant, PROGRAM)
    if _table(text, "retreatOptions"):
        raise UnreadGameError("retreats-untold")
    units = {
        power: [_unit(place, unit) for place, unit in read_object(standing, "units").items()]
        for power, standing in _table(text, "unitsByPlayer").items()
    }
    centers: dict[str, list[str]] = {}
    provinces = {code.casefold(): province for code, province in variant.start.board.provinces.items()}
    for place, power in _table(text, "territories").items():
        province = provinces.get(place.casefold())
        if power and (province is None or province.centre):
            centers.setdefault(read_text(power, "territories"), []).append(place)
    document, _ = checked({"phase": _phase(text), "units": units, "centers": centers, "dislodged": {}})
    return SavedGame(document, 1)


def _phase(text: str) -> str:
    match = TITLE.search(text) or SEASON.search(text)
    if match is None:
        raise UnreadGameError("no-phase")
    season, year = (match[1], match[2]) if match[1] else (match[4], match[3])
    stage = STAGE.search(text)
    if season[0].lower() == "w" or (stage is not None and "BUILD" in stage[1].upper()):
        return f"W{year}A"
    return f"{season[0].upper()}{year}M"


def _unit(place: str, unit: object) -> str:
    if isinstance(unit, str):
        return f"{unit} {place}"
    fields = read_object(unit, "a unit")
    return f"{read_text(fields.get('type'), 'type')} {Place(place, read_text(fields.get('coast') or '', 'coast'))}"


def _table(text: str, name: str) -> Mapping[str, Any]:
    """The object assigned to a variable; {} if there is none. Plain JavaScript is read too."""
    match = re.search(VALUE.format(name=name), text)
    if match is None or text[match.end() : match.end() + 1] != "{":
        return {}
    end = _end(text, match.end())
    literal = text[match.end() : end]
    try:
        return read_object(json.loads(literal, strict=False), name)
    except (ValueError, RecursionError):
        pass
    plain = BARE_KEY.sub(r'\1"\2":', literal.replace("'", '"'))
    try:
        return read_object(json.loads(plain, strict=False), name)
    except (ValueError, RecursionError) as error:
        raise ExchangeError(f"{name}: {str(error)[:80]}") from None


def _end(text: str, start: int) -> int:
    """Behind the bracket that closes the one at `start`."""
    depth = 0
    for bracket in re.compile(r"[{}]").finditer(text, start):
        depth += 1 if bracket[0] == "{" else -1
        if not depth:
            return bracket.end()
    return len(text)


FORMAT = GameFormat(PROGRAM, DETECT.search, _read, LONGEST_SOURCE)
