"""The ports of the game: what it needs of a store, a letter opener and a clock.

Two implementations of the store pass the same tests: `gm.store` on a database, and one in memory for the tests
(tests/support/stores/memory_store.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

from gm.game.model.observer_records import ObserversPort
from gm.game.model.poll_records import Erratum, Poll, PollVote
from gm.game.model.records import (
    Absence,
    AnsweredLetter,
    Applicant,
    BounceRecord,
    Game,
    GmAct,
    InboxRow,
    InboxState,
    Letter,
    OutboxRow,
    OutLetter,
    Person,
    Picture,
    PressRow,
    Question,
    Seat,
    Sheet,
    Snapshot,
    Vote,
)

Clock = Callable[[], datetime]
"""The present instant, aware, in UTC. On PostgreSQL it is the database's clock."""

Opener = Callable[[InboxRow], Letter]
"""Bytes to words (`gm.mail.message.open_letter`). May raise: such a letter is shunted."""


class GamesPort(Protocol):
    def by_name(self, name: str) -> Game | None:
        """Case aside."""
        ...

    def get(self, game: int) -> Game: ...

    def lock(self, game: int) -> Game:
        """The game as it is now, locked until the transaction ends."""
        ...

    def due(self, now: datetime) -> Game | None:
        """The running game longest overdue at `now`, locked; skips games another node holds, and those that wait for
        who is late.
        """
        ...

    def running(self) -> tuple[Game, ...]: ...

    def forming(self) -> tuple[Game, ...]: ...

    def started(self) -> tuple[Game, ...]:
        """Those that run and those that have ended, in the order they were made."""
        ...

    def ids_to_check(self, now: datetime) -> tuple[int, ...]:
        """Running games that the clock is to look at, the longest overdue first: those of which anything was stored
        since it did (the game, a seat, a sheet, press, a poll), and those whose moment has come.
        """
        ...

    def check_again_at(self, game: int, at: datetime) -> None:
        """That moment; what is stored after this call makes it now."""
        ...

    def add(self, game: Game) -> Game:
        """ValueError where the name is taken, case aside."""
        ...

    def save(self, game: Game) -> None: ...

    def seats(self, game: int) -> tuple[Seat, ...]:
        """Those of the powers and of game masters; no observers' chairs."""
        ...

    def seat(self, seat: int) -> Seat: ...

    def seats_of(self, person: int) -> tuple[Seat, ...]:
        """No observers' chairs."""
        ...

    def observer_seats(self, game: int) -> tuple[Seat, ...]:
        """All chairs of observers, empty ones and those of who was sent away too."""
        ...

    def observer_seats_of(self, person: int) -> tuple[Seat, ...]:
        """The chairs somebody has beside his seats."""
        ...

    def add_seat(self, seat: Seat) -> Seat: ...

    def save_seat(self, seat: Seat) -> None: ...

    def applicants(self, game: int) -> tuple[Applicant, ...]:
        """Who wants to play in a game, in the order they first asked."""
        ...

    def applications_of(self, person: int) -> tuple[Applicant, ...]: ...

    def save_applicant(self, entry: Applicant) -> None:
        """One for each game and person: the newest stands."""
        ...

    def remove_applicant(self, game: int, person: int) -> None: ...


class PeoplePort(Protocol):
    def get(self, person: int) -> Person: ...

    def by_address(self, address: str) -> Person | None:
        """Case aside."""
        ...

    def add(self, person: Person) -> Person:
        """ValueError where an address belongs to somebody else; so does save."""
        ...

    def save(self, person: Person) -> None: ...


class TurnsPort(Protocol):
    """Sheets, snapshots, press, votes, questions and the game master's log."""

    def sheet(self, game: int, snapshot: int, author: str, power: str) -> Sheet | None:
        """The newest version for the phase that snapshot opened."""
        ...

    def sheets(self, game: int, snapshot: int) -> tuple[Sheet, ...]:
        """The newest version of each (author, power)."""
        ...

    def add_sheet(self, sheet: Sheet) -> None: ...

    def update_questions(self, sheet: Sheet) -> None:
        """Keep other open questions, and the letter they came from, with this version; its lines stay."""
        ...

    def snapshot(self, snapshot: int) -> Snapshot: ...

    def snapshots(self, game: int) -> tuple[Snapshot, ...]:
        """All of them, oldest first, also those that a rollback left behind."""
        ...

    def add_snapshot(self, snapshot: Snapshot) -> Snapshot: ...

    def add_press(self, press: PressRow) -> PressRow: ...

    def press(self, game: int, turn: str = "") -> tuple[PressRow, ...]:
        """In the order they came; `turn`: only those that stand in that phase's journal."""
        ...

    def held_press(self, game: int) -> tuple[PressRow, ...]:
        """What is not passed on yet."""
        ...

    def release_press(self, press: int) -> None: ...

    def add_vote(self, vote: Vote) -> None: ...

    def votes(self, game: int) -> tuple[Vote, ...]:
        """The newest vote of each power, which may have lapsed."""
        ...

    def lapsed_votes(self, game: int, snapshot: int) -> tuple[Vote, ...]:
        """Those that lapsed when this snapshot was left, the newest of each power."""
        ...

    def log(self, act: GmAct) -> None: ...

    def gm_acts(self, game: int) -> tuple[GmAct, ...]: ...

    def add_question(self, question: Question) -> None:
        """A question asked before (same code) stays as it is."""
        ...

    def question(self, code: str) -> Question | None: ...

    def mark_answered(self, code: str) -> None: ...

    def count_questions(self, kind: str, since: datetime) -> int:
        """How many questions of this kind were asked since then."""
        ...


class AbsencesPort(Protocol):
    def add(self, absence: Absence) -> Absence: ...

    def of(self, game: int) -> tuple[Absence, ...]:
        """By when they begin; past ones too."""
        ...

    def remove(self, absence: int) -> None:
        """Taken back, or part of a longer one now."""
        ...


class HeartbeatPort(Protocol):
    """When somebody was last at work here: letters could be read and deadlines watched."""

    def last(self) -> datetime | None:
        """The last such instant, locked until the transaction ends; None: there never was one."""
        ...

    def note(self, at: datetime) -> None: ...


class PollsPort(Protocol):
    """What is noted beside the turns: errata, polls."""

    def add_erratum(self, erratum: Erratum) -> None: ...

    def errata(self, game: int) -> tuple[Erratum, ...]:
        """Oldest first."""
        ...

    def add_poll(self, poll: Poll) -> Poll: ...

    def save_poll(self, poll: Poll) -> None: ...

    def of(self, game: int) -> tuple[Poll, ...]:
        """In the order in which they were opened."""
        ...

    def add_poll_vote(self, vote: PollVote) -> None: ...

    def poll_votes(self, poll: int) -> tuple[PollVote, ...]:
        """The newest of each power."""
        ...


class InboxPort(Protocol):
    def accept(self, row: InboxRow) -> tuple[InboxRow, bool]:
        """Keep a letter; False when the same letter (content key and account) is there already."""
        ...

    def lock_arrivals(self) -> None:
        """Called before a letter's instant is taken from the clock: until the transaction ends, `unread` waits."""
        ...

    def next(self, before: datetime | None = None) -> InboxRow | None:
        """The oldest unread letter received before that instant, locked, its `tries` not yet raised."""
        ...

    def get(self, row: int) -> InboxRow: ...

    def lock(self, row: int) -> bool:
        """Whether the letter is still unread (NEW), and so as it was, and no other node holds it: now this one does."""
        ...

    def count_try(self, row: int) -> None: ...

    def close(self, row: int, state: InboxState, error: str = "") -> None:
        """Set the state. NEW puts a held letter back among the unread, its tries at 0 and received_at as it was."""
        ...

    def count_unread(self, before: datetime) -> int: ...

    def count_ignored(self, why: str, since: datetime) -> int:
        """How many letters received since then were closed as no person's, for that reason."""
        ...


class OutboxPort(Protocol):
    def add(self, letter: OutLetter, now: datetime) -> bool:
        """Queue a letter; False when one with its (cause, kind, address) was queued before.

        It is held where its address cannot be reached (`Bounces`).
        """
        ...

    def next(self, now: datetime) -> OutboxRow | None:
        """The oldest letter that may go now, locked. None while an older one to the same address and game waits.

        A letter with a picture may go when that is settled, or the letter has waited long enough.
        """
        ...

    def lease(self, row: int, until: datetime) -> None:
        """Nobody else takes this letter, nor a later one to the same address and game, before that instant.

        For sending outside of a transaction: a slow relay must not keep SQLite's one writer from taking letters in.
        A crash while sending only means that the letter goes again, with the same message id, when the lease ends.
        """
        ...

    def end_leases(self) -> None:
        """End all leases. Only where no other process sends: what one that was killed had in hand goes again."""
        ...

    def record_picture(self, row: int, *, shown: bool) -> None:
        """Record whether the letter goes with its picture."""
        ...

    def mark_sent(self, row: int, now: datetime) -> None: ...

    def postpone(self, row: int, until: datetime, error: str) -> None:
        """After a failed attempt, which is counted."""
        ...

    def mark_failed(self, row: int, error: str) -> None: ...

    def expire(self, now: datetime) -> int: ...

    def mark_returned(self, row: int, error: str) -> None: ...

    def hold(self, address: str) -> None:
        """Keep back what is queued for an address."""
        ...

    def unhold(self, address: str) -> None:
        """Queue again what was held for it."""
        ...

    def answered_letter(self, message_id: str) -> AnsweredLetter | None:
        """What our letter with this message id was about."""
        ...

    def thread_ids(self, seat: int, phase: str = "", channel: str = "") -> tuple[str, ...]:
        """Message ids of the letters to a seat, oldest first: those of a press channel ("" = all that is not press),
        about one phase ("" = any).
        """
        ...

    def phase_opening(self, seat: int, phase: str) -> tuple[str, str] | None:
        """(message id, subject) of the letter that opened this phase for the seat."""
        ...

    def withheld_letters(self, seat: int, addresses: Iterable[str]) -> tuple[OutLetter, ...]:
        """Letters to that seat and person that were queued never to be sent: they expired as they were queued."""
        ...

    def by_envelope(self, envelope: str) -> OutboxRow | None:
        """The letter that had this envelope sender, when a bounce comes back to it."""
        ...

    def count_answers(self, address: str, since: datetime, text: str = "") -> int:
        """How many answers (automatic = "auto-replied") were queued to an address since then; with these words."""
        ...

    def all(self) -> Iterable[OutboxRow]: ...


class BouncesPort(Protocol):
    def of(self, address: str) -> BounceRecord | None: ...

    def save(self, bounced: BounceRecord) -> None: ...

    def forget(self, address: str) -> bool:
        """Was there anything to forget?"""
        ...


class PicturesPort(Protocol):
    def request(self, snapshot: int, audience: str, form: str, now: datetime) -> int:
        """The picture's number; it is noted to be drawn where it is not there yet."""
        ...

    def get(self, picture: int) -> Picture | None: ...

    def content(self, snapshot: int, audience: str, form: str) -> bytes:
        """Its file; empty where it was not asked for, not drawn yet, or thinned out."""
        ...

    def next(self, now: datetime) -> Picture | None:
        """The one that has waited longest to be drawn and that nobody has in hand, locked."""
        ...

    def lease(self, picture: int, until: datetime) -> None:
        """Take it in hand, which is counted: nobody else does before that instant."""
        ...

    def unlease(self, picture: int) -> None:
        """Put it back: whoever had it in hand does not draw it after all."""
        ...

    def end_leases(self) -> None:
        """End all leases. Only where no other process draws."""
        ...

    def finish(self, picture: int, now: datetime, content: bytes, error: str = "") -> None:
        """Keep its file; an empty one where it cannot be drawn. What is settled once stays so."""
        ...


class Mailer(Protocol):
    """How the sending step hands a letter to a relay. Raises `gm.errors.Deferred` or `Refused`."""

    def send(self, row: OutboxRow) -> None: ...


class Store(Protocol):
    """One transaction's view. Everything done through it is kept, or nothing."""

    games: GamesPort
    people: PeoplePort
    turns: TurnsPort
    absences: AbsencesPort
    heartbeat: HeartbeatPort
    polls: PollsPort
    inbox: InboxPort
    outbox: OutboxPort
    pictures: PicturesPort
    observers: ObserversPort
    bounces: BouncesPort

    def now(self) -> datetime: ...


Transaction = Callable[[], AbstractContextManager[Store]]
"""Opens a transaction: commits when the block ends well, rolls back when it raises."""
