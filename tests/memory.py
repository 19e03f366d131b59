"""The twin of `gm.store` in memory: the same protocols, no database.

    store = MemoryStore(clock=datetime(2026, 3, 13, 12, tzinfo=UTC))
    with store.transaction() as s:
        s.games.add(...)

A block that raises leaves nothing behind. Records are frozen, so a transaction's beginning is kept by copying the
lists that hold them. `clock` is a plain attribute: tests set it. One contract suite (tests/store) runs on this
twin, on SQLite and on PostgreSQL.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from gm.desk.circle import CHAIRS, Circle, Page, Wishes
from gm.desk.minutes import Erratum, Poll, PollVote
from gm.desk.ports import Absences, Bounces, Games, Inbox, Minutes, Outbox, People, Pictures, Pulse, Turns
from gm.desk.records import (
    Absence,
    Bounced,
    Entry,
    Game,
    GameState,
    GmAct,
    InboxRow,
    InboxState,
    OutboxRow,
    OutboxState,
    OutLetter,
    Person,
    Picture,
    PressRow,
    Question,
    Seat,
    Sheet,
    Snapshot,
    Thread,
    Vote,
)


@dataclass
class Data:
    """All rows, each table a mapping by id (or a list where rows have none)."""

    people: dict[int, Person] = field(default_factory=dict)
    games: dict[int, Game] = field(default_factory=dict)
    seats: dict[int, Seat] = field(default_factory=dict)
    entries: dict[tuple[int, int], Entry] = field(default_factory=dict)
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
    pictures: dict[int, Picture] = field(default_factory=dict)
    wishes: dict[tuple[int, int], Wishes] = field(default_factory=dict)
    diary: dict[int, Page] = field(default_factory=dict)
    errata: list[Erratum] = field(default_factory=list)
    polls: dict[int, Poll] = field(default_factory=dict)
    poll_votes: list[PollVote] = field(default_factory=list)
    bounced: dict[str, Bounced] = field(default_factory=dict)
    look_at: dict[int, datetime] = field(default_factory=dict)

    def copy(self) -> Data:
        return Data(**{name: copy(rows) for name, rows in vars(self).items()})


class MemoryStore:
    """`envelope` gives a letter's envelope sender, as for `gm.store.database.Database`."""

    def __init__(
        self,
        clock: datetime = datetime(2026, 3, 13, 12, 0, tzinfo=UTC),
        envelope: Callable[[OutLetter], str] = lambda letter: "",
    ) -> None:
        self.clock = clock
        self.data = Data()
        self.games: Games = MemoryGames(self)
        self.people: People = MemoryPeople(self)
        self.turns: Turns = MemoryTurns(self)
        self.absences: Absences = MemoryAbsences(self)
        self.pulse: Pulse = MemoryPulse(self)
        self.minutes: Minutes = MemoryMinutes(self)
        self.inbox: Inbox = MemoryInbox(self)
        self.outbox: Outbox = MemoryOutbox(self, envelope)
        self.pictures: Pictures = MemoryPictures(self)
        self.circle: Circle = MemoryCircle(self)
        self.bounces: Bounces = MemoryBounces(self)
        self._lock = threading.Lock()
        self._holder = 0

    def now(self) -> datetime:
        return self.clock

    @contextmanager
    def transaction(self) -> Iterator[MemoryStore]:
        if self._holder == threading.get_ident():
            raise RuntimeError("a transaction inside a transaction: a database would wait for itself")
        with self._lock:
            self._holder = threading.get_ident()
            before = self.data.copy()
            try:
                yield self
            except BaseException:
                self.data = before
                raise
            finally:
                self._holder = 0


class _Table:
    def __init__(self, store: MemoryStore) -> None:
        self._store = store

    @property
    def _data(self) -> Data:
        return self._store.data

    def _touch(self, game: int) -> None:
        """The clock is to look at it."""
        self._data.look_at.pop(game, None)


def _next_id(rows: Mapping[int, object]) -> int:
    return max(rows, default=0) + 1


class MemoryGames(_Table):
    def named(self, name: str) -> Game | None:
        return next((game for game in self._data.games.values() if game.name.lower() == name.lower()), None)

    def get(self, game: int) -> Game:
        return self._data.games[game]

    def lock(self, game: int) -> Game:
        return self._data.games[game]

    def due(self, now: datetime) -> Game | None:
        waiting = {game.id for game in self.running() if game.snapshot and game.held == game.snapshot}
        overdue = (game for game in self.running() if game.due_at is not None and game.due_at <= now)
        due = [(game.due_at, game.id) for game in overdue if game.id not in waiting]
        return self._data.games[min(due)[1]] if due else None

    def awaiting(self, now: datetime) -> tuple[int, ...]:
        look_at = self._data.look_at
        here = [game for game in self.running() if game.id not in look_at or look_at[game.id] <= now]
        return tuple(game.id for game in sorted(here, key=lambda game: (game.due_at is None, game.due_at, game.id)))

    def look_again(self, game: int, at: datetime) -> None:
        self._data.look_at[game] = at

    def running(self) -> tuple[Game, ...]:
        return tuple(game for game in self._data.games.values() if game.state is GameState.RUNNING)

    def forming(self) -> tuple[Game, ...]:
        return tuple(game for game in self._data.games.values() if game.state is GameState.FORMING)

    def begun(self) -> tuple[Game, ...]:
        return tuple(game for game in self._data.games.values() if game.state is not GameState.FORMING)

    def add(self, game: Game) -> Game:
        if self.named(game.name):
            raise ValueError(f"there is a game {game.name} already")
        game = replace(game, id=_next_id(self._data.games))
        self._data.games[game.id] = game
        return game

    def save(self, game: Game) -> None:
        self._touch(game.id)
        self._data.games[self.get(game.id).id] = game

    def seats(self, game: int) -> tuple[Seat, ...]:
        return tuple(one for one in self._data.seats.values() if one.game == game and one.power not in CHAIRS)

    def seat(self, seat: int) -> Seat:
        return self._data.seats[seat]

    def seats_of(self, person: int) -> tuple[Seat, ...]:
        return tuple(one for one in self._data.seats.values() if one.person == person and one.power not in CHAIRS)

    def observers(self, game: int) -> tuple[Seat, ...]:
        return tuple(one for one in self._data.seats.values() if one.game == game and one.power in CHAIRS)

    def observing(self, person: int) -> tuple[Seat, ...]:
        return tuple(one for one in self._data.seats.values() if one.person == person and one.power in CHAIRS)

    def add_seat(self, seat: Seat) -> Seat:
        self._touch(seat.game)
        seat = replace(seat, id=_next_id(self._data.seats))
        self._data.seats[seat.id] = seat
        return seat

    def save_seat(self, seat: Seat) -> None:
        self._touch(seat.game)
        self._data.seats[self.seat(seat.id).id] = seat

    def entries(self, game: int) -> tuple[Entry, ...]:
        return tuple(one for one in self._data.entries.values() if one.game == game)

    def entries_of(self, person: int) -> tuple[Entry, ...]:
        return tuple(one for one in self._data.entries.values() if one.person == person)

    def keep_entry(self, entry: Entry) -> None:
        self._data.entries[entry.game, entry.person] = entry

    def drop_entry(self, game: int, person: int) -> None:
        self._data.entries.pop((game, person), None)


class MemoryPeople(_Table):
    def get(self, person: int) -> Person:
        return self._data.people[person]

    def by_address(self, address: str) -> Person | None:
        return next((one for one in self._data.people.values() if address.lower() in one.addresses), None)

    def add(self, person: Person) -> Person:
        person = replace(person, id=_next_id(self._data.people))
        self._free(person)
        self._data.people[person.id] = person
        return person

    def save(self, person: Person) -> None:
        self.get(person.id)
        self._free(person)
        self._data.people[person.id] = person

    def _free(self, person: Person) -> None:
        for address in person.addresses:
            owner = self.by_address(address)
            if owner and owner.id != person.id:
                raise ValueError(f"{address} belongs to somebody already")


def _sheet_key(one: Sheet) -> tuple[object, ...]:
    return (one.game, one.snapshot, one.author, one.power, one.version)


class MemoryTurns(_Table):
    def sheet(self, game: int, snapshot: int, author: str, power: str) -> Sheet | None:
        return next((one for one in self.sheets(game, snapshot) if (one.author, one.power) == (author, power)), None)

    def sheets(self, game: int, snapshot: int) -> tuple[Sheet, ...]:
        newest: dict[tuple[str, str], Sheet] = {}
        for sheet in self._data.sheets:
            if (sheet.game, sheet.snapshot) == (game, snapshot):
                key = (sheet.author, sheet.power)
                if key not in newest or newest[key].version < sheet.version:
                    newest[key] = sheet
        return tuple(newest[key] for key in sorted(newest))

    def add_sheet(self, sheet: Sheet) -> None:
        if any(_sheet_key(one) == _sheet_key(sheet) for one in self._data.sheets):
            raise ValueError(f"there is a version {sheet.version} of this sheet already")
        self._touch(sheet.game)
        self._data.sheets.append(sheet)

    def ask_again(self, sheet: Sheet) -> None:
        at = next(at for at, one in enumerate(self._data.sheets) if _sheet_key(one) == _sheet_key(sheet))
        self._touch(sheet.game)
        asked = {"open_questions": sheet.open_questions, "inbox": sheet.inbox, "at": sheet.at}
        self._data.sheets[at] = replace(self._data.sheets[at], **asked)  # type: ignore[arg-type]

    def snapshot(self, snapshot: int) -> Snapshot:
        return self._data.snapshots[snapshot]

    def snapshots(self, game: int) -> tuple[Snapshot, ...]:
        return tuple(one for one in self._data.snapshots.values() if one.game == game)

    def add_snapshot(self, snapshot: Snapshot) -> Snapshot:
        snapshot = replace(snapshot, id=_next_id(self._data.snapshots))
        self._data.snapshots[snapshot.id] = snapshot
        return snapshot

    def add_press(self, press: PressRow) -> PressRow:
        self._touch(press.game)
        press = replace(press, id=_next_id(self._data.press))
        self._data.press[press.id] = press
        return press

    def press(self, game: int, turn: str = "") -> tuple[PressRow, ...]:
        return tuple(one for one in self._data.press.values() if one.game == game and turn in ("", one.turn))

    def held_press(self, game: int) -> tuple[PressRow, ...]:
        return tuple(one for one in self.press(game) if one.held_until is not None)

    def release_press(self, press: int) -> None:
        self._data.press[press] = replace(self._data.press[press], held_until=None)

    def add_vote(self, vote: Vote) -> None:
        self._data.votes.append(vote)

    def votes(self, game: int) -> tuple[Vote, ...]:
        newest = {vote.power: vote for vote in self._data.votes if vote.game == game}
        return tuple(newest[power] for power in sorted(newest))

    def log(self, act: GmAct) -> None:
        self._data.acts.append(act)

    def acts(self, game: int) -> tuple[GmAct, ...]:
        return tuple(act for act in self._data.acts if act.game == game)

    def ask(self, question: Question) -> None:
        self._data.questions.setdefault(question.code, question)

    def question(self, code: str) -> Question | None:
        return self._data.questions.get(code)

    def answered(self, code: str) -> None:
        self._data.questions[code] = replace(self._data.questions[code], answered=True)

    def asked(self, kind: str, since: datetime) -> int:
        return sum(one.kind == kind and one.at >= since for one in self._data.questions.values())


class MemoryAbsences(_Table):
    def add(self, absence: Absence) -> Absence:
        absence = replace(absence, id=_next_id(self._data.absences))
        self._data.absences[absence.id] = absence
        return absence

    def of(self, game: int) -> tuple[Absence, ...]:
        found = (one for one in self._data.absences.values() if one.game == game)
        return tuple(sorted(found, key=lambda one: (one.begins, one.id)))

    def remove(self, absence: int) -> None:
        self._data.absences.pop(absence, None)


class MemoryPulse(_Table):
    def felt(self) -> datetime | None:
        return self._data.pulse[-1] if self._data.pulse else None

    def note(self, at: datetime) -> None:
        self._data.pulse[:] = [at]


class MemoryMinutes(_Table):
    def add_erratum(self, erratum: Erratum) -> None:
        self._data.errata.append(erratum)

    def errata(self, game: int) -> tuple[Erratum, ...]:
        return tuple(one for one in self._data.errata if one.game == game)

    def add_poll(self, poll: Poll) -> Poll:
        self._touch(poll.game)
        poll = replace(poll, id=_next_id(self._data.polls))
        self._data.polls[poll.id] = poll
        return poll

    def save_poll(self, poll: Poll) -> None:
        self._touch(poll.game)
        self._data.polls[poll.id] = poll

    def polls(self, game: int) -> tuple[Poll, ...]:
        return tuple(one for one in self._data.polls.values() if one.game == game)

    def add_poll_vote(self, vote: PollVote) -> None:
        self._data.poll_votes.append(vote)

    def poll_votes(self, poll: int) -> tuple[PollVote, ...]:
        newest = {vote.power: vote for vote in self._data.poll_votes if vote.poll == poll}
        return tuple(newest[power] for power in sorted(newest))


class MemoryInbox(_Table):
    def accept(self, row: InboxRow) -> tuple[InboxRow, bool]:
        for kept in self._data.inbox.values():
            if (kept.account, kept.content_key) == (row.account, row.content_key):
                return kept, False
        row = replace(row, id=_next_id(self._data.inbox))
        self._data.inbox[row.id] = row
        return row, True

    def arriving(self) -> None:
        """One transaction at a time: nobody else takes a letter meanwhile."""

    def next(self, before: datetime | None = None) -> InboxRow | None:
        unread = [(row.received_at, row.id) for row in self._unread() if before is None or row.received_at < before]
        return self._data.inbox[min(unread)[1]] if unread else None

    def get(self, row: int) -> InboxRow:
        return self._data.inbox[row]

    def lock(self, row: int) -> InboxRow | None:
        kept = self.get(row)
        return kept if kept.state is InboxState.NEW else None

    def tried(self, row: int) -> None:
        kept = self.get(row)
        self._data.inbox[row] = replace(kept, tries=kept.tries + 1)

    def close(self, row: int, state: InboxState, error: str = "") -> None:
        kept = self.get(row)
        tries = 0 if state is InboxState.NEW else kept.tries
        self._data.inbox[row] = replace(kept, state=state, error=error, tries=tries)

    def unread(self, before: datetime) -> int:
        return sum(row.received_at < before for row in self._unread())

    def _unread(self) -> Iterator[InboxRow]:
        return (row for row in self._data.inbox.values() if row.state is InboxState.NEW)


class MemoryOutbox(_Table):
    def __init__(self, store: MemoryStore, envelope: Callable[[OutLetter], str]) -> None:
        super().__init__(store)
        self._envelope = envelope

    def add(self, letter: OutLetter, now: datetime) -> bool:
        key = (letter.cause, letter.kind, letter.address)
        for row in self._data.outbox.values():
            if (row.letter.cause, row.letter.kind, row.letter.address) == key:
                return False
            if letter.message_id and row.letter.message_id == letter.message_id:
                raise ValueError(f"another letter has the message id {letter.message_id}")
        bounced = self._data.bounced.get(letter.address)
        state = OutboxState.HELD if bounced and bounced.unreachable else OutboxState.QUEUED
        row = OutboxRow(_next_id(self._data.outbox), letter, now, self._envelope(letter), state=state)
        self._data.outbox[row.id] = row
        return True

    def next(self, now: datetime) -> OutboxRow | None:
        ahead: set[tuple[str, int]] = set()
        for row in self._data.outbox.values():
            if row.state is not OutboxState.QUEUED or _over(row.letter, now):
                continue
            queue = (row.letter.address, row.letter.game)
            if queue not in ahead and all(
                moment is None or moment <= now for moment in (row.letter.not_before, row.leased_until, self._wait(row))
            ):
                return row
            ahead.add(queue)
        return None

    def _wait(self, row: OutboxRow) -> datetime | None:
        """Until when it waits for its picture."""
        picture = self._data.pictures.get(row.letter.picture)
        settled = picture is not None and picture.made_at is not None
        return None if settled or row.pictured is not None else row.letter.picture_until

    def pictured(self, row: int, *, shown: bool) -> None:
        self._change(row, replace(self._row(row), pictured=shown))

    def lease(self, row: int, until: datetime) -> None:
        kept = self._row(row)
        self._change(row, replace(kept, leased_until=until))

    def release(self) -> None:
        for row, kept in tuple(self._data.outbox.items()):
            self._change(row, replace(kept, leased_until=None))

    def sent(self, row: int, now: datetime) -> None:
        self._change(row, replace(self._row(row), state=OutboxState.SENT, sent_at=now))

    def postpone(self, row: int, until: datetime, error: str) -> None:
        kept = self._row(row)
        letter = replace(kept.letter, not_before=until)
        self._change(row, replace(kept, letter=letter, leased_until=None, tries=kept.tries + 1, last_error=error))

    def fail(self, row: int, error: str) -> None:
        kept = self._row(row)
        self._change(row, replace(kept, state=OutboxState.FAILED, tries=kept.tries + 1, last_error=error))

    def came_back(self, row: int, error: str) -> None:
        self._change(row, replace(self._row(row), state=OutboxState.RETURNED, last_error=error))

    def hold(self, address: str) -> None:
        self._turn(address, OutboxState.QUEUED, OutboxState.HELD)

    def free(self, address: str) -> None:
        self._turn(address, OutboxState.HELD, OutboxState.QUEUED)

    def _turn(self, address: str, old: OutboxState, new: OutboxState) -> None:
        for row, kept in tuple(self._data.outbox.items()):
            if (kept.letter.address, kept.state) == (address, old):
                self._change(row, replace(kept, state=new))

    def expire(self, now: datetime) -> int:
        over = [row for row in self._data.outbox.values() if row.state is OutboxState.QUEUED and _over(row.letter, now)]
        for row in over:
            self._change(row.id, replace(row, state=OutboxState.EXPIRED))
        return len(over)

    def thread(self, message_id: str) -> Thread | None:
        for row in self._data.outbox.values():
            one = row.letter
            if message_id and one.message_id == message_id:
                return Thread(
                    one.game, one.seat, one.phase, one.channel, one.kind, one.subject, one.references, one.cause
                )
        return None

    def roots(self, seat: int, phase: str = "", channel: str = "") -> tuple[str, ...]:
        return tuple(one.message_id for one in self._about(seat, phase, channel))

    def opening(self, seat: int, phase: str) -> tuple[str, str] | None:
        return next(((one.message_id, one.subject) for one in self._about(seat, phase, "")), None)

    def withheld(self, seat: int, addresses: Iterable[str]) -> tuple[OutLetter, ...]:
        known = set(addresses)
        return tuple(
            row.letter
            for row in self._data.outbox.values()
            if row.letter.seat == seat and row.letter.address in known and row.letter.expires_at == row.queued_at
        )

    def returned(self, envelope: str) -> OutboxRow | None:
        return next((row for row in self._data.outbox.values() if envelope and row.envelope_from == envelope), None)

    def answers(self, address: str, since: datetime, text: str = "") -> int:
        return sum(
            (row.letter.address, row.letter.automatic) == (address, "auto-replied")
            and row.queued_at >= since
            and text in ("", row.letter.text)
            for row in self._data.outbox.values()
        )

    def all(self) -> Iterable[OutboxRow]:
        return tuple(self._data.outbox.values())

    def _about(self, seat: int, phase: str, channel: str) -> Iterator[OutLetter]:
        for row in self._data.outbox.values():
            one = row.letter
            if one.seat == seat and one.channel == channel and phase in ("", one.phase) and one.message_id:
                yield one

    def _row(self, row: int) -> OutboxRow:
        return self._data.outbox[row]

    def _change(self, row: int, changed: OutboxRow) -> None:
        self._data.outbox[row] = changed


class MemoryBounces(_Table):
    def of(self, address: str) -> Bounced | None:
        return self._data.bounced.get(address)

    def keep(self, bounced: Bounced) -> None:
        self._data.bounced[bounced.address] = bounced

    def forget(self, address: str) -> bool:
        return self._data.bounced.pop(address, None) is not None


class MemoryPictures(_Table):
    def want(self, snapshot: int, audience: str, form: str, now: datetime) -> int:
        for one in self._data.pictures.values():
            if (one.snapshot, one.audience, one.form) == (snapshot, audience, form):
                return one.id
        new = Picture(_next_id(self._data.pictures), snapshot, audience, form, now)
        self._data.pictures[new.id] = new
        return new.id

    def get(self, picture: int) -> Picture | None:
        return self._data.pictures.get(picture)

    def made(self, snapshot: int, audience: str, form: str) -> bytes:
        same = (one for one in self._data.pictures.values() if one.snapshot == snapshot)
        return next((one.content for one in same if (one.audience, one.form) == (audience, form)), b"")

    def next(self, now: datetime) -> Picture | None:
        for one in self._data.pictures.values():
            if one.made_at is None and (one.leased_until is None or one.leased_until <= now):
                return one
        return None

    def lease(self, picture: int, until: datetime) -> None:
        kept = self._data.pictures[picture]
        self._data.pictures[picture] = replace(kept, leased_until=until, tries=kept.tries + 1)

    def free(self, picture: int) -> None:
        self._data.pictures[picture] = replace(self._data.pictures[picture], leased_until=None)

    def release(self) -> None:
        for number, kept in tuple(self._data.pictures.items()):
            self._data.pictures[number] = replace(kept, leased_until=None)

    def settle(self, picture: int, now: datetime, content: bytes, error: str = "") -> None:
        kept = self._data.pictures[picture]
        if kept.made_at is None:
            self._data.pictures[picture] = replace(kept, made_at=now, content=content, error=error)


class MemoryCircle(_Table):
    def wishes(self, seat: int, person: int) -> Wishes:
        return self._data.wishes.get((seat, person), Wishes(seat, person))

    def wish(self, wishes: Wishes) -> None:
        self._data.wishes[wishes.seat, wishes.person] = wishes

    def entries(self, game: int) -> tuple[Page, ...]:
        return tuple(one for one in self._data.diary.values() if one.game == game)

    def add_entry(self, entry: Page) -> Page:
        entry = replace(entry, id=_next_id(self._data.diary))
        self._data.diary[entry.id] = entry
        return entry

    def blank_entry(self, entry: int) -> None:
        self._data.diary[entry] = replace(self._data.diary[entry], words="")


def _over(letter: OutLetter, now: datetime) -> bool:
    return letter.expires_at is not None and letter.expires_at <= now
