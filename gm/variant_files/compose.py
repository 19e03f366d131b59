"""Composes a `Variant` from variant.toml, the map files and rules.py."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from gm.judge.board.board import AIR, ARMY, COAST, FLEET, GROUND, LAND, SEA, Board, Place, UnitKind, locate
from gm.judge.mechanics.wings.air_board import with_air
from gm.judge.model.position import Position, Unit
from gm.judge.model.rulebooks import DATC, RULEBOOKS, Rulebook
from gm.judge.model.variant import FREE_PRESS, Minor, Power, Rules, Step, Variant
from gm.judge.movement.movement_step import MovementStep
from gm.judge.steps.adjustments import AdjustmentStep
from gm.judge.steps.build_rules import AT_HOME, FULL
from gm.judge.steps.centre_ownership import Census, StalemateRule
from gm.judge.steps.retreats import RetreatStep
from gm.variant_files.house_rules import house_settings
from gm.variant_files.map import planar_board, read_map
from gm.variant_files.rules import FILE, read_rules
from gm.variant_files.setting_choices import apply_settings, read_options, read_settings
from gm.variant_files.toml_source import TomlSource
from gm.variant_files.translations import SUMMARY, read_described, read_translations

STEPS: Mapping[str, Callable[[str], Step]] = {
    "Moves": MovementStep,
    "Retreats": RetreatStep,
    "Census": Census,
    "Builds": AdjustmentStep,
}
KEYS = (
    "title", "rank", "map", "without", "start", "victory", "stalemate", "special", "calendar", "kinds", "powers",
    "settings", "edition", "convoy_path", "minors", "unstarred", "hours", "like", "planar",
    "elsewhere", "described",
)  # fmt: skip
KIND_KEYS = ("name", "terrain", "layer", "strength", "cost", "support", "convoys", "convoyed", "reach")


def compose_variant(home: Path, options: Mapping[str, str]) -> Variant:
    """Compose the variant in this folder, with the game master's choices of its own settings."""
    written = open_variant_toml(home)
    settings = read_settings(written, KEYS)
    options = read_options(home.name, settings, options)
    source = apply_settings(written, settings, options)
    powers = tuple(_power(source, name) for name in source.names("powers"))
    if not powers:
        raise source.wrong("powers", "names no power")
    kinds = _kinds(source)
    board = _with_air_slots(_board(source, powers), kinds)
    minors = _minors(source, powers, board, kinds)
    values = {setting.key: setting.default for setting in settings} | dict(options)
    rules = read_rules(home, values)
    for key in ("calendar", "stalemate"):
        if rules is not None and source.get(key) is not None:
            raise source.wrong(key, "is for rules.py to say, which stands beside this file")
    rules = rules or Rules(_calendar(source))
    variant = Variant(
        id=home.name,
        title=source.text("title"),
        powers=powers,
        kinds=kinds,
        calendar=rules.calendar,
        start=_start(source, powers, minors, board, kinds),
        victory=_victory(source, board),
        settings=settings,
        options=options,
        special=source.strings("special"),
        rulebook=_rulebook(source),
        minors=minors,
        gm_changes=rules.gm_changes,
        revealed=rules.revealed,
        press=rules.press or FREE_PRESS,
        build_rule=AT_HOME,
        influence=rules.influence,
        hours=_hours(source, rules.calendar),
        elsewhere={program: source.text(f"elsewhere.{program}") for program in source.names("elsewhere")},
        summary=source.text(f"described.{SUMMARY}", " ").strip(),
        described=read_described(source),
    )
    variant = _with_start_phase(source, replace(variant, translations=read_translations(home, variant)))
    return replace(variant, settings=(*settings, *house_settings(variant)))


def open_variant_toml(home: Path) -> TomlSource:
    """variant.toml, merged over that of the variant that `like` names, of which other programs may know nothing.

    rules.py replaces the latter's calendar.
    """
    written = TomlSource.open(home / "variant.toml")
    written.check_keys(KEYS)
    name = written.text("like", " ").strip()
    if not name:
        return written
    if not (home.parent / name / written.path.name).is_file():
        raise written.wrong("like", f"there is no {home.parent / name / written.path.name}", name)
    below = TomlSource.open(home.parent / name / written.path.name)
    below.check_keys(KEYS)
    replaced = ("calendar", "stalemate") if (home / FILE).is_file() else ()
    return written.over(below, without=("elsewhere", "described", *replaced))


def map_file_names(source: TomlSource) -> tuple[str, ...]:
    """Paths relative to variant.toml's folder."""
    return source.texts("map") or ("map.toml",)


def _board(source: TomlSource, powers: tuple[Power, ...]) -> Board:
    everyone = [f"powers.{power.name}" for power in powers] + [f"minors.{name}" for name in source.names("minors")]
    yards = {code: key for key in everyone for code in source.strings(f"{key}.yards")}
    homes = yards | {code: key for key in everyone for code in source.strings(f"{key}.home")}
    homes = {code: key.partition(".")[2] for code, key in homes.items()}
    colonies = {code for power in powers for code in source.strings(f"powers.{power.name}.colonies")}
    drawing = read_map(
        [TomlSource.open(source.path.parent / name) for name in map_file_names(source)], homes, colonies, yards
    )
    for code, key in yards.items():
        if code not in drawing.provinces or drawing.provinces[code].centre:
            raise source.wrong(f"{key}.yards", f"{code!r} is no province without a centre", code)
    without = source.strings("without")
    for part in without:
        if part not in drawing.parts:
            raise source.wrong("without", f"no part {part!r} of the map", part)
    unstarred = source.strings("unstarred")
    for code in unstarred:
        if code not in drawing.provinces or not drawing.provinces[code].centre:
            raise source.wrong("unstarred", f"{code!r} is no supply centre", code)
    if source.names("planar"):
        return planar_board(source, drawing)
    return drawing.board(without, unstarred)


def _with_air_slots(board: Board, kinds: Mapping[str, UnitKind]) -> Board:
    """With air slots if there are kinds that fly."""
    reach = max((kind.reach for kind in kinds.values() if kind.layer == AIR), default=0)
    return with_air(board, reach) if reach else board


def _rulebook(source: TomlSource) -> Rulebook:
    """The rulebook, and whether a convoy route named in an order is binding (DATC 4.A.6)."""
    name = source.text("edition", DATC.name)
    if name not in RULEBOOKS:
        raise source.wrong("edition", f"is none of {', '.join(RULEBOOKS)}", name)
    path = source.text("convoy_path", "advisory")
    if path not in ("advisory", "binding"):
        raise source.wrong("convoy_path", "must be advisory or binding", path)
    return replace(RULEBOOKS[name], binding=True) if path == "binding" else RULEBOOKS[name]


def _power(source: TomlSource, name: str) -> Power:
    key = f"powers.{name}"
    known = ("letter", "adjective", "aliases", "home", "colonies", "yards", "centres", "units", "major")
    source.check_keys(known, key)
    letter = source.text(f"{key}.letter")
    others = [source.get(f"powers.{other}.letter") for other in source.names("powers") if other != name]
    if len(letter) != 1 or letter in others:
        raise source.wrong(f"{key}.letter", "must be one letter that no other power has")
    aliases, major = source.strings(f"{key}.aliases"), source.flag(f"{key}.major")
    return Power(name, letter, source.text(f"{key}.adjective", name), aliases, major)


def _minors(
    source: TomlSource, powers: tuple[Power, ...], board: Board, kinds: Mapping[str, UnitKind]
) -> tuple[Minor, ...]:
    """Each has a unit and a centre of its own, or homes and units like a power; in an `unstarred` centre it has none
    and is left out.
    """
    by_home: dict[str, Minor] = {}
    unstarred = source.strings("unstarred")
    for name in source.names("minors"):
        key = f"minors.{name}"
        source.check_keys(("unit", "adjective", "aliases", "dormant", "home", "units"), key)
        if name in {power.name for power in powers}:
            raise source.wrong(key, "is a power with a seat")
        if source.get(f"{key}.unit") is None:
            minor = _minor_with_homes(source, name, board, kinds)
            by_home[minor.home] = minor
            continue
        unit = _unit(source, f"{key}.unit", source.text(f"{key}.unit"), name, board, kinds)
        home = unit.at.province
        if home in unstarred:
            continue
        _centre(source, f"{key}.unit", board, home)
        if home in by_home:
            raise source.wrong(f"{key}.unit", f"{home} is the centre of {by_home[home].name}")
        adjective = source.text(f"{key}.adjective", name)
        by_home[home] = Minor(
            name, home, unit.kind, adjective, source.strings(f"{key}.aliases"), source.flag(f"{key}.dormant")
        )
    return tuple(by_home.values())


def _minor_with_homes(source: TomlSource, name: str, board: Board, kinds: Mapping[str, UnitKind]) -> Minor:
    """A minor power that owns its homes and builds there."""
    key = f"minors.{name}"
    homes = source.strings(f"{key}.home")
    if not homes:
        raise source.wrong(key, "has neither a unit nor a home")
    kind = next(
        (_unit(source, f"{key}.units", text, name, board, kinds).kind for text in source.strings(f"{key}.units")), ""
    )
    adjective = source.text(f"{key}.adjective", name)
    return Minor(name, homes[0], kind, adjective, source.strings(f"{key}.aliases"), homes=homes)


def _kinds(source: TomlSource) -> Mapping[str, UnitKind]:
    """Army and fleet if the file names no kinds."""
    if not source.names("kinds"):
        return {kind.code: kind for kind in (ARMY, FLEET)}
    return {code: _kind(source, code) for code in source.names("kinds")}


def _kind(source: TomlSource, code: str) -> UnitKind:
    key = f"kinds.{code}"
    source.check_keys(KIND_KEYS, key)
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
        source.number(f"{key}.cost", FULL),
        support or {layer: strength},
        source.flag(f"{key}.convoys"),
        source.flag(f"{key}.convoyed"),
        source.number(f"{key}.reach", 1),
    )


def _calendar(source: TomlSource) -> tuple[Step, ...]:
    """Each line names a step and its season."""
    steps: dict[str, Callable[[str], Step]] = {**STEPS, "Census": partial(Census, stalemate=_stalemate(source))}
    calendar = []
    for line in source.strings("calendar"):
        name, _, season = line.partition(" ")
        if name not in steps:
            raise source.wrong("calendar", f"no step {name!r}; there are {', '.join(steps)}", line)
        if not season[:1].isalpha():
            raise source.wrong("calendar", f"{line!r} lacks its season", line)
        calendar.append(steps[name](season))
    if not calendar:
        raise source.wrong("calendar", "names no step")
    return tuple(calendar)


def _hours(source: TomlSource, calendar: tuple[Step, ...]) -> Mapping[str, str]:
    """Schedules by letters of a phase: "R", or "SM" for Spring moves."""
    phases = {step.season[0] + step.letter for step in calendar if step.letter}
    known = phases | {phase[1] for phase in phases}
    source.check_keys(known, "hours")
    return {name: _schedule(source, f"hours.{name}") for name in source.names("hours")}


def _schedule(source: TomlSource, key: str) -> str:
    from zoneinfo import ZoneInfo  # only for speed: few variants have hours of their own

    from gm.language.dates.date_words import DateError
    from gm.language.dates.schedule import parse_schedule

    text = source.text(key)
    if isinstance(parse_schedule(text, ZoneInfo("UTC")), DateError):
        raise source.wrong(key, "is no schedule; write one like 48 h, or Sundays 20:00")
    return text


def _stalemate(source: TomlSource) -> StalemateRule:
    source.check_keys(("censuses", "ends"), "stalemate")
    censuses = source.number("stalemate.censuses", 0)
    if censuses < 0:
        raise source.wrong("stalemate.censuses", "must be 0 (never) or more")
    ends = source.text("stalemate.ends", "draw")
    if ends not in ("draw", "offer"):
        raise source.wrong("stalemate.ends", "must be draw or offer")
    return StalemateRule(censuses, offer=ends == "offer")


def _start(
    source: TomlSource,
    powers: tuple[Power, ...],
    minors: tuple[Minor, ...],
    board: Board,
    kinds: Mapping[str, UnitKind],
) -> Position:
    units: list[Unit] = []
    owners: dict[str, str] = {}
    realms = {f"powers.{power.name}": power.name for power in powers}
    realms |= {f"minors.{minor.name}": minor.name for minor in minors if minor.homes}
    for key, power in realms.items():
        _add_owned_centres(source, key, power, board, owners)
        for text in source.strings(f"{key}.units"):
            unit = _unit(source, f"{key}.units", text, power, board, kinds)
            if any(_share_province(unit, other, board, kinds) for other in units):
                raise source.wrong(f"{key}.units", f"two units stand in {unit.at.province}", text)
            units.append(unit)
    for minor in (minor for minor in minors if not minor.homes):
        key = f"minors.{minor.name}.unit"
        unit = _unit(source, key, source.text(key), minor.name, board, kinds)
        if not minor.dormant and any(_share_province(unit, other, board, kinds) for other in units):
            raise source.wrong(key, f"two units stand in {unit.at.province}")
        if not minor.dormant and minor.home in owners:
            raise source.wrong(key, f"{minor.home} belongs to {owners[minor.home]}")
        units += [] if minor.dormant else [unit]
    return Position(0, 0, board, tuple(units), owners, before=dict(owners))


def _add_owned_centres(source: TomlSource, key: str, power: str, board: Board, owners: dict[str, str]) -> None:
    """Adds what a power owns at the start to `owners`."""
    homes = [*source.strings(f"{key}.home"), *source.strings(f"{key}.colonies")]
    for code in source.strings(f"{key}.home"):
        _centre(source, f"{key}.home", board, code)
    for code in source.strings(f"{key}.colonies"):
        _centre(source, f"{key}.colonies", board, code)
    for code in source.strings(f"{key}.centres") or homes:
        _centre(source, f"{key}.centres", board, code)
        if owners.setdefault(code, power) != power:
            raise source.wrong(f"{key}.home", f"{code} already belongs to {owners[code]}")


def _centre(source: TomlSource, key: str, board: Board, code: str) -> None:
    if code not in board.provinces:
        raise source.wrong(key, f"no province {code!r} on the map")
    if not board.provinces[code].centre:
        raise source.wrong(key, f"{code} is no supply centre")


def _unit(source: TomlSource, key: str, text: str, power: str, board: Board, kinds: Mapping[str, UnitKind]) -> Unit:
    code, _, written = text.partition(" ")
    province, _, coast = written.partition("/")
    if code not in kinds:
        raise source.wrong(key, f"{text!r}: no kind of unit {code!r}", text)
    if province not in board.provinces:
        raise source.wrong(key, f"{text!r}: no province {province!r} on the map", text)
    at = locate(board, kinds[code], Place(province, coast))
    if at is None:
        raise source.wrong(key, f"{text!r}: no {kinds[code].name} can stand there, or the coast is missing", text)
    return Unit(power, code, at)


def _share_province(unit: Unit, other: Unit, board: Board, kinds: Mapping[str, UnitKind]) -> bool:
    same = unit.at.province == other.at.province and kinds[unit.kind].layer == kinds[other.kind].layer
    return same and not board.provinces[unit.at.province].shared


def _victory(source: TomlSource, board: Board) -> int:
    victory = source.number("victory")
    centres = sum(p.centre for p in board.provinces.values())
    if not 0 < victory <= centres:
        raise source.wrong("victory", f"must be from 1 to {centres}, the number of centres on the map")
    return victory


def _with_start_phase(source: TomlSource, variant: Variant) -> Variant:
    try:
        year, at = variant.phase_at(source.text("start"))
    except ValueError as error:
        raise source.wrong("start", str(error)) from None
    return replace(variant, start=replace(variant.start, year=year, at=at))
