"""Press that a turn has already paid for, as messages for the judge."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from gm.game.model.ports import Store
from gm.game.model.records import PressRow
from gm.game.model.services import Services
from gm.game.model.unsigned_names import is_unsigned
from gm.judge.model.position import Position
from gm.judge.model.press import Message, MessageHeader, ReleaseTime
from gm.judge.model.variant import Variant

QUARTER = timedelta(minutes=15)


def message_of(row: PressRow) -> Message:
    return Message(row.sender, row.written_as, row.to, row.words, row.cost)


def next_quarter_hour(at: datetime) -> datetime:
    """The next full quarter of an hour, strictly later."""
    past = timedelta(minutes=at.minute % 15, seconds=at.second, microseconds=at.microsecond)
    return at - past + QUARTER


def release_order(services: Services, variant: Variant, row: PressRow) -> tuple[datetime, str, int]:
    """Sort key for the order in which messages are passed on; within a quarter of an hour it is an HMAC.

    The HMAC covers only what a reader sees of the message, so the order does not reveal which was written first.
    """
    if variant.press.release is ReleaseTime.AT_ONCE and not is_unsigned(row.name):
        return row.at, "", row.id
    at = next_quarter_hour(row.at)
    return at, services.post.code("release", at.isoformat(), row.written_as, *row.to, row.words), row.id


def journal(
    services: Services, store: Store, game: int, variant: Variant, position: Position, turn: str
) -> tuple[Message, ...]:
    """The messages that a turn has paid for, in the order they were passed on; () if press is free."""
    rows = _paid(store, game, variant, position, turn)
    return tuple(message_of(row) for row in sorted(rows, key=lambda row: release_order(services, variant, row)))


def messages_paid_by(
    store: Store, game: int, variant: Variant, position: Position, turn: str, power: str
) -> tuple[Message, ...]:
    """The messages of a power that the turn has paid for, in the order of writing."""
    return tuple(message_of(row) for row in _paid(store, game, variant, position, turn) if row.sender == power)


def _paid(store: Store, game: int, variant: Variant, position: Position, turn: str) -> tuple[PressRow, ...]:
    paid = position.ended is None and variant.press.journal_phase(position, variant)
    return store.turns.press(game, turn) if paid and turn else ()


PRESS_CAUSE = re.compile(r"press:(\d+)\b")
"""The start of `OutLetter.cause` for a letter that passes press on."""


def press_id_of_cause(cause: str) -> int:
    """The id of the press that a letter with this cause passed on; 0 for any other letter."""
    match = PRESS_CAUSE.match(cause)
    return int(match[1]) if match else 0


def channel_name(header: MessageHeader, name: str, seat: str) -> str:
    """A press channel as the participant called `name` sees it: "France-Russia", "France-Poland as Poland"."""
    members = "-".join(sorted({header.sender, *header.to}))
    return members if name == seat else f"{members}{AS}{name}"


AS = " as "
"""Separates the participants from the reader's name, if that is not the name of the reader's seat."""
