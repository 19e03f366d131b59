"""Finds drawn lines that cross: lines may meet only where both of them end."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely

from gm.maps.redrawing.lines import Corner, Points


def crossing_lines(lines: Sequence[Points], among: Sequence[Points]) -> list[Points]:
    """Returns those of `lines` that cross themselves, or meet one of the others anywhere but at ends of both."""
    shapes = np.array([shapely.linestrings(line) for line in lines])
    others = np.array([shapely.linestrings(line) for line in among])
    wrong = {int(at) for at in np.flatnonzero(~shapely.is_simple(shapes))}
    pairs = shapely.STRtree(others).query(shapes, predicate="intersects").T
    pairs = pairs[[lines[first] != among[second] for first, second in pairs]]
    common = shapely.intersection(shapes[pairs[:, 0]], others[pairs[:, 1]])
    for (first, second), meeting in zip(pairs.tolist(), common, strict=True):
        ends = {*_ends(lines[first])} & {*_ends(among[second])}
        if not all(isinstance(part, shapely.Point) and (part.x, part.y) in ends for part in shapely.get_parts(meeting)):
            wrong.add(first)
    return [lines[at] for at in sorted(wrong)]


def _ends(line: Points) -> tuple[Corner, Corner]:
    return line[0], line[-1]
