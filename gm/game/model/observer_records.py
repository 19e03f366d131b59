"""Records of observers, of notebooks, and of each reader's mail choices.

An observer's seat is not in the table of seats: code reaches observers only through `Games.observers`, so that nothing
written for players can reach them.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Protocol

from msgspec import Struct

OBSERVER = "observer"
"""A chair's `power`: its holder gets results, notices, and letters from players to everybody where these are open."""
MONITOR = "monitor"
"""Results only."""
EJECTED = "ejected"
"""He was sent away, and may not come back; the chair keeps who it was."""
OBSERVER_SEATS = frozenset({OBSERVER, MONITOR, EJECTED})
OBSERVERS = "observers"
"""Among the names that a letter to everybody goes to: those who look on read it too."""


class MailChoice(StrEnum):
    """Which letters somebody wants. Answers to his own, and questions that wait for him, come in any case."""

    ALL = "all"
    NO_PRESS = "no-press"
    RESULTS = "results"
    OFF = "off"


class MailChoices(Struct, frozen=True):
    """What the present holder of a seat or chair has chosen; his successor begins with the defaults.

    `muted` are names as they stand over letters. `name` is what an observer goes by.
    """

    seat: int
    person: int
    mail: MailChoice = MailChoice.ALL
    muted: tuple[str, ...] = ()
    name: str = ""


class NotebookEntry(Struct, frozen=True):
    """One entry of a player's notebook, the `number`th he made in this seat. `words` "": taken out by him.

    `opens`: the game's setting was, when he wrote it, that notebooks are opened when the game is over. No later change
    of the setting opens what was written before.
    """

    id: int
    game: int
    seat: int
    person: int
    number: int
    power: str
    phase: str
    at: datetime
    words: str
    opens: bool


class ObserversPort(Protocol):
    """Stores mail choices and notebooks."""

    def mail_choices(self, seat: int, person: int) -> MailChoices:
        """The defaults if nothing was chosen."""
        ...

    def save_mail_choices(self, wishes: MailChoices) -> None: ...

    def notebook(self, game: int) -> tuple[NotebookEntry, ...]:
        """All entries of a game in order; deleted ones without words."""
        ...

    def add_notebook_entry(self, entry: NotebookEntry) -> NotebookEntry: ...

    def blank_notebook_entry(self, entry: int) -> None: ...
