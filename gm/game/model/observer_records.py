"""Who looks on at a game, and what each reader of its letters has chosen for himself: records beside the game's own.

An observer sits in a chair of his own, which is no seat: no table of seats, no list of players and no letter to all
has it unless it asks for observers (`Games.observers`). So nothing that is written for seats can reach him.
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
CHAIRS = frozenset({OBSERVER, MONITOR, EJECTED})
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
