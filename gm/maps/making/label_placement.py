"""Places units, labels and centre marks so that nothing hides anything else.

For each province, the narrowest first, many random combinations are scored: room round the unit, how much of the label
lies on foreign land, overlaps, distance of the mark from its town. Places set by hand are kept.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from itertools import combinations

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field
from scipy import ndimage

from gm.maps.drawing.geometry import Point, label_size
from gm.maps.making.check import CENTRE
from gm.maps.making.projection import Projection
from gm.maps.making.province_growth import Labels
from gm.maps.making.raster import FINE
from gm.maps.making.regions import LabelNames, connected_pieces
from gm.maps.making.sites import Sites

TRIES, SHORTLIST, ROUNDS = 8000, 900, 3
RIM = 8.0
"""Units along the frame that stay free."""
SECOND_LEAST = 1500.0
"""Square units: a smaller second face gets no label."""

Floats = npt.NDArray[np.float64]
Places = Mapping[str, Mapping[str, Point]]
Tries = dict[str, tuple[Floats, Floats]]
"""Many places for each piece."""


class WantedLabels(Struct, frozen=True, dict=True):
    """What needs a place: supply centres, and named coasts ("Spa/nc") with the waters they touch. Impassable
    provinces need only a label.
    """

    centres: frozenset[str]
    coasts: Mapping[str, frozenset[str]]
    impassable: frozenset[str] = frozenset()


class FaceRoom(Struct, dict=True):
    """One face in the search: a window of the grid from (`left`, `top`), in cells."""

    name: str
    left: int
    top: int
    depth: Floats
    """Distance to the border in units, negative outside."""
    cells: npt.NDArray[np.int64]
    own: Floats
    foreign: Floats
    water: Floats
    """Summed-area tables of what lies below a label."""
    on_land: bool
    middle: Point = (0.0, 0.0)


class PlacedLabels(Struct, dict=True):
    """What is placed: boxes as x, y, half width, half height, by owner and piece."""

    sites: Sites
    taken: dict[tuple[str, str], tuple[float, float, float, float]] = field(default_factory=dict)

    def near(self, name: str, at: Point, reach: float) -> list[tuple[str, tuple[float, float, float, float]]]:
        return [
            (piece, box)
            for (owner, piece), box in self.taken.items()
            if owner != name and abs(box[0] - at[0]) < reach and abs(box[1] - at[1]) < reach
        ]


def place_labels(
    sites: Sites, projection: Projection, grid: Labels, register: LabelNames, wanted: WantedLabels
) -> dict[str, dict[str, Point]]:
    """Returns the anchors of all provinces, named coasts and boxes, in picture units."""
    rooms = _face_rooms(sites, grid, register)
    board = PlacedLabels(sites)
    _reserve_boxes(sites, board)
    places: dict[str, dict[str, Point]] = {}
    order = sorted(rooms, key=lambda room: (float(room.depth.max()), room.name))
    shortlists = {room.name: _shortlist(room, wanted, sites, projection) for room in order}
    for _ in range(ROUNDS):
        for room in order:
            for piece in ("unit", "air", "label", "sc"):
                board.taken.pop((room.name, piece), None)
            places[room.name] = _choose(room, *shortlists[room.name], board)
            for piece, at in places[room.name].items():
                board.taken[room.name, piece] = (*at, *_half_size(sites, piece, room.name))
    ordered = {name: places[name] for name in register.names if name in places}
    ordered |= {name: places[name] for name in places if name not in ordered}
    by_name = {room.name: room for room in rooms}
    coasts = {
        coast: {"unit": _coast_place(by_name[coast.split("/")[0]], waters, wanted, grid, register, sites, ordered)}
        for coast, waters in wanted.coasts.items()
        if coast.split("/")[0] in by_name and coast not in sites.anchors
    }
    return ordered | coasts | _manual_places(sites, projection, ordered) | _box_places(sites)


def _coast_place(
    room: FaceRoom,
    waters: frozenset[str],
    wanted: WantedLabels,
    grid: Labels,
    register: LabelNames,
    sites: Sites,
    placed: Places,
) -> Point:
    """Returns where a fleet on a named coast stands: by its own waters, clear of label and mark."""
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
    for piece, at in placed.get(room.name, {}).items():
        if piece != "unit":
            there = np.array(at[0]), np.array(at[1])
            size = sites.token, sites.token
            score -= 0.6 * _overlap(places, there, size, _half_size(sites, piece, room.name))
    best = np.unravel_index(int(np.where(room.depth > 0, score, -1e9).argmax()), shape)
    return _round_point((float(places[0][best]), float(places[1][best])))


def _pieces(sites: Sites, name: str, wanted: WantedLabels) -> tuple[str, ...]:
    if "#" in name or name in wanted.impassable:
        return ("label",)
    pieces = ["unit", "label"]
    if sites.air:
        pieces.append("air")
    if name in wanted.centres:
        pieces.append("sc")
    return tuple(pieces)


def _manual_places(sites: Sites, projection: Projection, placed: Places) -> dict[str, dict[str, Point]]:
    """Returns places set by hand for names without a face of their own: named coasts."""
    return {
        name: {piece: _round_point(projection.spot(spot)) for piece, spot in pieces.items()}
        for name, pieces in sites.anchors.items()
        if name not in placed
    }


def _box_places(sites: Sites) -> dict[str, dict[str, Point]]:
    """Places the unit at the right end of an off-board box, the label at the left."""
    places = {}
    for name, box in sites.boxes.items():
        x, y, width, height = box["rect"]
        unit = (round(x + width - sites.token - 7, 1), round(y + height / 2, 1))
        places[name] = {"unit": unit, "label": (round(x + width * 0.2, 1), round(y + height * 0.3, 1))}
    return places


def _reserve_boxes(sites: Sites, board: PlacedLabels) -> None:
    """Reserves the places of off-board boxes and their lines."""
    for name, box in sites.boxes.items():
        x, y, width, height = box["rect"]
        board.taken[name, "box"] = (x + width / 2, y + height / 2, width / 2 + 2, height / 2 + 2)
        for number, at in enumerate(_points_along(box.get("arrow", []))):
            board.taken[name, f"arrow {number}"] = (*at, 3, 3)
    for line_number, line in enumerate(sites.lines):
        for number, at in enumerate(_points_along(line)):
            board.taken[f"line {line_number}", str(number)] = (*at, 2, 2)


def _points_along(line: list[list[float]]) -> Iterator[Point]:
    for (ax, ay), (bx, by) in itertools.pairwise(line):
        steps = max(2, int(np.hypot(bx - ax, by - ay) / 6))
        for i in range(steps + 1):
            yield ax + (bx - ax) * i / steps, ay + (by - ay) * i / steps


def _face_rooms(sites: Sites, grid: Labels, register: LabelNames) -> list[FaceRoom]:
    """Returns the largest face of every name that is no scenery, and the second if `second` names it."""
    rooms = []
    boxes = ndimage.find_objects(grid)
    for name in sites.spots:
        if name in sites.scenery or name in sites.parts or name not in register.names:
            continue
        box = boxes[register.names.index(name) - 1]
        if box is None:
            continue
        pieces, count = connected_pieces(grid[box] == register.names.index(name), wraps=False, eight=False)
        sizes = np.bincount(pieces.ravel(), minlength=count + 1)[1:]
        for rank, piece in enumerate(np.argsort(-sizes, kind="stable")[:2].tolist()):
            if rank and not (name in sites.second and sizes[piece] > SECOND_LEAST):
                continue
            mask = np.zeros(grid.shape, bool)
            mask[box] = pieces == piece + 1
            rooms.append(_face_room(f"{name}#2" if rank else name, mask, grid, register))
    return rooms


def _face_room(name: str, mask: npt.NDArray[np.bool_], grid: Labels, register: LabelNames) -> FaceRoom:
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
    foreign, water = _summed_table(lands & ~own), _summed_table(~lands & ~own)
    on_land = bool(register.is_land()[label])
    return FaceRoom(name, int(left), int(top), depth, cells, _summed_table(own), foreign, water, on_land, middle)


def _summed_table(mask: npt.NDArray[np.bool_]) -> Floats:
    return np.pad(mask.astype(float).cumsum(0).cumsum(1), ((1, 0), (1, 0)))


def _covered_share(table: Floats, room: FaceRoom, x: Floats, y: Floats, half: tuple[float, float]) -> Floats:
    """Returns the share of a rectangle round each place that the table's cells cover."""
    height, width = table.shape
    x0, x1 = ((v * FINE - room.left) for v in (x - half[0], x + half[0]))
    y0, y1 = ((v * FINE - room.top) for v in (y - half[1], y + half[1]))
    columns = [np.clip(v.astype(int), 0, width - 1) for v in (x0, x1)]
    rows = [np.clip(v.astype(int), 0, height - 1) for v in (y0, y1)]
    total = table[rows[1], columns[1]] - table[rows[0], columns[1]] - table[rows[1], columns[0]]
    area = half[0] * half[1] * 4 * FINE * FINE
    return np.asarray((total + table[rows[0], columns[0]]) / area)


def _half_size(sites: Sites, piece: str, name: str) -> tuple[float, float]:
    if piece == "label":
        return label_size(sites.text, name, sites.grounds)
    size = CENTRE if piece == "sc" else sites.token
    return size, size


def _shortlist(room: FaceRoom, wanted: WantedLabels, sites: Sites, projection: Projection) -> tuple[Tries, Floats]:
    """Returns the best of many random tries for the province alone, and their scores."""
    rng = np.random.default_rng([sites.growth.seed, *room.name.encode()])
    town = projection.spot(sites.cities[room.name]) if room.name in sites.cities else None
    tries = _random_tries(room, _pieces(sites, room.name, wanted), rng, sites, town)
    for piece, spot in sites.anchors.get(room.name, {}).items():
        x, y = projection.spot(spot)
        tries[piece] = (np.full(TRIES, x), np.full(TRIES, y))
    score = _score_alone(room, tries, sites, town)
    for first, second in combinations(tries, 2):
        sizes = _half_size(sites, first, room.name), _half_size(sites, second, room.name)
        score -= 2.0 * _overlap(tries[first], tries[second], *sizes, circles="label" not in (first, second))
    best = np.argsort(-score, kind="stable")[:SHORTLIST]
    return {piece: (x[best], y[best]) for piece, (x, y) in tries.items()}, score[best]


def _choose(room: FaceRoom, tries: Tries, score: Floats, board: PlacedLabels) -> dict[str, Point]:
    """Returns the try of the shortlist that fits best with what is placed already."""
    sites = board.sites
    score = score.copy()
    reach = float(max(np.ptp(room.cells[:, 0]), np.ptp(room.cells[:, 1]))) / FINE + 90
    for other_piece, (x, y, half_width, half_height) in board.near(room.name, room.middle, reach):
        for piece, places in tries.items():
            there = np.array([x]), np.array([y])
            over = _overlap(places, there, _half_size(sites, piece, room.name), (half_width, half_height))
            score -= over * (0.8 if "label" in (piece, other_piece) else 1.2)
    best = int(score.argmax())
    return {piece: _round_point((float(x[best]), float(y[best]))) for piece, (x, y) in tries.items()}


def _random_tries(
    room: FaceRoom, pieces: tuple[str, ...], rng: np.random.Generator, sites: Sites, town: Point | None
) -> Tries:
    """Returns random places: labels mostly right beside the unit, marks mostly near the town."""

    def anywhere() -> tuple[Floats, Floats]:
        chosen = room.cells[rng.integers(0, len(room.cells), TRIES)]
        return (chosen[:, 1] + room.left) / FINE, (chosen[:, 0] + room.top) / FINE

    tries = {piece: anywhere() for piece in pieces}
    most = TRIES * 3 // 4
    if "unit" in tries:
        x, y = tries["unit"]
        width, height = label_size(sites.text, room.name, sites.grounds)
        across, down = width + sites.token + 2, height + sites.token + 2
        lx, ly = tries["label"]
        lx[:most] = x[:most] + rng.uniform(-across - 4, across + 4, most)
        ly[:most] = y[:most] + rng.uniform(-down - 4, down + 4, most)
    if "sc" in tries and town:
        cx, cy = tries["sc"]
        cx[:most] = town[0] + rng.normal(0, 6, most)
        cy[:most] = town[1] + rng.normal(0, 6, most)
    return tries


def _score_alone(room: FaceRoom, tries: Tries, sites: Sites, town: Point | None) -> Floats:
    """Scores each try without regard to other provinces."""
    score = np.zeros(TRIES)
    for piece, (x, y) in tries.items():
        if piece == "label":
            half = _half_size(sites, piece, room.name)
            own = _covered_share(room.own, room, x, y, half)
            foreign = _covered_share(room.foreign, room, x, y, half)
            water = _covered_share(room.water, room, x, y, half)
            score += 2.0 * (own > 0.99) - 14 * foreign - (3.0 if room.on_land else 12.0) * water
            score -= 20 * np.maximum(0, 0.98 - own - foreign - water)
        elif piece == "sc":
            score += 1.6 * np.minimum(_depth_at(room, x, y) - CENTRE, 2)
            if town:
                score -= np.minimum(np.hypot(x - town[0], y - town[1]), 60) * 0.14
        else:
            size = sites.token
            clear = _depth_at(room, x, y)
            score += 1.8 * np.minimum(clear - size - 1, 5) + 0.12 * np.minimum(clear - size, 22)
            if piece == "unit":
                score -= 0.02 * np.hypot(x - room.middle[0], y - room.middle[1])
    if "unit" in tries:
        (ux, uy), (lx, ly) = tries["unit"], tries["label"]
        score -= 0.04 * np.hypot(lx - ux, ly - uy)
        if "air" in tries:
            score -= 0.05 * np.hypot(tries["air"][0] - ux, tries["air"][1] - uy)
    return score


def _depth_at(room: FaceRoom, x: Floats, y: Floats) -> Floats:
    height, width = room.depth.shape
    rows = np.clip((y * FINE - room.top).astype(int), 0, height - 1)
    columns = np.clip((x * FINE - room.left).astype(int), 0, width - 1)
    return np.asarray(room.depth[rows, columns])


def _overlap(
    first: tuple[Floats, Floats],
    second: tuple[Floats, Floats],
    half: tuple[float, float],
    other_half: tuple[float, float],
    circles: bool = False,
) -> Floats:
    """Returns by how much two rectangles (or round things) come nearer than 1.5 units; 0 if they do not."""
    dx, dy = np.abs(first[0] - second[0]), np.abs(first[1] - second[1])
    if circles:
        return np.maximum(0, half[0] + other_half[0] + 1.5 - np.hypot(dx, dy))
    over_x, over_y = half[0] + other_half[0] + 1.5 - dx, half[1] + other_half[1] + 1.5 - dy
    return np.asarray(np.maximum(0, np.minimum(over_x, over_y)))


def _round_point(at: Point) -> Point:
    return round(at[0], 1), round(at[1], 1)
