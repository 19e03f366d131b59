"""Where a province's unit, its label and its centre's mark go, so that nothing hides anything else.

Many random triples are tried for each province, the narrowest first, and scored: room round the unit, how much of the
label lies on foreign land, what overlaps, how far the mark is from its town. Places set by hand are kept.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from itertools import combinations

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field
from scipy import ndimage

from gm.maps.making.check import CENTRE, label_size
from gm.maps.making.errors import Point
from gm.maps.making.projection import Projection
from gm.maps.making.province_growth import Labels
from gm.maps.making.raster import FINE
from gm.maps.making.regions import LabelNames, components
from gm.maps.making.sites import Sites

TRIES, SHORTLIST, ROUNDS = 8000, 900, 3
RIM = 8.0
"""Units along the frame that stay free."""
SECOND_LEAST = 1500.0
"""Square units: a smaller second face gets no label."""

Floats = npt.NDArray[np.float64]
Places = Mapping[str, Mapping[str, Point]]
Tries = dict[str, tuple[Floats, Floats]]
"""For each piece, many places."""


class WantedLabels(Struct, frozen=True, dict=True):
    """What needs a place: supply centres, and named coasts ("Spa/nc") with the waters that they touch. Impassable
    provinces need a label alone.
    """

    centres: frozenset[str]
    coasts: Mapping[str, frozenset[str]]
    impassable: frozenset[str] = frozenset()


class FaceRoom(Struct, dict=True):
    """One face as the search sees it: a window of the grid (from `left`, `top`, in cells)."""

    name: str
    left: int
    top: int
    depth: Floats
    """Distance to the border in units, negative outside."""
    cells: npt.NDArray[np.int64]
    own: Floats
    foreign: Floats
    water: Floats
    """Summed tables of what lies under a label."""
    on_land: bool
    middle: Point = (0.0, 0.0)


class PlacedLabels(Struct, dict=True):
    """What is placed so far: boxes as x, y, half width, half height, by owner and piece."""

    sites: Sites
    taken: dict[tuple[str, str], tuple[float, float, float, float]] = field(default_factory=dict)

    def near(self, name: str, at: Point, reach: float) -> list[tuple[str, tuple[float, float, float, float]]]:
        return [
            (piece, box)
            for (owner, piece), box in self.taken.items()
            if owner != name and abs(box[0] - at[0]) < reach and abs(box[1] - at[1]) < reach
        ]


def place(
    sites: Sites, projection: Projection, grid: Labels, register: LabelNames, wanted: WantedLabels
) -> dict[str, dict[str, Point]]:
    """Anchors of all provinces, in picture units; named coasts and boxes too."""
    rooms = _rooms(sites, projection, grid, register)
    board = PlacedLabels(sites)
    _reserve(sites, board)
    found: dict[str, dict[str, Point]] = {}
    order = sorted(rooms, key=lambda room: (float(room.depth.max()), room.name))
    shortlists = {room.name: _shortlist(room, wanted, sites, projection) for room in order}
    for _ in range(ROUNDS):
        for room in order:
            for piece in ("unit", "air", "label", "sc"):
                board.taken.pop((room.name, piece), None)
            found[room.name] = _chosen(room, *shortlists[room.name], board)
            for piece, at in found[room.name].items():
                board.taken[room.name, piece] = (*at, *_half(sites, piece, room.name))
    ordered = {name: found[name] for name in register.names if name in found}
    ordered |= {name: found[name] for name in found if name not in ordered}
    by_name = {room.name: room for room in rooms}
    coasts = {
        coast: {"unit": _ashore(by_name[coast.split("/")[0]], waters, wanted, grid, register, sites, ordered)}
        for coast, waters in wanted.coasts.items()
        if coast.split("/")[0] in by_name and coast not in sites.anchors
    }
    return ordered | coasts | _by_hand(sites, projection, ordered) | _in_boxes(sites)


def _ashore(
    room: FaceRoom,
    waters: frozenset[str],
    wanted: WantedLabels,
    grid: Labels,
    register: LabelNames,
    sites: Sites,
    found: Places,
) -> Point:
    """Where a fleet on a named coast stands: by the shore of its own waters, clear of the label and the mark."""
    rows, columns = room.depth.shape
    window = grid[room.top : room.top + rows, room.left : room.left + columns]

    def away(names: frozenset[str]) -> Floats:
        labels = [register.names.index(name) for name in names if name in register.names]
        shore = np.isin(window, labels)
        return np.asarray(ndimage.distance_transform_edt(~shore)) / FINE if shore.any() else np.full(shape, 200.0)

    shape = room.depth.shape
    others = [w for c, w in wanted.coasts.items() if c.split("/")[0] == room.name and w != waters]
    score = 1.2 * np.minimum(room.depth - 0.5 * sites.token, 1) - 0.25 * away(waters)
    if others:
        score += 0.12 * np.minimum(away(frozenset().union(*others) - waters), 60)
    y, x = np.mgrid[0:rows, 0:columns]
    places = (x + room.left) / FINE, (y + room.top) / FINE
    for piece, at in found.get(room.name, {}).items():
        if piece != "unit":
            there = np.array(at[0]), np.array(at[1])
            size = sites.token, sites.token
            score -= 0.6 * _overlap(places, there, size, _half(sites, piece, room.name))
    best = np.unravel_index(int(np.where(room.depth > 0, score, -1e9).argmax()), shape)
    return _rounded((float(places[0][best]), float(places[1][best])))


def _pieces(sites: Sites, name: str, wanted: WantedLabels) -> tuple[str, ...]:
    if "#" in name or name in wanted.impassable:
        return ("label",)
    pieces = ["unit", "label"]
    if sites.air:
        pieces.append("air")
    if name in wanted.centres:
        pieces.append("sc")
    return tuple(pieces)


def _by_hand(sites: Sites, projection: Projection, found: Places) -> dict[str, dict[str, Point]]:
    """Places written for what has no face of its own: named coasts."""
    return {
        name: {piece: _rounded(projection.spot(spot)) for piece, spot in pieces.items()}
        for name, pieces in sites.anchors.items()
        if name not in found
    }


def _in_boxes(sites: Sites) -> dict[str, dict[str, Point]]:
    """The unit at the right end of an off-board box, the label at the left."""
    places = {}
    for name, box in sites.boxes.items():
        x, y, width, height = box["rect"]
        unit = (round(x + width - sites.token - 7, 1), round(y + height / 2, 1))
        places[name] = {"unit": unit, "label": (round(x + width * 0.2, 1), round(y + height * 0.3, 1))}
    return places


def _reserve(sites: Sites, board: PlacedLabels) -> None:
    """Off-board boxes and their lines are no place for labels."""
    for name, box in sites.boxes.items():
        x, y, width, height = box["rect"]
        board.taken[name, "box"] = (x + width / 2, y + height / 2, width / 2 + 2, height / 2 + 2)
        for number, at in enumerate(_along(box.get("arrow", []))):
            board.taken[name, f"arrow {number}"] = (*at, 3, 3)
    for line_number, line in enumerate(sites.lines):
        for number, at in enumerate(_along(line)):
            board.taken[f"line {line_number}", str(number)] = (*at, 2, 2)


def _along(line: list[list[float]]) -> Iterator[Point]:
    for (ax, ay), (bx, by) in itertools.pairwise(line):
        steps = max(2, int(np.hypot(bx - ax, by - ay) / 6))
        for i in range(steps + 1):
            yield ax + (bx - ax) * i / steps, ay + (by - ay) * i / steps


def _rooms(sites: Sites, projection: Projection, grid: Labels, register: LabelNames) -> list[FaceRoom]:
    """The largest face of every name with sites that is no scenery; the second, too, where it is wanted."""
    rooms = []
    boxes = ndimage.find_objects(grid)
    for name in sites.spots:
        if name in sites.scenery or name in sites.parts or name not in register.names:
            continue
        box = boxes[register.names.index(name) - 1]
        if box is None:
            continue
        pieces, count = components(grid[box] == register.names.index(name), wraps=False, eight=False)
        sizes = np.bincount(pieces.ravel(), minlength=count + 1)[1:]
        for rank, piece in enumerate(np.argsort(-sizes, kind="stable")[:2].tolist()):
            if rank and not (name in sites.second and sizes[piece] > SECOND_LEAST):
                continue
            mask = np.zeros(grid.shape, bool)
            mask[box] = pieces == piece + 1
            rooms.append(_room(f"{name}#2" if rank else name, mask, grid, register))
    return rooms


def _room(name: str, mask: npt.NDArray[np.bool_], grid: Labels, register: LabelNames) -> FaceRoom:
    rim = int(RIM * FINE)
    height, width = mask.shape
    free = mask.copy()
    free[:rim] = free[height - rim :] = False
    free[:, :rim] = free[:, width - rim :] = False
    free = free if free.any() else mask
    ys, xs = np.nonzero(free)
    border = 45 * FINE
    top, left = max(0, ys.min() - border), max(0, xs.min() - border)
    window = slice(top, min(height, ys.max() + border)), slice(left, min(width, xs.max() + border))
    near = free[window]
    depth = (ndimage.distance_transform_edt(np.pad(near, 1))[1:-1, 1:-1] - ndimage.distance_transform_edt(~near)) / FINE
    label = register.names.index(name.split("#")[0])
    lands = register.is_land()[grid[window]]
    own = grid[window] == label
    cells = np.argwhere(near)
    middle = float(xs.mean()) / FINE, float(ys.mean()) / FINE
    foreign, water = _summed(lands & ~own), _summed(~lands & ~own)
    on_land = bool(register.is_land()[label])
    return FaceRoom(name, int(left), int(top), depth, cells, _summed(own), foreign, water, on_land, middle)


def _summed(mask: npt.NDArray[np.bool_]) -> Floats:
    return np.pad(mask.astype(float).cumsum(0).cumsum(1), ((1, 0), (1, 0)))


def _share(table: Floats, room: FaceRoom, x: Floats, y: Floats, half: tuple[float, float]) -> Floats:
    """The part of a rectangle round each place that the table's cells cover."""
    height, width = table.shape
    x0, x1 = ((v * FINE - room.left) for v in (x - half[0], x + half[0]))
    y0, y1 = ((v * FINE - room.top) for v in (y - half[1], y + half[1]))
    columns = [np.clip(v.astype(int), 0, width - 1) for v in (x0, x1)]
    rows = [np.clip(v.astype(int), 0, height - 1) for v in (y0, y1)]
    total = table[rows[1], columns[1]] - table[rows[0], columns[1]] - table[rows[1], columns[0]]
    area = half[0] * half[1] * 4 * FINE * FINE
    return np.asarray((total + table[rows[0], columns[0]]) / area)


def _half(sites: Sites, piece: str, name: str) -> tuple[float, float]:
    if piece == "label":
        return label_size(sites.text, name, sites.grounds)
    size = CENTRE if piece == "sc" else sites.token
    return size, size


def _shortlist(room: FaceRoom, wanted: WantedLabels, sites: Sites, projection: Projection) -> tuple[Tries, Floats]:
    """The best of many random tries for the province alone, and their scores. Places set by hand repeat."""
    rng = np.random.default_rng([sites.growth.seed, *room.name.encode()])
    town = projection.spot(sites.cities[room.name]) if room.name in sites.cities else None
    tries = _tries(room, _pieces(sites, room.name, wanted), rng, sites, town)
    for piece, spot in sites.anchors.get(room.name, {}).items():
        x, y = projection.spot(spot)
        tries[piece] = (np.full(TRIES, x), np.full(TRIES, y))
    score = _alone(room, tries, sites, town)
    for one, other in combinations(tries, 2):
        sizes = _half(sites, one, room.name), _half(sites, other, room.name)
        score -= 2.0 * _overlap(tries[one], tries[other], *sizes, round_ones="label" not in (one, other))
    best = np.argsort(-score, kind="stable")[:SHORTLIST]
    return {piece: (x[best], y[best]) for piece, (x, y) in tries.items()}, score[best]


def _chosen(room: FaceRoom, tries: Tries, score: Floats, board: PlacedLabels) -> dict[str, Point]:
    """The one of the shortlist that suits what is placed already."""
    sites = board.sites
    score = score.copy()
    reach = float(max(np.ptp(room.cells[:, 0]), np.ptp(room.cells[:, 1]))) / FINE + 90
    for other_piece, (x, y, half_width, half_height) in board.near(room.name, room.middle, reach):
        for piece, places in tries.items():
            there = np.array([x]), np.array([y])
            over = _overlap(places, there, _half(sites, piece, room.name), (half_width, half_height))
            score -= over * (0.8 if "label" in (piece, other_piece) else 1.2)
    best = int(score.argmax())
    return {piece: _rounded((float(x[best]), float(y[best]))) for piece, (x, y) in tries.items()}


def _tries(
    room: FaceRoom, pieces: tuple[str, ...], rng: np.random.Generator, sites: Sites, town: Point | None
) -> Tries:
    """Random places: for labels mostly right beside the unit, for marks mostly near the town."""

    def anywhere() -> tuple[Floats, Floats]:
        chosen = room.cells[rng.integers(0, len(room.cells), TRIES)]
        return (chosen[:, 1] + room.left) / FINE, (chosen[:, 0] + room.top) / FINE

    found = {piece: anywhere() for piece in pieces}
    most = TRIES * 3 // 4
    if "unit" in found:
        x, y = found["unit"]
        width, height = label_size(sites.text, room.name, sites.grounds)
        across, down = width + sites.token + 2, height + sites.token + 2
        lx, ly = found["label"]
        lx[:most] = x[:most] + rng.uniform(-across - 4, across + 4, most)
        ly[:most] = y[:most] + rng.uniform(-down - 4, down + 4, most)
    if "sc" in found and town:
        cx, cy = found["sc"]
        cx[:most] = town[0] + rng.normal(0, 6, most)
        cy[:most] = town[1] + rng.normal(0, 6, most)
    return found


def _alone(room: FaceRoom, tries: Tries, sites: Sites, town: Point | None) -> Floats:
    """How good each place is by itself."""
    score = np.zeros(TRIES)
    for piece, (x, y) in tries.items():
        if piece == "label":
            half = _half(sites, piece, room.name)
            own = _share(room.own, room, x, y, half)
            foreign = _share(room.foreign, room, x, y, half)
            water = _share(room.water, room, x, y, half)
            score += 2.0 * (own > 0.99) - 14 * foreign - (3.0 if room.on_land else 12.0) * water
            score -= 20 * np.maximum(0, 0.98 - own - foreign - water)
        elif piece == "sc":
            score += 1.6 * np.minimum(_depth(room, x, y) - CENTRE, 2)
            if town:
                score -= np.minimum(np.hypot(x - town[0], y - town[1]), 60) * 0.14
        else:
            size = sites.token
            clear = _depth(room, x, y)
            score += 1.8 * np.minimum(clear - size - 1, 5) + 0.12 * np.minimum(clear - size, 22)
            if piece == "unit":
                score -= 0.02 * np.hypot(x - room.middle[0], y - room.middle[1])
    if "unit" in tries:
        (ux, uy), (lx, ly) = tries["unit"], tries["label"]
        score -= 0.04 * np.hypot(lx - ux, ly - uy)
        if "air" in tries:
            score -= 0.05 * np.hypot(tries["air"][0] - ux, tries["air"][1] - uy)
    return score


def _depth(room: FaceRoom, x: Floats, y: Floats) -> Floats:
    height, width = room.depth.shape
    rows = np.clip((y * FINE - room.top).astype(int), 0, height - 1)
    columns = np.clip((x * FINE - room.left).astype(int), 0, width - 1)
    return np.asarray(room.depth[rows, columns])


def _overlap(
    one: tuple[Floats, Floats],
    other: tuple[Floats, Floats],
    half: tuple[float, float],
    other_half: tuple[float, float],
    round_ones: bool = False,
) -> Floats:
    """By how much two rectangles (or round things) come nearer than a unit and a half; 0 where they do not."""
    dx, dy = np.abs(one[0] - other[0]), np.abs(one[1] - other[1])
    if round_ones:
        return np.maximum(0, half[0] + other_half[0] + 1.5 - np.hypot(dx, dy))
    over_x, over_y = half[0] + other_half[0] + 1.5 - dx, half[1] + other_half[1] + 1.5 - dy
    return np.asarray(np.maximum(0, np.minimum(over_x, over_y)))


def _rounded(at: Point) -> Point:
    return round(at[0], 1), round(at[1], 1)
