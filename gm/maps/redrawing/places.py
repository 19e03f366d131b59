"""Places for tokens and labels in the provinces whose borders have moved.

What still fits stays where it was. Anything else goes to the place of its province with the most room nearby.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import inf
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import shapely
from msgspec import Struct
from shapely import affinity
from shapely.geometry.base import BaseGeometry

from gm.judge.board.board import COAST
from gm.judge.board.planar_board import PlanarBoard
from gm.maps.drawing.geometry import Anchor, Geometry, Point, label_size
from gm.maps.redrawing.picture import CannotRedraw, PlanarPicture

ROOM = 0.5
"""The least distance from a token to the border, as a share of its radius."""
STAR = 4.0
"""The same of a centre's mark, in picture units."""
COVERED = 0.75
"""The least share of a label that lies on its province."""
ASHORE = 3.0
"""A fleet on one of several coasts stands as near to it as this, in radii of its token."""
TRIES = 24
"""Places tried along each side of a province."""

Floats: TypeAlias = npt.NDArray[np.float64]
Size: TypeAlias = tuple[float, float]
"""Half of a width and half of a height."""
Things: TypeAlias = list[tuple[Point, Size]]


class Spots(Struct, frozen=True, eq=False):
    """Places in a province to choose from, in picture units. `clear` is the distance of each from the border."""

    face: BaseGeometry
    places: Floats
    clear: Floats

    def best(self, score: Floats) -> Point:
        x, y = self.places[int(score.argmax())]
        return float(x), float(y)

    def away(self, place: Point | None) -> Floats:
        """Returns the distance of each place from one; 0 if there is none."""
        return np.hypot(*(self.places - place).T) if place else np.zeros(len(self.places))


def _spots(face: BaseGeometry, known: Anchor, near: BaseGeometry | None = None) -> Spots:
    """Returns a grid of places in a face, and those known before. `near`: a part of the plane that they lie in."""
    area = face if near is None else shapely.intersection(face, near)
    left, top, right, bottom = area.bounds
    grid = np.meshgrid(np.linspace(left, right, TRIES), np.linspace(top, bottom, TRIES))
    middle = shapely.maximum_inscribed_circle(area, tolerance=0.5).coords[0]
    places = np.array([*np.stack([axis.ravel() for axis in grid], axis=1), middle, *filter(None, known)]).round(1)
    places = places[shapely.contains_xy(area, places[:, 0], places[:, 1])]
    if not len(places):
        raise CannotRedraw("a province has no room for a token")
    return Spots(face, places, shapely.distance(shapely.points(places), face.boundary))


def place_anchors(picture: PlanarPicture, board: PlanarBoard, opening: PlanarPicture) -> Mapping[str, Anchor]:
    """Returns the places of all tokens and labels. `opening` is the picture before any border moved."""
    base = picture.base
    anchors: dict[str, Anchor] = {}
    still = {code for code in board.provinces if picture.area(code) == opening.area(code)}
    for key, anchor in base.anchors.items():
        code, second = key.partition("#")[:2]
        if "/" in code:
            continue
        if code not in board.provinces or code in base.boxes or code in still:
            anchors[key] = anchor
        elif not second:
            anchors[key] = _place_anchor(base, code, _face(picture, code), anchor)
        elif anchor.label and _face(picture, code).contains(shapely.Point(anchor.label)):
            anchors[key] = anchor
    for code in board.coasts:
        anchors.update(_coast_anchors(picture, board, code, anchors.get(code, Anchor())))
    return anchors


def _face(picture: PlanarPicture, province: str) -> BaseGeometry:
    scale = picture.base.scale
    return affinity.scale(picture.ground(province), scale, scale, origin=(0, 0))


def _place_anchor(geometry: Geometry, code: str, face: BaseGeometry, anchor: Anchor) -> Anchor:
    token, half = geometry.token, label_size(geometry.text, code, geometry.grounds)
    fits = {
        "unit": _clear(face, anchor.unit) >= token * ROOM,
        "air": _clear(face, anchor.air) >= token * ROOM,
        "centre": _clear(face, anchor.centre) >= STAR,
        "label": _covered(face, anchor.label, half) >= COVERED and _clear(face, anchor.label) > 0,
    }
    if all(fits.values()):
        return anchor
    spots = _spots(face, anchor)
    kept = {piece: getattr(anchor, piece) for piece, fit in fits.items() if fit}
    for piece in (piece for piece, fit in fits.items() if not fit):
        own = _half_size(geometry, code, piece)
        kept[piece] = spots.best(_score(spots, getattr(anchor, piece), own, _things(geometry, code, Anchor(**kept))))
    return Anchor(**kept)


def _things(geometry: Geometry, code: str, anchor: Anchor) -> Things:
    """Returns the places of a province's tokens and labels, with their sizes."""
    pieces = zip(Anchor._fields, anchor, strict=True)
    return [(place, _half_size(geometry, code, piece)) for piece, place in pieces if place]


def _half_size(geometry: Geometry, code: str, piece: str) -> Size:
    if piece == "label":
        return label_size(geometry.text, code, geometry.grounds)
    size = STAR if piece == "centre" else geometry.token
    return size, size


def _clear(face: BaseGeometry, place: Point | None) -> float:
    """Returns the distance of a place from the border, negative outside of the face; without a place, infinity."""
    if place is None:
        return inf
    spot = shapely.Point(place)
    off = float(face.boundary.distance(spot))
    return off if face.contains(spot) else -off


def _covered(face: BaseGeometry, place: Point | None, half: Size) -> float:
    """Returns the share of a rectangle that lies on the face."""
    if place is None:
        return 1.0
    box = _box(place, half)
    return float(face.intersection(box).area / box.area)


def _box(place: Point, half: Size) -> shapely.Polygon:
    (x, y), (width, height) = place, half
    return shapely.box(x - width, y - height, x + width, y + height)


def _score(spots: Spots, old: Point | None, half: Size, taken: Things) -> Floats:
    """Scores places for a thing of this size: on its own ground, beside what is there, near its old place."""
    x, y = spots.places.T
    boxes = shapely.box(x - half[0], y - half[1], x + half[0], y + half[1])
    own = shapely.area(shapely.intersection(boxes, spots.face)) / (4 * half[0] * half[1])
    score = 3.0 * own + np.minimum(spots.clear / max(half), 1.2) - spots.away(old) / 150
    return np.asarray(score - _overlap(spots, half, taken) / 4)


def _overlap(spots: Spots, half: Size, taken: Things) -> Floats:
    """Returns by how many units a thing at each place would come too near to the other things, all together."""
    x, y = spots.places.T
    over = np.zeros(len(x))
    for (other_x, other_y), (width, height) in taken:
        across, down = half[0] + width + 1.5 - np.abs(x - other_x), half[1] + height + 1.5 - np.abs(y - other_y)
        over += np.maximum(0, np.minimum(across, down))
    return over


def _coast_anchors(
    picture: PlanarPicture, board: PlanarBoard, code: str, anchor: Anchor
) -> Iterator[tuple[str, Anchor]]:
    """Yields a place for fleets on each of several coasts: near its shore, off the others."""
    shores = {
        coast.slot: shapely.MultiLineString([_shore(picture, board, code, stretch) for stretch in coast.stretches])
        for coast in board.coasts[code]
        if coast.slot != COAST
    }
    if not shores:
        return
    face, token = _face(picture, code), picture.base.token
    taken = _things(picture.base, code, anchor._replace(unit=None, air=None))
    for slot, shore in shores.items():
        place = picture.base.anchors.get(f"{code}/{slot}", Anchor()).unit
        others = [line for other, line in shores.items() if other != slot]
        if not place or _clear(face, place) < token * ROOM or not _nearer(shapely.Point(place), shore, others):
            spots = _spots(face, Anchor(), shore.simplify(1.0).buffer(ASHORE * token, quad_segs=2))
            points = shapely.points(spots.places)
            far, near = (
                np.min([shapely.distance(points, other) for other in others], axis=0),
                shapely.distance(points, shore),
            )
            score = (
                np.minimum(far - near, 3 * token) / token
                + 2 * np.minimum(spots.clear / token, 1.0)
                - near / (4 * token)
            )
            place = spots.best(score - _overlap(spots, (token, token), taken) / 4)
        yield f"{code}/{slot}", Anchor(unit=place)
        taken.append((place, (token, token)))


def _nearer(place: shapely.Point, shore: BaseGeometry, others: list[BaseGeometry]) -> bool:
    return all(place.distance(shore) < place.distance(other) for other in others)


def _shore(picture: PlanarPicture, board: PlanarBoard, code: str, stretch: int) -> Floats:
    number = picture.rotation.stretches_by_ends[board.rotation.stretch_ends(code, stretch)]
    return np.array(picture.line(code, number)) * picture.base.scale
