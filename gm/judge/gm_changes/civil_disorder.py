"""Civil disorder and exclusion: changes by the rules of a variant that the game master triggers."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from gm.judge.mechanics.minor_powers import garrison, minor_at, with_garrison_kind
from gm.judge.model.events import PowerCollapsed, PowerExcluded
from gm.judge.model.position import COLLAPSED, Dislodged, LedgerKey, Position
from gm.judge.model.sheets import Turn
from gm.judge.model.variant import Variant


class CivilDisorderChange(Struct, frozen=True):
    """A great power falls into permanent civil disorder. Its units leave the board; its empty centres become
    minor powers at once, each with a unit of `kind`. Where another power's unit stands, the next census decides.
    """

    kind: str

    def is_allowed(self, position: Position, variant: Variant, power: str) -> bool:
        return power in variant.seated and position.ended is None and not position.collapsed(power)

    def apply(self, position: Position, variant: Variant, power: str) -> Turn:
        gone = position.all_units_of(power)
        left = tuple(unit for unit in position.units if unit.power != power)
        standing = {unit.at.province for unit in left}
        held = position.centres_of(power)
        minors = [minor for code in held if (minor := minor_at(variant, code))]
        ledger = {**position.ledger, LedgerKey(COLLAPSED, power): 1}
        for minor in minors:
            ledger = dict(with_garrison_kind(ledger, minor, self.kind))
        after = replace(position, ledger=ledger)
        raised = tuple(
            unit for minor in minors if minor.home not in standing and (unit := garrison(after, variant, minor))
        )
        free = {code for code in held if code not in standing}
        after = replace(
            after,
            units=(*left, *raised),
            centres={code: owner for code, owner in position.centres.items() if code not in free},
            dislodged=_remaining_dislodged(position, power, {unit.at.province for unit in raised}),
        )
        return Turn(after, (PowerCollapsed(power, gone, raised, tuple(c for c in held if c in standing)),))


class ExclusionChange(Struct, frozen=True):
    """A power loses its player and is in civil disorder until another player takes it over: its units hold,
    dislodged ones are disbanded, nothing is built, and the rules choose removals.
    """

    def is_allowed(self, position: Position, variant: Variant, power: str) -> bool:
        return power in variant.seated and position.ended is None

    def apply(self, position: Position, variant: Variant, power: str) -> Turn:
        return Turn(position, (PowerExcluded(power),))


def _remaining_dislodged(position: Position, power: str, raised: set[str]) -> tuple[Dislodged, ...]:
    """Other powers' dislodged units; they cannot retreat to where a new unit stands."""
    return tuple(
        replace(d, retreats=tuple(at for at in d.retreats if at.province not in raised))
        for d in position.dislodged
        if d.unit.power != power
    )
