"""Repairs the finished grid, so that every contact in the picture can be seen."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from scipy import ndimage

from gm.maps.making.arcs import OUTSIDE, trace_arcs
from gm.maps.making.province_growth import Labels
from gm.maps.making.raster import FINE, Mask
from gm.maps.making.regions import ISLET, LAKE, LabelNames, connected_pieces
from gm.maps.making.sites import LAND

FRAGMENT = 60.0
"""Square units: a smaller fragment of a province goes to its neighbour, or becomes a satellite."""
STRAY = 7.0
"""Units: a shorter contact of two names that also meet elsewhere goes to the third name at its ends."""
ROUNDS = 8

Box = tuple[slice, slice]


def repair_grid(grid: Labels, register: LabelNames, wraps: bool) -> Labels:
    """Removes fragments, stray contacts, and faces that touch themselves in a point."""
    grid = grid.copy()
    for _ in range(3):
        before = grid.copy()
        _give_fragments(grid, register, wraps)
        _give_strays(grid, wraps)
        _mend_pinches(grid, wraps)
        if np.array_equal(before, grid):
            break
    return grid


def _give_fragments(grid: Labels, register: LabelNames, wraps: bool) -> None:
    """Gives away fragments that lie apart from their province, and satellites that touch land."""
    for label, box in enumerate(ndimage.find_objects(grid), 1):
        name = register.names[label]
        if box is None or name == LAKE:
            continue
        island = name == ISLET or name.endswith("*")
        across = wraps and box[1].start == 0 and box[1].stop == grid.shape[1]
        pieces, count = connected_pieces(grid[box] == label, across, eight=False)
        sizes = np.bincount(pieces.ravel(), minlength=count + 1)[1:]
        main = 0 if island else int(sizes.argmax()) + 1
        for piece, where in enumerate(ndimage.find_objects(pieces), 1):
            if where is None or piece == main or sizes[piece - 1] > FRAGMENT * FINE * FINE:
                continue
            window, inside = _window(grid, box, pieces[where] == piece, where)
            around = window[ndimage.binary_dilation(inside) & ~inside]
            is_land = register.is_land()
            same = around[is_land[around] == is_land[label]]
            if len(same):
                window[inside] = np.bincount(same).argmax()
            elif is_land[label] and not island:
                window[inside] = register.label(f"{name}*", LAND)


def _window(grid: Labels, box: Box, cut: Mask, where: Box) -> tuple[Labels, Mask]:
    """Returns the grid round a piece, one cell wider, and the piece's cells in it. `where` lies in `box`."""
    rows, columns = (
        slice(max(0, s.start + b.start - 1), s.stop + b.start + 1) for s, b in zip(where, box, strict=True)
    )
    window = grid[rows, columns]
    inside = np.zeros(window.shape, bool)
    top, left = (s.start + b.start - w.start for s, b, w in zip(where, box, (rows, columns), strict=True))
    inside[top : top + cut.shape[0], left : left + cut.shape[1]] = cut
    return window, inside


def _give_strays(grid: Labels, wraps: bool) -> None:
    for _ in range(ROUNDS):
        arcs = trace_arcs(grid, wraps)
        total: dict[tuple[int, int], int] = defaultdict(int)
        around: dict[int, set[int]] = defaultdict(set)
        for corners, left, right in arcs:
            total[min(left, right), max(left, right)] += len(corners) - 1
            for end in (corners[0], corners[-1]):
                around[end] |= {left, right}
        strays = []
        for corners, left, right in arcs:
            length = len(corners) - 1
            pair = min(left, right), max(left, right)
            thirds = (around[corners[0]] & around[corners[-1]]) - {left, right, OUTSIDE}
            short = length <= STRAY * FINE and total[pair] > 2 * length
            if short and thirds and OUTSIDE not in pair and corners[0] != corners[-1]:
                strays.append((corners, pair, min(thirds)))
        for corners, pair, third in strays:
            _paint(grid, corners, pair, third, wraps)
        if not strays:
            return


def _paint(grid: Labels, corners: list[int], pair: tuple[int, int], third: int, wraps: bool) -> None:
    """Gives the pair's cells round these corners to the third label."""
    height, width = grid.shape
    reach = min(3, len(corners) // 2 + 1)
    for corner in corners:
        y, x = divmod(corner, width + 1)
        for row in range(max(0, y - reach), min(height, y + reach)):
            for column in range(x - reach, x + reach):
                if not wraps and not 0 <= column < width:
                    continue
                if (row + 0.5 - y) ** 2 + (column + 0.5 - x) ** 2 <= reach**2 and grid[row, column % width] in pair:
                    grid[row, column % width] = third


def _mend_pinches(grid: Labels, wraps: bool) -> None:
    """Where a face would touch itself in a point, changes one of the four cells."""
    for _ in range(60):
        pinches = _pinches(grid, wraps)
        if not pinches:
            return
        for y, x in pinches:
            _mend(grid, y, x, wraps)


def _pinches(grid: Labels, wraps: bool) -> list[tuple[int, int]]:
    """Returns the upper left cells of such blocks of four."""
    right = np.roll(grid, -1, axis=1)
    a, b, c, d = grid[:-1], right[:-1], grid[1:], right[1:]
    bad = ((a == d) & (b != a) & (c != a)) | ((b == c) & (a != b) & (d != b))
    if not wraps:
        bad[:, -1] = False
    return [(int(y), int(x)) for y, x in np.argwhere(bad)]


def _mend(grid: Labels, y: int, x: int, wraps: bool) -> None:
    """Makes the change that leaves the fewest pinches nearby."""
    width = grid.shape[1]
    columns = [(x + i) % width if wraps else min(max(x + i, 0), width - 1) for i in (-1, 0, 1, 2)]
    rows = slice(max(0, y - 1), y + 3)
    near = grid[rows][:, columns].copy()
    cy = y - rows.start
    corners = [(cy, 1), (cy, 2), (cy + 1, 1), (cy + 1, 2)]
    best, change = 99, None
    for corner in corners:
        for other in corners:
            if near[corner] == near[other]:
                continue
            trial = near.copy()
            trial[corner] = near[other]
            left = len(_pinches(trial, wraps=False))
            if left < best:
                best, change = left, (corner, near[other])
    if change:
        (row, column), label = change
        grid[rows.start + row, columns[column]] = label
