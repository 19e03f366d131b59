"""Letters that are paid for: short ones, only in the phases that give something to pay with, and by their number.

A word is what stands between blanks and holds a letter or a digit.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from gm.judge.mechanics.dips.dips import balance
from gm.judge.mechanics.dips.interception import PLAIN, Interception, listeners
from gm.judge.model.orders import Statement
from gm.judge.model.position import Position
from gm.judge.model.press import Message, MessageHeader, ReleaseTime
from gm.judge.model.sheets import Problem, ProblemEffect, Submissions
from gm.judge.model.variant import Variant


class PaidPress(Struct, frozen=True):
    """`words` and `cost` of one message, to however many. `between`: in other phases too, from the next turn's purse.

    `shown`: recipients read who else got it. `passing`: interceptors get their copies as the messages pass, not only
    with the results; `ears` is how interception works. `doubles_public`: everybody reads who plays more than one power.
    """

    words: int = 50
    cost: int = 1
    between: bool = False
    shown: bool = True
    passing: bool = False
    ears: Interception = PLAIN
    release: ReleaseTime = ReleaseTime.QUARTER_HOUR
    anonymous: bool = True
    doubles_public: bool = False
    opener: str = "message"
    free: bool = False
    unsigned: bool = False
    veiled: bool = False

    @property
    def terms(self) -> Mapping[str, int]:
        return {"words": self.words, "cost": self.cost}

    def names(self, position: Position, variant: Variant, power: str) -> tuple[str, ...]:
        return (power,)

    def everyone(self, position: Position, variant: Variant) -> tuple[str, ...]:
        """All that are left."""
        return tuple(power.name for power in variant.powers if _lives(position, power.name))

    def readers(self, position: Position, variant: Variant, name: str) -> frozenset[str]:
        return frozenset({name} & {power.name for power in variant.powers})

    def turn(self, position: Position, variant: Variant) -> str:
        paying = self._paying(position, variant)
        return variant.phase_name(paying) if paying is not None else variant.phase_name(position)

    def price(self, position: Position, variant: Variant, message: Message) -> int:
        return self.cost

    def check(
        self, position: Position, variant: Variant, message: Message, sheet: tuple[Statement, ...]
    ) -> Problem | None:
        count = words_in(message.words)
        paying = self._paying(position, variant)
        if paying is None:
            return Problem("message-between", ProblemEffect.REFUSE_LINE)
        if count > self.words:
            return Problem("message-long", ProblemEffect.REFUSE_LINE, places=(str(count), str(self.words)))
        left = max(0, balance(paying, variant, message.sender, sheet))
        if left < message.cost or not _lives(position, message.sender):
            return Problem("message-unpaid", ProblemEffect.REFUSE_LINE, places=(str(left), str(message.cost)))
        return None

    def header(self, message: Message, name: str) -> MessageHeader:
        return MessageHeader(message.name, message.to if self.shown else (name,))

    def overheard(
        self, position: Position, variant: Variant, book: Submissions, message: Message
    ) -> Mapping[str, MessageHeader]:
        if not self.passing:
            return {}
        pledged = {power: [entry.statement for entry in book.entries(power)] for power, _ in book.sheets}
        return {power: self.header(message, to) for power, to in listeners(pledged, self.ears, message).items()}

    def _paying(self, position: Position, variant: Variant) -> Position | None:
        """The position, at the turn that pays for a message of now; None where there is none that does."""
        here = position
        for _ in variant.calendar:
            if variant.step(here).letter == "M":
                return here
            if not self.between:
                return None
            at = here.at + 1
            here = replace(here, at=at) if at < len(variant.calendar) else replace(here, at=0, year=here.year + 1)
        return None


def words_in(text: str) -> int:
    return sum(any(char.isalnum() for char in word) for word in text.split())


def _lives(position: Position, power: str) -> bool:
    units = (*position.units, *(one.unit for one in position.dislodged))
    held = power in position.centres.values() or any(unit.power == power for unit in units)
    return held and not position.collapsed(power)
