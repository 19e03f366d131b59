"""Ports for letters out and the addresses that they came back from. See `gm.game.model.ports`."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Protocol

from gm.game.model.records import AnsweredLetter, BounceRecord, OutboxRow, OutLetter


class OutboxPort(Protocol):
    def add(self, letter: OutLetter, now: datetime) -> bool:
        """Queues a letter; False if one with its (cause, kind, address) was queued before.

        A letter to an unreachable address is held (`BouncesPort`).
        """
        ...

    def collect(self, letter: OutLetter, now: datetime) -> bool:
        """Keeps a letter for the digest that is due at its `not_before`; False if it was kept before."""
        ...

    def collected(self, now: datetime) -> tuple[OutboxRow, ...]:
        """The letters of all digests that are due, locked."""
        ...

    def mark_digested(self, row: int) -> None: ...

    def next(self, now: datetime) -> OutboxRow | None:
        """The oldest letter that may be sent, locked. Letters to one address about one game keep their order.

        A letter with a picture waits until the picture is finished or `picture_until` has passed.
        """
        ...

    def lease(self, row: int, until: datetime) -> None:
        """Reserves this letter, and later ones to the same address and game, until that instant.

        Letters are sent outside of transactions, so that a slow relay does not block SQLite's one writer. After a
        crash the letter is sent again, with the same Message-ID, when the lease ends.
        """
        ...

    def end_leases(self) -> None:
        """Ends all leases, at the start of the only process that sends."""
        ...

    def record_picture(self, row: int, *, shown: bool) -> None:
        """Records whether the letter is sent with its picture."""
        ...

    def mark_sent(self, row: int, now: datetime) -> None: ...

    def postpone(self, row: int, until: datetime, error: str) -> None:
        """After a failed attempt, which it counts."""
        ...

    def mark_failed(self, row: int, error: str) -> None: ...

    def postponed_alike(self, kind: str, row: OutboxRow) -> tuple[int, datetime | None]:
        """Of the other letters that wait for another attempt after an answer that begins so: to how many addresses
        other than this letter's they go, and when the next attempt is.
        """
        ...

    def hasten(self, kind: str, now: datetime) -> None:
        """Ends the wait of the letters that were postponed after an answer that begins so."""
        ...

    def queue_again(self, address: str, since: datetime, now: datetime) -> tuple[str, ...]:
        """Queues letters again that were given up, were queued since then and still have words; ends the wait of those
        that were postponed. `address`: only letters to it; "": all. Returns their addresses, one for each letter.
        """
        ...

    def expire(self, now: datetime) -> int: ...

    def mark_returned(self, row: int, error: str) -> None: ...

    def hold(self, address: str) -> None:
        """Holds the letters queued for an address."""
        ...

    def unhold(self, address: str) -> None:
        """Queues the held letters again."""
        ...

    def answered_letter(self, message_id: str) -> AnsweredLetter | None:
        """The subject of our letter with this Message-ID."""
        ...

    def thread_ids(self, seat: int, phase: str = "", channel: str = "") -> tuple[str, ...]:
        """Message-IDs of the letters to a seat, oldest first, of a press channel ("": none) and a phase ("": any)."""
        ...

    def answers_about(self, seats: tuple[int, ...], most: int) -> tuple[tuple[str, int, tuple[str, ...]], ...]:
        """(cause, seat, references) of the last answers and questions to these seats, the newest first."""
        ...

    def press_letters(self, seat: int, addresses: Iterable[str]) -> tuple[OutboxRow, ...]:
        """Press to that seat and person, oldest first. What they did not want expired when queued."""
        ...

    def by_envelope(self, envelope: str) -> OutboxRow | None:
        """The letter with this envelope sender, to which a bounce came."""
        ...

    def count_answers(self, address: str, since: datetime, text: str = "") -> int:
        """How many answers (automatic = "auto-replied") to an address were queued since then, with `text` if given."""
        ...

    def all(self) -> Iterable[OutboxRow]: ...


class BouncesPort(Protocol):
    def of(self, address: str) -> BounceRecord | None: ...

    def save(self, bounced: BounceRecord) -> None: ...

    def forget(self, address: str) -> bool:
        """Returns whether there was a record."""
        ...
