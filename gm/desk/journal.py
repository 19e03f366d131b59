"""What a turn has paid for at once and for good: its messages, as the judge takes them."""

from __future__ import annotations

from gm.desk.ports import Store
from gm.desk.records import PressRow
from gm.judge.position import Position
from gm.judge.press import Message
from gm.judge.variant import Variant


def message_of(row: PressRow) -> Message:
    return Message(row.sender, row.written_as, row.to, row.words, row.cost)


def journal(store: Store, game: int, variant: Variant, position: Position, turn: str) -> tuple[Message, ...]:
    """The messages that a turn has paid for, in the order they came; nothing where no turn pays for any."""
    paid = position.ended is None and variant.press.turn(position, variant)
    return tuple(message_of(row) for row in store.turns.press(game, turn)) if paid and turn else ()


def spent_by(
    store: Store, game: int, variant: Variant, position: Position, turn: str, power: str
) -> tuple[Message, ...]:
    return tuple(one for one in journal(store, game, variant, position, turn) if one.sender == power)
