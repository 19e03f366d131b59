"""Grows provinces from their sites: every cell goes to the site with the cheapest way over its own ground."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import ndimage
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import dijkstra

from gm.maps.making.raster import Mask

BARRIER_COST = 25.0
ROUGHNESS = ((18.0, 1.0), (9.0, 0.8), (4.5, 0.6))
"""Width of a hill of noise in cells, and its weight."""
STEPS = ((1, 0), (0, 1), (1, 1), (1, -1), (2, 1), (1, 2), (2, -1), (1, -2))
"""Half of the sixteen neighbours; with four or eight, borders would look octagonal."""
REACH, WORTH_TELLING, BEYOND = 25, 6.0, 80

Labels = npt.NDArray[np.int16]
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class GrowthSeed(NamedTuple):
    """A place on the coarse grid with its label; `bonus` is its head start in cells."""

    label: int
    name: str
    x: float
    y: float
    bonus: float


def noise_factors(shape: tuple[int, int], strength: float, seed: int, wraps: bool) -> Floats:
    """Returns cost factors of cells: smooth hills, so that inner borders meander like real ones."""
    rng = np.random.default_rng(seed)
    hills = np.zeros(shape)
    mode = ("reflect", "wrap") if wraps else "reflect"
    for width, weight in ROUGHNESS:
        layer = ndimage.gaussian_filter(rng.standard_normal(shape), width, mode=mode)
        hills += weight * layer / layer.std()
    return np.asarray(np.exp(strength * hills / hills.std()))


def grow_provinces(mask: Mask, sites: list[GrowthSeed], cost: Floats, wraps: bool) -> tuple[Labels, list[str]]:
    """Returns the labels of the cells of `mask` (0: nobody's), and remarks on misplaced sites."""
    index = -np.ones(mask.shape, np.int64)
    index[mask] = np.arange(int(mask.sum()))
    count = int(mask.sum())
    starts, ends, prices = _graph(mask, index, cost[mask], wraps)
    nodes, settled, remarks = _settle_sites(index, sites, wraps)
    most = max((site.bonus for site in settled), default=0.0)
    virtual = count + np.arange(len(settled))
    head = np.array([most - site.bonus + 1e-3 for site in settled])
    size = count + len(settled)
    rows, columns = np.concatenate([starts, virtual]), np.concatenate([ends, np.array(nodes, np.int64)])
    graph = coo_matrix((np.concatenate([prices, head]), (rows, columns)), shape=(size, size)).tocsr()
    distance, _, source = dijkstra(graph, directed=False, indices=virtual, min_only=True, return_predecessors=True)
    of_source = np.zeros(size, np.int16)
    of_source[virtual] = [site.label for site in settled]
    reached = (source[:count] >= 0) & np.isfinite(distance[:count])
    labels = np.zeros(mask.shape, np.int16)
    labels[mask] = np.where(reached, of_source[np.maximum(source[:count], 0)], 0)
    return labels, remarks


def _graph(mask: Mask, index: Ints, cost: Floats, wraps: bool) -> tuple[Ints, Ints, Floats]:
    """Returns edges between cells of the mask: from, to, price."""
    height, width = mask.shape
    ys, xs = np.nonzero(mask)
    parts: list[tuple[Ints, Ints, Floats]] = []
    for dx, dy in STEPS:
        x, y = xs + dx, ys + dy
        inside = (y >= 0) & (y < height) & (wraps | ((x >= 0) & (x < width)))
        start = np.nonzero(inside)[0]
        end = index[y[start], x[start] % width]
        start, end = start[end >= 0], end[end >= 0]
        price = (cost[start] + cost[end]) / 2
        if abs(dx) + abs(dy) == 3:  # a knight's move passes between two cells: both must be free
            sx, sy = int(np.sign(dx)), int(np.sign(dy))
            straight = (dx - sx, 0) if abs(dx) == 2 else (0, dy - sy)
            between = [index[ys[start] + by, (xs[start] + bx) % width] for bx, by in (straight, (sx, sy))]
            free = (between[0] >= 0) & (between[1] >= 0)
            start, end, middle = start[free], end[free], between[1][free]
            price = np.maximum(np.maximum(cost[start], cost[end]), cost[middle])
        parts.append((start, end, np.hypot(dx, dy) * price))
    starts, ends, prices = (np.concatenate([part[i] for part in parts]) for i in range(3))
    return starts, ends, prices


def _settle_sites(index: Ints, sites: list[GrowthSeed], wraps: bool) -> tuple[list[int], list[GrowthSeed], list[str]]:
    """The cell of each site: its own, or the nearest one of the mask."""
    height, width = index.shape
    nodes: list[int] = []
    settled: list[GrowthSeed] = []
    remarks: list[str] = []
    for site in sites:
        x, y = round(site.x), round(site.y)
        if not -BEYOND <= y < height + BEYOND or not (wraps or -BEYOND <= x < width + BEYOND):
            remarks.append(f"a site of {site.name} lies outside of the frame, at ({site.x:.0f}, {site.y:.0f})")
            continue
        x, y = x % width if wraps else min(max(x, 0), width - 1), min(max(y, 0), height - 1)
        node, off = _nearest_node(index, x, y, wraps)
        if node < 0:
            remarks.append(f"a site of {site.name} lies on the wrong ground, at ({site.x:.0f}, {site.y:.0f})")
            continue
        if off > WORTH_TELLING:
            remarks.append(f"a site of {site.name} was moved by {off:.0f}, from ({site.x:.0f}, {site.y:.0f})")
        nodes.append(node)
        settled.append(site)
    return nodes, settled, remarks


def _nearest_node(index: Ints, x: int, y: int, wraps: bool) -> tuple[int, float]:
    """Returns the cell's node and its distance; -1 if there is none in reach."""
    if index[y, x] >= 0:
        return int(index[y, x]), 0.0
    height, width = index.shape
    rows = np.arange(max(0, y - REACH), min(height, y + REACH + 1))
    columns = np.arange(x - REACH, x + REACH + 1)
    if not wraps:
        columns = columns[(columns >= 0) & (columns < width)]
    near = index[np.ix_(rows, columns % width)]
    off = np.where(near >= 0, np.hypot(rows[:, None] - y, columns[None, :] - x), np.inf)
    best = np.unravel_index(int(off.argmin()), off.shape)
    return (int(near[best]), float(off[best])) if np.isfinite(off[best]) else (-1, 0.0)
