"""The picture of a game's present board, and what it cannot show (Seismic)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from gm.judge.board.planar_board import PlanarBoard
from gm.judge.board.rotation import BorderMove
from gm.judge.mechanics.moving_borders.border_history import find_moves
from gm.judge.mechanics.moving_borders.border_step import BorderStep
from gm.judge.mechanics.moving_borders.order_meaning import BorderOrderTerms
from gm.judge.model.events import Event, visible
from gm.judge.model.position import Position
from gm.judge.model.variant import Variant
from gm.language.i18n.catalogue import Catalogue
from gm.maps.drawing.geometry import Geometry
from gm.maps.redrawing.picture import CannotRedraw
from gm.maps.redrawing.redraw import redraw_board


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
