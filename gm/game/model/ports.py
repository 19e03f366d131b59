"""Ports: what the game needs from a store, a letter opener, a relay and a clock.

Two stores implement them and pass the same tests: `gm.store` on a database, and the one in memory for tests
(tests/support/stores/memory_store.py).
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

from gm.game.model.conduct_records import ConductPort
from gm.game.model.mail_ports import BouncesPort, OutboxPort
from gm.game.model.observer_records import ObserversPort
from gm.game.model.poll_records import Erratum, Poll, PollVote
from gm.game.model.public_events import PublicEventsPort
from gm.game.model.records import (
    Absence,
    Applicant,
    Game,
    GmAct,
    InboxRow,
    InboxState,
    Letter,
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
from gm.game.model.statement_records import StatementsPort

Clock = Callable[[], datetime]
"""Returns the present instant in UTC. On PostgreSQL it is the database's clock."""

Opener = Callable[[InboxRow], Letter]
"""Opens a raw letter (`gm.mail.message.open_letter`). A letter for which it raises is shunted."""


class GamesPort(Protocol):
    def by_name(self, name: str) -> Game | None:
        """Ignores case."""
        ...

    def get(self, game: int) -> Game: ...

    def lock(self, game: int) -> Game:
        """The game as it is now, locked until the transaction ends."""
        ...

    def lock_named(self, name: str) -> None:
        """Locks the game that will most likely be locked later, if there is one with this name, ignoring case.

        Only for speed, on a store with several nodes: what is read before a lock must be read again after it.
        """
        ...

    def due(self, now: datetime) -> Game | None:
        """The running game longest overdue at `now`, locked. Skips games that another node holds or that wait for
        late players.
        """
        ...

    def running(self) -> tuple[Game, ...]: ...

    def forming(self) -> tuple[Game, ...]: ...

    def started(self) -> tuple[Game, ...]:
        """Running and ended games, in the order of creation."""
        ...

    def in_league(self, league: str) -> tuple[Game, ...]:
        """Games with that setting LEAGUE, in the order of creation."""
        ...

    def ids_to_check(self, now: datetime) -> tuple[int, ...]:
        """Running and forming games that the clock must look at, the longest overdue first: those that changed since
        its last look (the game, a seat, an applicant, press, a poll), and those whose time has come. A sheet is no
        change by itself: see `gm.game.phase.readiness.check_again`.
        """
        ...

    def lock_to_check(self, game: int, now: datetime, *, wait: bool) -> Game | None:
        """Locks a game of `ids_to_check`; None if another node has checked it meanwhile.

        None also while another node holds it, unless `wait`.
        """
        ...

    def next_check(self, after: datetime) -> datetime | None:
        """When the clock must next look at a running or forming game, later than `after`; None: never."""
        ...

    def check_again_at(self, game: int, at: datetime) -> None:
        """Sets when the clock looks at the game again; any later change makes it look at once."""
        ...

    def add(self, game: Game) -> Game:
        """Raises ValueError if the name is taken, ignoring case."""
        ...

    def save(self, game: Game) -> None: ...

    def seats(self, game: int) -> tuple[Seat, ...]:
        """Seats of powers and game masters, without observers."""
        ...

    def seat(self, seat: int) -> Seat: ...

    def seats_of(self, person: int) -> tuple[Seat, ...]:
        """Without observer seats."""
        ...

    def living_seats(self) -> tuple[tuple[int, int], ...]:
        """(id, generation) of the filled seats of games that are not over, observers' too."""
        ...

    def observer_seats(self, game: int) -> tuple[Seat, ...]:
        """All observer seats, also empty ones and those of removed observers."""
        ...

    def observer_seats_of(self, person: int) -> tuple[Seat, ...]:
        """The observer seats of a person."""
        ...

    def add_seat(self, seat: Seat) -> Seat: ...

    def save_seat(self, seat: Seat) -> None: ...

    def applicants(self, game: int) -> tuple[Applicant, ...]:
        """People who want to play in a game, in the order they first asked."""
        ...

    def applications_of(self, person: int) -> tuple[Applicant, ...]: ...

    def save_applicant(self, entry: Applicant) -> None:
        """Replaces an earlier one of the same game and person."""
        ...

    def remove_applicant(self, game: int, person: int) -> None: ...


class PeoplePort(Protocol):
    def get(self, person: int) -> Person: ...

    def read_players(self, game: int) -> None:
        """Reads everybody who has a seat, so that `get` need not read each by themselves. Only for speed."""

    def by_address(self, address: str) -> Person | None:
        """Ignores case."""
        ...

    def add(self, person: Person) -> Person:
        """Raises ValueError if an address belongs to somebody else; so does `save`."""
        ...

    def save(self, person: Person) -> None: ...

    def wanting_openings(self) -> tuple[Person, ...]:
        """People with an address who asked for letters about games that look for players."""
        ...


class TurnsPort(Protocol):
    """Sheets, snapshots, press, votes, questions and the game master's log."""

    def sheet(self, game: int, snapshot: int, author: str, power: str) -> Sheet | None:
        """The newest version for the phase that the snapshot opened."""
        ...

    def sheets(self, game: int, snapshot: int) -> tuple[Sheet, ...]:
        """The newest version of each (author, power)."""
        ...

    def sheet_versions(self, game: int, snapshot: int) -> tuple[Sheet, ...]:
        """Every version of each sheet, oldest first."""
        ...

    def add_sheet(self, sheet: Sheet) -> None: ...

    def update_questions(self, sheet: Sheet) -> None:
        """Replaces the open questions of this version and the letter they came from; its lines stay."""
        ...

    def snapshot(self, snapshot: int) -> Snapshot: ...

    def snapshots(self, game: int) -> tuple[Snapshot, ...]:
        """Oldest first, also those that a rollback left behind."""
        ...

    def add_snapshot(self, snapshot: Snapshot) -> Snapshot: ...

    def add_press(self, press: PressRow) -> PressRow: ...

    def press(self, game: int, turn: str = "") -> tuple[PressRow, ...]:
        """In the order of arrival; `turn`: only the journal of that phase."""
        ...

    def held_press(self, game: int) -> tuple[PressRow, ...]:
        """Press that is not passed on yet."""
        ...

    def release_press(self, press: int) -> None: ...

    def add_vote(self, vote: Vote) -> None: ...

    def votes(self, game: int) -> tuple[Vote, ...]:
        """The newest vote of each power; it may have lapsed."""
        ...

    def lapsed_votes(self, game: int, snapshot: int) -> tuple[Vote, ...]:
        """Votes that lapsed with this snapshot, the newest of each power."""
        ...

    def log(self, act: GmAct) -> None: ...

    def gm_acts(self, game: int) -> tuple[GmAct, ...]: ...

    def add_question(self, question: Question) -> None:
        """A question with the same code stays as it is."""
        ...

    def question(self, code: str) -> Question | None: ...

    def questions_of(self, game: int, kind: str) -> tuple[Question, ...]:
        """All questions of a kind about a game, the oldest first."""
        ...

    def open_codes(self) -> tuple[str, ...]:
        """The codes of all questions that are not answered."""
        ...

    def mark_answered(self, code: str) -> None: ...

    def count_questions(self, kind: str, since: datetime) -> int: ...


class AbsencesPort(Protocol):
    def add(self, absence: Absence) -> Absence: ...

    def of(self, game: int) -> tuple[Absence, ...]:
        """Ordered by their beginning; past ones too."""
        ...

    def remove(self, absence: int) -> None:
        """For an absence that was withdrawn or merged into a longer one."""
        ...


class HeartbeatPort(Protocol):
    """When a server last worked, that is read letters and watched deadlines."""

    def last(self) -> datetime | None:
        """The last such instant, locked until the transaction ends; None if there is none."""
        ...

    def note(self, at: datetime) -> None: ...


class PollsPort(Protocol):
    """Errata and polls."""

    def add_erratum(self, erratum: Erratum) -> None: ...

    def errata(self, game: int) -> tuple[Erratum, ...]:
        """Oldest first."""
        ...

    def add_poll(self, poll: Poll) -> Poll: ...

    def save_poll(self, poll: Poll) -> None: ...

    def of(self, game: int) -> tuple[Poll, ...]:
        """In the order of opening."""
        ...

    def add_poll_vote(self, vote: PollVote) -> None: ...

    def poll_votes(self, poll: int) -> tuple[PollVote, ...]:
        """The newest of each power."""
        ...


class InboxPort(Protocol):
    def accept(self, row: InboxRow) -> tuple[InboxRow, bool]:
        """Stores a letter; False if the same letter (content key and account) is stored already."""
        ...

    def lock_arrivals(self) -> None:
        """Call it before taking a letter's instant from the clock: `count_unread` waits until the transaction ends."""
        ...

    def next(self, before: datetime | None = None, without: Collection[str] = ()) -> InboxRow | None:
        """The oldest unread letter received before that instant, locked.

        `without`: not of these envelope senders.
        """
        ...

    def take(self, before: datetime | None = None, without: Collection[str] = ()) -> InboxRow | None:
        """The same, and counts a try of it. Its `tries` are those before."""
        ...

    def get(self, row: int) -> InboxRow: ...

    def lock(self, row: int) -> bool:
        """Locks the letter; returns whether it is still unread (NEW) and no other node holds it."""
        ...

    def close(self, row: int, state: InboxState, error: str = "", writer: int | None = None) -> None:
        """Sets the state. NEW makes a held letter unread again, with 0 tries and the same `received_at`.

        `writer` is the person who wrote it, where that is known.
        """
        ...

    def claim_signature(self, row: int, signature: str) -> bool:
        """Stores the fingerprint of a letter's signature; False if another letter has it."""
        ...

    def count_unread(self, before: datetime) -> int: ...

    def count_ignored(self, why: str, since: datetime) -> int:
        """How many letters received since then were ignored for that reason."""
        ...


class PicturesPort(Protocol):
    def request(self, snapshot: int, audience: str, form: str, now: datetime) -> int:
        """The picture's id; queues it to be drawn if it does not exist yet."""
        ...

    def get(self, picture: int) -> Picture | None: ...

    def content(self, snapshot: int, audience: str, form: str) -> bytes:
        """The file; empty if it was not requested, not drawn yet, or removed since."""
        ...

    def next(self, now: datetime) -> Picture | None:
        """The oldest picture to draw that nobody has leased, locked; those for everybody first, then crops of them and
        orders. A crop comes only after the whole picture is finished.
        """
        ...

    def lease(self, picture: int, until: datetime) -> None:
        """Reserves it until that instant and counts the try."""
        ...

    def unlease(self, picture: int) -> None:
        """Ends the lease without a picture."""
        ...

    def end_leases(self) -> None:
        """Ends all leases, at the start of the only process that draws."""
        ...

    def finish(self, picture: int, now: datetime, content: bytes, error: str = "") -> None:
        """Stores the file, empty if it cannot be drawn. A finished picture does not change."""
        ...


class Mailer(Protocol):
    """Sends one letter through a relay. Raises `gm.errors.Deferred`, `Refused` or `RelayDown`."""

    def send(self, row: OutboxRow) -> None: ...


class Store(Protocol):
    """The store within one transaction."""

    games: GamesPort
    people: PeoplePort
    turns: TurnsPort
    absences: AbsencesPort
    heartbeat: HeartbeatPort
    polls: PollsPort
    conduct: ConductPort
    inbox: InboxPort
    outbox: OutboxPort
    pictures: PicturesPort
    observers: ObserversPort
    bounces: BouncesPort
    statements: StatementsPort
    events: PublicEventsPort

    def now(self) -> datetime: ...

    def read_readers(self, game: int) -> None:
        """Only for speed: reads at once what letters to all seats of a game need of their readers."""
        ...


Transaction = Callable[[], AbstractContextManager[Store]]
"""Opens a transaction: commits when the block ends well, rolls back when it raises."""
