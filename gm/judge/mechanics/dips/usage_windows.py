"""Limits how often something may be bought within a number of turns (movement phases).

Uses are accounts of the ledger: (purse, power, code of the turn's phase) -> count.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from gm.judge.model.position import LedgerKey, Position
from gm.judge.model.variant import Variant

TURN = "M"
"""The letter of the phases that are turns."""


class UsageWindow(Struct, frozen=True):
    """At most `most` uses in `turns` turns: counted back from each turn, or (`blocks`) in blocks from the first."""

    purse: str
    most: int
    turns: int = 5
    blocks: bool = False

    def since(self, turn: int) -> int:
        """The first turn of the window of this turn."""
        return turn - turn % self.turns if self.blocks else turn - self.turns + 1

    def used(self, position: Position, variant: Variant, power: str, turn: int | None = None) -> int:
        """Uses in the ledger that count in a turn, by default the current one."""
        at = turn_of(variant, position.year, position.at) if turn is None else turn
        dated = self.dated(position, variant, power)
        return sum(amount for when, amount in dated.items() if self.since(at) <= when <= at)

    def dated(self, position: Position, variant: Variant, power: str) -> Mapping[int, int]:
        """Uses in the ledger, by turn."""
        mine = ((key, n) for key, n in position.ledger.items() if key.purse == self.purse and key.power == power)
        return {when: amount for key, amount in mine if (when := _when(variant, key)) is not None}

    def free(self, position: Position, variant: Variant, power: str, more: int, turn: int) -> int:
        """The first turn from `turn` on with a free use, given `more` uses in the current one."""
        now = turn_of(variant, position.year, position.at)
        dated = dict(self.dated(position, variant, power))
        dated[now] = dated.get(now, 0) + more
        for ahead in range(turn, turn + self.turns + 1):
            if sum(amount for when, amount in dated.items() if self.since(ahead) <= when <= ahead) < self.most:
                return ahead
        return turn + self.turns

    def postings(
        self, position: Position, variant: Variant, power: str, used: int
    ) -> tuple[tuple[LedgerKey, int], ...]:
        """Changes of the ledger: the uses of this turn, and the removal of those that no longer count."""
        now = turn_of(variant, position.year, position.at)
        old = tuple(
            (key, -amount)
            for key, amount in position.ledger.items()
            if (key.purse, key.power) == (self.purse, power)
            and (when := _when(variant, key)) is not None
            and when <= now - self.turns + 1
        )
        new = ((LedgerKey(self.purse, power, variant.phase_name(position)), used),) if used else ()
        return (*old, *new)


def _when(variant: Variant, key: LedgerKey) -> int | None:
    """The turn of an account; None if its subject is not a phase of this variant."""
    try:
        return turn_of(variant, *variant.phase_at(key.subject))
    except ValueError:
        return None


def _turns(variant: Variant) -> tuple[int, ...]:
    return tuple(at for at, step in enumerate(variant.calendar) if step.letter == TURN)


def turn_of(variant: Variant, year: int, at: int) -> int:
    """The number of the turn at or after this step of the calendar; the game's first turn is 0."""
    turns = _turns(variant)
    start = variant.start
    return (year - start.year) * len(turns) + sum(turn < at for turn in turns) - sum(turn < start.at for turn in turns)


def turn_named(variant: Variant, turn: int) -> str:
    """ "Fall 1882"."""
    turns = _turns(variant)
    ordinal = turn + sum(at < variant.start.at for at in turns)
    step = variant.calendar[turns[ordinal % len(turns)]]
    return f"{step.season} {variant.start.year + ordinal // len(turns)}"
