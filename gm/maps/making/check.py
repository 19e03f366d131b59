"""Compares a drawn board with its map, and looks for faults that a reader of the picture would notice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

import shapely

from gm.maps.drawing.geometry import Anchor, Geometry, Point, label_size
from gm.maps.drawing.lines import crossing_pairs
from gm.maps.making.map_facts import MapFacts, Pair
from gm.maps.making.rings import TENTH, Ring, Side, drawn_sides, drop_repeats, map_borders, names_met, rings

LEAST_CONTACT = 8.0
"""Picture units: a shorter border would not be noticed."""
LEAST_ROOM = 0.3
"""Least distance from a unit to its border, as a share of the token's radius."""
LEAST_FOR_CENTRE = 1.0
"""Least distance in picture units from a centre's mark to the border."""
CENTRE = 5.0
"""Radius of a supply centre's mark."""
SLACK = 1.5
"""Units by which two things may overlap."""


class BoardFault(NamedTuple):
    """One fault of a drawn board. `at` is where, `length` how much of it, both in picture units."""

    kind: str
    what: str
    at: Point | None = None
    length: float | None = None

    def __str__(self) -> str:
        place = f" at ({self.at[0]:.0f}, {self.at[1]:.0f})" if self.at else ""
        length = f", length {self.length:.1f}" if self.length is not None else ""
        return f"{self.kind}: {self.what}{place}{length}"


def find_faults(geometry: Geometry, facts: MapFacts) -> list[BoardFault]:
    borders = map_borders(geometry)
    return [
        *_crossings(geometry),
        *_loose_ends(geometry),
        *_contacts(geometry, facts, borders),
        *_common_coasts(geometry, facts, borders),
        *_neighbour_order(geometry, facts, borders),
        *_anchors(geometry, facts),
        *_overlaps(geometry),
        *_boxes(geometry, facts),
    ]


def _contacts(geometry: Geometry, facts: MapFacts, borders: list[Side]) -> Iterator[BoardFault]:
    seen: dict[Pair, list[Side]] = defaultdict(list)
    for side in borders:
        pair = frozenset(map(geometry.contact, (side.left, side.right)))
        if len(pair) == 2 and all(_is_counted(facts, name) for name in pair):
            seen[pair].append(side)
    wanted = {pair for pair in facts.pairs if not pair & set(geometry.boxes)}
    marked = {pair for sign in geometry.signs for pair in _pairs(sign.names)} & facts.named
    for pair in sorted(wanted - set(seen) - marked, key=sorted):
        yield BoardFault("border missing", " and ".join(sorted(pair)))
    for pair, stretches in seen.items():
        longest = max(stretches, key=lambda side: side.length)
        length = sum(side.length for side in stretches)
        if pair not in wanted and pair not in marked:
            yield BoardFault("border too many", " and ".join(sorted(pair)), longest.middle, length)
        elif length < LEAST_CONTACT:
            yield BoardFault("border too short to be seen", " and ".join(sorted(pair)), longest.middle, length)
    for pair in sorted(facts.named - set(seen) - marked, key=sorted):
        if not pair & set(geometry.boxes) and not _has_ocean(geometry, pair):
            yield BoardFault("border not marked", " and ".join(sorted(pair)))


def _is_counted(facts: MapFacts, name: str) -> bool:
    """Without a clockwise list, the map does not say who touches impassable provinces."""
    return name in facts.provinces and (bool(facts.clockwise) or facts.passable(name))


def _has_ocean(geometry: Geometry, pair: Pair) -> bool:
    """Passages between oceans round the world are written in words."""
    return any(geometry.grounds.get(name) == "deep" for name in pair)


def _pairs(names: Sequence[str]) -> Iterator[Pair]:
    return (frozenset((name, other)) for name in names for other in names if name != other)


def _common_coasts(geometry: Geometry, facts: MapFacts, borders: list[Side]) -> Iterator[BoardFault]:
    """Two lands share a coast where their border ends at water that is open to fleets."""
    at_end: dict[tuple[int, int], set[str]] = defaultdict(set)
    for side in borders:
        for end in (side.points[0], side.points[-1]):
            at_end[end] |= {side.left, side.right}

    def wet(name: str) -> bool:
        return facts.has_sea(geometry.contact(name)) or name in geometry.shores

    seen: dict[Pair, Side] = {}
    for side in borders:
        pair = frozenset(map(geometry.contact, (side.left, side.right)))
        lands = all(facts.passable(name) and not facts.has_sea(name) for name in pair)
        ends = at_end[side.points[0]] | at_end[side.points[-1]]
        if len(pair) == 2 and lands and any(map(wet, ends)):
            seen[pair] = side
    wanted = {pair for pair in facts.sailed if not pair & set(geometry.boxes)}
    for pair in sorted(wanted - set(seen), key=sorted):
        yield BoardFault("common coast missing", " and ".join(sorted(pair)))
    for pair in sorted(set(seen) - wanted - facts.named, key=sorted):
        yield BoardFault("common coast too many", " and ".join(sorted(pair)), seen[pair].middle, seen[pair].length)


def _neighbour_order(geometry: Geometry, facts: MapFacts, borders: list[Side]) -> Iterator[BoardFault]:
    beyond = set(geometry.beyond.values())
    for name, expected in facts.clockwise.items():
        if name in beyond:
            continue
        outlines = rings(geometry, borders, name)
        if not outlines:
            yield BoardFault("province missing", name)
            continue
        longest = max(outlines, key=lambda ring: ring.length)
        order = drop_repeats([other for other in names_met(geometry, longest) if other in facts.clockwise])
        if not _is_rotation(order, expected):
            at = longest.points[0]
            what = f"{name} shows {' '.join(order)}, the map says {' '.join(expected)}"
            yield BoardFault("order of neighbours", what, (at[0] / 10, at[1] / 10))


def _is_rotation(first: tuple[str, ...], second: tuple[str, ...]) -> bool:
    return len(first) == len(second) and any(first == second[i:] + second[:i] for i in range(len(second) or 1))


def _anchors(geometry: Geometry, facts: MapFacts) -> Iterator[BoardFault]:
    drawn = drawn_sides(geometry)
    for name, province in facts.provinces.items():
        if name in geometry.boxes or not province.slots:
            continue
        places = geometry.anchors.get(name, Anchor()).pieces
        wanted = {"unit", "label"} | ({"sc"} if province.centre else set())
        for piece in sorted(wanted - set(places)):
            yield BoardFault("anchor missing", f"{name} has no place for its {piece}")
        for piece in sorted({"sc"} & set(places) - wanted):
            yield BoardFault("anchor too many", f"{name} is no centre", places[piece])
        for coast in province.coasts:
            if f"{name}/{coast}" not in geometry.anchors:
                yield BoardFault("anchor missing", f"{name}/{coast} has no place for its unit")
        if any(piece in places for piece in ("unit", "sc", "air")):
            around = rings(geometry, drawn, name, joined=False)
            yield from _room(geometry, name, places, around, facts.provinces)


def _room(
    geometry: Geometry, name: str, places: Mapping[str, Point], around: list[Ring], known: Collection[str]
) -> Iterator[BoardFault]:
    """Tokens may stand on islets and scenery inside a sea, but not across its border."""
    least = {"unit": geometry.token * LEAST_ROOM, "air": geometry.token * LEAST_ROOM, "sc": LEAST_FOR_CENTRE}
    for piece, room in least.items():
        if piece not in places:
            continue
        place = places[piece]
        spot = shapely.Point(place[0] / TENTH, place[1] / TENTH)
        if sum(shapely.Polygon(ring.points).contains(spot) for ring in around) % 2 == 0:
            yield BoardFault("anchor outside", f"the {piece} of {name} lies outside of it", place)
            continue
        borders = [ring for ring in around if set(map(geometry.contact, ring.others)) & set(known)]
        clear = min(shapely.LinearRing(ring.points).distance(spot) for ring in borders or around) * TENTH
        if clear < room:
            yield BoardFault("anchor crowded", f"the {piece} of {name} is too near to its border", place, clear)


def _overlaps(geometry: Geometry) -> Iterator[BoardFault]:
    """Compares tokens, centre marks and labels of the whole board with their neighbours."""
    things = [thing for name in geometry.anchors for thing in _drawn_things(geometry, name)]
    boxes = [shapely.box(x - wide, y - high, x + wide, y + high) for _, (x, y), wide, high in things]
    for number, other in sorted(shapely.STRtree(boxes).query(boxes).T.tolist()):
        (what, (x, y), width, height), (other_what, (ox, oy), other_width, other_height) = things[number], things[other]
        over = min(width + other_width - abs(x - ox), height + other_height - abs(y - oy))
        if number < other and over > SLACK + 2 * (min(width, other_width) > CENTRE):
            yield BoardFault("overlap", f"{what} and {other_what}", (x, y), over)


def _drawn_things(geometry: Geometry, name: str) -> Iterator[tuple[str, Point, float, float]]:
    """Yields what is drawn of a province: label, place, half width and height. Named coasts share a token."""
    if "/" in name or name in geometry.boxes:
        return
    half = {
        "unit": (geometry.token * 0.8, geometry.token * 0.8),
        "air": (geometry.token * 0.8, geometry.token * 0.8),
        "sc": (CENTRE * 0.85, CENTRE * 0.85),
        "label": label_size(geometry.text, name, geometry.grounds),
    }
    for piece, at in geometry.anchors[name].pieces.items():
        yield f"{piece} of {name}", at, *half[piece]


def _boxes(geometry: Geometry, facts: MapFacts) -> Iterator[BoardFault]:
    """Off-board boxes name what they touch: the names must be the map's."""
    touching: dict[str, set[str]] = defaultdict(set)
    for province, other in (sorted(pair) for pair in facts.pairs if len(pair) == 2):
        touching[province].add(other)
        touching[other].add(province)
    for name, box in geometry.boxes.items():
        names = {box.near, *box.links}
        if names != touching[name]:
            wrong = ", ".join(sorted(names ^ touching[name]))
            yield BoardFault("box", f"{name} and the map differ in {wrong}", box.corner)


def _loose_ends(geometry: Geometry) -> Iterator[BoardFault]:
    """At a junction every face has two arcs: one that arrives and one that leaves."""
    ends: dict[tuple[int, int], dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for arc in geometry.arcs:
        if arc.left == arc.right:
            yield BoardFault("loose end", f"a line inside of {arc.left or 'the frame'}", _to_units(arc.points[0]))
        for name in (arc.left, arc.right):
            if name and name not in geometry.grounds:
                yield BoardFault("face unknown", f"{name} has no ground", _to_units(arc.points[0]))
            for end in (arc.points[0], arc.points[-1]):
                ends[end][name] += 1
    for corner, names in ends.items():
        for name, count in names.items():
            if count != 2:
                yield BoardFault("loose end", f"{name or 'the frame'} has {count} ends", _to_units(corner))


def _to_units(corner: tuple[int, int]) -> Point:
    return corner[0] / 10, corner[1] / 10


def _crossings(geometry: Geometry) -> Iterator[BoardFault]:
    for pair in crossing_pairs([arc.points for arc in geometry.arcs]):
        arcs = [geometry.arcs[number] for number in pair]
        what = " and ".join(f"{arc.left or 'frame'}|{arc.right or 'frame'}" for arc in arcs)
        yield BoardFault("lines cross", what, _to_units(arcs[0].points[0]))
