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
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from msgspec.structs import replace
from support.stores.memory_events import MemoryEvents
from support.stores.memory_mail import MemoryBounces, MemoryInbox, MemoryOutbox, MemoryPictures
from support.stores.memory_rows import Data, OpenData, Rows, next_id

from gm.game.model.conduct_records import Conduct
from gm.game.model.mail_ports import BouncesPort, OutboxPort
from gm.game.model.observer_records import OBSERVER_SEATS, MailChoices, NotebookEntry, ObserversPort
from gm.game.model.poll_records import Erratum, Poll, PollVote
from gm.game.model.ports import (
    AbsencesPort,
    ConductPort,
    GamesPort,
    HeartbeatPort,
    InboxPort,
    PeoplePort,
    PicturesPort,
    PollsPort,
    TurnsPort,
)
from gm.game.model.public_events import PublicEventsPort
from gm.game.model.records import (
    LEAGUE,
    Absence,
    Applicant,
    Game,
    GameState,
    GmAct,
    OutLetter,
    Person,
    PressRow,
    Question,
    Seat,
    Sheet,
    Snapshot,
    Vote,
)
from gm.game.model.statement_records import EndStatement, StatementRound, StatementsPort


class MemoryStore:
    """`envelope` gives a letter's envelope sender, as for `gm.store.database.Database`."""

    def __init__(
        self,
        clock: datetime = datetime(2026, 3, 13, 12, 0, tzinfo=UTC),
        envelope: Callable[[OutLetter], str] = lambda letter: "",
    ) -> None:
        self.clock = clock
        self.data = Data()
        self.games: GamesPort = MemoryGames(self)
        self.people: PeoplePort = MemoryPeople(self)
        self.turns: TurnsPort = MemoryTurns(self)
        self.absences: AbsencesPort = MemoryAbsences(self)
        self.heartbeat: HeartbeatPort = MemoryHeartbeat(self)
        self.polls: PollsPort = MemoryPolls(self)
        self.conduct: ConductPort = MemoryConduct(self)
        self.inbox: InboxPort = MemoryInbox(self)
        self.outbox: OutboxPort = MemoryOutbox(self, envelope)
        self.pictures: PicturesPort = MemoryPictures(self)
        self.observers: ObserversPort = MemoryObservers(self)
        self.bounces: BouncesPort = MemoryBounces(self)
        self.statements: StatementsPort = MemoryStatements(self)
        self.events: PublicEventsPort = MemoryEvents(self)
        self._lock = threading.Lock()
        self._holder = 0

    def now(self) -> datetime:
        return self.clock

    def read_readers(self, game: int) -> None:
        """Nothing is quicker than it is."""

    @contextmanager
    def transaction(self) -> Iterator[MemoryStore]:
        if self._holder == threading.get_ident():
            raise RuntimeError("a transaction inside a transaction: a database would wait for itself")
        with self._lock:
            self._holder = threading.get_ident()
            data = self.data
            self.data = opened = OpenData(data)
            try:
                yield self
            except BaseException:
                opened.put_back()
                raise
            finally:
                self.data = data
                self._holder = 0


class MemoryGames(Rows):
    def by_name(self, name: str) -> Game | None:
        return next((game for game in self._data.games.values() if game.name.lower() == name.lower()), None)

    def get(self, game: int) -> Game:
        return self._data.games[game]

    def lock(self, game: int) -> Game:
        return self._data.games[game]

    def lock_named(self, name: str) -> None:
        """Nobody else is there."""

    def lock_to_check(self, game: int, now: datetime, *, wait: bool) -> Game | None:
        return self._data.games[game]

    def due(self, now: datetime) -> Game | None:
        waiting = {game.id for game in self.running() if game.snapshot and game.held == game.snapshot}
        overdue = (game for game in self.running() if game.due_at is not None and game.due_at <= now)
        due = [(game.due_at, game.id) for game in overdue if game.id not in waiting]
        return self._data.games[min(due)[1]] if due else None

    def ids_to_check(self, now: datetime) -> tuple[int, ...]:
        look_at = self._data.look_at
        live = (*self.running(), *self.forming())
        here = [game for game in live if game.id not in look_at or look_at[game.id] <= now]
        return tuple(game.id for game in sorted(here, key=lambda game: (game.due_at is None, game.due_at, game.id)))

    def next_check(self, after: datetime) -> datetime | None:
        live = {game.id for game in (*self.running(), *self.forming())}
        return min((at for game, at in self._data.look_at.items() if game in live and at > after), default=None)

    def check_again_at(self, game: int, at: datetime) -> None:
        self._data.look_at[game] = at

    def running(self) -> tuple[Game, ...]:
        return tuple(game for game in self._data.games.values() if game.state is GameState.RUNNING)

    def forming(self) -> tuple[Game, ...]:
        return tuple(game for game in self._data.games.values() if game.state is GameState.FORMING)

    def in_league(self, league: str) -> tuple[Game, ...]:
        return tuple(game for game in self._data.games.values() if dict(game.settings).get(LEAGUE) == league)

    def started(self) -> tuple[Game, ...]:
        return tuple(game for game in self._data.games.values() if game.state is not GameState.FORMING)

    def add(self, game: Game) -> Game:
        if self.by_name(game.name):
            raise ValueError(f"there is a game {game.name} already")
        game = replace(game, id=next_id(self._data.games))
        self._data.games[game.id] = game
        return game

    def save(self, game: Game) -> None:
        self._tell(game.id)
        self._data.games[self.get(game.id).id] = game

    def seats(self, game: int) -> tuple[Seat, ...]:
        return tuple(
            seat for seat in self._data.seats.values() if seat.game == game and seat.power not in OBSERVER_SEATS
        )

    def seat(self, seat: int) -> Seat:
        return self._data.seats[seat]

    def seats_of(self, person: int) -> tuple[Seat, ...]:
        return tuple(
            seat for seat in self._data.seats.values() if seat.person == person and seat.power not in OBSERVER_SEATS
        )

    def living_seats(self) -> tuple[tuple[int, int], ...]:
        ended = {game.id for game in self._data.games.values() if game.state is GameState.ENDED}
        seats = (seat for seat in self._data.seats.values() if seat.person is not None and seat.game not in ended)
        return tuple((seat.id, seat.generation) for seat in seats)

    def observer_seats(self, game: int) -> tuple[Seat, ...]:
        return tuple(seat for seat in self._data.seats.values() if seat.game == game and seat.power in OBSERVER_SEATS)

    def observer_seats_of(self, person: int) -> tuple[Seat, ...]:
        return tuple(
            seat for seat in self._data.seats.values() if seat.person == person and seat.power in OBSERVER_SEATS
        )

    def add_seat(self, seat: Seat) -> Seat:
        self._tell(seat.game)
        seat = replace(seat, id=next_id(self._data.seats))
        self._data.seats[seat.id] = seat
        return seat

    def save_seat(self, seat: Seat) -> None:
        self._tell(seat.game)
        self._data.seats[self.seat(seat.id).id] = seat

    def applicants(self, game: int) -> tuple[Applicant, ...]:
        return tuple(entry for entry in self._data.entries.values() if entry.game == game)

    def applications_of(self, person: int) -> tuple[Applicant, ...]:
        return tuple(entry for entry in self._data.entries.values() if entry.person == person)

    def save_applicant(self, entry: Applicant) -> None:
        self._tell(entry.game)
        self._data.entries[entry.game, entry.person] = entry

    def remove_applicant(self, game: int, person: int) -> None:
        self._tell(game)
        self._data.entries.pop((game, person), None)


class MemoryPeople(Rows):
    def get(self, person: int) -> Person:
        return self._data.people[person]

    def read_players(self, game: int) -> None:
        """They are in memory."""

    def by_address(self, address: str) -> Person | None:
        return next((person for person in self._data.people.values() if address.lower() in person.addresses), None)

    def add(self, person: Person) -> Person:
        person = replace(person, id=next_id(self._data.people))
        self._free(person)
        self._data.people[person.id] = person
        return person

    def save(self, person: Person) -> None:
        before = self.get(person.id)
        self._free(person)
        self._data.people[person.id] = person
        for seat in self._data.seats.values():
            if seat.person == person.id and before.name != person.name:
                self._data.quiet.discard(seat.game)

    def wanting_openings(self) -> tuple[Person, ...]:
        return tuple(person for person in self._data.people.values() if person.openings and person.addresses)

    def _free(self, person: Person) -> None:
        for address in person.addresses:
            owner = self.by_address(address)
            if owner and owner.id != person.id:
                raise ValueError(f"{address} belongs to somebody already")


def _sheet_key(sheet: Sheet) -> tuple[object, ...]:
    return (sheet.game, sheet.snapshot, sheet.author, sheet.power, sheet.version)


class MemoryTurns(Rows):
    def sheet(self, game: int, snapshot: int, author: str, power: str) -> Sheet | None:
        return next(
            (sheet for sheet in self.sheets(game, snapshot) if (sheet.author, sheet.power) == (author, power)), None
        )

    def sheets(self, game: int, snapshot: int) -> tuple[Sheet, ...]:
        newest: dict[tuple[str, str], Sheet] = {}
        for sheet in self._data.sheets:
            if (sheet.game, sheet.snapshot) == (game, snapshot):
                key = (sheet.author, sheet.power)
                if key not in newest or newest[key].version < sheet.version:
                    newest[key] = sheet
        return tuple(newest[key] for key in sorted(newest))

    def sheet_versions(self, game: int, snapshot: int) -> tuple[Sheet, ...]:
        versions = (sheet for sheet in self._data.sheets if (sheet.game, sheet.snapshot) == (game, snapshot))
        return tuple(sorted(versions, key=lambda sheet: sheet.version))

    def add_sheet(self, sheet: Sheet) -> None:
        if any(_sheet_key(stored) == _sheet_key(sheet) for stored in self._data.sheets):
            raise ValueError(f"there is a version {sheet.version} of this sheet already")
        self._data.sheets.append(sheet)

    def update_questions(self, sheet: Sheet) -> None:
        at = next(at for at, stored in enumerate(self._data.sheets) if _sheet_key(stored) == _sheet_key(sheet))
        asked = {"open_questions": sheet.open_questions, "inbox": sheet.inbox, "at": sheet.at}
        self._data.sheets[at] = replace(self._data.sheets[at], **asked)  # type: ignore[arg-type]

    def snapshot(self, snapshot: int) -> Snapshot:
        return self._data.snapshots[snapshot]

    def snapshots(self, game: int) -> tuple[Snapshot, ...]:
        return tuple(snapshot for snapshot in self._data.snapshots.values() if snapshot.game == game)

    def add_snapshot(self, snapshot: Snapshot) -> Snapshot:
        snapshot = replace(snapshot, id=next_id(self._data.snapshots))
        self._data.snapshots[snapshot.id] = snapshot
        return snapshot

    def add_press(self, press: PressRow) -> PressRow:
        self._touch(press.game)
        press = replace(press, id=next_id(self._data.press))
        self._data.press[press.id] = press
        return press

    def press(self, game: int, turn: str = "") -> tuple[PressRow, ...]:
        return tuple(value for value in self._data.press.values() if value.game == game and turn in ("", value.turn))

    def held_press(self, game: int) -> tuple[PressRow, ...]:
        return tuple(row for row in self.press(game) if row.held_until is not None)

    def release_press(self, press: int) -> None:
        self._data.press[press] = replace(self._data.press[press], held_until=None)

    def add_vote(self, vote: Vote) -> None:
        self._data.votes.append(vote)

    def votes(self, game: int) -> tuple[Vote, ...]:
        newest = {vote.power: vote for vote in self._data.votes if vote.game == game}
        return tuple(newest[power] for power in sorted(newest))

    def lapsed_votes(self, game: int, snapshot: int) -> tuple[Vote, ...]:
        votes = (vote for vote in self._data.votes if (vote.game, vote.lapsed) == (game, snapshot))
        newest = {vote.power: vote for vote in votes}
        return tuple(newest[power] for power in sorted(newest))

    def log(self, act: GmAct) -> None:
        self._data.acts.append(act)

    def gm_acts(self, game: int) -> tuple[GmAct, ...]:
        return tuple(act for act in self._data.acts if act.game == game)

    def add_question(self, question: Question) -> None:
        self._data.questions.setdefault(question.code, question)

    def question(self, code: str) -> Question | None:
        return self._data.questions.get(code)

    def questions_of(self, game: int, kind: str) -> tuple[Question, ...]:
        asked = (
            question for question in self._data.questions.values() if (question.game, question.kind) == (game, kind)
        )
        return tuple(sorted(asked, key=lambda question: question.at))

    def open_codes(self) -> tuple[str, ...]:
        return tuple(question.code for question in self._data.questions.values() if not question.answered)

    def mark_answered(self, code: str) -> None:
        self._data.questions[code] = replace(self._data.questions[code], answered=True)

    def count_questions(self, kind: str, since: datetime) -> int:
        return sum(question.kind == kind and question.at >= since for question in self._data.questions.values())


class MemoryAbsences(Rows):
    def add(self, absence: Absence) -> Absence:
        absence = replace(absence, id=next_id(self._data.absences))
        self._data.absences[absence.id] = absence
        return absence

    def of(self, game: int) -> tuple[Absence, ...]:
        absences = (absence for absence in self._data.absences.values() if absence.game == game)
        return tuple(sorted(absences, key=lambda absence: (absence.begins, absence.id)))

    def remove(self, absence: int) -> None:
        self._data.absences.pop(absence, None)


class MemoryHeartbeat(Rows):
    def last(self) -> datetime | None:
        return self._data.pulse[-1] if self._data.pulse else None

    def note(self, at: datetime) -> None:
        self._data.pulse[:] = [at]


class MemoryConduct(Rows):
    def note(self, *conducts: Conduct) -> None:
        def key(row: Conduct) -> tuple[object, ...]:
            own = () if row.phase else (row.person, row.deed)
            return row.game, row.power, row.phase, *own

        replaced = {key(conduct) for conduct in conducts}
        self._data.conduct[:] = [row for row in self._data.conduct if key(row) not in replaced] + [*conducts]

    def of(self, person: int) -> tuple[Conduct, ...]:
        return tuple(conduct for conduct in self._data.conduct if conduct.person == person)


class MemoryPolls(Rows):
    def add_erratum(self, erratum: Erratum) -> None:
        self._data.errata.append(erratum)

    def errata(self, game: int) -> tuple[Erratum, ...]:
        return tuple(erratum for erratum in self._data.errata if erratum.game == game)

    def add_poll(self, poll: Poll) -> Poll:
        self._touch(poll.game)
        poll = replace(poll, id=next_id(self._data.polls))
        self._data.polls[poll.id] = poll
        return poll

    def save_poll(self, poll: Poll) -> None:
        self._touch(poll.game)
        self._data.polls[poll.id] = poll

    def of(self, game: int) -> tuple[Poll, ...]:
        return tuple(poll for poll in self._data.polls.values() if poll.game == game)

    def add_poll_vote(self, vote: PollVote) -> None:
        self._data.poll_votes.append(vote)

    def poll_votes(self, poll: int) -> tuple[PollVote, ...]:
        newest = {vote.power: vote for vote in self._data.poll_votes if vote.poll == poll}
        return tuple(newest[power] for power in sorted(newest))


class MemoryStatements(Rows):
    def round(self, game: int) -> StatementRound | None:
        return self._data.statement_rounds.get(game)

    def save_round(self, statement_round: StatementRound) -> None:
        self._tell(statement_round.game)
        self._data.statement_rounds[statement_round.game] = statement_round

    def due(self, now: datetime) -> tuple[int, ...]:
        rounds = self._data.statement_rounds.values()
        return tuple(row.game for row in rounds if row.closed_at is None and row.ends_at <= now)

    def add(self, statement: EndStatement) -> None:
        self._data.statements.append(statement)

    def of(self, game: int) -> tuple[EndStatement, ...]:
        newest = {made.seat: made for made in self._data.statements if made.game == game}
        return tuple(sorted((made for made in newest.values() if made.words), key=lambda made: (made.power, made.seat)))


class MemoryObservers(Rows):
    def mail_choices(self, seat: int, person: int) -> MailChoices:
        return self._data.wishes.get((seat, person), MailChoices(seat, person))

    def save_mail_choices(self, wishes: MailChoices) -> None:
        self._data.wishes[wishes.seat, wishes.person] = wishes

    def notebook(self, game: int) -> tuple[NotebookEntry, ...]:
        return tuple(value for value in self._data.diary.values() if value.game == game)

    def add_notebook_entry(self, entry: NotebookEntry) -> NotebookEntry:
        entry = replace(entry, id=next_id(self._data.diary))
        self._data.diary[entry.id] = entry
        return entry

    def blank_notebook_entry(self, entry: int) -> None:
        self._data.diary[entry] = replace(self._data.diary[entry], words="")
