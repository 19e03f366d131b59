"""Reads map.toml and its kin into a board. variants/README.md describes the files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from msgspec import Struct, field
from msgspec.structs import replace

from gm.judge.board.board import AIR, COAST, LAND, SEA, Border, Location, Province, TableBoard, Use
from gm.judge.board.planar_board import PlanarBoard, opening_board
from gm.judge.board.rotation import InvalidMap
from gm.variant_files.toml_source import TomlSource, Value

PASSAGE = Use.MOVE | Use.SUPPORT
USES = {"move": Use.MOVE, "support": Use.SUPPORT, "convoy": Use.CONVOY}
GROUNDS: Mapping[str, tuple[str, ...]] = {
    "inland": (LAND,),
    "coastal": (LAND, COAST),
    "isles": (LAND, SEA),
    "sea": (SEA,),
    "ocean": (SEA,),
    "impassable": (),
}
OCEAN = "ocean"
FIELDS = ("name", "centre", "coasts", "aliases", "shared")
EXTRA_FIELDS = {"name", "from", "to", "slot", "from_slot", "to_slot", "uses", "both"}


class MapFileContents(Struct, frozen=True):
    """`parts` are what a variant may leave out: locations and names of borders. `rings` are the neighbours of each
    province, clockwise, if the files list them.
    """

    provinces: Mapping[str, Province]
    borders: tuple[Border, ...]
    parts: Mapping[str, tuple[frozenset[Location], frozenset[str]]]
    rings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def board(self, without: Iterable[str] = (), unstarred: Iterable[str] = ()) -> TableBoard:
        """The board without these parts. Provinces in `unstarred` are no supply centres."""
        if unstarred := frozenset(unstarred):
            plain = {
                code: replace(province, centre=province.centre and code not in unstarred)
                for code, province in self.provinces.items()
            }
            return replace(self, provinces=plain).board(without)
        coasts = {at for part in without for at in self.parts[part][0]}
        closed = {name for part in without for name in self.parts[part][1]}
        if not coasts and not closed:
            return TableBoard(self.provinces.values(), self.borders)
        gone = {b.name for b in self.borders if b.start in coasts or b.end in coasts}
        left = [b for b in self.borders if b.name not in closed and not {b.start, b.end} & coasts]
        # A convoy lands by the coast it crosses: the leg goes with the last border of its name.
        sailed = {b.name for b in left if Use.MOVE in b.uses}
        left = [b for b in left if b.uses != Use.CONVOY or b.name in sailed or b.name not in gone]
        slots = {
            code: tuple(s for s in p.slots if Location(code, s) not in coasts) for code, p in self.provinces.items()
        }
        return TableBoard((replace(p, slots=slots[p.code]) for p in self.provinces.values()), left)


def read_map(
    sources: Sequence[TomlSource], homes: Mapping[str, str], colonies: Collection[str] = (), yards: Collection[str] = ()
) -> MapFileContents:
    """Later files may name provinces of earlier ones. `homes` maps a home centre, or a yard, to its power."""
    provinces: dict[str, Province] = {}
    names: dict[str, str] = {}
    borders: list[Border] = []
    for source in sources:
        source.check_keys([*GROUNDS, "census", "parts", "army", "fleet", "border", "clockwise"])
        for ground in GROUNDS:
            _read_provinces(source, ground, homes, provinces, names)
    if not provinces:
        raise sources[0].wrong("coastal", "the map has no provinces")
    seen: dict[tuple[str, frozenset[tuple[str, str]]], str] = {}
    for source in sources:
        for here, there in _edges(source, "army", provinces, seen):
            borders += _both_ways(Location(here[0], LAND), Location(there[0], LAND), PASSAGE)
        for here, there in _edges(source, "fleet", provinces, seen):
            borders += _fleet_borders(Location(*here), Location(*there), provinces)
        borders += _extra_borders(source, provinces)
    borders += _ocean_borders([code for source in sources for code in source.names(OCEAN)], borders)
    unique = dict.fromkeys(_without_support(border, provinces) for border in borders)
    rings = _read_rings(sources, provinces, unique)
    for source in sources:
        _check_census(source)
    for code in colonies:
        if code in provinces:
            provinces[code] = replace(provinces[code], colony=True)
    for code in yards:
        if code in provinces:
            provinces[code] = replace(provinces[code], yard=True)
    parts = {name: _read_part(source, name, provinces, unique) for source in sources for name in source.names("parts")}
    return MapFileContents(provinces, tuple(unique), parts, rings)


def _read_provinces(
    source: TomlSource, ground: str, homes: Mapping[str, str], provinces: dict[str, Province], names: dict[str, str]
) -> None:
    """Codes, names and aliases share one case-insensitive name space; "wc=sc", the name of a coast, is not in it."""
    for province in _provinces_of(source, ground, homes):
        key = f"{ground}.{province.code}"
        if province.code in provinces:
            raise source.wrong(key, "stands in two tables")
        provinces[province.code] = province
        for name in {n.casefold() for n in (province.code, province.name, *province.aliases) if "=" not in n}:
            if names.setdefault(name, province.code) != province.code:
                raise source.wrong(key, f"{name!r} already means {names[name]}")


def _provinces_of(source: TomlSource, ground: str, homes: Mapping[str, str]) -> Iterator[Province]:
    for code in source.names(ground):
        key = f"{ground}.{code}"
        if not code.isalnum():
            raise source.wrong(key, "a province's code is made of letters and digits")
        source.check_keys(FIELDS, key)
        slots = GROUNDS[ground]
        coasts = source.strings(f"{key}.coasts")
        if coasts:
            if COAST not in slots:
                raise source.wrong(key, "only a coastal province has coasts")
            if len(coasts) < 2 or len(set(coasts)) != len(coasts):
                raise source.wrong(key, "coasts are named only where there are two or more different ones")
            slots = (LAND, *coasts)
        aliases = source.strings(f"{key}.aliases")
        for alias in aliases:
            if "=" in alias and alias.partition("=")[2] not in coasts:
                raise source.wrong(key, f"the alias {alias!r} names no coast of it")
        centre, shared = source.flag(f"{key}.centre"), ground == OCEAN or source.flag(f"{key}.shared")
        yield Province(code, source.text(f"{key}.name"), slots, centre, homes.get(code), aliases, shared)


def _read_part(
    source: TomlSource, name: str, provinces: Mapping[str, Province], borders: Iterable[Border]
) -> tuple[frozenset[Location], frozenset[str]]:
    """Coasts ("Oms", "Spa/sc") and borders by name ("ferry", "Alb-Gre")."""
    key = f"parts.{name}"
    coasts: set[Location] = set()
    named: set[str] = set()
    known = {border.name for border in borders}
    for text in source.strings(key):
        if text in known:
            named.add(text)
            continue
        code, _, coast = text.partition("/")
        ashore = [s for s in (provinces[code].slots if code in provinces else ()) if s not in (LAND, SEA, AIR)]
        if not ashore or (coast and coast not in ashore):
            raise source.wrong(key, f"{text!r} is neither a coast nor a border's name", text)
        coasts |= {Location(code, slot) for slot in ashore if coast in ("", slot)}
    if not coasts and not named:
        raise source.wrong(key, "must list coasts or names of borders")
    return frozenset(coasts), frozenset(named)


def _edges(
    source: TomlSource,
    table: str,
    provinces: Mapping[str, Province],
    seen: dict[tuple[str, frozenset[tuple[str, str]]], str],
) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    """(province, slot) pairs, each edge once. `seen` maps an edge to the key that lists it."""
    for start in source.names(table):
        key = f"{table}.{start}"
        for end in source.text(key).split():
            pair = (
                _read_location(source, key, table, start, provinces),
                _read_location(source, key, table, end, provinces),
            )
            edge = table, frozenset(pair)
            if pair[0][0] == pair[1][0]:
                raise source.wrong(key, f"{start} cannot touch itself")
            if edge in seen:
                raise source.wrong(key, f"the border with {end} stands here and in {seen[edge]}")
            seen[edge] = key
            yield pair


def _read_location(
    source: TomlSource, key: str, table: str, written: str, provinces: Mapping[str, Province]
) -> tuple[str, str]:
    """The (province, slot) of an army or a fleet in a place: the only slot there is, or the coast named."""
    code, _, coast = written.partition("/")
    if code not in provinces:
        raise source.wrong(key, f"no province {code!r} on the map")
    slots = [s for s in provinces[code].slots if (s == LAND) == (table == "army") and s != AIR]
    if coast:
        if coast not in provinces[code].coasts or table == "army":
            raise source.wrong(key, f"{code} has no coast {coast!r} here")
        return code, coast
    if len(slots) != 1:
        why = f"say which coast: {', '.join(slots)}" if slots else f"no {table} stands there"
        raise source.wrong(key, f"{code}: {why}")
    return code, slots[0]


def _both_ways(start: Location, end: Location, uses: Use, name: str = "") -> list[Border]:
    name = name or f"{start.province}-{end.province}"
    return [Border(name, start, end, uses), Border(name, end, start, uses)]


def _fleet_borders(start: Location, end: Location, provinces: Mapping[str, Province]) -> list[Border]:
    """A fleet border, and what it does for convoys: from sea to sea, and from the land behind a coast to the sea."""
    at_sea = start.slot == SEA, end.slot == SEA
    borders = _both_ways(start, end, PASSAGE | Use.CONVOY if all(at_sea) else PASSAGE)
    for sea, other in ((start, end), (end, start)):
        land = Location(other.province, LAND)
        if sea.slot == SEA and LAND in provinces[other.province].slots and other.province != sea.province:
            borders += _both_ways(land, sea, Use.CONVOY, f"{start.province}-{end.province}")
    return borders


def _ocean_borders(oceans: Sequence[str], borders: Sequence[Border]) -> Iterator[Border]:
    """Links oceans to each other for fleets and convoys, and for convoys to every sea that touches any ocean."""
    for ocean, other in combinations([Location(code, SEA) for code in oceans], 2):
        yield from _both_ways(ocean, other, Use.MOVE | Use.CONVOY, f"{ocean.province}={other.province}")
    touching = [b.start for b in borders if b.start.slot == SEA and Use.CONVOY in b.uses and b.end.province in oceans]
    for sea in dict.fromkeys(at for at in touching if at.province not in oceans):
        for code in oceans:
            yield from _both_ways(sea, Location(code, SEA), Use.CONVOY, f"{sea.province}={code}")


def _without_support(border: Border, provinces: Mapping[str, Province]) -> Border:
    """Units do not compete for a shared province, so it takes no support."""
    if not provinces[border.end.province].shared:
        return border
    return border._replace(uses=border.uses & ~Use.SUPPORT)


def _extra_borders(source: TomlSource, provinces: Mapping[str, Province]) -> Iterator[Border]:
    for number, table in enumerate(source.tables("border"), 1):
        key = "border"

        def word(name: str, default: str = "", table: dict[str, Value] = table) -> str:
            value = table.get(name, default)
            return value if isinstance(value, str) else default

        if set(table) - EXTRA_FIELDS:
            raise source.wrong(key, f"number {number}: {min(set(table) - EXTRA_FIELDS)!r} is not known here")
        ends: list[Location] = []
        for side in ("from", "to"):
            code, slot = word(side), word(f"{side}_slot", word("slot", LAND))
            if code not in provinces or slot not in (*provinces[code].slots, AIR):
                raise source.wrong(key, f"number {number}: no place {code!r} ({slot}) on the map")
            ends.append(Location(code, slot))
        written = table.get("uses")
        uses = Use(0)
        for use in written if isinstance(written, list) else []:
            if not isinstance(use, str) or use not in USES:
                raise source.wrong(key, f"number {number}: uses are {', '.join(USES)}")
            uses |= USES[use]
        if not uses:
            raise source.wrong(key, f"number {number}: says no uses")
        pair = _both_ways(ends[0], ends[1], uses, word("name"))
        yield from pair if table.get("both", True) else pair[:1]


def _read_rings(
    sources: Sequence[TomlSource], provinces: Mapping[str, Province], borders: Mapping[Border, None]
) -> Mapping[str, tuple[str, ...]]:
    """A later file's lists replace an earlier one's. Neighbours list each other equally often, and every plain edge
    joins two neighbours.
    """
    files = {code: source for source in sources for code in source.names("clockwise")}
    rings = {code: tuple(source.text(f"clockwise.{code}").split()) for code, source in files.items()}
    if not rings:
        return {}
    times = {code: Counter(ring) for code, ring in rings.items()}
    for code, ring in rings.items():
        for other in (code, *ring):
            if other not in provinces:
                raise files[code].wrong(f"clockwise.{code}", f"no province {other!r} on the map")
    for code, neighbours in times.items():
        for other, often in neighbours.items():
            back = times.get(other, Counter())[code]
            if back != often:
                why = f"names {other} {often} times, and clockwise.{other} names {code} {back} times"
                raise files[code].wrong(f"clockwise.{code}", why)
    named = {b.name for b in borders if b.name != f"{b.start.province}-{b.end.province}"
             and b.name != f"{b.end.province}-{b.start.province}"}  # fmt: skip
    for border in borders:
        start = border.start.province
        if border.name not in named and border.end.province not in rings.get(start, ()):
            raise files.get(start, sources[0]).wrong(f"clockwise.{start}", f"lacks its neighbour {border.end.province}")
    return rings


def _check_census(source: TomlSource) -> None:
    """Compares [census] with what the same file holds."""
    passable = [ground for ground in GROUNDS if GROUNDS[ground]]
    counted = {
        "provinces": sum(len(source.names(ground)) for ground in passable),
        "impassable": len(source.names("impassable")),
        "centres": sum(source.flag(f"{ground}.{code}.centre") for ground in GROUNDS for code in source.names(ground)),
        "army": sum(len(source.text(f"army.{start}").split()) for start in source.names("army")),
        "fleet": sum(len(source.text(f"fleet.{start}").split()) for start in source.names("fleet")),
    }
    source.check_keys(counted, "census")
    for what in source.names("census"):
        count = source.number(f"census.{what}")
        if count != counted[what]:
            raise source.wrong(f"census.{what}", f"says {count}, but the map has {counted[what]}")


def planar_board(source: TomlSource, drawing: MapFileContents) -> PlanarBoard:
    """The starting board of a variant whose borders can move: the map's clockwise lists, and [planar] of variant.toml.

    [planar.straits]
    Con = "BLA AEG"          the province's coasts on these two seas are one
    """
    source.check_keys(("straits",), "planar")
    straits: dict[str, frozenset[str]] = {}
    for code in source.names("planar.straits"):
        seas = frozenset(source.text(f"planar.straits.{code}").split())
        if code not in drawing.provinces or len(seas) != 2 or not seas <= drawing.provinces.keys():
            raise source.wrong(f"planar.straits.{code}", "must be a province with two seas")
        straits[code] = seas
    for code, area in drawing.provinces.items():
        if AIR in area.slots or {LAND, SEA} <= set(area.slots):
            raise source.wrong("planar", f"{code} is neither land nor sea nor closed")
        if code not in drawing.rings:
            raise source.wrong("planar", f"{code} has no clockwise list in the map's files")
    shores = {
        (code, coast): frozenset(
            b.end.province for b in drawing.borders if b.start == Location(code, coast) and b.end.slot == SEA
        )
        for code, area in drawing.provinces.items()
        for coast in area.coasts
    }
    try:
        return opening_board(
            drawing.provinces, {code: (drawing.rings[code],) for code in drawing.provinces}, straits, shores
        )
    except InvalidMap as error:
        raise source.wrong("planar", str(error)) from None
