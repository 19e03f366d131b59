"""Records of observers, of notebooks, and of each reader's mail choices.

Observer seats are kept out of `GamesPort.seats`, so that letters written for players never reach observers.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Protocol

from msgspec import Struct

OBSERVER = "observer"
"""`Seat.power` of an observer who gets results, notices and, if the game allows it, press to everybody."""
MONITOR = "monitor"
"""`Seat.power` of an observer who gets results only."""
EJECTED = "ejected"
"""`Seat.power` of an observer whom the game master removed. The seat keeps the person, who may not come back."""
EXCLUDED = "excluded"
"""`Seat.power` that keeps a player whom the game master excluded; they get nothing, and may not observe."""
OUTSIDE = frozenset({EJECTED, EXCLUDED})
"""People who have no part in the game any more."""
OBSERVER_SEATS = frozenset({OBSERVER, MONITOR, *OUTSIDE})
OBSERVERS = "observers"
"""In the `to` of press to everybody: observers get it too."""


class MailChoice(StrEnum):
    """Which letters a reader wants. Answers to their own letters and questions to them are always sent."""

    ALL = "all"
    NO_PRESS = "no-press"
    RESULTS = "results"
    OFF = "off"


class Digest(StrEnum):
    """How often news comes in one letter; NONE: each at once."""

    NONE = "none"
    DAILY = "daily"
    WEEKLY = "weekly"


class MailChoices(Struct, frozen=True):
    """The mail choices of a seat's present holder; the next holder starts with the defaults.

    `muted` are senders' names as press shows them. `name` is the observer's public name.
    `order_maps`: answers to orders come with a picture of them.
    """

    seat: int
    person: int
    mail: MailChoice = MailChoice.ALL
    muted: tuple[str, ...] = ()
    name: str = ""
    digest: Digest = Digest.NONE
    order_maps: bool = True


class NotebookEntry(Struct, frozen=True):
    """An entry of a player's notebook, the `number`th of this seat. `words` is "" if the player removed it.

    `opens`: the setting `diaries` was `opened` when it was written. A later change of the setting does not open it.
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
