"""Press without rules of a variant: messages are passed on as they come and cost nothing."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from gm.judge.model.orders import Statement
from gm.judge.model.position import Position
from gm.judge.model.press import Message, MessageHeader, ReleaseTime
from gm.judge.model.sheets import Problem, Submissions
from gm.judge.model.variant import Variant


class FreePress(Struct, frozen=True):
    """Letters are passed on as they come, and cost nothing."""

    opener: str = ""
    release: ReleaseTime = ReleaseTime.AT_ONCE
    anonymous: bool = False
    doubles_public: bool = False
    passing: bool = False
    free: bool = True
    unsigned: bool = True
    veiled: bool = False

    @property
    def terms(self) -> Mapping[str, int]:
        return {}

    def names(self, position: Position, variant: Variant, power: str) -> tuple[str, ...]:
        return (power,)

    def everyone(self, position: Position, variant: Variant) -> tuple[str, ...]:
        return tuple(power.name for power in variant.powers)

    def readers(self, position: Position, variant: Variant, name: str) -> frozenset[str]:
        return frozenset({name} & {power.name for power in variant.powers})

    def turn(self, position: Position, variant: Variant) -> str:
        return ""

    def price(self, position: Position, variant: Variant, message: Message) -> int:
        return 0

    def check(
        self, position: Position, variant: Variant, message: Message, sheet: tuple[Statement, ...]
    ) -> Problem | None:
        return None

    def header(self, message: Message, name: str) -> MessageHeader:
        return MessageHeader(message.name, message.to)

    def overheard(
        self, position: Position, variant: Variant, book: Submissions, message: Message
    ) -> Mapping[str, MessageHeader]:
        return {}


FORWARD = FreePress()
