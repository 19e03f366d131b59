"""Places fleets on the new coasts after the borders moved (Seismic).

A fleet follows the stretches of its coast. If all of them are now on the same coast, the fleet is there. If they are on
several coasts, or on none while the province has several others, the owner's placement decides. Without a placement the
default decides: a random coast, or the one with the most stretches. A fleet in a province without a coast is trapped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256

from msgspec import Struct
from msgspec.structs import replace

from gm.judge.board.board import STRANDED, Location
from gm.judge.board.coasts import Coast
from gm.judge.board.planar_board import PlanarBoard
from gm.judge.mechanics.moving_borders.apply_changes import AppliedChanges
from gm.judge.model.position import Unit

LOT = "random"
MOST_SEAS = "most-seas"


class PlacedFleet(Struct, frozen=True):
    """`needed`: the fleet had a choice of coasts. `obeyed`: its owner's placement decided."""

    after: Unit
    why: str = ""
    needed: bool = False
    obeyed: bool = False


class FleetPlacement(Struct, frozen=True):
    """The boards before and after, the `default` for fleets without a placement, and `lot`, the seed of draws."""

    before: PlanarBoard
    shift: AppliedChanges
    default: str
    lot: str

    def place(self, fleet: Unit, wish: Sequence[str]) -> PlacedFleet:
        code, slot = fleet.at.province, fleet.at.slot
        coasts = self.shift.board.coasts[code]
        old = next((coast for coast in self.before.coasts[code] if coast.slot == slot), None)
        heirs = {s for stretch in (old.stretches if old else ()) for s in self.shift.heirs.get(stretch, (stretch,))}
        among = [coast for coast in coasts if heirs.intersection(coast.stretches)]
        among = among or list(coasts)
        if not among:
            return PlacedFleet(_at(fleet, STRANDED), "trapped" if slot != STRANDED else "")
        freed = "freed" if old is None else ""
        if len(among) == 1:
            followed = bool(heirs.intersection(among[0].stretches))
            why = "" if among[0].slot == slot else "renamed" if followed else freed or "only"
            return PlacedFleet(_at(fleet, among[0].slot), why)
        chosen = choose_coast(among, wish)
        if chosen is not None:
            return PlacedFleet(_at(fleet, chosen.slot), "ordered", needed=True, obeyed=True)
        if self.default == MOST_SEAS:
            return PlacedFleet(_at(fleet, max(among, key=lambda c: len(c.stretches)).slot), "most-seas", needed=True)
        drawn = int.from_bytes(sha256(f"{self.lot}/{code}".encode()).digest()[:8], "big") % len(among)
        return PlacedFleet(_at(fleet, among[drawn].slot), "drawn", needed=True)


def choose_coast(among: Iterable[Coast], wish: Sequence[str]) -> Coast | None:
    """Returns the coast that the first unambiguous province of `wish` marks: a sea, or a neighbour at an end."""
    among = tuple(among)
    for code in wish:
        marked = [coast for coast in among if code in coast.marks]
        if len(marked) == 1:
            return marked[0]
    return None


def _at(fleet: Unit, slot: str) -> Unit:
    return replace(fleet, at=Location(fleet.at.province, slot))


def coastal_fleets(board: PlanarBoard, units: Iterable[Unit]) -> tuple[Unit, ...]:
    """Returns the units on a coast, and those trapped in a province that lost its coast."""
    slots = {code: {coast.slot for coast in coasts} | {STRANDED} for code, coasts in board.coasts.items()}
    return tuple(unit for unit in units if unit.at.slot in slots.get(unit.at.province, ()))
