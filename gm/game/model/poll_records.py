"""Records of notes to results, polls, and the votes in them."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct


class Erratum(Struct, frozen=True):
    """A game master's note to the results that a snapshot holds. `resolved` is their phase."""

    game: int
    snapshot: int
    resolved: str
    text: str
    at: datetime


class Poll(Struct, frozen=True):
    """A question to all players. `number` counts within its game, from 1; `closed_at` None: it is open.

    `secret`: who chose what is never told, the numbers are.
    """

    id: int
    game: int
    number: int
    text: str
    options: tuple[str, ...]
    secret: bool
    opened_at: datetime
    ends_at: datetime
    closed_at: datetime | None = None


class PollVote(Struct, frozen=True):
    """One power's word in a poll, of the person who held its seat then; `choice` "": taken back."""

    poll: int
    power: str
    person: int
    choice: str
    at: datetime
