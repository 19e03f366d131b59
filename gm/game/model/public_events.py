"""What anybody may know has happened in a game: records for the feeds of the site and for the webhook."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from msgspec import Struct


class PublicEventKind(StrEnum):
    """`OPEN`: a game looks for players before it begins; `SEAT`: a running game looks for one.

    `CORRECTED`: the game master has changed the position; `DEADLINE`: the open phase has another deadline, or a pause.
    """

    OPEN = "open"
    STARTED = "started"
    TURN = "turn"
    CORRECTED = "corrected"
    DEADLINE = "deadline"
    SEAT = "seat"
    ENDED = "ended"
    REOPENED = "reopened"


class PublicEvent(Struct, frozen=True):
    """`phase` is the phase that was resolved (`TURN`), else the open one. `due_at` is its deadline after the event.

    `title` and `text` are in the game's language, without markup. `waiting`: the webhook is to take it, not before
    `not_before` (None: at once); `tries` counts attempts, `last_error` is why the last one failed.
    """

    id: int
    game: int
    kind: PublicEventKind
    phase: str
    at: datetime
    due_at: datetime | None
    title: str
    text: str
    waiting: bool = False
    not_before: datetime | None = None
    tries: int = 0
    last_error: str = ""


class Announced(Struct, frozen=True):
    """The public facts of a game as last compared (`gm.game.views.public.facts`).

    `facts` is "" for a game that is older than the table, whose past is not told. `revision` counts the comparisons,
    `published` is the revision that the site shows.
    """

    game: int
    facts: str
    revision: int = 0
    published: int = 0


class PublicEventsPort(Protocol):
    def changed(self) -> tuple[int, ...]:
        """Games of which something may have changed that anybody may know (game, settings, seats, applicants, names),
        since `announce`.
        """
        ...

    def announced(self, game: int) -> Announced | None: ...

    def announce(self, game: int, facts: str) -> None:
        """Stores the facts with the next revision; the game is no longer among the changed ones."""
        ...

    def add(self, event: PublicEvent) -> PublicEvent: ...

    def recent(self, most: int, game: int = 0) -> tuple[PublicEvent, ...]:
        """The newest events first, of one game or (0) of all."""
        ...

    def next(self, now: datetime) -> PublicEvent | None:
        """The oldest event that waits for the webhook, locked; None if it may not be delivered yet.

        No event overtakes another.
        """
        ...

    def postpone(self, event: int, until: datetime, error: str = "") -> None:
        """The event waits until that instant; an `error` counts as an attempt."""
        ...

    def settle(self, event: int, error: str = "") -> None:
        """The event waits no more: it was delivered, or given up for this error."""
        ...

    def revisions(self) -> Mapping[int, int]: ...

    def stale(self) -> bool:
        """Whether the site shows an older revision of some game."""
        ...

    def mark_published(self, game: int, revision: int) -> None:
        """The site shows that revision. Events of the game need not wait for it any more."""
        ...
