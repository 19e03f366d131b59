"""Applies border changes of a game (Seismic) to the drawn board.

A board that cannot be redrawn stays as it was, and notes below the picture name the changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, product

from gm.judge.board.board import Board
from gm.judge.board.planar_board import PlanarBoard
from gm.judge.mechanics.moving_borders.border_orders import Release, Separation
from gm.judge.model.events import Event, OrderResult, Outcome, visible
from gm.language.i18n.catalogue import Catalogue
from gm.maps.drawing.geometry import Geometry
from gm.maps.drawing.moved_borders import (
    AttachedIsland,
    CannotRedraw,
    DrawnChange,
    SeparatedBorder,
    redraw_borders,
    touching_pairs,
)

OUTSIDE = "Out"
"""The name that maps give to what lies beyond the picture."""
ATTEMPTS = 8
"""Either of two joined provinces may be the island: at most this many combinations are tried."""

Legs = Iterable[tuple[str, tuple[Event, ...]]]


def drawn_changes(history: Iterable[Legs]) -> tuple[DrawnChange, ...]:
    """Returns all border changes in order; the same order of several players counts once."""
    changes: list[DrawnChange] = []
    for legs in history:
        for _, events in legs:
            done = dict.fromkeys(_changes_of(visible(events, None)))
            changes += sorted(done, key=lambda change: isinstance(change, SeparatedBorder))
    return tuple(changes)


def _changes_of(events: Iterable[Event]) -> Iterator[DrawnChange]:
    for event in events:
        if isinstance(event, OrderResult) and event.outcome is Outcome.SUCCEEDS:
            match event.order:
                case Separation(apart=apart, joined=joined):
                    yield SeparatedBorder(_sorted_pair(apart), _sorted_pair(joined))
                case Release(joined=joined):
                    yield AttachedIsland(*_sorted_pair(joined))


def _sorted_pair(names: tuple[str, str]) -> tuple[str, str]:
    first, second = sorted(names)
    return first, second


def follow_changes(
    geometry: Geometry, start: Board, board: Board, changes: tuple[DrawnChange, ...], catalogue: Catalogue
) -> tuple[Geometry, tuple[str, ...]]:
    """Returns the geometry to draw on, and notes below it. `start` is the board that the geometry shows."""
    if not changes or not (isinstance(start, PlanarBoard) and isinstance(board, PlanarBoard)):
        return geometry, ()
    before, now = _pairs(start), _pairs(board)
    names = frozenset().union(*before)
    drawn = frozenset(pair for pair in touching_pairs(geometry, OUTSIDE) if pair <= names)
    touching = drawn - (before - now) | (now - before)  # the drawn board may leave out a border nothing can cross
    for reading in islice(_readings(changes), ATTEMPTS):
        try:
            return redraw_borders(geometry, reading, touching, OUTSIDE), ()
        except CannotRedraw:
            continue
    return geometry, (catalogue.say("chart.unfollowed"), *(_describe(catalogue, change) for change in changes))


def _pairs(board: PlanarBoard) -> frozenset[frozenset[str]]:
    return frozenset(frozenset(pair) for pair in board.rotation.sides.values() if pair[0] != pair[1])


def _readings(changes: tuple[DrawnChange, ...]) -> Iterator[tuple[DrawnChange, ...]]:
    """Yields every combination of which joined province is the island."""
    ways = [(c,) if isinstance(c, SeparatedBorder) else (c, AttachedIsland(c.to, c.island)) for c in changes]
    yield from product(*ways)


def _describe(catalogue: Catalogue, change: DrawnChange) -> str:
    if isinstance(change, AttachedIsland):
        return catalogue.say("chart.joined", one=change.island, two=change.to)
    (a, b), (c, d) = change
    return catalogue.say("chart.parted", one=a, two=b, three=c, four=d)
