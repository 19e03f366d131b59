"""What the contract's tests are handed: a store of some kind, and the clock it goes by."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import UTC, datetime

from gm.game.model.ports import Store
from gm.game.model.records import Game, InboxRow, OutLetter

NOON = datetime(2026, 3, 13, 12, 0, tzinfo=UTC)


@dataclass
class Kept:
    """`one_writer`: a transaction waits until the one before has ended."""

    one_writer: bool
    transaction: Callable[[], AbstractContextManager[Store]] = field(init=False)
    clock: datetime = NOON

    def now(self) -> datetime:
        return self.clock


def a_game(name: str = "ostend", **more: object) -> Game:
    return Game(0, name, "some", **more)  # type: ignore[arg-type]


def a_letter(cause: str, address: str = "ann@example.org", **more: object) -> OutLetter:
    return OutLetter(
        **{
            "cause": cause,
            "kind": "results",
            "address": address,
            "to_name": "Ann",
            "from_name": "ostend game master",
            "from_address": "gm@gm.example",
            "reply_to": "gm+ostend.token@gm.example",
            "subject": "results",
            "text": "words",
            "message_id": f"{cause}.{more.get('kind', 'results')}.{address}",
        }
        | more
    )  # type: ignore[arg-type]


def a_row(key: str, at: datetime = NOON, **more: object) -> InboxRow:
    return InboxRow(0, "imap", key, at, b"raw", **more)  # type: ignore[arg-type]
