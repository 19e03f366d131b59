"""variant.toml and the board -> Variant."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from gm.judge.board import AIR, ARMY, COAST, FLEET, GROUND, LAND, SEA, Board, Place, UnitKind, locate
from gm.judge.builds import Builds
from gm.judge.census import Census
from gm.judge.moves import Moves
from gm.judge.position import Position, Unit
from gm.judge.retreats import Retreats
from gm.judge.steps import Step
from gm.judge.variant import Power, Setting, Variant
from gm.library.map import read_board
from gm.library.source import Source

STEPS: Mapping[str, Callable[[str], Step]] = {"Moves": Moves, "Retreats": Retreats, "Census": Census, "Builds": Builds}
KEYS = ("title", "rank", "map", "start", "victory", "special", "calendar", "kinds", "powers", "settings")
KIND_KEYS = ("name", "terrain", "layer", "strength", "cost", "support", "convoys", "convoyed")


def load(home: Path, options: Mapping[str, str]) -> Variant:
    """Compose the variant in this folder."""
    source = Source.open(home / "variant.toml")
    source.only(KEYS)
    powers = tuple(_power(source, name) for name in source.names("powers"))
    if not powers:
        raise source.wrong("powers", "names no power")
    homes = {code: power.name for power in powers for code in source.strings(f"powers.{power.name}.home")}
    board = read_board(Source.open(home / source.text("map", "map.toml")), homes)
    kinds = _kinds(source)
    calendar = tuple(_step(source, line) for line in source.strings("calendar"))
    if not calendar:
        raise source.wrong("calendar", "names no step")
    variant = Variant(
        id=home.name,
        title=source.text("title"),
        powers=powers,
        kinds=kinds,
        calendar=calendar,
        start=_start(source, powers, board, kinds),
        victory=_victory(source, board),
        settings=tuple(_setting(source, key) for key in source.names("settings")),
        options=dict(options),
        special=source.strings("special"),
    )
    return _dated(source, variant)


def _power(source: Source, name: str) -> Power:
    key = f"powers.{name}"
    source.only(("letter", "adjective", "aliases", "home", "centres", "units"), key)
    letter = source.text(f"{key}.letter")
    others = [source.get(f"powers.{other}.letter") for other in source.names("powers") if other != name]
    if len(letter) != 1 or letter in others:
        raise source.wrong(f"{key}.letter", "must be one letter that no other power has")
    return Power(name, letter, source.text(f"{key}.adjective", name), source.strings(f"{key}.aliases"))


def _kinds(source: Source) -> Mapping[str, UnitKind]:
    """The ordinary army and fleet where the file names none."""
    if not source.names("kinds"):
        return {kind.code: kind for kind in (ARMY, FLEET)}
    return {code: _kind(source, code) for code in source.names("kinds")}


def _kind(source: Source, code: str) -> UnitKind:
    key = f"kinds.{code}"
    source.only(KIND_KEYS, key)
    terrain = source.strings(f"{key}.terrain")
    if not terrain or set(terrain) - {LAND, SEA, COAST, AIR}:
        raise source.wrong(f"{key}.terrain", "must list some of land, sea, coast, air")
    layer = source.text(f"{key}.layer", GROUND)
    strength = source.number(f"{key}.strength", 2)
    support = {name: source.number(f"{key}.support.{name}") for name in source.names(f"{key}.support")}
    return UnitKind(
        code,
        source.text(f"{key}.name"),
        frozenset(terrain),
        layer,
        strength,
        source.number(f"{key}.cost", 1),
        support or {layer: strength},
        source.flag(f"{key}.convoys"),
        source.flag(f"{key}.convoyed"),
    )


def _step(source: Source, line: str) -> Step:
    name, _, season = line.partition(" ")
    if name not in STEPS:
        raise source.wrong("calendar", f"no step {name!r}; there are {', '.join(STEPS)}", line)
    if not season[:1].isalpha():
        raise source.wrong("calendar", f"{line!r} lacks its season", line)
    return STEPS[name](season)


def _start(source: Source, powers: tuple[Power, ...], board: Board, kinds: Mapping[str, UnitKind]) -> Position:
    units: list[Unit] = []
    owners: dict[str, str] = {}
    for power in powers:
        key = f"powers.{power.name}"
        for code in source.strings(f"{key}.home"):
            _centre(source, f"{key}.home", board, code)
        for code in source.strings(f"{key}.centres") or source.strings(f"{key}.home"):
            _centre(source, f"{key}.centres", board, code)
            if owners.setdefault(code, power.name) != power.name:
                raise source.wrong(f"{key}.home", f"{code} already belongs to {owners[code]}")
        for text in source.strings(f"{key}.units"):
            unit = _unit(source, f"{key}.units", text, power.name, board, kinds)
            if any(_together(unit, other, board, kinds) for other in units):
                raise source.wrong(f"{key}.units", f"two units stand in {unit.at.province}", text)
            units.append(unit)
    return Position(0, 0, board, tuple(units), owners, before=dict(owners))


def _centre(source: Source, key: str, board: Board, code: str) -> None:
    if code not in board.provinces:
        raise source.wrong(key, f"no province {code!r} on the map")
    if not board.provinces[code].centre:
        raise source.wrong(key, f"{code} is no supply centre")


def _unit(source: Source, key: str, text: str, power: str, board: Board, kinds: Mapping[str, UnitKind]) -> Unit:
    code, _, written = text.partition(" ")
    province, _, coast = written.partition("/")
    if code not in kinds:
        raise source.wrong(key, f"{text!r}: no kind of unit {code!r}", text)
    if province not in board.provinces:
        raise source.wrong(key, f"{text!r}: no province {province!r} on the map", text)
    at = locate(board, kinds[code], Place(province, coast))
    if at is None:
        raise source.wrong(key, f"{text!r}: a {kinds[code].name} cannot stand there, or the coast is missing", text)
    return Unit(power, code, at)


def _together(one: Unit, other: Unit, board: Board, kinds: Mapping[str, UnitKind]) -> bool:
    same = one.at.province == other.at.province and kinds[one.kind].layer == kinds[other.kind].layer
    return same and not board.provinces[one.at.province].shared


def _victory(source: Source, board: Board) -> int:
    victory = source.number("victory")
    centres = sum(p.centre for p in board.provinces.values())
    if not 0 < victory <= centres:
        raise source.wrong("victory", f"must be from 1 to {centres}, the number of centres on the map")
    return victory


def _setting(source: Source, name: str) -> Setting:
    key = f"settings.{name}"
    source.only(("default", "meaning", "choices", "low", "high"), key)
    choices = source.strings(f"{key}.choices")
    default = source.text(f"{key}.default")
    if choices and default not in choices:
        raise source.wrong(f"{key}.default", f"is none of {', '.join(choices)}")
    meaning = source.text(f"{key}.meaning")
    return Setting(name, default, meaning, choices, source.number(f"{key}.low", 0), source.number(f"{key}.high", 0))


def _dated(source: Source, variant: Variant) -> Variant:
    """The start at the step that `start` names."""
    try:
        year, at = variant.phase_at(source.text("start"))
    except ValueError as error:
        raise source.wrong("start", str(error)) from None
    return replace(variant, start=replace(variant.start, year=year, at=at))
