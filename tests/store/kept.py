"""What the contract's tests are handed: a store of some kind, and the clock it goes by."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import UTC, datetime

from gm.desk.ports import Store

NOON = datetime(2026, 3, 13, 12, 0, tzinfo=UTC)


@dataclass
class Kept:
    """`one_writer`: a transaction waits until the one before has ended."""

    one_writer: bool
    transaction: Callable[[], AbstractContextManager[Store]] = field(init=False)
    clock: datetime = NOON

    def now(self) -> datetime:
        return self.clock
