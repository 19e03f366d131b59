"""The moves that led from one board to another (Seismic): from the events of a game, or found by search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from itertools import combinations, product
from typing import TypeAlias

from gm.judge.board.planar_board import PlanarBoard
from gm.judge.board.rotation import BorderMove, RotationSystem, StretchEnds
from gm.judge.mechanics.moving_borders.apply_changes import apply_changes
from gm.judge.mechanics.moving_borders.border_orders import Release, Separation
from gm.judge.mechanics.moving_borders.order_meaning import BorderChange, BorderOrderTerms, interpret_event
from gm.judge.model.events import Event, OrderResult, Outcome

Ends: TypeAlias = Mapping[str, frozenset[StretchEnds]]
"""The ends of all stretches by province: equal on equal maps."""
PHASES_KEPT = 64
MAPS = 4000
"""How many maps the search looks at before it gives up."""
PATIENCE = 3
"""What a move costs, in stretches that are not as on the map looked for."""


def find_moves(
    start: PlanarBoard, board: PlanarBoard, phases: Iterable[Sequence[Event]], terms: BorderOrderTerms
) -> tuple[BorderMove, ...] | None:
    """Returns moves that lead from `start` to `board`; None if there are none that can be found.

    `phases` are the public events of each phase so far, as far as they are known. A phase that restores an earlier
    board cancels all between them.
    """
    here, moves = start, tuple[BorderMove, ...]()
    known = {start: moves}
    for events in phases:
        here, made = _board_after(here, tuple(events), terms)
        if made:
            moves = known.setdefault(here, (*moves, *made))
    board = board.with_stranded(())
    if board in known:
        return known[board]
    for nearest, before in {here: moves, start: ()}.items():
        onward = search_moves(nearest.rotation, board.rotation)
        if onward is not None:
            return (*before, *onward)
    return None


@lru_cache(maxsize=PHASES_KEPT)
def _board_after(
    board: PlanarBoard, events: tuple[Event, ...], terms: BorderOrderTerms
) -> tuple[PlanarBoard, tuple[BorderMove, ...]]:
    """The board that a phase left behind, and its moves. Only for speed: every picture of a game needs all phases."""
    changes = dict(_changes(board, events, terms))
    if not changes:
        return board, ()
    applied = apply_changes(board, changes, changes)
    return applied.board.with_stranded(()), tuple(applied.moves)


def _changes(
    board: PlanarBoard, events: Iterable[Event], terms: BorderOrderTerms
) -> Iterator[tuple[BorderChange, tuple[str, ...]]]:
    """Yields the changes that took place in a phase, with the provinces that their orders name after `near`."""
    near: dict[BorderChange, tuple[str, ...]] = {}
    for event in events:
        if isinstance(event, OrderResult) and event.outcome is Outcome.SUCCEEDS:
            order = event.order
            if isinstance(order, Separation | Release):
                meaning = interpret_event(board, terms, order)
                if isinstance(meaning, BorderChange):
                    near[meaning] = (*near.get(meaning, ()), *filter(None, (order.near,)))
    yield from near.items()


def search_moves(start: RotationSystem, goal: RotationSystem) -> tuple[BorderMove, ...] | None:
    """Searches for moves from one map to another, the most alike maps first."""
    wanted = _known_ends(goal, goal.rings)
    ends = _known_ends(start, start.rings)
    queue = [(_unlike(ends, wanted), 0, start, ends, tuple[BorderMove, ...]())]
    seen = {frozenset(ends.items())}
    while queue and len(seen) < MAPS:
        _, _, rotation, ends, moves = heappop(queue)
        if ends == wanted:
            return moves
        for move in _likely_moves(rotation, ends, wanted):
            change = rotation.move(move)
            after = {**ends, **_known_ends(change.after, change.provinces)}
            state = frozenset(after.items())
            if state not in seen:
                seen.add(state)
                cost = _unlike(after, wanted) + PATIENCE * (len(moves) + 1)
                heappush(queue, (cost, len(seen), change.after, after, (*moves, move)))
    return None


def _known_ends(rotation: RotationSystem, provinces: Iterable[str]) -> Ends:
    """Returns the ends of all stretches of each of these provinces."""
    return {
        province: frozenset(ends for ring in rotation.rings[province] for ends in rotation.ring_ends(province, ring))
        for province in provinces
    }


def _unlike(ends: Ends, wanted: Ends) -> int:
    return sum(len(known - wanted[province]) for province, known in ends.items())


def _likely_moves(rotation: RotationSystem, ends: Ends, wanted: Ends) -> Iterator[BorderMove]:
    """Yields the moves of stretches that the map looked for does not have, in the same order in every process."""
    wrong = {
        province: sorted(known - wanted[province]) for province, known in ends.items() if known != wanted[province]
    }
    for province, unwanted in wrong.items():
        for stretch in unwanted:
            if province < stretch[1] and stretch[2]:
                yield (stretch,)
    for within, unwanted in wrong.items():
        rings = [sorted({*unwanted}.intersection(rotation.ring_ends(within, ring))) for ring in rotation.rings[within]]
        for one_ring, other_ring in combinations(rings, 2):
            for first, second in product(one_ring, other_ring):
                if first[1] != second[1] and _touch(wanted, first[1], second[1]) > _touch(ends, first[1], second[1]):
                    yield first, second


def _touch(ends: Ends, province: str, other: str) -> int:
    """Returns how many stretches two provinces share."""
    return sum(stretch[1] == other for stretch in ends[province])
