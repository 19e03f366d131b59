"""What a drawing must show of its map: which provinces touch, by land and along the coast, in what order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field

from gm.judge.board.board import AIR, LAND, SEA, Border, Province
from gm.variant_files.map import read_map
from gm.variant_files.toml_source import TomlSource

Pair = frozenset[str]


class MapFacts(Struct, frozen=True):
    """`pairs` are all common borders. `sailed` are pairs of lands with a common coast. `clockwise` may be empty: then
    impassable provinces are not in `pairs`. `named` are pairs whose border has its own name and may be drawn as a mark.
    """

    provinces: Mapping[str, Province]
    pairs: frozenset[Pair]
    sailed: frozenset[Pair]
    named: frozenset[Pair]
    clockwise: Mapping[str, tuple[str, ...]]
    waters: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The waters that each named coast ("Spa/nc") touches."""

    @property
    def centres(self) -> frozenset[str]:
        return frozenset(code for code, province in self.provinces.items() if province.centre)

    def passable(self, name: str) -> bool:
        return name in self.provinces and bool(self.provinces[name].slots)

    def has_sea(self, name: str) -> bool:
        return self.passable(name) and SEA in self.provinces[name].slots


def read_facts(folder: Path, files: Sequence[str]) -> MapFacts:
    """Reads the map's files in a variant's folder; variant.toml is not needed."""
    sources = [TomlSource.open(folder / name) for name in files]
    drawing = read_map(sources, {})
    clockwise = {
        code: tuple(source.text(f"clockwise.{code}").split())
        for source in sources
        for code in source.names("clockwise")
    }
    grounded = [b for b in drawing.borders if AIR not in (b.start.slot, b.end.slot)]
    plain = [b for b in grounded if _is_plain(b)]
    pairs = {_pair(b) for b in plain}
    if clockwise:
        pairs = {frozenset((code, other)) for code, neighbours in clockwise.items() for other in neighbours}
    lands = {code for code, province in drawing.provinces.items() if SEA not in province.slots}
    sailed = {_pair(b) for b in plain if LAND not in (b.start.slot, b.end.slot) and _pair(b) <= lands}
    named = {_pair(b) for b in grounded if not _is_plain(b)}
    waters: dict[str, set[str]] = defaultdict(set)
    for border in plain:
        if border.start.place.coast and border.end.slot == SEA:
            waters[str(border.start.place)].add(border.end.province)
    coasts = {coast: frozenset(names) for coast, names in waters.items()}
    return MapFacts(drawing.provinces, frozenset(pairs), frozenset(sailed), frozenset(named), clockwise, coasts)


def _pair(border: Border) -> Pair:
    return frozenset((border.start.province, border.end.province))


def _is_plain(border: Border) -> bool:
    ends = border.start.province, border.end.province
    return border.name in ("-".join(ends), "-".join(reversed(ends)))
