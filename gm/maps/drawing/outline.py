"""Outlines of any set of faces, as SVG path data in the units of the arcs.

A border between two faces of the set is no part of its outline, so an empire is one path however many provinces it has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from gm.maps.drawing.geometry import BEYOND, DEEP, LAND, WATER, Arc, Geometry

AWAY = 400
"""How far outside the frame an outline runs along it, so that no line is ever drawn on the picture's edge."""
Points = tuple[tuple[int, int], ...]
FEW = 64


@lru_cache(maxsize=FEW)
def _strokes(geometry: Geometry) -> tuple[tuple[str, str], ...]:
    """Of every arc the path data behind its first point, forwards and backwards."""
    numbers = range(len(geometry.arcs))
    return tuple((_steps(_points(geometry, n, False)), _steps(_points(geometry, n, True))) for n in numbers)


def _steps(points: Iterable[tuple[int, int]]) -> str:
    it = iter(points)
    x, y = next(it)
    found: list[str] = []
    for to_x, to_y in it:
        down = to_y - y
        found.append(f"{to_x - x}{down}" if down < 0 else f"{to_x - x} {down}")
        x, y = to_x, to_y
    return "l" + " ".join(found)


Chain = tuple[tuple[int, bool], ...]
"""Arcs that make a ring: their numbers, and whether they are gone backwards."""


@lru_cache(maxsize=2048)
def _chains(geometry: Geometry, faces: frozenset[str]) -> tuple[Chain, ...]:
    starts: dict[tuple[int, int], list[tuple[int, bool]]] = {}
    for number, arc in enumerate(geometry.arcs):
        inside = arc.left in faces
        if inside != (arc.right in faces):
            first = arc.points[0] if inside else arc.points[-1]
            starts.setdefault(first, []).append((number, not inside))
    found: list[Chain] = []
    while starts:
        at = begin = next(iter(starts))
        chain: list[tuple[int, bool]] = []
        while at in starts:
            number, backwards = starts[at].pop()
            if not starts[at]:
                del starts[at]
            chain.append((number, backwards))
            at = geometry.arcs[number].points[0 if backwards else -1]
            if at == begin:
                break
        found.append(tuple(chain))
    return tuple(found)


def _points(geometry: Geometry, number: int, backwards: bool) -> Points:
    """Of an arc in a ring. One on the frame is led round outside of the picture."""
    arc = geometry.arcs[number]
    points = arc.points[::-1] if backwards else arc.points
    if BEYOND not in arc[:2]:
        return points
    right, bottom = round(geometry.width / geometry.scale), round(geometry.height / geometry.scale)
    return (points[0], *((_away(x, right), _away(y, bottom)) for x, y in points), points[-1])


def _away(value: int, far: int) -> int:
    return -AWAY if value <= 0 else far + AWAY if value >= far else value


def rings(geometry: Geometry, faces: frozenset[str]) -> tuple[list[tuple[int, int]], ...]:
    """The outline as closed rings of points."""
    return tuple(
        [point for number, backwards in chain for point in _points(geometry, number, backwards)]
        for chain in _chains(geometry, faces)
    )


@lru_cache(maxsize=2048)
def outline(geometry: Geometry, faces: frozenset[str]) -> str:
    """Path data of closed rings, to be filled by the even-odd rule."""
    strokes = _strokes(geometry)
    found = ""
    for chain in _chains(geometry, faces):
        first, backwards = chain[0]
        x, y = geometry.arcs[first].points[-1 if backwards else 0]
        found += f"M{x} {y}" + "".join(strokes[number][back] for number, back in chain) + "z"
    return found


def lines(geometry: Geometry, wanted: Callable[[Arc], bool]) -> str:
    """The arcs asked for, as open lines."""
    strokes = _strokes(geometry)
    return "".join(
        f"M{arc.points[0][0]} {arc.points[0][1]}{strokes[number][0]}"
        for number, arc in enumerate(geometry.arcs)
        if wanted(arc)
    )


def mainland(geometry: Geometry) -> frozenset[str]:
    """All land: its outline is the coast."""
    return frozenset(face for face in geometry.faces if geometry.ground(face) == LAND)


def is_border(geometry: Geometry, arc: Arc) -> bool:
    """Between two names on land."""
    return (
        BEYOND not in arc[:2]
        and geometry.name(arc.left) != geometry.name(arc.right)
        and geometry.ground(arc.left) == geometry.ground(arc.right) == LAND
    )


def is_sea_border(geometry: Geometry, arc: Arc) -> bool:
    return (
        BEYOND not in arc[:2]
        and geometry.name(arc.left) != geometry.name(arc.right)
        and {geometry.ground(arc.left), geometry.ground(arc.right)} <= {WATER, DEEP}
    )


def is_shelf(geometry: Geometry, arc: Arc) -> bool:
    """Between a sea and an ocean."""
    return is_sea_border(geometry, arc) and geometry.ground(arc.left) != geometry.ground(arc.right)
