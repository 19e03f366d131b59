"""What an earlier version stored is read as that version read it, and its games go on; names in it stay what they are.

The files are told of in `data/README.md`. None of them is ever written anew: where a test here fails, it is the code
that has to read what stands there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct
from sqlalchemy import Connection, func, select
from support.dialogue import DeskStage, Player, read
from support.services import envelope, server_services
from support.shipped import LIBRARY
from support.stores.stored_databases import BACKUPS, DATA, DATABASES, expected, plain, upgraded, values

from gm.game.clock import clock
from gm.game.intake import registration as registering
from gm.game.model.letter_report import render_note_text
from gm.game.model.recipient import variant_options
from gm.game.model.records import Game, GameState, InboxState
from gm.game.model.services import Services
from gm.judge.model.sheets import ResolvedStep, Turn
from gm.judge.model.variant import Variant
from gm.language.formats import stored_values as codec
from gm.store.database import Database
from gm.store.maintenance import StoreMaintenance
from gm.store.schema import tables as t
from gm.variant_files.library import Library

NAMES: dict[str, Any] = json.loads((DATA / "names.json").read_text(encoding="utf-8"))
ALARM = "alarm"


class Hands:
    """A clock that stands where a test puts it."""

    clock: datetime

    def now(self) -> datetime:
        return self.clock


@pytest.fixture(scope="module")
def library() -> Library:
    return LIBRARY


@pytest.fixture(scope="module")
def services(library: Library) -> Services:
    return server_services(library)


@contextmanager
def opened(path: Path, hands: Hands) -> Iterator[Database]:
    """The database of this version's form, with a clock that begins when it was last written to."""
    with closing(Database(path, clock=hands.now, envelope=envelope)) as database:
        database.upgrade()
        with database.write_connection() as connection:
            hands.clock = last_written(connection)
        yield database


def last_written(connection: Connection) -> datetime:
    columns = (t.pulse.c.felt_at, t.outbox.c.queued_at, t.inbox.c.received_at, t.snapshot.c.at)
    moments = [connection.execute(select(func.max(column))).scalar_one() for column in columns]
    return max(moment for moment in moments if moment is not None)


def games_of(database: Database) -> tuple[Game, ...]:
    with database.transaction() as store:
        return (*store.games.forming(), *store.games.started())


def variants_of(database: Database, library: Library) -> dict[int, Variant]:
    return {
        game.id: library.variant(game.variant, variant_options(library.variant, game)) for game in games_of(database)
    }


def assert_the_same(actual: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Columns that a later version added are not compared."""
    for table, then in wanted.items():
        at = [actual[table]["columns"].index(column) for column in then["columns"]]
        assert len(actual[table]["rows"]) == len(then["rows"]), table
        for row, old in zip(actual[table]["rows"], then["rows"], strict=True):
            now = dict(zip(then["columns"], (row[index] for index in at), strict=True))
            assert now == dict(zip(then["columns"], old, strict=True)), table


# ---- everything that was stored


@pytest.mark.parametrize("name", DATABASES)
def test_a_database_is_read_as_it_was(name: str, services: Services, library: Library, tmp_path: Path) -> None:
    with opened(upgraded(name, tmp_path), Hands()) as database:
        assert_the_same(values(database, variants_of(database, library)), expected(name))
        assert not unsaid(database, services)


def unsaid(database: Database, services: Services) -> list[str]:
    """Notes in the game masters' log that no sentence is found for."""
    with database.write_connection() as connection:
        kept = [scalar for scalar in connection.execute(select(t.gm_log.c.outcome)).scalars() if scalar.startswith("[")]
    return [text for text in kept if render_note_text(services.letters.catalogue(), text) == text]


@pytest.mark.parametrize("name", BACKUPS)
def test_a_backup_is_read_as_it_was(name: str, library: Library, tmp_path: Path) -> None:
    with closing(Database(tmp_path / "gm.sqlite")) as database:
        StoreMaintenance(database).restore(DATA / f"{name}.backup.gz")
        assert_the_same(values(database, variants_of(database, library)), expected(name))


# ---- and the games go on


@pytest.mark.parametrize("name", DATABASES)
def test_games_go_on(name: str, services: Services, tmp_path: Path) -> None:
    """Everybody's letters are answered, and what is due is resolved."""
    hands = Hands()
    with opened(upgraded(name, tmp_path), hands) as database:
        faults = faults_in(database)
        stage = DeskStage(services, database, hands)
        stage.collect()
        for game in games_of(database):
            ask(stage, game)
        for game in games_of(database):
            if game.state is GameState.RUNNING and game.due_at is not None:
                pass_the_deadline(stage, game)
        assert faults_in(database) == faults


def ask(stage: DeskStage, game: Game) -> None:
    """Its game master and one player: what the letter's answer shows is all made of what is stored."""
    for address, sender in writers(stage, game):
        words = f">> {sender} <{sender}>\nTo: {address}\nAuth: pass\n\nSTATUS\nHISTORY\nSHOW\nSETTINGS\n"
        player = Player(stage, f"asking.{address.partition('@')[0]}")
        player.play(read(words)[1])
        assert player.got[sender], f"no answer to {sender}"


def writers(stage: DeskStage, game: Game) -> list[tuple[str, str]]:
    """Where to, and from whom."""
    with stage.transaction() as store:
        held = [seat for seat in store.games.seats(game.id) if seat.person is not None]
        named = [
            (stage.services.post.reply_address(game.name, seat), store.people.get(seat.person or 0)) for seat in held
        ]
    return [(address, person.addresses[0]) for address, person in (*named[:1], *named[1:][-1:]) if person.addresses]


def pass_the_deadline(stage: DeskStage, game: Game) -> None:
    """Either the phase is resolved, or the game waits for who is late, as its settings have it."""
    assert game.due_at is not None
    stage.go_to(max(stage.now(), game.due_at) + timedelta(minutes=1))
    clock.tick(stage.services, stage.transaction, None)
    stage.collect()
    with stage.transaction() as store:
        after = store.games.get(game.id)
        assert after.snapshot != game.snapshot or after.held == game.snapshot or after.due_at != game.due_at


def faults_in(database: Database) -> tuple[int, int]:
    """Letters set aside, and alarms."""
    shunted = select(func.count()).select_from(t.inbox).where(t.inbox.c.state == InboxState.SHUNTED)
    alarms = select(func.count()).select_from(t.outbox).where(t.outbox.c.kind == ALARM)
    with database.write_connection() as connection:
        return connection.execute(shunted).scalar_one(), connection.execute(alarms).scalar_one()


# ---- names


@pytest.mark.parametrize("name", NAMES)
def test_a_stored_name_stays_readable(name: str) -> None:
    """With its fields, and the values that they have where they are left out; and it is written as it was."""
    stored, wanted = NAMES[name]["stored"], NAMES[name]["values"]
    text = json.dumps([{"phase": "", "events": stored}], ensure_ascii=False, separators=(",", ":"))
    ((_, events),) = codec.events_from_text(text)
    assert [plain(event) for event in events] == wanted
    assert json.loads(codec.events_to_text([ResolvedStep("", Turn(None, events))])) == json.loads(text)  # type: ignore[arg-type]


def test_every_name_is_pinned() -> None:
    """A new class gets a line in `names.json` as it gets one in the codec; none is ever taken out."""
    assert set(codec.STORED) == set(NAMES)
    assert len(set(codec.STORED.values())) == len(codec.STORED)


def test_a_variants_own_class_may_not_reuse_a_stored_name() -> None:
    class Hold(Struct, frozen=True):
        pass

    class Mine(Struct, frozen=True):
        words: str

    with pytest.raises(ValueError, match="another name"):
        codec.register(Hold)
    codec.register(Mine)
    text = codec.events_to_text([ResolvedStep("", Turn(None, (Mine("so"),)))])  # type: ignore[arg-type]
    assert codec.events_from_text(text) == (("", (Mine("so"),)),)


def test_an_extension_request_of_an_earlier_version_is_read() -> None:
    """What a stranger asked for besides being registered, while their answer was waited for."""
    assert registering.payload_lines({"wish": "Join", "words": "ostend E[FGR]*"}) == ("JOIN ostend E[FGR]*",)
    assert registering.payload_lines({"wish": "Takeover", "words": "ostend France"}) == ("TAKEOVER ostend France",)
    assert registering.payload_lines({"wish": "", "words": ""}) == ()
