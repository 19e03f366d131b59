"""Press for minor powers: the controllers of a minor power read letters to it, and may write in its name.

The ledger says who controls it when a letter arrives, so control of its press changes with the next bids.
"""

from __future__ import annotations

from gm.judge.mechanics.influence.influence_points import controllers
from gm.judge.model.position import Position
from gm.judge.model.press import ReleaseTime
from gm.judge.model.variant import Press, Variant


class MinorPowerPress(Press, frozen=True):
    """All members of a coalition read and may write. "All" means the powers with a seat."""

    unsigned: bool = False

    def names(self, position: Position, variant: Variant, power: str) -> tuple[str, ...]:
        controlled = (minor.name for minor in variant.minors if power in controllers(position.ledger, minor.name))
        return (power, *controlled)

    def readers(self, position: Position, variant: Variant, name: str) -> frozenset[str]:
        seated = frozenset({name} & {power.name for power in variant.powers})
        return seated or frozenset(controllers(position.ledger, name))


ENVOYS = MinorPowerPress()
SECRET_ENVOYS = MinorPowerPress(secret_names=True, release=ReleaseTime.QUARTER_HOUR)
"""For secret control. Letters leave every quarter of an hour: two in the same minute would reveal a common writer."""
