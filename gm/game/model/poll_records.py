"""Records of notes to results, polls, and the votes in them."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct


class Erratum(Struct, frozen=True):
    """A game master's note to the results in a snapshot. `resolved` is the phase of these results."""

    game: int
    snapshot: int
    resolved: str
    text: str
    at: datetime


class Poll(Struct, frozen=True):
    """A question to all players. `number` counts within its game, from 1; `closed_at` is None while it is open.

    `secret`: only the numbers of votes are published, not who chose what.
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
    """A power's vote in a poll, cast by the person who held its seat then. `choice` is "" if it was withdrawn."""

    poll: int
    power: str
    person: int
    choice: str
    at: datetime
