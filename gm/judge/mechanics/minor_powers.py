"""Minor powers: one unit each, in its own centre, that nobody owns. They are dismissed when driven out, and stand up
again in winter while no great power has taken the centre.

Whether a minor power lives needs no book of its own: it does while nobody owns its centre. The ledger remembers only
those that civil disorder made (`GARRISON`, with the kind of their unit).
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from gm.judge.board.board import Place, locate
from gm.judge.model.events import Dismissed, Garrisoned
from gm.judge.model.position import LedgerKey, Position, Unit
from gm.judge.model.sheets import Submissions, Turn
from gm.judge.model.variant import AutomaticStep, Minor, Variant

GARRISON = "garrison"
"""The purse of (minor, kind of unit) for those that stand up with another unit than at the start, or for the first
time."""


def minor_named(variant: Variant, name: str) -> Minor | None:
    return next((minor for minor in variant.minors if minor.name == name), None)


def minor_at(variant: Variant, province: str) -> Minor | None:
    return next((minor for minor in variant.minors if minor.home == province), None)


def unit_of(position: Position, name: str) -> Unit | None:
    """The one unit of a minor power."""
    return next(iter(position.units_of(name)), None)


def recognised(position: Position, minor: Minor) -> bool:
    """Whether there is or was such a minor power in this game; a dormant one is none until it stands up."""
    return not minor.dormant or _drafted(position, minor) is not None


def garrison(position: Position, variant: Variant, minor: Minor) -> Unit | None:
    """The unit that this minor power puts up."""
    kind = _drafted(position, minor) or minor.kind
    if kind not in variant.kinds:
        return None
    at = locate(position.board, variant.kinds[kind], Place(minor.home))
    return Unit(minor.name, kind, at) if at else None


def _drafted(position: Position, minor: Minor) -> str | None:
    return next((k.subject for k in position.ledger if k.purse == GARRISON and k.power == minor.name), None)


def drafted(ledger: Mapping[LedgerKey, int], minor: Minor, kind: str) -> Mapping[LedgerKey, int]:
    """The ledger with the kind of unit that this minor power puts up from now on."""
    kept = {key: amount for key, amount in ledger.items() if (key.purse, key.power) != (GARRISON, minor.name)}
    return kept | {LedgerKey(GARRISON, minor.name, kind): 1}


class DismissMinors(AutomaticStep, frozen=True):
    """Minor powers' units that were driven out leave the board before anybody retreats."""

    def resolve(self, position: Position, variant: Variant, book: Submissions) -> Turn:
        names = {minor.name for minor in variant.minors}
        gone = tuple(d.unit for d in position.dislodged if d.unit.power in names)
        if not gone:
            return Turn(position)
        stay = tuple(d for d in position.dislodged if d.unit.power not in names)
        return Turn(replace(position, dislodged=stay), (Dismissed(gone),))


class Garrison(AutomaticStep, frozen=True):
    """Every minor power whose centre nobody owns and nobody stands in has its unit again."""

    def resolve(self, position: Position, variant: Variant, book: Submissions) -> Turn:
        taken = {unit.at.province for unit in position.units}
        free = (
            minor
            for minor in variant.minors
            if recognised(position, minor)
            and minor.home not in taken
            and minor.home not in position.centres
            and position.board.provinces[minor.home].centre
        )
        raised = tuple(unit for minor in free if (unit := garrison(position, variant, minor)))
        if not raised:
            return Turn(position)
        return Turn(replace(position, units=(*position.units, *raised)), (Garrisoned(raised),))
