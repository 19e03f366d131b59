"""Press for minor powers: the controllers of a minor power read letters to it, and may write in its name.

The ledger says who controls it when a letter arrives, so control of its press changes with the next bids.
"""

from __future__ import annotations

from gm.judge.mechanics.influence.influence_points import CONTROL, controllers
from gm.judge.model.influence_boxes import BIDS
from gm.judge.model.position import Position
from gm.judge.model.press import ReleaseTime
from gm.judge.model.variant import Press, Variant


class MinorPowerPress(Press, frozen=True):
    """All members of a coalition read and may write; nobody does for a power that is gone. "All" means the powers with
    a seat.
    """

    unsigned: bool = False

    def names(self, position: Position, variant: Variant, power: str) -> tuple[str, ...]:
        controlled = (minor.name for minor in variant.minors if power in self.readers(position, variant, minor.name))
        return (power, *controlled)

    def readers(self, position: Position, variant: Variant, name: str) -> frozenset[str]:
        seated = frozenset({name} & {power.name for power in variant.powers})
        return seated or frozenset(controllers(position.ledger, name) if position.survives(name) else ())

    def known_unread(self, position: Position, variant: Variant, name: str) -> bool:
        """Control is public, or there can be none: the power is gone, or no bids have been resolved in this game."""
        return not self.secret_names or not position.survives(name) or _before_bids(position, variant)


def _before_bids(position: Position, variant: Variant) -> bool:
    start, purses = variant.start, {key.purse for key in position.ledger}
    past = variant.calendar[start.at : position.at]
    return position.year == start.year and CONTROL not in purses and all(step.letter != BIDS for step in past)


ENVOYS = MinorPowerPress()
SECRET_ENVOYS = MinorPowerPress(secret_names=True, release=ReleaseTime.QUARTER_HOUR)
"""For secret control. Letters leave every quarter of an hour: two in the same minute would reveal a common writer."""
