"""Lines that a power could write on the map as it stands, made from its own units and their neighbours: for letters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, product
from typing import TypeVar

from msgspec.structs import replace

from gm.judge.board.board import SEA
from gm.judge.board.planar_board import PlanarBoard
from gm.judge.mechanics.moving_borders.border_orders import Event, Placement, Release, Separation
from gm.judge.mechanics.moving_borders.fleet_placement import ashore
from gm.judge.mechanics.moving_borders.order_meaning import BorderOrderRefusal, BorderOrderTerms, deed
from gm.judge.model.orders import Statement, UnitRef
from gm.judge.model.position import Position

MOST_BORDERS = 9
"""Numbers tried where two provinces share several borders."""
T = TypeVar("T")


def specimens(position: Position, board: PlanarBoard, terms: BorderOrderTerms, power: str) -> tuple[Statement, ...]:
    """A separation, a release where something can be released, and a placement of a fleet that lies at a coast."""
    here = _here(position, power)
    firsts: tuple[Statement | None, ...] = (
        _first(_meaning(board, terms, _separations(board, here))),
        _first(_meaning(board, terms, _releases(board, here))),
        _first(_placements(position, board, power)),
    )
    return tuple(first for first in firsts if first is not None)


def _first(found: Iterator[T]) -> T | None:
    return next(found, None)


def _here(position: Position, power: str) -> tuple[str, ...]:
    """Where its units stand, land before sea, then its centres."""
    units = sorted(position.units_of(power), key=lambda unit: unit.at.slot == SEA)
    return tuple(dict.fromkeys((*(unit.at.province for unit in units), *position.centres_of(power))))


def _meaning(board: PlanarBoard, terms: BorderOrderTerms, events: Iterable[Event]) -> Iterator[Event]:
    """Those that are possible, numbered where they would be ambiguous."""
    for said in events:
        ways = (said, *(replace(said, number=number) for number in range(1, MOST_BORDERS)))
        yield from (way for way in ways if not isinstance(deed(board, terms, way), BorderOrderRefusal))


def _separations(board: PlanarBoard, here: Iterable[str]) -> Iterator[Separation]:
    """Of borders with two different provinces at their ends, none of them closed."""
    rotation = board.rotation
    for code in here:
        for stretch in chain.from_iterable(rotation.rings[code]):
            ends, other = rotation.ends(code, stretch), rotation.other(stretch, code)
            if ends and len({*ends}) > 1 and all(board.provinces[end].slots for end in (*ends, other)):
                yield Separation((code, other), ends)


def _releases(board: PlanarBoard, here: Iterable[str]) -> Iterator[Release]:
    """Across a province with islands; one of the power's own provinces first."""
    own = frozenset(here)
    found: list[tuple[str, str]] = []
    for rings in board.lists.values():
        shores = sorted(rings, key=len)
        for island in shores[:-1]:
            found += [(one, two) for one, two in product(island, shores[-1]) if one != two]
    yield from (Release(pair) for pair in sorted(found, key=lambda pair: -len(own.intersection(pair))))


def _placements(position: Position, board: PlanarBoard, power: str) -> Iterator[Placement]:
    """At the coast where the fleet lies, by its first sea and the neighbour at an end."""
    for fleet in ashore(board, position.units_of(power)):
        coast = next((one for one in board.coasts[fleet.at.province] if one.slot == fleet.at.slot), None)
        if coast is not None:
            shore = coast.shores[0]
            yield Placement(UnitRef(fleet.kind, fleet.at.place), (shore.seas[0], *shore.ends[:1]))
