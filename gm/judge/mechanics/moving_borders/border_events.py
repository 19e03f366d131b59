"""What events on the map bring, as events for the report: borders, coasts, numbers, fleets, neighbours.

They hold all that a letter says of them, so that nobody has to compare two boards. Everybody may know them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Struct

from gm.judge.board.board import COAST
from gm.judge.board.coasts import Coast
from gm.judge.board.planar_board import PlanarBoard
from gm.judge.board.rotation import RotationSystem
from gm.judge.mechanics.moving_borders.apply_changes import AppliedChanges
from gm.judge.model.events import Audience
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


class BordersMoved(Struct, frozen=True):
    gained: tuple[BorderStretch, ...]
    lost: tuple[BorderStretch, ...]
    audience: Audience = None


class CoastsChanged(Struct, frozen=True):
    """The coasts of one province before and after, where their names or their seas are others."""

    province: str
    before: tuple[CoastDescription, ...]
    after: tuple[CoastDescription, ...]
    audience: Audience = None


class BordersNumbered(Struct, frozen=True):
    """Two provinces share several borders: the `ends` of #1, #2 …, each clockwise round `one`."""

    one: str
    two: str
    ends: tuple[tuple[str, ...], ...]
    audience: Audience = None


class SideBySide(Struct, frozen=True):
    """Several provinces were attached to one border of `province` with `within`: in this order, clockwise along it.

    `wished`: somebody's `near` had a say in it; else it is the alphabet's order.
    """

    province: str
    within: str
    islands: tuple[str, ...]
    wished: bool = False
    audience: Audience = None


class FleetMoved(Struct, frozen=True):
    """A fleet lies elsewhere in its province. `why`: "renamed" (the same coast, by another name), "only" (the one coast
    left), "ordered", "drawn" (by lot), "most-seas", "trapped", "freed" (the first coast after none).
    """

    before: Unit
    after: Unit
    why: str
    audience: Audience = None


class NeighboursChanged(Struct, frozen=True):
    """All neighbours of a province whose borders are others now: its boundaries, each clockwise."""

    province: str
    boundaries: tuple[tuple[str, ...], ...]
    audience: Audience = None


class LinesKept(Struct, frozen=True):
    """What a power wrote for when the borders move is on file; told to it alone."""

    lines: tuple[Statement, ...]
    audience: Audience = None


def told(coast: Coast) -> CoastDescription:
    name = "" if coast.slot == COAST else coast.slot
    seas = tuple(dict.fromkeys(sea for shore in coast.shores for sea in shore.seas))
    ends = tuple(dict.fromkeys(end for shore in coast.shores for end in shore.ends))
    return CoastDescription(name, seas, ends)


def coasts_told(board: PlanarBoard, province: str) -> tuple[CoastDescription, ...]:
    return tuple(told(coast) for coast in board.coasts.get(province, ()))


def shifted(
    before: PlanarBoard, shift: AppliedChanges
) -> Iterator[BordersMoved | CoastsChanged | SideBySide | NeighboursChanged]:
    """What the events did to the map, in the order of the report; BordersNumbered stand apart."""
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
        was, now = coasts_told(before, code), coasts_told(after, code)
        if [coast[:2] for coast in was] != [coast[:2] for coast in now]:
            yield CoastsChanged(code, was, now)
    for code in changed:
        if before.lists[code] != after.lists[code]:
            yield NeighboursChanged(code, after.lists[code])


def _stretches(rotation: RotationSystem, found: list[int]) -> tuple[BorderStretch, ...]:
    def told(stretch: int) -> BorderStretch:
        one, two = sorted(rotation.sides[stretch])
        return BorderStretch(one, two, rotation.ends(one, stretch) or ())

    return tuple(sorted(told(stretch) for stretch in found))


def numbers(board: PlanarBoard) -> Iterator[BordersNumbered]:
    """Every two provinces that share several borders."""
    pairs: dict[tuple[str, str], int] = {}
    for one, two in board.rotation.sides.values():
        pair = (min(one, two), max(one, two))
        pairs[pair] = pairs.get(pair, 0) + 1
    for pair in sorted(pair for pair, count in pairs.items() if count > 1):
        one, two = sorted(pair, key=lambda code: (not board.plan.is_land(code), code))
        ends = tuple(board.rotation.ends(one, found.stretch) or () for found in board.numbered_borders(one, two))
        yield BordersNumbered(one, two, ends)
