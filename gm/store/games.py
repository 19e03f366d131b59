"""Games with their settings and seats, people with their addresses, and what happened in each phase."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Select, delete, insert, select, update

from gm.desk.records import Game, GameState, GmAct, Person, PressRow, Question, Seat, Sheet, Snapshot, Vote
from gm.store import tables as t
from gm.store.rows import Tables, claim, record, values


class Games(Tables):
    def named(self, name: str) -> Game | None:
        return self._first(select(t.game).where(t.game.c.folded == name.lower()))

    def get(self, game: int) -> Game:
        row = self._by_id(t.game, game)
        return record(Game, row, settings=self._settings(game))

    def lock(self, game: int) -> Game:
        row = self._by_id(t.game, game, lock=True)
        return record(Game, row, settings=self._settings(game))

    def due(self, now: datetime) -> Game | None:
        waits = (t.game.c.held == t.game.c.snapshot) & (t.game.c.snapshot != 0)
        due = select(t.game).where(t.game.c.state == GameState.RUNNING, t.game.c.due_at <= now, ~waits)
        return self._first(claim(due.order_by(t.game.c.due_at, t.game.c.id)))

    def running(self) -> tuple[Game, ...]:
        rows = self._all(select(t.game).where(t.game.c.state == GameState.RUNNING).order_by(t.game.c.id))
        return tuple(record(Game, row, settings=self._settings(row["id"])) for row in rows)

    def add(self, game: Game) -> Game:
        row = values(game, ("id", "settings")) | {"folded": game.name.lower()}
        key = self._insert_once(t.game, row, ("folded",))
        if key is None:
            raise ValueError(f"there is a game {game.name} already")
        game = replace(game, id=key)
        self._keep_settings(game)
        return game

    def save(self, game: Game) -> None:
        self._update(t.game, game.id, values(game, ("id", "settings")) | {"folded": game.name.lower()})
        if self._settings(game.id) != game.settings:
            self._connection.execute(delete(t.setting).where(t.setting.c.game == game.id))
            self._keep_settings(game)

    def seats(self, game: int) -> tuple[Seat, ...]:
        rows = self._all(select(t.seat).where(t.seat.c.game == game).order_by(t.seat.c.id))
        return tuple(record(Seat, row) for row in rows)

    def seat(self, seat: int) -> Seat:
        return record(Seat, self._by_id(t.seat, seat))

    def seats_of(self, person: int) -> tuple[Seat, ...]:
        rows = self._all(select(t.seat).where(t.seat.c.person == person).order_by(t.seat.c.id))
        return tuple(record(Seat, row) for row in rows)

    def add_seat(self, seat: Seat) -> Seat:
        return replace(seat, id=self._insert(t.seat, values(seat)))

    def save_seat(self, seat: Seat) -> None:
        self._update(t.seat, seat.id, values(seat))

    def _first(self, query: Select[Any]) -> Game | None:
        row = self._one(query.limit(1))
        return None if row is None else record(Game, row, settings=self._settings(row["id"]))

    def _settings(self, game: int) -> tuple[tuple[str, str], ...]:
        query = select(t.setting.c.key, t.setting.c.value).where(t.setting.c.game == game)
        return tuple((row["key"], row["value"]) for row in self._all(query.order_by(t.setting.c.position)))

    def _keep_settings(self, game: Game) -> None:
        rows = [
            {"game": game.id, "key": key, "value": value, "position": position}
            for position, (key, value) in enumerate(game.settings)
        ]
        if rows:
            self._connection.execute(insert(t.setting), rows)


class People(Tables):
    def get(self, person: int) -> Person:
        return record(Person, self._by_id(t.person, person), addresses=self._addresses(person))

    def by_address(self, address: str) -> Person | None:
        row = self._one(select(t.address.c.person).where(t.address.c.address == address.lower()))
        return None if row is None else self.get(row["person"])

    def add(self, person: Person) -> Person:
        person = replace(person, id=self._insert(t.person, values(person, ("id", "addresses"))))
        self._keep_addresses(person)
        return person

    def save(self, person: Person) -> None:
        self._update(t.person, person.id, values(person, ("id", "addresses")))
        if self._addresses(person.id) != person.addresses:
            self._connection.execute(delete(t.address).where(t.address.c.person == person.id))
            self._keep_addresses(person)

    def _addresses(self, person: int) -> tuple[str, ...]:
        query = select(t.address.c.address).where(t.address.c.person == person)
        return tuple(row["address"] for row in self._all(query.order_by(t.address.c.position)))

    def _keep_addresses(self, person: Person) -> None:
        for position, address in enumerate(person.addresses):
            row = {"address": address, "person": person.id, "position": position}
            if self._insert_once(t.address, row, ("address",)) is None:
                raise ValueError(f"{address} belongs to somebody already")


class Turns(Tables):
    def sheet(self, game: int, snapshot: int, author: str, power: str) -> Sheet | None:
        mine = (t.sheet.c.author == author, t.sheet.c.power == power)
        query = _sheets(game, snapshot).where(*mine).order_by(t.sheet.c.version.desc()).limit(1)
        row = self._one(query)
        return None if row is None else record(Sheet, row)

    def sheets(self, game: int, snapshot: int) -> tuple[Sheet, ...]:
        newest: dict[tuple[str, str], Sheet] = {}
        for row in self._all(_sheets(game, snapshot).order_by(t.sheet.c.version)):
            newest[row["author"], row["power"]] = record(Sheet, row)
        return tuple(newest[key] for key in sorted(newest))

    def add_sheet(self, sheet: Sheet) -> None:
        unique = ("game", "snapshot", "author", "power", "version")
        if self._insert_once(t.sheet, values(sheet), unique) is None:
            raise ValueError(f"there is a version {sheet.version} of this sheet already")

    def ask_again(self, sheet: Sheet) -> None:
        asked = {"open_questions": sheet.open_questions, "inbox": sheet.inbox, "at": sheet.at}
        this = (t.sheet.c.author == sheet.author, t.sheet.c.power == sheet.power, t.sheet.c.version == sheet.version)
        query = update(t.sheet).where(t.sheet.c.game == sheet.game, t.sheet.c.snapshot == sheet.snapshot, *this)
        if self._connection.execute(query.values(asked)).rowcount != 1:
            raise KeyError(f"no version {sheet.version} of this sheet")

    def snapshot(self, snapshot: int) -> Snapshot:
        return record(Snapshot, self._by_id(t.snapshot, snapshot))

    def snapshots(self, game: int) -> tuple[Snapshot, ...]:
        rows = self._all(select(t.snapshot).where(t.snapshot.c.game == game).order_by(t.snapshot.c.id))
        return tuple(record(Snapshot, row) for row in rows)

    def add_snapshot(self, snapshot: Snapshot) -> Snapshot:
        return replace(snapshot, id=self._insert(t.snapshot, values(snapshot)))

    def add_press(self, press: PressRow) -> PressRow:
        return replace(press, id=self._insert(t.press, values(press)))

    def press(self, game: int, turn: str = "") -> tuple[PressRow, ...]:
        query = select(t.press).where(t.press.c.game == game).order_by(t.press.c.id)
        rows = self._all(query.where(t.press.c.turn == turn) if turn else query)
        return tuple(record(PressRow, row) for row in rows)

    def held_press(self, game: int) -> tuple[PressRow, ...]:
        held = (t.press.c.game == game, t.press.c.held_until.is_not(None))
        return tuple(record(PressRow, row) for row in self._all(select(t.press).where(*held).order_by(t.press.c.id)))

    def release_press(self, press: int) -> None:
        self._update(t.press, press, {"held_until": None})

    def add_vote(self, vote: Vote) -> None:
        self._insert(t.vote, values(vote))

    def votes(self, game: int) -> tuple[Vote, ...]:
        rows = self._all(select(t.vote).where(t.vote.c.game == game).order_by(t.vote.c.id))
        newest = {row["power"]: record(Vote, row) for row in rows}
        return tuple(newest[power] for power in sorted(newest))

    def log(self, act: GmAct) -> None:
        self._insert(t.gm_log, values(act))

    def acts(self, game: int) -> tuple[GmAct, ...]:
        rows = self._all(select(t.gm_log).where(t.gm_log.c.game == game).order_by(t.gm_log.c.id))
        return tuple(record(GmAct, row) for row in rows)

    def ask(self, question: Question) -> None:
        self._insert_once(t.question, values(question), ("code",))

    def question(self, code: str) -> Question | None:
        row = self._one(select(t.question).where(t.question.c.code == code))
        return None if row is None else record(Question, row)

    def answered(self, code: str) -> None:
        query = update(t.question).where(t.question.c.code == code).values(answered=True)
        if self._connection.execute(query).rowcount != 1:
            raise KeyError(f"no question {code}")


def _sheets(game: int, snapshot: int) -> Select[Any]:
    return select(t.sheet).where(t.sheet.c.game == game, t.sheet.c.snapshot == snapshot)
