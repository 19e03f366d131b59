"""Compares a drawn board with its map, and looks for what a reader of the picture would stumble over."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping

from gm.maps.making.errors import BoardFault, Point
from gm.maps.making.geometry import SECOND, DrawnGeometry
from gm.maps.making.map_facts import MapFacts, Pair
from gm.maps.making.rings import Ring, Side, as_drawn, clearance, cyclic, inside, met, rings, sides

LEAST_CONTACT = 8.0
"""Picture units: a shorter border is true, but nobody sees it."""
LEAST_ROOM = 0.3
"""The distance from a unit's middle to its border, as a part of the token's radius."""
LEAST_FOR_CENTRE = 1.0
"""Picture units from the middle of a centre's mark to the border."""
LETTER, TALL = 0.62, 0.8
"""Width of a letter and height of a line, as parts of the size of the text."""
OCEAN = (8.6, 2.8)
"""Width and height of an ocean's label, with its name, as parts of the size of the text."""
CENTRE = 5.0
"""Radius of a supply centre's mark."""
SLACK = 1.5
"""Units by which two things may overlap before it is a fault."""
CELL = 100
"""Tenths of units: how coarsely lines are sorted when crossings are sought."""

WATERS = ("water", "deep")


def faults(geometry: DrawnGeometry, facts: MapFacts) -> list[BoardFault]:
    borders = sides(geometry)
    return [
        *_crossings(geometry),
        *_loose_ends(geometry),
        *_contacts(geometry, facts, borders),
        *_coastal(geometry, facts, borders),
        *_order(geometry, facts, borders),
        *_anchors(geometry, facts),
        *_overlaps(geometry),
        *_boxes(geometry, facts),
    ]


def _contacts(geometry: DrawnGeometry, facts: MapFacts, borders: list[Side]) -> Iterator[BoardFault]:
    seen: dict[Pair, list[Side]] = defaultdict(list)
    for side in borders:
        pair = frozenset(map(geometry.contact, (side.left, side.right)))
        if len(pair) == 2 and all(_counts(facts, name) for name in pair):
            seen[pair].append(side)
    wanted = {pair for pair in facts.pairs if not pair & set(geometry.boxes)}
    marked = {pair for mark in geometry.marks for pair in _pairs(mark["names"])} & facts.named
    for pair in sorted(wanted - set(seen) - marked, key=sorted):
        yield BoardFault("border missing", " and ".join(sorted(pair)))
    for pair, found in seen.items():
        longest = max(found, key=lambda side: side.length)
        length = sum(side.length for side in found)
        if pair not in wanted and pair not in marked:
            yield BoardFault("border too many", " and ".join(sorted(pair)), longest.middle, length)
        elif length < LEAST_CONTACT:
            yield BoardFault("border too short to be seen", " and ".join(sorted(pair)), longest.middle, length)
    for pair in sorted(facts.named - set(seen) - marked, key=sorted):
        if not pair & set(geometry.boxes) and not _oceans(geometry, pair):
            yield BoardFault("border not marked", " and ".join(sorted(pair)))


def _counts(facts: MapFacts, name: str) -> bool:
    """Without a clockwise list the map does not tell who touches impassable provinces."""
    return name in facts.provinces and (bool(facts.clockwise) or facts.passable(name))


def _oceans(geometry: DrawnGeometry, pair: Pair) -> bool:
    """Passages from ocean to ocean round the world are told in words."""
    return any(geometry.grounds.get(name) == "deep" for name in pair)


def _pairs(names: list[str]) -> Iterator[Pair]:
    return (frozenset((name, other)) for name in names for other in names if name != other)


def _coastal(geometry: DrawnGeometry, facts: MapFacts, borders: list[Side]) -> Iterator[BoardFault]:
    """Fleets pass along a coast where the border of two lands ends at a water that is open to fleets."""
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


def _order(geometry: DrawnGeometry, facts: MapFacts, borders: list[Side]) -> Iterator[BoardFault]:
    beyond = set(geometry.beyond.values())
    for name, told in facts.clockwise.items():
        if name in beyond:
            continue
        found = rings(geometry, borders, name)
        if not found:
            yield BoardFault("province missing", name)
            continue
        longest = max(found, key=lambda ring: ring.length)
        order = cyclic([other for other in met(geometry, longest) if other in facts.clockwise])
        if not _turned(order, told):
            at = longest.points[0]
            what = f"{name} shows {' '.join(order)}, the map says {' '.join(told)}"
            yield BoardFault("order of neighbours", what, (at[0] / 10, at[1] / 10))


def _turned(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return len(one) == len(other) and any(one == other[i:] + other[:i] for i in range(len(other) or 1))


def _anchors(geometry: DrawnGeometry, facts: MapFacts) -> Iterator[BoardFault]:
    drawn = as_drawn(geometry)
    for name, province in facts.provinces.items():
        if name in geometry.boxes or not province.slots:
            continue
        found = geometry.anchors.get(name, {})
        wanted = {"unit", "label"} | ({"sc"} if province.centre else set())
        for piece in sorted(wanted - set(found)):
            yield BoardFault("anchor missing", f"{name} has no place for its {piece}")
        for piece in sorted({"sc"} & set(found) - wanted):
            yield BoardFault("anchor too many", f"{name} is no centre", found[piece])
        for coast in province.coasts:
            if f"{name}/{coast}" not in geometry.anchors:
                yield BoardFault("anchor missing", f"{name}/{coast} has no place for its unit")
        if any(piece in found for piece in ("unit", "sc", "air")):
            around = rings(geometry, drawn, name, joined=False)
            yield from _room(geometry, name, found, around, facts.provinces)


def _room(
    geometry: DrawnGeometry, name: str, found: Mapping[str, Point], around: list[Ring], known: Collection[str]
) -> Iterator[BoardFault]:
    """Tokens may stand on islets and scenery inside of a sea, but not across its border."""
    least = {"unit": geometry.token * LEAST_ROOM, "air": geometry.token * LEAST_ROOM, "sc": LEAST_FOR_CENTRE}
    for piece, room in least.items():
        if piece not in found:
            continue
        at = found[piece]
        if sum(inside(ring.points, at) for ring in around) % 2 == 0:
            yield BoardFault("anchor outside", f"the {piece} of {name} lies outside of it", at)
            continue
        borders = [ring for ring in around if set(map(geometry.contact, ring.others)) & set(known)]
        clear = min(clearance((*ring.points, ring.points[0]), at) for ring in borders or around)
        if clear < room:
            yield BoardFault("anchor crowded", f"the {piece} of {name} is too near to its border", at, clear)


def _overlaps(geometry: DrawnGeometry) -> Iterator[BoardFault]:
    """Tokens, marks of centres and labels of the whole board, each against its neighbours."""
    things = [thing for name in geometry.anchors for thing in _things(geometry, name)]
    sorted_in: dict[tuple[int, int], list[int]] = defaultdict(list)
    for number, (_, (x, y), _, _) in enumerate(things):
        sorted_in[int(x // 60), int(y // 60)].append(number)
    for number, (what, (x, y), half_width, half_height) in enumerate(things):
        cells = ((int(x // 60) + i, int(y // 60) + j) for i in (-1, 0, 1) for j in (-1, 0, 1))
        for other in (n for cell in cells for n in sorted_in[cell] if n > number):
            other_what, (ox, oy), other_width, other_height = things[other]
            over = min(half_width + other_width - abs(x - ox), half_height + other_height - abs(y - oy))
            if over > SLACK + 2 * (min(half_width, other_width) > CENTRE):
                yield BoardFault("overlap", f"{what} and {other_what}", (x, y), over)


def _things(geometry: DrawnGeometry, name: str) -> Iterator[tuple[str, Point, float, float]]:
    """What is drawn of a province: what it is, where, half its width and height. Named coasts share a token."""
    if "/" in name or name in geometry.boxes:
        return
    half = {
        "unit": (geometry.token * 0.8, geometry.token * 0.8),
        "air": (geometry.token * 0.8, geometry.token * 0.8),
        "sc": (CENTRE * 0.85, CENTRE * 0.85),
        "label": label_size(geometry.text, name, geometry.grounds),
    }
    for piece, at in geometry.anchors[name].items():
        yield f"{piece} of {name}", at, *half[piece]


def label_size(text: float, name: str, grounds: Mapping[str, str]) -> tuple[float, float]:
    """Half the width and height of a code written at this size; an ocean's name stands below its code."""
    code = name.split(SECOND)[0]
    if grounds.get(code) == "deep":
        return OCEAN[0] * text / 2, OCEAN[1] * text / 2
    return LETTER * text * len(code) / 2, TALL * text / 2


def _boxes(geometry: DrawnGeometry, facts: MapFacts) -> Iterator[BoardFault]:
    """Off-board boxes say what they touch in words: the words must be the map's."""
    touching: dict[str, set[str]] = defaultdict(set)
    for one, other in (sorted(pair) for pair in facts.pairs if len(pair) == 2):
        touching[one].add(other)
        touching[other].add(one)
    for name, box in geometry.boxes.items():
        said = {box["near"], *box["links"]}
        if said != touching[name]:
            wrong = ", ".join(sorted(said ^ touching[name]))
            x, y, *_ = box["rect"]
            yield BoardFault("box", f"{name} and the map differ in {wrong}", (x, y))


def _loose_ends(geometry: DrawnGeometry) -> Iterator[BoardFault]:
    """At a junction every face has two arcs: one that comes and one that goes."""
    ends: dict[tuple[int, int], dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for arc in geometry.arcs:
        if arc.left == arc.right:
            yield BoardFault("loose end", f"a line inside of {arc.left or 'the frame'}", _at(arc.points[0]))
        for name in (arc.left, arc.right):
            if name and name not in geometry.grounds:
                yield BoardFault("face unknown", f"{name} has no ground", _at(arc.points[0]))
            for end in (arc.points[0], arc.points[-1]):
                ends[end][name] += 1
    for corner, names in ends.items():
        for name, count in names.items():
            if count != 2:
                yield BoardFault("loose end", f"{name or 'the frame'} has {count} ends", _at(corner))


def _at(corner: tuple[int, int]) -> Point:
    return corner[0] / 10, corner[1] / 10


def _crossings(geometry: DrawnGeometry) -> Iterator[BoardFault]:
    """No two arcs meet but at their ends. Pieces of lines are sorted by cells, so that only neighbours are compared."""
    pieces: list[tuple[int, tuple[int, int], tuple[int, int]]] = []
    cells: dict[tuple[int, int], list[int]] = defaultdict(list)
    for number, arc in enumerate(geometry.arcs):
        for start, end in zip(arc.points, arc.points[1:], strict=False):
            for x in range(min(start[0], end[0]) // CELL, max(start[0], end[0]) // CELL + 1):
                for y in range(min(start[1], end[1]) // CELL, max(start[1], end[1]) // CELL + 1):
                    cells[x, y].append(len(pieces))
            pieces.append((number, start, end))
    told: set[tuple[int, int]] = set()
    for found in cells.values():
        for i, first in enumerate(found):
            a, p, q = pieces[first]
            for second in found[i + 1 :]:
                b, r, s = pieces[second]
                if (a, b) in told or {p, q} & {r, s} or not _cross(p, q, r, s):
                    continue
                told.add((a, b))
                one, other = geometry.arcs[a], geometry.arcs[b]
                what = (
                    f"{one.left or 'frame'}|{one.right or 'frame'} and {other.left or 'frame'}|{other.right or 'frame'}"
                )
                yield BoardFault("lines cross", what, _at(p))


def _cross(p: tuple[int, int], q: tuple[int, int], r: tuple[int, int], s: tuple[int, int]) -> bool:
    if max(p[0], q[0]) < min(r[0], s[0]) or max(r[0], s[0]) < min(p[0], q[0]):
        return False
    if max(p[1], q[1]) < min(r[1], s[1]) or max(r[1], s[1]) < min(p[1], q[1]):
        return False
    return _turn(p, q, r) * _turn(p, q, s) <= 0 and _turn(r, s, p) * _turn(r, s, q) <= 0


def _turn(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int]) -> int:
    value = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return int(math.copysign(1, value)) if value else 0
