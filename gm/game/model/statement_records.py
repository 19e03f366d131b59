"""Records of end-of-game statements: what each player writes about a finished game, sent to all together."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from msgspec import Struct


class EndStatement(Struct, frozen=True):
    """The words of a seat's player about a finished game; "" if they took them back. The newest of a seat counts."""

    id: int
    game: int
    seat: int
    person: int
    power: str
    at: datetime
    words: str


class StatementRound(Struct, frozen=True):
    """The time for statements about the end that `snapshot` stored: until `ends_at`, at most."""

    game: int
    snapshot: int
    ends_at: datetime
    closed_at: datetime | None = None


class StatementsPort(Protocol):
    def round(self, game: int) -> StatementRound | None: ...

    def save_round(self, statement_round: StatementRound) -> None:
        """Replaces an earlier one of the same game."""
        ...

    def due(self, now: datetime) -> tuple[int, ...]:
        """Games whose round is open and has reached its end."""
        ...

    def add(self, statement: EndStatement) -> None: ...

    def of(self, game: int) -> tuple[EndStatement, ...]:
        """The newest of each seat, without those taken back, by power."""
        ...
