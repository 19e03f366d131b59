"""Minor powers with one unit each, in their own centre, which nobody owns (Locarno).

A dislodged unit of a minor power is dismissed, and appears again in Winter while no great power owns the centre. The
ledger records only the minor powers that civil disorder made (`GARRISON`, with the kind of their unit).
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
"""The purse of (minor power, kind of unit) for minor powers that civil disorder made."""


def minor_named(variant: Variant, name: str) -> Minor | None:
    return next((minor for minor in variant.minors if minor.name == name), None)


def minor_at(variant: Variant, province: str) -> Minor | None:
    return next((minor for minor in variant.minors if minor.home == province), None)


def unit_of_minor(position: Position, name: str) -> Unit | None:
    return next(iter(position.units_of(name)), None)


def recognised(position: Position, minor: Minor) -> bool:
    """Whether the minor power has appeared in this game; a dormant one has not until civil disorder makes it."""
    return not minor.dormant or _garrison_kind(position, minor) is not None


def garrison(position: Position, variant: Variant, minor: Minor) -> Unit | None:
    """The unit with which this minor power appears."""
    kind = _garrison_kind(position, minor) or minor.kind
    if kind not in variant.kinds:
        return None
    at = locate(position.board, variant.kinds[kind], Place(minor.home))
    return Unit(minor.name, kind, at) if at else None


def _garrison_kind(position: Position, minor: Minor) -> str | None:
    return next((k.subject for k in position.ledger if k.purse == GARRISON and k.power == minor.name), None)


def with_garrison_kind(ledger: Mapping[LedgerKey, int], minor: Minor, kind: str) -> Mapping[LedgerKey, int]:
    """The ledger with the kind of unit with which this minor power appears from now on."""
    kept = {key: amount for key, amount in ledger.items() if (key.purse, key.power) != (GARRISON, minor.name)}
    return kept | {LedgerKey(GARRISON, minor.name, kind): 1}


class DismissMinors(AutomaticStep, frozen=True):
    """Dislodged units of minor powers leave the board before anybody retreats."""

    def resolve(self, position: Position, variant: Variant, book: Submissions) -> Turn:
        names = {minor.name for minor in variant.minors}
        gone = tuple(d.unit for d in position.dislodged if d.unit.power in names)
        if not gone:
            return Turn(position)
        stay = tuple(d for d in position.dislodged if d.unit.power not in names)
        return Turn(replace(position, dislodged=stay), (Dismissed(gone),))


class Garrison(AutomaticStep, frozen=True):
    """Every minor power whose centre is empty and unowned gets its unit again."""

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
