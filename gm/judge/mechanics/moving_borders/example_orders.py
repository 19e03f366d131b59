"""Example border orders for letters, valid on the current map, near the power's own units (Seismic)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, product
from typing import TypeVar

from msgspec.structs import replace

from gm.judge.board.board import SEA
from gm.judge.board.planar_board import PlanarBoard
from gm.judge.mechanics.moving_borders.border_orders import Event, Placement, Release, Separation
from gm.judge.mechanics.moving_borders.fleet_placement import coastal_fleets
from gm.judge.mechanics.moving_borders.order_meaning import BorderOrderRefusal, BorderOrderTerms, interpret_event
from gm.judge.model.orders import Statement, UnitRef
from gm.judge.model.position import Position

MOST_BORDERS = 9
"""Numbers tried where two provinces share several borders."""
T = TypeVar("T")


def example_border_orders(
    position: Position, board: PlanarBoard, terms: BorderOrderTerms, power: str
) -> tuple[Statement, ...]:
    """Returns a separation, a release and a placement of a fleet, as far as the map allows them."""
    here = _here(position, power)
    firsts: tuple[Statement | None, ...] = (
        _first(_meaning(board, terms, _separations(board, here))),
        _first(_meaning(board, terms, _releases(board, here))),
        _first(_placements(position, board, power)),
    )
    return tuple(first for first in firsts if first is not None)


def _first(examples: Iterator[T]) -> T | None:
    return next(examples, None)


def _here(position: Position, power: str) -> tuple[str, ...]:
    """Returns the provinces of the power's units, land before sea, then its centres."""
    units = sorted(position.units_of(power), key=lambda unit: unit.at.slot == SEA)
    return tuple(dict.fromkeys((*(unit.at.province for unit in units), *position.centres_of(power))))


def _meaning(board: PlanarBoard, terms: BorderOrderTerms, events: Iterable[Event]) -> Iterator[Event]:
    """Yields the possible events, numbered where they would be ambiguous."""
    for event in events:
        ways = (event, *(replace(event, number=number) for number in range(1, MOST_BORDERS)))
        yield from (way for way in ways if not isinstance(interpret_event(board, terms, way), BorderOrderRefusal))


def _separations(board: PlanarBoard, here: Iterable[str]) -> Iterator[Separation]:
    """Yields separations of borders that end at two different provinces, none of them impassable."""
    rotation = board.rotation
    for code in here:
        for stretch in chain.from_iterable(rotation.rings[code]):
            ends, other = rotation.ends(code, stretch), rotation.other(stretch, code)
            if ends and len({*ends}) > 1 and all(board.provinces[end].slots for end in (*ends, other)):
                yield Separation((code, other), ends)


def _releases(board: PlanarBoard, here: Iterable[str]) -> Iterator[Release]:
    """Yields releases across provinces with islands, those that name the power's own provinces first."""
    own = frozenset(here)
    pairs: list[tuple[str, str]] = []
    for rings in board.lists.values():
        shores = sorted(rings, key=len)
        for island in shores[:-1]:
            pairs += [pair for pair in product(island, shores[-1]) if pair[0] != pair[1]]
    yield from (Release(pair) for pair in sorted(pairs, key=lambda pair: -len(own.intersection(pair))))


def _placements(position: Position, board: PlanarBoard, power: str) -> Iterator[Placement]:
    """Yields placements on each fleet's current coast, by its first sea and the neighbour at an end."""
    for fleet in coastal_fleets(board, position.units_of(power)):
        coast = next((coast for coast in board.coasts[fleet.at.province] if coast.slot == fleet.at.slot), None)
        if coast is not None:
            shore = coast.shores[0]
            yield Placement(UnitRef(fleet.kind, fleet.at.place), (shore.seas[0], *shore.ends[:1]))
