"""A position with its order sheets as a saved game of Realpolitik, the map program (its file format 1, ".dpy").

    1
    ostend                      the game
    Standard                    the variant, as the program calls it
    Spring 1901                 Summer and Autumn are the seasons of retreats, Winter of builds
    0                           builds and removals of all powers
    7                           powers; three lines for each, in the order that the program's own variant has
    0                           builds, or removals as a negative number
    Bud, Tri, Vie
    A Bud, A Vie, F Tri
    …
    1                           units that must retreat, a line for each: whose, what, where, and where it may go
    Austrian F Tri Alb ADR
    v2                          the history of the game: none is written
    0
    -1
    Austria: A Bud - Gal        orders: A Mar Supports A Par - Bur, F NTH Convoys A Lon - Nwy, F Tri DISBAND …

`gm.language.formats.realpolitik.reader` reads it back. Points, lines for later and what one power writes for another
are not told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from gm.judge.board.board import Place
from gm.judge.model.orders import Build, Convoy, Disband, Hold, Move, Retreat, Statement, Support, UnitRef, Waive
from gm.judge.model.position import Dislodged, Position, Unit
from gm.judge.model.variant import Minor, Power, Variant
from gm.language.formats.common import Exported, NoPhase, meant, parted, sheets, untold, waived
from gm.language.formats.json_position import phase_to_json
from gm.language.rendering import order_text as canonical

SEASONS = {"SM": "Spring", "SR": "Summer", "FM": "Fall", "FR": "Autumn", "WA": "Winter"}
"""By the first letter of a phase's name and its last one."""
KINDS = ("A", "F")
COASTS = ("nc", "sc", "ec", "wc")
LONGEST_NAME = 29
"""The program keeps no longer name of a game or a variant."""
FORMAT = "1"
END_OF_HISTORY = "-1"


def knows(unit: Unit) -> bool:
    return unit.kind in KINDS and unit.at.place.coast in ("", *COASTS)


def write(variant: Variant, position: Position, document: Mapping[str, Any], game: str) -> Exported:
    phase = phase_to_json(variant, position)
    season = SEASONS.get(phase[:1] + phase[-1:])
    if season is None:
        raise NoPhase
    made = _Writer(variant, position, document)
    told = sheets(variant, position, document, made.order)
    lines = [
        FORMAT,
        game[:LONGEST_NAME],
        variant.title[:LONGEST_NAME],
        f"{season} {phase[1:-1]}",
        *made.powers(),
        *made.driven(),
        "v2",
        "0",
        END_OF_HISTORY,
        *(f"{power}: {line}" for power, lines in told.lines.items() for line in lines),
    ]
    return Exported("\n".join(lines) + "\n", (*untold(position, knows), *told.unsaid), ranks=variant.nations)


class _Writer(Struct, frozen=True):
    variant: Variant
    position: Position
    document: Mapping[str, Any]

    # ---- the position

    def powers(self) -> Iterator[str]:
        builds = {power: self._builds(power) for power in self.variant.nations}
        units = parted(self.position, knows)[0]
        yield str(sum(map(abs, builds.values())))
        yield str(len(builds))
        for power, count in builds.items():
            yield str(count)
            yield ", ".join(self.position.centres_of(power))
            yield ", ".join(self.unit(unit) for unit in units if unit.power == power)

    def _builds(self, power: str) -> int:
        owed = self.variant.step(self.position).due(self.position, self.variant).get(power)
        return owed.builds - owed.removals if owed is not None else 0

    def driven(self) -> Iterator[str]:
        told = [one for one in self.position.dislodged if knows(one.unit)]
        yield str(len(told))
        for one in told:
            yield " ".join((self._adjective(one.unit.power), self.unit(one.unit), *self._ends(one)))

    def _ends(self, one: Dislodged) -> Iterator[str]:
        return (self.place(at.place) for at in one.retreats)

    def _adjective(self, power: str) -> str:
        everyone: tuple[Power | Minor, ...] = (*self.variant.powers, *self.variant.minors)
        return next((one.adjective for one in everyone if one.name == power and one.adjective), power)

    @staticmethod
    def place(place: Place) -> str:
        return f"{place.province}({place.coast})" if place.coast else place.province

    def unit(self, unit: Unit | UnitRef) -> str:
        return f"{unit.kind} {self.place(unit.at if isinstance(unit, UnitRef) else unit.at.place)}"

    # ---- orders

    def order(self, power: str, order: Statement) -> tuple[str, ...] | None:
        match order:
            case Waive():
                return ("Build waived",) * waived(self.variant, self.position, self.document, power, order)
            case Build(unit):
                return (f"Build {self.unit(unit)}",) if unit.kind in KINDS else None
            case Hold() | Move() | Support() | Convoy() | Retreat() | Disband() if self._has(order.unit, power):
                said = self._said(order)
                return (said,) if said is not None else None
        return None

    def _has(self, ref: UnitRef, power: str = "") -> bool:
        """Whether the file has the unit that is meant."""
        unit = meant(self.position, ref, power)
        told = (*parted(self.position, knows)[0], *(one.unit for one in self.position.dislodged if knows(one.unit)))
        return unit in told

    def _helped(self, ref: UnitRef) -> bool:
        """Whether the file has the unit, and its place is enough to mean it: an order there names no power."""
        alone = len(self.position.standing.get(ref.at.province, ())) == 1
        return self._has(ref) and (alone or not ref.power)

    def _said(self, order: Hold | Move | Support | Convoy | Retreat | Disband) -> str | None:
        unit = self.unit(order.unit)
        match order:
            case Hold():
                return f"{unit} Hold"
            case Move(_, to, via, route):
                # The program passes over what stands behind an order's end, and IMPORT reads it.
                return f"{' - '.join((unit, *route, self.place(to)))}{' VIA' if via and not route else ''}"
            case Support(_, target, to) if self._helped(target):
                return f"{unit} Supports {self.unit(target)}{f' - {self.place(to)}' if to is not None else ''}"
            case Convoy(_, target, to) if self._helped(target):
                return f"{unit} Convoys {self.unit(target)} - {self.place(to)}"
            case Retreat(_, to):
                return f"{unit} - {self.place(to)}"
            case Disband():
                removed = self.variant.step(self.position).letter == canonical.ADJUSTMENTS
                return f"Remove {unit}" if removed else f"{unit} DISBAND"
        return None
