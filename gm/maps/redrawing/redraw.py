"""Redraws a board whose borders players have moved (Seismic), and says what a picture cannot show.

The opening picture is read once; every move of a border changes the picture before it. The result is tested as it will
be drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from gm.judge.board.planar_board import PlanarBoard
from gm.judge.board.rotation import BorderMove
from gm.judge.mechanics.moving_borders.border_history import find_moves, search_moves
from gm.judge.mechanics.moving_borders.border_step import BorderStep
from gm.judge.mechanics.moving_borders.order_meaning import BorderOrderTerms
from gm.judge.model.events import Event, visible
from gm.judge.model.position import Position
from gm.judge.model.variant import Variant
from gm.language.i18n.catalogue import Catalogue
from gm.maps.drawing.geometry import Geometry
from gm.maps.redrawing.check import find_picture_faults
from gm.maps.redrawing.drawn import drawn_geometry
from gm.maps.redrawing.moves import join, separate
from gm.maps.redrawing.picture import CannotRedraw, PlanarPicture, read_picture
from gm.maps.redrawing.places import place_anchors


@lru_cache(maxsize=8)
def redraw_board(geometry: Geometry, start: PlanarBoard, moves: tuple[BorderMove, ...], board: PlanarBoard) -> Geometry:
    """Returns the picture of `board`, to which `moves` lead from the `start`.

    Raises CannotRedraw, one line, if no sound picture comes of it.
    """
    opening = _opening(geometry, start)
    picture = _moved(geometry, start, moves)
    redrawn = drawn_geometry(picture, place_anchors(picture, board, opening))
    for fault in find_picture_faults(redrawn, board, opening):
        raise CannotRedraw(fault)
    return redrawn


@lru_cache(maxsize=4)
def _opening(geometry: Geometry, start: PlanarBoard) -> PlanarPicture:
    """Reads the picture of the opening board. It may show another variant's board that is much like it."""
    picture = read_picture(geometry, frozenset(start.provinces))
    moves = search_moves(picture.rotation, start.rotation)
    if moves is None:
        raise CannotRedraw("the picture shows another board")
    for move in moves:
        picture = _move(picture, move)
    return picture


@lru_cache(maxsize=64)
def _moved(geometry: Geometry, start: PlanarBoard, moves: tuple[BorderMove, ...]) -> PlanarPicture:
    return _move(_moved(geometry, start, moves[:-1]), moves[-1]) if moves else _opening(geometry, start)


def _move(picture: PlanarPicture, move: BorderMove) -> PlanarPicture:
    first, *others = (picture.rotation.stretches_by_ends[ends] for ends in move)
    return join(picture, first, others[0], move[0][0]) if others else separate(picture, first)


def draw_present_board(
    geometry: Geometry, variant: Variant, position: Position, phases: Iterable[Sequence[Event]], catalogue: Catalogue
) -> tuple[Geometry, tuple[str, ...]]:
    """Returns the geometry to draw on, and notes below it. `geometry` shows the variant's opening board.

    `phases` are the events of the phases so far; what they do not explain is found by comparing the boards. A board
    that cannot be drawn is drawn as it was at the start, and the notes say what has changed.
    """
    start, board = variant.start.board, position.board
    if not (isinstance(start, PlanarBoard) and isinstance(board, PlanarBoard)):
        return geometry, ()
    terms = next((step.terms for step in variant.calendar if isinstance(step, BorderStep)), BorderOrderTerms())
    moves = find_moves(start, board, (visible(events, None) for events in phases), terms)
    try:
        if moves is None:
            raise CannotRedraw("nothing is known of the moves")
        return redraw_board(geometry, start, moves, board), ()
    except CannotRedraw:
        changes = _changed_pairs(start, board, catalogue) if moves is None else _moves(moves, catalogue)
        return geometry, (catalogue.say("chart.unfollowed"), *changes) if start != board else ()


def _moves(moves: Iterable[BorderMove], catalogue: Catalogue) -> Iterator[str]:
    for first, *others in moves:
        if others:
            yield catalogue.say("chart.joined", one=first[1], two=others[0][1])
        else:
            a, b, c, d = first
            yield catalogue.say("chart.parted", one=a, two=b, three=c, four=d)


def _changed_pairs(start: PlanarBoard, board: PlanarBoard, catalogue: Catalogue) -> Iterator[str]:
    before, now = (Counter(tuple(sorted(sides)) for sides in shown.rotation.sides.values()) for shown in (start, board))
    for key, pairs in (("chart.apart", before - now), ("chart.touching", now - before)):
        for first, second in sorted(pairs):
            yield catalogue.say(key, one=first, two=second)
