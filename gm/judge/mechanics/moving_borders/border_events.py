"""Report events about border changes: borders, coasts, border numbers, fleets, neighbours (Seismic).

Each event holds all that a letter says about it, so that views need not compare two boards. All but `LinesKept` are
public.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gm.judge.board.board import COAST
from gm.judge.board.coasts import Coast
from gm.judge.board.planar_board import PlanarBoard
from gm.judge.board.rotation import RotationSystem
from gm.judge.mechanics.moving_borders.apply_changes import AppliedChanges
from gm.judge.model.events import Event
from gm.judge.model.orders import Statement
from gm.judge.model.position import Unit


class BorderStretch(NamedTuple):
    """A stretch of border between two provinces; `ends` are the provinces where it ends, none for a closed loop."""

    one: str
    two: str
    ends: tuple[str, ...]


class CoastDescription(NamedTuple):
    """`name` is "" for the only coast of a province. Seas and end neighbours are in clockwise order."""

    name: str
    seas: tuple[str, ...]
    ends: tuple[str, ...]


class BordersMoved(Event, frozen=True):
    gained: tuple[BorderStretch, ...]
    lost: tuple[BorderStretch, ...]


class CoastsChanged(Event, frozen=True):
    """The coasts of one province before and after, if their names or seas changed."""

    province: str
    before: tuple[CoastDescription, ...]
    after: tuple[CoastDescription, ...]


class BordersNumbered(Event, frozen=True):
    """Two provinces share several borders: the `ends` of #1, #2 …, each clockwise around `one`."""

    one: str
    two: str
    ends: tuple[tuple[str, ...], ...]


class SideBySide(Event, frozen=True):
    """The order of several provinces attached to the border of `province` with `within`, clockwise along it.

    `wished`: `near` in an order influenced it; otherwise it is alphabetical.
    """

    province: str
    within: str
    islands: tuple[str, ...]
    wished: bool = False


class FleetMoved(Event, frozen=True):
    """A fleet is on another coast of its province.

    `why`: "renamed" (the same coast under a new name), "only" (the only coast left), "ordered", "drawn" (at random),
    "most-seas", "trapped", "freed" (the province has a coast again).
    """

    before: Unit
    after: Unit
    why: str


class NeighboursChanged(Event, frozen=True):
    """All neighbours of a province whose borders changed: its boundaries, each clockwise."""

    province: str
    boundaries: tuple[tuple[str, ...], ...]


class LinesKept(Event, frozen=True):
    """A power's delayed border orders are stored. Only that power is informed."""

    lines: tuple[Statement, ...]


def describe_coast(coast: Coast) -> CoastDescription:
    name = "" if coast.slot == COAST else coast.slot
    seas = tuple(dict.fromkeys(sea for shore in coast.shores for sea in shore.seas))
    ends = tuple(dict.fromkeys(end for shore in coast.shores for end in shore.ends))
    return CoastDescription(name, seas, ends)


def describe_coasts(board: PlanarBoard, province: str) -> tuple[CoastDescription, ...]:
    return tuple(describe_coast(coast) for coast in board.coasts.get(province, ()))


def list_map_changes(
    before: PlanarBoard, shift: AppliedChanges
) -> Iterator[BordersMoved | CoastsChanged | SideBySide | NeighboursChanged]:
    """Yields the changes of the map in the order of the report, except border numbers (`number_borders`)."""
    after = shift.board
    gone = [old for old, now in shift.heirs.items() if not now and old in before.rotation.sides]
    kept = {s for old in before.rotation.sides for s in shift.heirs.get(old, (old,))}
    new = [s for s in after.rotation.sides if s not in kept]
    if gone or new:
        yield BordersMoved(_stretches(after.rotation, new), _stretches(before.rotation, gone))
    for row in shift.rows:
        yield SideBySide(row.province, row.within, row.islands, row.wished)
    changed = [code for code in after.provinces if before.rotation.rings[code] != after.rotation.rings[code]]
    for code in changed:
        was, now = describe_coasts(before, code), describe_coasts(after, code)
        if [coast[:2] for coast in was] != [coast[:2] for coast in now]:
            yield CoastsChanged(code, was, now)
    for code in changed:
        if before.lists[code] != after.lists[code]:
            yield NeighboursChanged(code, after.lists[code])


def _stretches(rotation: RotationSystem, stretches: list[int]) -> tuple[BorderStretch, ...]:
    def describe(stretch: int) -> BorderStretch:
        first, second = sorted(rotation.sides[stretch])
        return BorderStretch(first, second, rotation.ends(first, stretch) or ())

    return tuple(sorted(map(describe, stretches)))


def number_borders(board: PlanarBoard) -> Iterator[BordersNumbered]:
    """Yields an event for every two provinces that share several borders."""
    pairs: dict[tuple[str, str], int] = {}
    for first, second in board.rotation.sides.values():
        pair = (min(first, second), max(first, second))
        pairs[pair] = pairs.get(pair, 0) + 1
    for pair in sorted(pair for pair, count in pairs.items() if count > 1):
        first, second = sorted(pair, key=lambda code: (not board.plan.is_land(code), code))
        borders = board.numbered_borders(first, second)
        ends = tuple(board.rotation.ends(first, border.stretch) or () for border in borders)
        yield BordersNumbered(first, second, ends)
