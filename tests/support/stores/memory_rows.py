"""The rows of the twin in memory, and what its tables have in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from gm.game.model.conduct_records import Conduct
from gm.game.model.observer_records import MailChoices, NotebookEntry
from gm.game.model.poll_records import Erratum, Poll, PollVote
from gm.game.model.public_events import Announced, PublicEvent
from gm.game.model.records import (
    Absence,
    Applicant,
    BounceRecord,
    Game,
    GmAct,
    InboxRow,
    OutboxRow,
    Person,
    Picture,
    PressRow,
    Question,
    Seat,
    Sheet,
    Snapshot,
    Vote,
)
from gm.game.model.statement_records import EndStatement, StatementRound


@dataclass
class Data:
    """All rows, each table a mapping by id (or a list where rows have none)."""

    people: dict[int, Person] = field(default_factory=dict)
    games: dict[int, Game] = field(default_factory=dict)
    seats: dict[int, Seat] = field(default_factory=dict)
    entries: dict[tuple[int, int], Applicant] = field(default_factory=dict)
    sheets: list[Sheet] = field(default_factory=list)
    snapshots: dict[int, Snapshot] = field(default_factory=dict)
    press: dict[int, PressRow] = field(default_factory=dict)
    votes: list[Vote] = field(default_factory=list)
    absences: dict[int, Absence] = field(default_factory=dict)
    pulse: list[datetime] = field(default_factory=list)
    acts: list[GmAct] = field(default_factory=list)
    questions: dict[str, Question] = field(default_factory=dict)
    inbox: dict[int, InboxRow] = field(default_factory=dict)
    outbox: dict[int, OutboxRow] = field(default_factory=dict)
    letter_keys: set[tuple[str, str, str]] = field(default_factory=set)
    """Cause, kind and address of every letter of the outbox."""
    message_ids: dict[str, int] = field(default_factory=dict)
    """The number of each letter of the outbox."""
    pictures: dict[int, Picture] = field(default_factory=dict)
    wishes: dict[tuple[int, int], MailChoices] = field(default_factory=dict)
    diary: dict[int, NotebookEntry] = field(default_factory=dict)
    errata: list[Erratum] = field(default_factory=list)
    polls: dict[int, Poll] = field(default_factory=dict)
    conduct: list[Conduct] = field(default_factory=list)
    poll_votes: list[PollVote] = field(default_factory=list)
    statements: list[EndStatement] = field(default_factory=list)
    statement_rounds: dict[int, StatementRound] = field(default_factory=dict)
    bounced: dict[str, BounceRecord] = field(default_factory=dict)
    look_at: dict[int, datetime] = field(default_factory=dict)
    quiet: set[int] = field(default_factory=set)
    announced: dict[int, Announced] = field(default_factory=dict)
    events: dict[int, PublicEvent] = field(default_factory=dict)

    def copy(self) -> Data:
        return Data(**{name: rows.copy() for name, rows in vars(self).items()})


class OpenData(Data):
    """The same rows during a transaction. A table is copied when it is first used: most transactions use a few of
    them, and only those can have changed.
    """

    def __init__(self, data: Data) -> None:
        self._data = data
        self._before: dict[str, Any] = {}

    def __getattr__(self, table: str) -> Any:
        rows = getattr(self._data, table)
        self._before[table] = rows.copy()
        setattr(self, table, rows)
        return rows

    def copy(self) -> Data:
        return self._data.copy()

    def put_back(self) -> None:
        """All rows are as they were before the transaction."""
        vars(self._data).update(self._before)


class Holder(Protocol):
    """Whoever has the rows: they are put back when a block raises."""

    data: Data


class Rows:
    def __init__(self, store: Holder) -> None:
        self._store = store

    @property
    def _data(self) -> Data:
        return self._store.data

    def _touch(self, game: int) -> None:
        """The clock is to look at it."""
        self._data.look_at.pop(game, None)

    def _tell(self, game: int) -> None:
        """It is also to be compared with what anybody knows."""
        self._touch(game)
        self._data.quiet.discard(game)


def next_id(rows: Mapping[int, object]) -> int:
    return max(rows, default=0) + 1
