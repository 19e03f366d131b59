"""Queries about games, settings and seats, people, and what happened in each phase."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from itertools import groupby
from operator import itemgetter

from msgspec.structs import replace
from sqlalchemy import ColumnElement, bindparam, delete, func, insert, or_, select, update

from gm.game.model.observer_records import OBSERVER_SEATS
from gm.game.model.records import (
    LEAGUE,
    Applicant,
    Game,
    GameState,
    GmAct,
    Person,
    PressRow,
    Question,
    Seat,
    Sheet,
    Snapshot,
    Vote,
)
from gm.store.prepared_statements import PreparedStatement, Row
from gm.store.queries.row_mapping import Queries, by, claim, record, values
from gm.store.read_cache import cached
from gm.store.schema import tables as t

AT_ONCE = datetime(1970, 1, 1, tzinfo=UTC)
"""`look_at` of a game that has changed: the clock must look at it."""
CHANGED: dict[str, object] = {"look_at": AT_ONCE, "news": True}
OPEN = or_(t.game.c.state == GameState.RUNNING, t.game.c.state == GameState.FORMING)


class GameQueries(Queries):
    def _touch(self, game: int) -> None:
        """Makes the clock look at the game. Once is enough until the game row changes, if nobody else writes to it."""
        if self._shared and game not in self._locks:
            TOUCH.change(self._connection, {"game": game})
        else:
            self._touch_once(game)

    def _tell(self, game: int) -> None:
        """Also makes the clock compare what anybody may know of the game."""
        self._cache[t.game.name].clear()
        TELL.change(self._connection, {"game": game})

    @cached(t.game)
    def _touch_once(self, game: int) -> int:
        return TOUCH.change(self._connection, {"game": game})


class AllGamesQueries(GameQueries):
    @cached(t.game)
    def by_name(self, name: str) -> Game | None:
        return self._whole(GAME_NAMED, name=name.lower())

    @cached(t.game)
    def get(self, game: int) -> Game:
        whole = self._whole(GAME, game=game)
        if whole is None:
            raise KeyError(f"no game {game}")
        return whole

    def lock(self, game: int) -> Game:
        if self._shared and game not in self._locks:
            self._lock(LOCK, game=game)
        return self.get(game)

    def lock_named(self, name: str) -> None:
        if self._shared:
            self._lock(LOCK_NAMED, name=name.lower())

    def lock_to_check(self, game: int, now: datetime, *, wait: bool) -> Game | None:
        if self._shared and not self._lock(LOCK_TO_CHECK if wait else LOCK_FREE_TO_CHECK, game=game, now=now):
            return None
        return self.get(game)

    def _lock(self, query: PreparedStatement, **values: object) -> bool:
        """Locks a game; what it is then needs a question of its own, which sees what others have written meanwhile."""
        self._clear_after_wait()
        row = self._one(query, **values)
        if row is not None:
            self._locks[row["id"]] = None
        return row is not None

    def due(self, now: datetime) -> Game | None:
        waits = (t.game.c.held == t.game.c.snapshot) & (t.game.c.snapshot != 0)
        due = select(t.game).where(t.game.c.state == GameState.RUNNING, t.game.c.due_at <= now, ~waits)
        row = self._one(claim(due.order_by(t.game.c.due_at, t.game.c.id).limit(1)))
        return None if row is None else record(Game, row, settings=self._settings(row["id"]))

    def running(self) -> tuple[Game, ...]:
        return self._in(GameState.RUNNING)

    def started(self) -> tuple[Game, ...]:
        return tuple(sorted((*self._in(GameState.RUNNING), *self._in(GameState.ENDED)), key=lambda game: game.id))

    def in_league(self, league: str) -> tuple[Game, ...]:
        mine = select(t.setting.c.game).where(t.setting.c.key == LEAGUE, t.setting.c.value == league)
        rows = self._all(select(t.game).where(t.game.c.id.in_(mine)).order_by(t.game.c.id))
        return tuple(record(Game, row, settings=self._settings(row["id"])) for row in rows)

    def forming(self) -> tuple[Game, ...]:
        return self._in(GameState.FORMING)

    def _in(self, state: GameState) -> tuple[Game, ...]:
        rows = self._all(by(t.game, "state", order="id"), value=state)
        return tuple(record(Game, row, settings=self._settings(row["id"])) for row in rows)

    def ids_to_check(self, now: datetime) -> tuple[int, ...]:
        return tuple(row["id"] for row in self._all(TO_CHECK, now=now))

    def next_check(self, after: datetime) -> datetime | None:
        row = self._one(NEXT_CHECK, after=after)
        return row["look_at"] if row is not None else None

    def check_again_at(self, game: int, at: datetime) -> None:
        self._update(t.game, game, {"look_at": at})

    def add(self, game: Game) -> Game:
        row = values(game, ("id", "settings")) | {"folded": game.name.lower()} | CHANGED
        key = self._insert_once(t.game, row, ("folded",))
        if key is None:
            raise ValueError(f"there is a game {game.name} already")
        game = replace(game, id=key)
        self._keep_settings(game)
        return game

    def save(self, game: Game) -> None:
        row = values(game, ("id", "settings")) | {"folded": game.name.lower()} | CHANGED
        self._update(t.game, game.id, row)
        if self._settings(game.id) != game.settings:
            self._write(t.setting, delete(t.setting).where(t.setting.c.game == game.id))
            self._keep_settings(game)

    @cached(t.seat)
    def seats(self, game: int) -> tuple[Seat, ...]:
        return tuple(seat for seat in self._seats("game", game) if seat.power not in OBSERVER_SEATS)

    @cached(t.seat)
    def seat(self, seat: int) -> Seat:
        return record(Seat, self._by_id(t.seat, seat))

    @cached(t.seat)
    def seats_of(self, person: int) -> tuple[Seat, ...]:
        return tuple(seat for seat in self._seats("person", person) if seat.power not in OBSERVER_SEATS)

    def living_seats(self) -> tuple[tuple[int, int], ...]:
        lives = (t.seat.c.person.is_not(None), t.game.c.state != GameState.ENDED)
        query = select(t.seat.c.id, t.seat.c.generation).join(t.game, t.game.c.id == t.seat.c.game).where(*lives)
        return tuple((row["id"], row["generation"]) for row in self._all(query.order_by(t.seat.c.id)))

    @cached(t.seat)
    def observer_seats(self, game: int) -> tuple[Seat, ...]:
        return tuple(seat for seat in self._seats("game", game) if seat.power in OBSERVER_SEATS)

    def observer_seats_of(self, person: int) -> tuple[Seat, ...]:
        return tuple(seat for seat in self._seats("person", person) if seat.power in OBSERVER_SEATS)

    def add_seat(self, seat: Seat) -> Seat:
        self._tell(seat.game)
        return replace(seat, id=self._insert(t.seat, values(seat)))

    def save_seat(self, seat: Seat) -> None:
        self._tell(seat.game)
        self._update(t.seat, seat.id, values(seat))

    @cached(t.seat)
    def _seats(self, column: str, value: int) -> tuple[Seat, ...]:
        """Seats of powers, game masters and observers."""
        return tuple(record(Seat, row) for row in self._all(by(t.seat, column, order="id"), value=value))

    def applicants(self, game: int) -> tuple[Applicant, ...]:
        return tuple(record(Applicant, row) for row in self._all(by(t.entry, "game", order="id"), value=game))

    def applications_of(self, person: int) -> tuple[Applicant, ...]:
        return tuple(record(Applicant, row) for row in self._all(by(t.entry, "person", order="id"), value=person))

    def save_applicant(self, entry: Applicant) -> None:
        self._tell(entry.game)
        row = values(entry, ())
        if self._insert_once(t.entry, row, ("game", "person")) is None:
            self._write(t.entry, update(t.entry).where(*_is_entry(entry.game, entry.person)).values(row))

    def remove_applicant(self, game: int, person: int) -> None:
        self._tell(game)
        self._write(t.entry, delete(t.entry).where(*_is_entry(game, person)))

    def _whole(self, query: PreparedStatement, **values: object) -> Game | None:
        """A game with its settings, by one query."""
        rows = self._all(query, **values)
        if not rows:
            return None
        settings = tuple((row["key"], row["value"]) for row in rows if row["key"] is not None)
        game = record(Game, rows[0], settings=settings)
        self._set_cached(t.setting, self._settings, (game.id,), settings)
        self._set_cached(t.game, self.get, (game.id,), game)
        return game

    @cached(t.setting)
    def _settings(self, game: int) -> tuple[tuple[str, str], ...]:
        rows = self._all(by(t.setting, "game", order="position"), value=game)
        return tuple((row["key"], row["value"]) for row in rows)

    def _keep_settings(self, game: Game) -> None:
        rows = [
            {"game": game.id, "key": key, "value": value, "position": position}
            for position, (key, value) in enumerate(game.settings)
        ]
        if rows:
            self._write(t.setting, insert(t.setting), rows)


class PeopleQueries(Queries):
    @cached(t.person)
    def get(self, person: int) -> Person:
        rows = self._all(PERSON, person=person)
        if not rows:
            raise KeyError(f"no person {person}")
        return _person(rows)

    @cached(t.person)
    def read_players(self, game: int) -> None:
        for person, rows in groupby(self._all(PLAYERS, game=game), key=itemgetter("id")):
            self._set_cached(t.person, PeopleQueries.get, (person,), _person(list(rows)))

    def by_address(self, address: str) -> Person | None:
        person = self._whose(address.lower())
        return None if person is None else self.get(person)

    @cached(t.address)
    def _whose(self, address: str) -> int | None:
        row = self._one(by(t.address, "address"), value=address)
        return None if row is None else int(row["person"])

    def add(self, person: Person) -> Person:
        person = replace(person, id=self._insert(t.person, values(person, ("id", "addresses"))))
        self._keep_addresses(person)
        return person

    def save(self, person: Person) -> None:
        before = self.get(person.id)
        self._remember(before, person)
        if before.name != person.name:  # pages of games that name people
            played = select(t.seat.c.game).where(t.seat.c.person == person.id)
            self._write(t.game, update(t.game).where(t.game.c.id.in_(played)).values(news=True))
        self._update(t.person, person.id, values(person, ("id", "addresses")))
        if self._addresses(person.id) != person.addresses:
            self._write(t.address, delete(t.address).where(t.address.c.person == person.id))
            self._keep_addresses(person)

    def wanting_openings(self) -> tuple[Person, ...]:
        rows = self._all(select(t.person.c.id).where(t.person.c.openings).order_by(t.person.c.id))
        people = (self.get(row["id"]) for row in rows)
        return tuple(person for person in people if person.addresses)

    def _remember(self, before: Person, after: Person) -> None:
        """Keeps former names and addresses, so that what they lead to can be erased."""
        for word in {before.name, *before.addresses} - {after.name, *after.addresses}:
            self._insert_once(t.known_as, {"person": before.id, "word": word}, ("person", "word"))

    @cached(t.address)
    def _addresses(self, person: int) -> tuple[str, ...]:
        rows = self._all(by(t.address, "person", order="position"), value=person)
        return tuple(row["address"] for row in rows)

    def _keep_addresses(self, person: Person) -> None:
        for position, address in enumerate(person.addresses):
            row = {"address": address, "person": person.id, "position": position}
            if self._insert_once(t.address, row, ("address",)) is None:
                raise ValueError(f"{address} belongs to somebody already")


class TurnQueries(GameQueries):
    def sheet(self, game: int, snapshot: int, author: str, power: str) -> Sheet | None:
        for sheet in self.sheets(game, snapshot):
            if sheet.author == author and sheet.power == power:
                return sheet
        return None

    @cached(t.sheet)
    def sheets(self, game: int, snapshot: int) -> tuple[Sheet, ...]:
        newest: dict[tuple[str, str], Sheet] = {}
        for row in self._all(SHEETS, game=game, snapshot=snapshot):
            newest[row["author"], row["power"]] = record(Sheet, row)
        return tuple(newest[key] for key in sorted(newest))

    def sheet_versions(self, game: int, snapshot: int) -> tuple[Sheet, ...]:
        return tuple(record(Sheet, row) for row in self._all(SHEETS, game=game, snapshot=snapshot))

    def add_sheet(self, sheet: Sheet) -> None:
        here = sheet.game, sheet.snapshot
        newest = {(other.author, other.power): other for other in self.sheets(*here)}
        unique = ("game", "snapshot", "author", "power", "version")
        if self._insert_uncached(t.sheet, values(sheet), unique) is None:
            self._cache[t.sheet.name].clear()  # another node has written it just now
            raise ValueError(f"there is a version {sheet.version} of this sheet already")
        old = newest.get((sheet.author, sheet.power))
        if old is None or old.version < sheet.version:
            newest[sheet.author, sheet.power] = sheet
        self._set_cached(t.sheet, self.sheets, here, tuple(newest[key] for key in sorted(newest)))

    def update_questions(self, sheet: Sheet) -> None:
        changed = {"open_questions": sheet.open_questions, "inbox": sheet.inbox, "at": sheet.at}
        this = (t.sheet.c.author == sheet.author, t.sheet.c.power == sheet.power, t.sheet.c.version == sheet.version)
        query = update(t.sheet).where(t.sheet.c.game == sheet.game, t.sheet.c.snapshot == sheet.snapshot, *this)
        if self._write(t.sheet, query.values(changed)).rowcount != 1:
            raise KeyError(f"no version {sheet.version} of this sheet")

    @cached(t.snapshot)
    def snapshot(self, snapshot: int) -> Snapshot:
        return record(Snapshot, self._by_id(t.snapshot, snapshot))

    @cached(t.snapshot)
    def snapshots(self, game: int) -> tuple[Snapshot, ...]:
        rows = self._all(by(t.snapshot, "game", order="id"), value=game)
        return tuple(record(Snapshot, row) for row in rows)

    def add_snapshot(self, snapshot: Snapshot) -> Snapshot:
        return replace(snapshot, id=self._insert(t.snapshot, values(snapshot)))

    def add_press(self, press: PressRow) -> PressRow:
        self._touch(press.game)
        return replace(press, id=self._insert(t.press, values(press)))

    @cached(t.press)
    def press(self, game: int, turn: str = "") -> tuple[PressRow, ...]:
        if turn:
            rows = self._all(PRESS_OF_TURN, game=game, turn=turn)
        else:
            rows = self._all(by(t.press, "game", order="id"), value=game)
        return tuple(record(PressRow, row) for row in rows)

    @cached(t.press)
    def held_press(self, game: int) -> tuple[PressRow, ...]:
        rows = self._all(HELD, game=game)
        return tuple(record(PressRow, row) for row in rows)

    def release_press(self, press: int) -> None:
        self._update(t.press, press, {"held_until": None})

    def add_vote(self, vote: Vote) -> None:
        self._insert(t.vote, values(vote))

    @cached(t.vote)
    def votes(self, game: int) -> tuple[Vote, ...]:
        rows = self._all(by(t.vote, "game", order="id"), value=game)
        return _newest(rows)

    def lapsed_votes(self, game: int, snapshot: int) -> tuple[Vote, ...]:
        rows = self._all(select(t.vote).where(t.vote.c.game == game, t.vote.c.lapsed == snapshot).order_by(t.vote.c.id))
        return _newest(rows)

    def log(self, act: GmAct) -> None:
        self._insert(t.gm_log, values(act))

    @cached(t.gm_log)
    def gm_acts(self, game: int) -> tuple[GmAct, ...]:
        rows = self._all(by(t.gm_log, "game", order="id"), value=game)
        return tuple(record(GmAct, row) for row in rows)

    def add_question(self, question: Question) -> None:
        self._insert_once(t.question, values(question), ("code",))

    @cached(t.question)
    def question(self, code: str) -> Question | None:
        row = self._one(by(t.question, "code"), value=code)
        return None if row is None else record(Question, row)

    def questions_of(self, game: int, kind: str) -> tuple[Question, ...]:
        about = select(t.question).where(t.question.c.game == game, t.question.c.kind == kind)
        return tuple(record(Question, row) for row in self._all(about.order_by(t.question.c.at)))

    def open_codes(self) -> tuple[str, ...]:
        rows = self._all(select(t.question.c.code).where(t.question.c.answered.is_(False)))
        return tuple(row["code"] for row in rows)

    def mark_answered(self, code: str) -> None:
        query = update(t.question).where(t.question.c.code == code).values(answered=True)
        if self._write(t.question, query).rowcount != 1:
            raise KeyError(f"no question {code}")

    def count_questions(self, kind: str, since: datetime) -> int:
        wanted = select(func.count()).select_from(t.question).where(t.question.c.kind == kind, t.question.c.at >= since)
        return int(self._connection.execute(wanted).scalar_one())


def _is_entry(game: int, person: int) -> tuple[ColumnElement[bool], ...]:
    return (t.entry.c.game == game, t.entry.c.person == person)


SHEETS = PreparedStatement(
    select(t.sheet)
    .where(t.sheet.c.game == bindparam("game"), t.sheet.c.snapshot == bindparam("snapshot"))
    .order_by(t.sheet.c.version)
)
"""All stored versions for the phase that a snapshot opened."""
_PRESS = select(t.press).where(t.press.c.game == bindparam("game")).order_by(t.press.c.id)
PRESS_OF_TURN = PreparedStatement(_PRESS.where(t.press.c.turn == bindparam("turn")))
HELD = PreparedStatement(_PRESS.where(t.press.c.held_until.is_not(None)))
TO_CHECK = PreparedStatement(
    select(t.game.c.id)
    .where(OPEN, t.game.c.look_at <= bindparam("now"))
    .order_by(t.game.c.due_at.is_(None), t.game.c.due_at, t.game.c.id)
)
NEXT_CHECK = PreparedStatement(
    select(t.game.c.look_at).where(OPEN, t.game.c.look_at > bindparam("after")).order_by(t.game.c.look_at).limit(1)
)
TOUCH = PreparedStatement(update(t.game).where(t.game.c.id == bindparam("game")).values(look_at=AT_ONCE))
TELL = PreparedStatement(update(t.game).where(t.game.c.id == bindparam("game")).values(CHANGED))

_GAME = select(t.game, t.setting.c.key, t.setting.c.value).join(t.setting, isouter=True).order_by(t.setting.c.position)
GAME = PreparedStatement(_GAME.where(t.game.c.id == bindparam("game")))
GAME_NAMED = PreparedStatement(_GAME.where(t.game.c.folded == bindparam("name")))
"""One row for each setting."""
_BY_ID = select(t.game.c.id).where(t.game.c.id == bindparam("game"))
_TO_CHECK = _BY_ID.where(t.game.c.look_at <= bindparam("now"))
LOCK = PreparedStatement(_BY_ID.with_for_update())
LOCK_NAMED = PreparedStatement(select(t.game.c.id).where(t.game.c.folded == bindparam("name")).with_for_update())
LOCK_TO_CHECK = PreparedStatement(_TO_CHECK.with_for_update())
LOCK_FREE_TO_CHECK = PreparedStatement(claim(_TO_CHECK))
_PEOPLE = select(t.person, t.address.c.address).join(t.address, isouter=True).order_by(t.person.c.id)
"""One row for each address."""
PERSON = PreparedStatement(_PEOPLE.where(t.person.c.id == bindparam("person")).order_by(t.address.c.position))
PLAYERS = PreparedStatement(
    _PEOPLE.where(t.person.c.id.in_(select(t.seat.c.person).where(t.seat.c.game == bindparam("game")))).order_by(
        t.address.c.position
    )
)


def _person(rows: Sequence[Row]) -> Person:
    """`rows` are those of the person's addresses."""
    return record(Person, rows[0], addresses=tuple(row["address"] for row in rows if row["address"]))


def _newest(rows: Iterable[Row]) -> tuple[Vote, ...]:
    """The last vote of each power; `rows` are in the order they were cast."""
    newest = {row["power"]: record(Vote, row) for row in rows}
    return tuple(newest[power] for power in sorted(newest))
