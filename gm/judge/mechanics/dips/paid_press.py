"""Press paid with dips: short messages, in phases with dips, at a price for each.

A word is text between blanks with a letter or a digit.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from gm.judge.mechanics.dips.dips import balance
from gm.judge.mechanics.dips.interception import PLAIN, Interception, listeners
from gm.judge.model.orders import Statement
from gm.judge.model.position import Position
from gm.judge.model.press import Message, MessageHeader, ReleaseTime
from gm.judge.model.sheets import Problem, ProblemEffect, Submissions
from gm.judge.model.variant import Press, Variant


class PaidPress(Press, frozen=True):
    """The most `words` and the `cost` of a message, to any number of powers. `between`: messages may also be sent in
    other phases, paid from the next turn's dips. `shown`: readers see who else got a message. `ears` are the rules of
    interception.
    """

    words: int = 50
    cost: int = 1
    between: bool = False
    shown: bool = True
    ears: Interception = PLAIN
    release: ReleaseTime = ReleaseTime.QUARTER_HOUR
    anonymous: bool = True
    message_word: str = "message"
    free: bool = False
    unsigned: bool = False

    @property
    def terms(self) -> Mapping[str, int]:
        return {"words": self.words, "cost": self.cost}

    def everyone(self, position: Position, variant: Variant) -> tuple[str, ...]:
        return tuple(power.name for power in variant.powers if position.survives(power.name))

    def journal_phase(self, position: Position, variant: Variant) -> str:
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
        if left < message.cost or not position.survives(message.sender):
            return Problem("message-unpaid", ProblemEffect.REFUSE_LINE, places=(str(left), str(message.cost)))
        return None

    def header(self, message: Message, name: str) -> MessageHeader:
        return MessageHeader(message.name, message.to if self.shown else (name,))

    def intercepted_copies(
        self, position: Position, variant: Variant, book: Submissions, message: Message
    ) -> Mapping[str, MessageHeader]:
        if not self.copies_at_once:
            return {}
        pledged = {power: [entry.statement for entry in book.entries(power)] for power, _ in book.sheets}
        return {power: self.header(message, to) for power, to in listeners(pledged, self.ears, message).items()}

    def _paying(self, position: Position, variant: Variant) -> Position | None:
        """The position at the movement phase that pays for a message now; None if none does."""
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
