"""Borders that players moved, from the events of a game to the drawn board.

Where the picture cannot follow, it stays as it was, and notes under it tell all changes in words.
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
from gm.maps.drawing.moved_borders import AttachedIsland, CannotRedraw, Change, SeparatedBorder, contacts, shifted

OUTSIDE = "Out"
"""What lies beyond the picture, where the map names it."""
ATTEMPTS = 8
"""So many ways to read which of two joined provinces is the island are tried."""

Legs = Iterable[tuple[str, tuple[Event, ...]]]


def changes(history: Iterable[Legs]) -> tuple[Change, ...]:
    """All that took place, phase by phase, releases first as by the rules; what several players ordered alike, once."""
    found: list[Change] = []
    for legs in history:
        for _, events in legs:
            done = dict.fromkeys(_of(visible(events, None)))
            found += sorted(done, key=lambda change: isinstance(change, SeparatedBorder))
    return tuple(found)


def _of(events: Iterable[Event]) -> Iterator[Change]:
    for event in events:
        if isinstance(event, OrderResult) and event.outcome is Outcome.SUCCEEDS:
            match event.order:
                case Separation(apart=apart, joined=joined):
                    yield SeparatedBorder(_pair(apart), _pair(joined))
                case Release(joined=joined):
                    yield AttachedIsland(*_pair(joined))


def _pair(names: tuple[str, str]) -> tuple[str, str]:
    one, two = sorted(names)
    return one, two


def followed(
    geometry: Geometry, start: Board, here: Board, done: tuple[Change, ...], catalogue: Catalogue
) -> tuple[Geometry, tuple[str, ...]]:
    """The board to draw on, and what is to stand under it. `start` is the board that the geometry shows."""
    if not done or not (isinstance(start, PlanarBoard) and isinstance(here, PlanarBoard)):
        return geometry, ()
    before, now = _pairs(start), _pairs(here)
    names = frozenset().union(*before)
    drawn = frozenset(pair for pair in contacts(geometry, OUTSIDE) if pair <= names)
    touching = drawn - (before - now) | (now - before)  # the drawn board may leave out a border nothing can cross
    for reading in islice(_readings(done), ATTEMPTS):
        try:
            return shifted(geometry, reading, touching, OUTSIDE), ()
        except CannotRedraw:
            continue
    return geometry, (catalogue.say("chart.unfollowed"), *(_said(catalogue, one) for one in done))


def _pairs(board: PlanarBoard) -> frozenset[frozenset[str]]:
    return frozenset(frozenset(pair) for pair in board.rotation.sides.values() if pair[0] != pair[1])


def _readings(done: tuple[Change, ...]) -> Iterator[tuple[Change, ...]]:
    """Either of the provinces that a release joined may be the island."""
    ways = [(one,) if isinstance(one, SeparatedBorder) else (one, AttachedIsland(one.to, one.island)) for one in done]
    yield from product(*ways)


def _said(catalogue: Catalogue, change: Change) -> str:
    if isinstance(change, AttachedIsland):
        return catalogue.say("chart.joined", one=change.island, two=change.to)
    (one, two), (three, four) = change
    return catalogue.say("chart.parted", one=one, two=two, three=three, four=four)
