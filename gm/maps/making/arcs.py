"""Turns the grid into lines: borders as arcs from junction to junction, smoothed, crossing nowhere."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from scipy.ndimage import gaussian_filter1d
from shapely import LineString

from gm.maps.drawing.lines import crossing_pairs
from gm.maps.making.province_growth import Labels
from gm.maps.making.raster import FINE, Mask
from gm.maps.making.regions import LabelNames
from gm.maps.making.sites import LAND

OUTSIDE = -1
SCALE = 0.1
"""Picture units per unit of the file."""
STYLES = {"frame": (0.0, 0.01), "water": (22.0, 0.25), "border": (5.0, 0.22), "true": (2.2, 0.22), "coast": (1.1, 0.28)}
"""Smoothing in cells of the fine grid, and tolerance of the simplified line in picture units."""
ROUNDS, GENTLE = 12, 5

Line = npt.NDArray[np.float64]
Edge = tuple[int, int, int, int]
"""From corner, to corner, label on the left, label on the right."""


class GridArc(Struct, dict=True):
    """`line` is in whole tenths of picture units, `raw` in picture units along the cells."""

    left: int
    right: int
    raw: Line
    smoothing: float
    tolerance: float
    line: Line


def trace_arcs(grid: Labels, wraps: bool) -> list[tuple[list[int], int, int]]:
    """Returns the corners along each arc, its left and its right label.

    A corner's number is y * (width + 1) + x on the fine grid.
    """
    edges = _cell_edges(grid)
    edges_at: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for number, (start, end, _, _) in enumerate(edges):
        edges_at[start].append((number, end))
        edges_at[end].append((number, start))
    height, width = grid.shape
    junctions = {corner for corner, meeting in edges_at.items() if len(meeting) != 2}
    junctions |= {0, width, height * (width + 1), height * (width + 1) + width}
    if wraps:  # the two edges of the picture are one line, with the same junctions on both
        junctions |= {c - width for c in junctions if c % (width + 1) == width}
        junctions |= {c + width for c in junctions if c % (width + 1) == 0}
    used = [False] * len(edges)
    arcs = []
    starts = [corner for corner in sorted(edges_at) if corner in junctions] + sorted(edges_at)
    for corner in starts:
        for number, _ in edges_at[corner]:
            if not used[number]:
                arcs.append(_walk_arc(corner, number, edges, edges_at, junctions, used))
    return arcs


def _cell_edges(grid: Labels) -> list[Edge]:
    """Returns every side between two cells of different labels, directed right or down."""
    padded = np.pad(grid.astype(np.int64), 1, constant_values=OUTSIDE)
    row = grid.shape[1] + 1
    ys, xs = np.nonzero(padded[:-1] != padded[1:])
    corner = ys * row + xs - 1
    level = np.stack([corner, corner + 1, padded[ys, xs], padded[ys + 1, xs]], 1)
    ys, xs = np.nonzero(padded[:, :-1] != padded[:, 1:])
    corner = (ys - 1) * row + xs
    upright = np.stack([corner, corner + row, padded[ys, xs + 1], padded[ys, xs]], 1)
    return [(a, b, left, right) for a, b, left, right in np.concatenate([level, upright]).tolist()]


def _walk_arc(
    corner: int,
    number: int,
    edges: list[Edge],
    edges_at: dict[int, list[tuple[int, int]]],
    junctions: set[int],
    used: list[bool],
) -> tuple[list[int], int, int]:
    start, _, left, right = edges[number]
    if start != corner:
        left, right = right, left
    corners = [corner]
    here = corner
    while True:
        used[number] = True
        first, second, _, _ = edges[number]
        here = second if here == first else first
        corners.append(here)
        onward = [(n, end) for n, end in edges_at[here] if not used[n]]
        if here in junctions or here == corner or not onward:
            return corners, left, right
        number = onward[0][0]


def draw_arcs(grid: Labels, register: LabelNames, true_borders: Mask, wraps: bool) -> list[GridArc]:
    """Returns smooth arcs that do not cross. `true_borders` marks modern borders on the coarse grid."""
    row = grid.shape[1] + 1
    arcs = []
    for corners, left, right in trace_arcs(grid, wraps):
        numbers = np.array(corners)
        raw = np.stack([numbers % row, numbers // row], 1) / FINE
        smoothing, tolerance = STYLES[_style(raw, left, right, register, true_borders)]
        arcs.append(GridArc(left, right, raw, smoothing, tolerance, raw))
    for arc in arcs:
        _smooth_arc(arc)
    for turn in range(ROUNDS):
        bad = find_crossings([arc.line for arc in arcs])
        if not bad:
            break
        for number in bad:
            arc = arcs[number]
            arc.smoothing *= 0.5
            arc.tolerance *= 0.6
            if turn >= GENTLE:
                arc.smoothing = arc.tolerance = 0.0
            _smooth_arc(arc)
    return arcs


def _style(raw: Line, left: int, right: int, register: LabelNames, true_borders: Mask) -> str:
    if OUTSIDE in (left, right):
        return "frame"
    lands = [register.grounds[label] == LAND for label in (left, right)]
    if not any(lands):
        return "water"
    if not all(lands):
        return "coast"
    cells = raw.astype(int)
    height, width = true_borders.shape
    on_border = true_borders[np.clip(cells[:, 1], 0, height - 1), np.clip(cells[:, 0], 0, width - 1)]
    return "true" if on_border.mean() > 0.5 else "border"


def _smooth_arc(arc: GridArc) -> None:
    line = LineString(_smooth(arc.raw, arc.smoothing)).simplify(arc.tolerance, preserve_topology=True)
    points = np.round(np.array(line.coords) / SCALE)
    keep = np.concatenate([[True], np.any(np.diff(points, axis=0) != 0, axis=1)])
    arc.line = points[keep] if keep.sum() > 1 else points


def _smooth(points: Line, sigma: float) -> Line:
    """Smooths a line; the ends of an open one stay: beyond them it continues with its own reflection."""
    if sigma <= 0 or len(points) < 4:
        return points
    if np.array_equal(points[0], points[-1]):
        ring = gaussian_filter1d(points[:-1], sigma, axis=0, mode="wrap")
        return np.vstack([ring, ring[:1]])
    sigma = min(sigma, len(points) / 6)
    first, last = points[0], points[-1]
    reach = min(len(points) - 1, int(4 * sigma) + 1)
    before, after = 2 * first - points[1 : reach + 1][::-1], 2 * last - points[-reach - 1 : -1][::-1]
    smooth = gaussian_filter1d(np.vstack([before, points, after]), sigma, axis=0)[reach : reach + len(points)]
    smooth[0], smooth[-1] = first, last
    return np.asarray(smooth)


def find_crossings(lines: list[Line]) -> set[int]:
    """Returns the lines that cross themselves, or meet another one anywhere but at ends of both."""
    return {number for pair in crossing_pairs([tuple(map(tuple, line.tolist())) for line in lines]) for number in pair}
