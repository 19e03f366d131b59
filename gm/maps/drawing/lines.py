"""Lines that meet: chains of lines that close to rings, and lines that cross."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias, TypeVar

import numpy as np
import shapely

Corner: TypeAlias = tuple[int, int]
Points: TypeAlias = tuple[Corner, ...]
Piece = TypeVar("Piece")


def close_rings(pieces: Iterable[tuple[Corner, Corner, Piece]]) -> Iterator[list[Piece]]:
    """Joins directed pieces, given with their start and end, to closed rings. Pieces of open chains are left out."""
    starts: dict[Corner, list[tuple[Corner, Piece]]] = {}
    for start, end, piece in pieces:
        starts.setdefault(start, []).append((end, piece))
    while starts:
        here = first = next(iter(starts))
        ring: list[Piece] = []
        while here in starts:
            end, piece = starts[here].pop()
            if not starts[here]:
                del starts[here]
            ring.append(piece)
            here = end
            if here == first:
                yield ring
                break


def crossing_pairs(lines: Sequence[Points], among: Sequence[Points] | None = None) -> list[tuple[int, int]]:
    """Returns the numbers of lines that meet anywhere but where both of them end, and of the lines `among` that they
    meet there; a line that crosses itself is paired with itself. Without `among`, each pair is returned once.
    """
    shapes = np.array([shapely.linestrings(line) for line in lines])
    others = shapes if among is None else np.array([shapely.linestrings(line) for line in among])
    pairs = shapely.STRtree(others).query(shapes, predicate="intersects").T
    same = (pairs[:, 0] >= pairs[:, 1]) if among is None else [lines[a] == among[b] for a, b in pairs]
    pairs = pairs[~np.array(same, bool)]
    meetings = shapely.intersection(shapes[pairs[:, 0]], others[pairs[:, 1]])
    crossing = [(int(at), int(at)) for at in np.flatnonzero(~shapely.is_simple(shapes))]
    for (first, second), meeting in zip(pairs.tolist(), meetings, strict=True):
        ends = {lines[first][0], lines[first][-1]} & {(among or lines)[second][0], (among or lines)[second][-1]}
        if not all(isinstance(part, shapely.Point) and (part.x, part.y) in ends for part in shapely.get_parts(meeting)):
            crossing.append((first, second))
    return crossing
