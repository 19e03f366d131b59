"""Saved games of jDip 1.7 (XML, its XMLSerializer), read and written; those of 1.6 are in jdip_objects.py.

    <game creator="jDip" creatorVersion="1.7" specification="FORMAT_1_0"><variant name="Standard" …>…</variant>
      <turn season="Fall" phase="Retreat" year="1901" resolved="false">
        <positions><position province="ber"><unit power="Russia" type="army"/>
          <unit power="Germany" type="army" dislodged="true"/><SC owner="Germany" homePower="Germany"/>…</positions>
        <dislodgedUnits><dislodged location="ber" retreats="sil" dislodger="pru" …/></dislodgedUnits>…</turn></game>

Winter's builds are the phase "Adjustment" of Fall. jDip finds retreats in the results of the turn before, and passes
over the turn's own "dislodger", which only our files have.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from gm.judge.board.board import Place, Use, locations
from gm.judge.model.position import Position, Unit
from gm.judge.model.variant import Variant
from gm.language.formats.json_position import phase_to_json
from gm.language.formats.json_values import ExchangeError, clipped
from gm.language.formats.saved_game import (
    GameFormat,
    SavedGame,
    UnreadGameError,
    check_variant,
    checked,
    code_of,
    free_neighbours,
    name_elsewhere,
    province_of_code,
)
from gm.language.formats.xml_tree import XmlElement, parse_xml

PROGRAM = "jdip"
DETECT = re.compile(r"\s*(<\?xml[^>]{0,200}>\s*)?(<!--|<!DOCTYPE(?!\s+html)|<game\b)", re.IGNORECASE)
SPRING = frozenset({"spring", "summer", "frühling", "frühjahr", "printemps"})
LETTERS = {"m": "M", "b": "M", "z": "M", "r": "R", "a": "A"}
"""By the first letter of the phase, which jDip writes in the language of its user: Movement, Bewegung, Zug …"""
NONE = frozenset({"", "none", "undefined"})
LOCATION = re.compile(r"\b(?:a|f|army|fleet)\s+(?P<at>\w{3})\b", re.IGNORECASE)


def phase_code(season: str, year: str, phase: str) -> str:
    """ "Fall", "1901", "Adjustment" -> "W1901A"."""
    letter = LETTERS.get(phase.strip().lower()[:1], "")
    if not letter or not year.strip().isdigit():
        raise ExchangeError(f"no phase {clipped(f'{season} {year} {phase}')}")
    if letter == "A":
        return f"W{int(year)}A"
    return f"{'S' if season.strip().lower() in SPRING else 'F'}{int(year)}{letter}"


def _read(variant: Variant, own: Mapping[str, Any], text: str) -> SavedGame:
    game = parse_xml(text)
    if game.tag != "game":
        raise UnreadGameError("not-xml", why=f"<{game.tag}>")
    check_variant(variant, PROGRAM, game.first("variant").get("name"))
    turns = list(game.all("turn"))
    if not turns:
        raise UnreadGameError("no-phase")
    document, assumed = _turn(variant, turns[-1], turns[-2] if len(turns) > 1 else None)
    document, destroyed = checked(document)
    return SavedGame(document, len(turns), (*assumed, *destroyed))


def _turn(variant: Variant, turn: XmlElement, before: XmlElement | None) -> tuple[dict[str, Any], tuple[str, ...]]:
    units: dict[str, list[str]] = {}
    centers: dict[str, list[str]] = {}
    driven: list[tuple[str, str, str]] = []
    for position in turn.first("positions").all("position"):
        province = code_of(variant, position.get("province"))
        for unit in position.all("unit"):
            name = _unit(variant, unit, province)
            if unit.get("dislodged") == "true":
                driven.append((unit.get("power"), name, province))
            else:
                units.setdefault(unit.get("power"), []).append(name)
        owner = position.first("SC").get("owner")
        if owner.lower() not in NONE:
            centers.setdefault(owner, []).append(province)
    dislodged, assumed = dislodged_units(
        variant, driven, units, lambda province: _dislodged(variant, province, turn, before)
    )
    phase = phase_code(turn.get("season"), turn.get("year"), turn.get("phase"))
    return {"phase": phase, "units": units, "centers": centers, "dislodged": dislodged}, assumed


def dislodged_units(
    variant: Variant,
    driven: Iterable[tuple[str, str, str]],
    units: Mapping[str, list[str]],
    driven_from: Callable[[str], tuple[str, list[str] | None]],
) -> tuple[dict[str, list[dict[str, Any]]], tuple[str, ...]]:
    """The dislodged units of the document, and keys for `assumed`. `driven` are (power, unit, province).

    `driven_from` says where the attacker of a province came from, and the retreats, None where they are not told.
    """
    standing = {province_of_code(name): name for names in units.values() for name in names}
    assumed: tuple[str, ...] = ()
    dislodged: dict[str, list[dict[str, Any]]] = {}
    for power, name, province in driven:
        origin, ends = driven_from(province)
        if ends is None:
            ends, assumed = free_neighbours(variant, name, standing, origin), ("retreats",)
        by = _attacker(variant, standing.get(province, name)[:1], origin, province)
        dislodged.setdefault(power, []).append({"unit": name, "by": by, "retreats": ends})
    return dislodged, assumed


def _attacker(variant: Variant, kind: str, origin: str, province: str) -> str:
    """The attacker as it stood at its origin ("StP" or "StP/sc"); a missing coast is the one beside the province."""
    board, (code, _, coast) = variant.start.board, origin.partition("/")
    ends = locations(board, variant.kinds[kind], code) if kind in variant.kinds else ()
    near = [at for at in ends if any(end.province == province for end in board.neighbours(at, Use.MOVE))]
    if coast or len(ends) < 2 or not near:
        return f"{kind} {origin}"
    return f"{kind} {near[0].place}"


def kind_code(variant: Variant, name: str) -> str:
    return next((known.code for known in variant.kinds.values() if known.name == name), name or "?")


def _unit(variant: Variant, unit: XmlElement, province: str) -> str:
    code = kind_code(variant, unit.get("type").strip().lower())
    coast = unit.get("coast")
    return f"{code} {Place(province, '' if coast.lower() in NONE else coast)}"


def _dislodged(
    variant: Variant, province: str, turn: XmlElement, before: XmlElement | None
) -> tuple[str, list[str] | None]:
    """Where the attacker came from, and the retreats, None where the file does not tell them."""
    origin, ends = "", None
    for listed in (
        *turn.first("dislodgedUnits").children,
        *(before.first("dislodgedUnits").children if before else ()),
    ):
        if code_of(variant, _bare(listed.get("location"))) == province:
            origin, ends = listed.get("dislodger") or origin, _retreats(variant, listed.get("retreats"))
    orders = _orders(before) if before is not None else {}
    for result in before.first("results").all("dislodgedOrderResult") if before is not None else ():
        at = LOCATION.search(orders.get(result.get("order"), ""))
        if at and code_of(variant, at["at"]) == province:
            origin = origin or result.first("dislodger").text.strip()
            ends = ends if ends is not None else _retreats(variant, result.first("retreats").text)
    if origin.lower() in NONE:
        raise UnreadGameError("no-attacker", place=province)
    return _places(variant, origin)[0], ends


def _orders(turn: XmlElement) -> dict[str, str]:
    """The text of each order by its id."""
    sets = turn.first("orders").all("orderSet")
    return {order.get("id"): order.get("text") for listed in sets for order in listed.all("order")}


def _retreats(variant: Variant, text: str) -> list[str] | None:
    return None if text.strip().lower() in ("", "undefined") else _places(variant, text)


def _bare(location: str) -> str:
    return location.partition("/")[0].partition("-")[0]


def _places(variant: Variant, text: str) -> list[str]:
    """ "sil stp/sc" as on our map."""
    ends = (end for end in text.replace(",", " ").split() if end.lower() not in NONE)
    return [str(Place(code_of(variant, _bare(end)), end.replace("-", "/").partition("/")[2])) for end in ends]


FORMAT = GameFormat(PROGRAM, DETECT.match, _read)


# ---- writing


def write(variant: Variant, position: Position, game: str) -> str:
    """The position as a game with one turn, without orders. Raises UnreadGameError for other variants."""
    name = name_elsewhere(variant, PROGRAM)
    year = variant.start.year
    lines = (
        '<?xml version="1.0"?>',
        '<game creator="gm" creatorVersion="1" specification="FORMAT_1_0">',
        f'<variant name={quoteattr(name)} version="1.0"><symbols name="none" version="1.0"/><map name="none"/>',
        f'<victoryConditions><winningSupplyCenters value="{variant.victory}"/><yearsWithoutSCCapture value="0"/>',
        f'<maxGameLengthInYears value="0"/><initialYear value="{year}"/></victoryConditions>',
        '<ruleOptions><option name="OPTION_BUILDS" value="VALUE_BUILDS_HOME_ONLY"/></ruleOptions></variant>',
        f"<info><gameInfo><name>{escape(game)}</name><gameID>{escape(game)}</gameID><URI>none</URI><judge>none</judge>",
        "<comment></comment><notes></notes></gameInfo></info>",
        "<setup></setup>",
        *_written_turn(variant, position),
        "</game>",
    )
    return "\n".join(lines) + "\n"


def _written_turn(variant: Variant, position: Position) -> Iterator[str]:
    phase = phase_to_json(variant, position)
    season = "Spring" if phase[:1] == "S" else "Fall"
    kind = {"M": "Movement", "R": "Retreat", "A": "Adjustment"}.get(phase[-1:], "")
    yield f'<turn season="{season}" phase="{kind}" year="{phase[1:-1]}" resolved="false">'
    yield "<positions>"
    for code, province in position.board.provinces.items():
        units = [_written_unit(variant, unit, False) for unit in position.standing.get(code, ())]
        units += [_written_unit(variant, out.unit, True) for out in position.dislodged if out.unit.at.province == code]
        if province.centre:
            owner, home = position.centres.get(code, "none"), province.home or "none"
            units.append(f"<SC owner={quoteattr(owner)} homePower={quoteattr(home)}/>")
        if units:
            yield f'<position province="{code.lower()}">{"".join(units)}</position>'
    yield "</positions><adjustments/><orders/><results/><dislodgedUnits>"
    for out in position.dislodged:
        ends = " ".join(str(at.place).lower() for at in out.retreats) or "none"
        unit = f'power={quoteattr(out.unit.power)} unitType="{variant.kinds[out.unit.kind].name}"'
        yield (
            f'<dislodged location="{str(out.unit.at.place).lower()}" {unit} retreats="{ends}" '
            f'dislodger="{str(out.by.at.place).lower()}"/>'
        )
    gone = [power for power in variant.nations if not (position.units_of(power) or position.centres_of(power))]
    eliminated = f"<eliminatedPowers powers={quoteattr(' '.join(gone))}/>" if gone else ""
    yield f"</dislodgedUnits><powerInfo>{eliminated}</powerInfo></turn>"


def _written_unit(variant: Variant, unit: Unit, dislodged: bool) -> str:
    coast = f' coast="{unit.at.place.coast}"' if unit.at.place.coast else ""
    driven = ' dislodged="true"' if dislodged else ""
    return f'<unit power={quoteattr(unit.power)}{coast} type="{variant.kinds[unit.kind].name}"{driven}/>'
