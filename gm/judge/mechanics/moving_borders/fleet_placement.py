"""Where fleets lie once the coasts are others: by themselves where they have no choice, else as owners wrote.

A fleet goes with the stretches of its coast. If all of them are on one coast now, it lies there; if they are on
several, or on none while the province has several others, its owner's placement decides, and failing that the default:
by lot, or the coast with most sea. A province without a coast traps it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256

from msgspec import Struct
from msgspec.structs import replace

from gm.judge.board.board import STRANDED, Location
from gm.judge.board.coasts import Coast
from gm.judge.board.planar_board import PlanarBoard
from gm.judge.mechanics.moving_borders.apply_changes import AppliedChanges
from gm.judge.mechanics.moving_borders.border_events import FleetMoved
from gm.judge.model.position import Unit

LOT = "random"
MOST_SEAS = "most-seas"


class PlacedFleet(Struct, frozen=True):
    """`needed`: the fleet had a choice of coasts; `obeyed`: what its owner wrote decided it."""

    after: Unit
    why: str = ""
    needed: bool = False
    obeyed: bool = False


class FleetPlacement(Struct, frozen=True):
    """The boards before and after, and what decides where nobody does: `default`, and `lot`, the seed of the draws."""

    before: PlanarBoard
    shift: AppliedChanges
    default: str
    lot: str

    def berth(self, fleet: Unit, wish: Sequence[str]) -> PlacedFleet:
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
        chosen = choice(among, wish)
        if chosen is not None:
            return PlacedFleet(_at(fleet, chosen.slot), "ordered", needed=True, obeyed=True)
        if self.default == MOST_SEAS:
            return PlacedFleet(_at(fleet, max(among, key=lambda c: len(c.stretches)).slot), "most-seas", needed=True)
        drawn = int.from_bytes(sha256(f"{self.lot}/{code}".encode()).digest()[:8], "big") % len(among)
        return PlacedFleet(_at(fleet, among[drawn].slot), "drawn", needed=True)


def choice(among: Iterable[Coast], wish: Sequence[str]) -> Coast | None:
    """The coast that the first of these provinces singles out: touched by the sea, or with the neighbour at an end."""
    among = tuple(among)
    for code in wish:
        marked = [coast for coast in among if code in coast.marks]
        if len(marked) == 1:
            return marked[0]
    return None


def _at(fleet: Unit, slot: str) -> Unit:
    return replace(fleet, at=Location(fleet.at.province, slot))


def ashore(board: PlanarBoard, units: Iterable[Unit]) -> tuple[Unit, ...]:
    """Those that lie at a coast, or are trapped behind one that is gone."""
    slots = {code: {coast.slot for coast in coasts} | {STRANDED} for code, coasts in board.coasts.items()}
    return tuple(unit for unit in units if unit.at.slot in slots.get(unit.at.province, ()))


def moved(berths: Mapping[Unit, PlacedFleet]) -> Iterable[FleetMoved]:
    return (FleetMoved(fleet, berth.after, berth.why) for fleet, berth in berths.items() if berth.why)
