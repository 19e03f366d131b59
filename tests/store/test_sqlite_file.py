"""`gm deliver` and an idle `gm tick` on `sqlite3` alone do what the store does."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace
from support.mail.imap_double import PASSWORD, USER
from support.mail.imap_double import Double as ImapDouble
from support.stores.migrated_database import migrate
from support.stores.postgresql import ready_postgresql
from support.stores.store_under_test import NOON, a_game, a_letter, a_row

from gm.config import Config, ImapConfig, NotifyConfig, Secret, SiteConfig
from gm.errors import Unavailable
from gm.game.model.ports import Store
from gm.game.model.public_events import PublicEvent, PublicEventKind
from gm.game.model.records import EVERYBODY, GameState, InboxState
from gm.game.model.statement_records import StatementRound
from gm.server.short_lived import FirstLook, first_look, work_limits
from gm.store.database import Database
from gm.store.sqlite_file import SqliteFile

HOUR, YEAR = timedelta(hours=1), timedelta(days=366)
ALONE = Config(address="gm@gm.example")
PUBLIC = replace(
    ALONE,
    site=SiteConfig(folder="site"),
    notify=NotifyConfig(url=Secret("https://example.org/hook"), secret=Secret("a long random text")),
)
EVENT = PublicEvent(0, 1, PublicEventKind.TURN, "S1901M", NOON, None, "title", "text")


def known(store: Store, name: str = "ostend", look: timedelta = HOUR, **more: object) -> int:
    """A game of which nothing is news."""
    game = store.games.add(a_game(name, **more)).id
    store.events.announce(game, "")
    store.events.mark_published(game, 1)
    store.games.check_again_at(game, NOON + look)
    return game


def kept_letter(store: Store, state: InboxState, age: timedelta) -> None:
    row, _ = store.inbox.accept(a_row("one", NOON - age))
    store.inbox.close(row.id, state)


def event(store: Store, **more: object) -> None:
    store.events.add(replace(EVENT, game=known(store), **more))


def drawn(store: Store, age: timedelta) -> None:
    store.pictures.finish(store.pictures.request(1, EVERYBODY, "turn.png", NOON), NOON - age, b"PNG")


def late_letter(store: Store, age: timedelta) -> None:
    store.outbox.add(a_letter("one"), NOON - age)
    row = store.outbox.next(NOON)
    assert row is not None
    store.outbox.postpone(row.id, NOON + HOUR, "451")


WORK: dict[str, Callable[[Store], object]] = {
    "a letter to read": lambda store: store.inbox.accept(a_row("one")),
    "a letter that was set aside": lambda store: kept_letter(store, InboxState.SHUNTED, HOUR),
    "a new game": lambda store: store.games.add(a_game(state=GameState.ENDED)),
    "a game to look at": lambda store: known(store, look=-HOUR),
    "a game that hangs": lambda store: known(store, state=GameState.RUNNING, snapshot=1, due_at=NOON - HOUR),
    "statements to send": lambda store: store.statements.save_round(
        StatementRound(known(store, state=GameState.ENDED), 1, NOON - HOUR)
    ),
    "a digest": lambda store: store.outbox.collect(replace(a_letter("one"), not_before=NOON - HOUR), NOON),
    "a letter to send": lambda store: store.outbox.add(a_letter("one"), NOON),
    "a letter to send now": lambda store: store.outbox.add(replace(a_letter("one"), not_before=NOON), NOON),
    "a letter that expires": lambda store: store.outbox.add(
        replace(a_letter("one"), not_before=NOON + HOUR, expires_at=NOON), NOON
    ),
    "a letter that does not go for an hour": lambda store: late_letter(store, HOUR),
    "a map to draw": lambda store: store.pictures.request(1, EVERYBODY, "turn.png", NOON),
    "an old map": lambda store: drawn(store, YEAR),
    "an old letter": lambda store: kept_letter(store, InboxState.DONE, YEAR),
    "an old letter that was ignored": lambda store: kept_letter(store, InboxState.IGNORED, YEAR),
    "an old letter that nobody confirmed": lambda store: kept_letter(store, InboxState.HELD, YEAR),
    "an old event": lambda store: event(store, at=NOON - YEAR),
}
PUBLIC_WORK: dict[str, Callable[[Store], object]] = {
    "an event for the webhook": lambda store: event(store, waiting=True),
    "an event for the webhook now": lambda store: event(store, waiting=True, not_before=NOON),
    "a page to write": lambda store: store.events.announce(known(store), "facts"),
}
LATER: dict[str, Callable[[Store], object]] = {
    "a letter that was read": lambda store: kept_letter(store, InboxState.DONE, HOUR),
    "a letter to confirm": lambda store: kept_letter(store, InboxState.HELD, HOUR),
    "a game for later": lambda store: known(store, state=GameState.RUNNING, snapshot=1, due_at=NOON + HOUR),
    "a game that waits for late players": lambda store: known(
        store, state=GameState.RUNNING, snapshot=1, held=1, due_at=NOON - HOUR
    ),
    "an ended game": lambda store: known(store, look=-HOUR, state=GameState.ENDED),
    "statements for later": lambda store: store.statements.save_round(
        StatementRound(known(store, state=GameState.ENDED), 1, NOON + HOUR)
    ),
    "a digest for later": lambda store: store.outbox.collect(replace(a_letter("one"), not_before=NOON + HOUR), NOON),
    "a letter for later": lambda store: store.outbox.add(replace(a_letter("one"), not_before=NOON + HOUR), NOON),
    "a letter that is tried again": lambda store: late_letter(store, timedelta(minutes=5)),
    "a map that was drawn": lambda store: drawn(store, HOUR),
    "an event": lambda store: event(store),
    "an event that was postponed": lambda store: event(store, waiting=True, not_before=NOON + HOUR),
}
CASES = [
    *((act, ALONE, True) for act in WORK),
    *((act, PUBLIC, True) for act in PUBLIC_WORK),
    *((act, ALONE, False) for act in PUBLIC_WORK),
    *((act, PUBLIC, False) for act in LATER),
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "gm.sqlite"
    database = Database(path)
    migrate(database)
    database.close()
    return path


@pytest.mark.parametrize(("name", "settings", "waits"), CASES)
def test_what_a_tick_has_to_do(path: Path, name: str, settings: Config, waits: bool) -> None:
    act, asked = (WORK | PUBLIC_WORK | LATER)[name], work_limits(settings, NOON)
    with closing(Database(path, alone=False, clock=lambda: NOON)) as database:
        assert not database.work_waits(asked)
        assert not SqliteFile(path).work_waits(asked)
        with database.transaction() as store:
            act(store)
            if name.startswith("statements"):
                store.events.announce(1, "")
                store.events.mark_published(1, 2)
        assert database.work_waits(asked) == waits
        assert SqliteFile(path).work_waits(asked) == waits


def test_the_question_is_understood_by_postgresql() -> None:
    with closing(Database(ready_postgresql(), clock=lambda: NOON)) as database:
        database.upgrade()
        with database.transaction() as store:
            row, _ = store.inbox.accept(a_row("asked of PostgreSQL"))
        assert database.work_waits(work_limits(PUBLIC, NOON))
        with database.transaction() as store:
            store.inbox.close(row.id, InboxState.DONE)


def test_a_file_without_tables_or_of_another_version_is_not_asked(tmp_path: Path, path: Path) -> None:
    assert SqliteFile(path).is_present()
    missing, empty = tmp_path / "none.sqlite", tmp_path / "empty.sqlite"
    empty.touch()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
        connection.commit()
    for other in (missing, empty, path):
        assert not SqliteFile(other).is_present()
    for other in (empty, path):
        assert first_look(replace(ALONE, database=str(other))) == FirstLook()
    with pytest.raises(Unavailable, match="there is no such file; is `database` in the settings right"):
        first_look(replace(ALONE, database=str(missing)))
    assert not missing.exists()


def test_what_is_wrong_with_the_file_is_one_line(tmp_path: Path, path: Path) -> None:
    with closing(Database(path)), pytest.raises(Unavailable, match="in use by process"):
        first_look(replace(ALONE, database=str(path)))
    (tmp_path / "empty.sqlite").touch()
    (tmp_path / "letter.sqlite").write_bytes(b"Dear game master, " * 100)
    with pytest.raises(Unavailable, match="is not a SQLite database"):
        first_look(replace(ALONE, database=str(tmp_path / "letter.sqlite")))
    for name, fault in (
        ("letter.sqlite", "is not a SQLite database"),
        ("empty.sqlite", "run `gm migrate`"),
        ("new.sqlite", "there is no such file"),
        ("none/gm.sqlite", "there is no folder"),
    ):
        with pytest.raises(Unavailable, match=fault):
            SqliteFile(tmp_path / name).accept(a_row("one"), pushed=True)
    assert not (tmp_path / "new.sqlite").exists()


def test_how_far_a_mailbox_was_polled_is_noted_as_the_store_does(path: Path) -> None:
    file = SqliteFile(path)
    with closing(Database(path, alone=False)) as database:
        for until, known in ((NOON, NOON), (NOON + HOUR, NOON + HOUR), (NOON, NOON + HOUR)):
            file.note_polled("imap:gm@a", until)
            assert database.polled("imap:gm@a") == known
        database.note_polled("imap:gm@a", NOON + 2 * HOUR)
        assert database.polled("imap:gm@b") is None


def test_a_mailbox_is_polled_before_anything_else(path: Path) -> None:
    with ImapDouble() as server:
        imap = ImapConfig(host="127.0.0.1", port=server.port, user=USER, password=Secret(PASSWORD), security="none")
        settings = replace(ALONE, database=str(path), imap=imap)
        assert first_look(settings) == FirstLook(idle=True, polled=True)
        server.deliver(b"From: ann@example.org\r\nMessage-ID: <1@x>\r\n\r\nHELP\r\n")
        assert first_look(settings) == FirstLook(polled=True)
    with closing(Database(path)) as database:
        with database.transaction() as store:
            row = store.inbox.next()
            assert row is not None
            assert row.received_at < datetime.now(UTC) - HOUR, "INTERNALDATE"
            store.inbox.close(row.id, InboxState.DONE)
        assert database.polled(row.account) is not None
    look = first_look(settings)
    assert (look.idle, look.polled) == (False, True)
    assert "cannot be reached" in str(look.away)


def test_a_letter_is_stored_as_the_store_does(path: Path) -> None:
    odd = replace(
        a_row("odd"), raw=b"\x00\xff", envelope_from="j\udcfcrg\0@example.org", envelope_to=("gm@gm.example", "日本")
    )
    with closing(Database(path, alone=False)) as database:
        for row in (odd, a_row("plain")):
            before = datetime.now(UTC)
            for _ in range(2):
                SqliteFile(path).accept(row, pushed=True)
            with database.transaction() as store:
                stored, is_new = store.inbox.accept(row)
                assert not is_new
                assert before <= stored.received_at <= datetime.now(UTC)
                _, is_new = store.inbox.accept(replace(row, account="twin", received_at=stored.received_at))
                assert is_new
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        rows = [dict(row) for row in connection.execute("SELECT * FROM inbox ORDER BY id")]
    assert len(rows) == 4
    for first, second in ((rows[0], rows[1]), (rows[2], rows[3])):
        assert first == second | {"id": first["id"], "account": "imap"}
