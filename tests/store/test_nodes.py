"""Nodes on one PostgreSQL: rights one holds at a time and that die with their holder, and the bell between them."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from queue import Queue

import pytest
from msgspec.structs import replace
from support.stores.postgresql import needs_postgresql, ready_postgresql

from gm.errors import GmError, Unavailable
from gm.game.model.records import Game, GameState, InboxRow, OutLetter, Seat
from gm.store.database import Database
from gm.store.maintenance import StoreMaintenance
from gm.store.nodes import rights
from gm.store.queries.row_mapping import Bell

GUARD = 60
AT = datetime(2026, 3, 13, 12, 0, tzinfo=UTC)
HOLDER = """
import sys, time
from gm.store.database import Database
right = Database(sys.argv[1]).polling()
print(right.beat(), flush=True)
time.sleep(600)
"""


@pytest.fixture
def where() -> str:
    return ready_postgresql()


@pytest.fixture
def two(where: str) -> Iterator[tuple[Database, Database]]:
    with ExitStack() as closing:
        opened = Database(where), Database(where)
        for node in opened:
            closing.callback(node.close)
        yield opened


def test_one_node_polls_at_a_time(two: tuple[Database, Database]) -> None:
    first, second = (node.polling() for node in two)
    assert [first.beat(), second.beat(), first.beat(), second.beat()] == [True, False, True, False]
    first.release()
    assert second.beat()
    assert not first.beat()
    second.release()


def test_the_right_of_a_killed_node_is_free_at_once(where: str) -> None:
    database = Database(where)
    right = database.polling()
    with subprocess.Popen([sys.executable, "-c", HOLDER, where], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "True\n"
        assert not right.beat()
        child.kill()
        child.wait()
    end = time.monotonic() + GUARD
    while not right.beat() and time.monotonic() < end:
        time.sleep(0.05)
    assert right.mine
    right.release()
    database.close()


def test_a_right_whose_session_was_ended_is_lost_and_can_be_had_again(two: tuple[Database, Database]) -> None:
    first, second = (node.polling() for node in two)
    assert first.beat()
    with two[1].engine.begin() as connection:
        connection.exec_driver_sql(
            "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND pid <> pg_backend_pid()"
        )
    assert not first.beat()
    assert second.beat()
    second.release()
    assert first.beat()
    first.release()


def test_the_rights_of_a_node_that_hangs_are_free_after_a_while(
    two: tuple[Database, Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says nothing any more, but its connection stands."""
    monkeypatch.setattr(rights, "SILENCE_SECONDS", 1)
    hanging, other = two
    right, awaited = hanging.polling(), other.polling()
    assert right.beat()
    with suppress(Unavailable), hanging.reading() as mine:
        assert mine()
        end = time.monotonic() + GUARD
        while not awaited.beat() and time.monotonic() < end:
            time.sleep(0.05)
        assert awaited.mine
        free = False
        while not free and time.monotonic() < end:
            with other.reading() as theirs:
                free = theirs()
                time.sleep(0.05)
        assert free
        assert not mine()
    assert not right.beat()
    awaited.release()


def test_a_deadline_waits_for_a_letter_that_is_being_taken(two: tuple[Database, Database]) -> None:
    """It has its instant already, and is committed a moment later: it must not slip in behind the results."""
    taking, resolving = two
    counted: list[int] = []

    def count() -> None:
        with resolving.transaction() as store:
            counted.append(store.inbox.count_unread(AT + timedelta(hours=1)))

    counter = threading.Thread(target=count)
    with taking.transaction() as store:
        store.inbox.lock_arrivals()
        store.inbox.accept(InboxRow(0, "lmtp", "late", AT, b""))
        counter.start()
        _waits_for_a_lock(taking, counter)
    counter.join(GUARD)
    assert counted == [1]


def test_whoever_waits_for_a_game_sees_what_was_done_to_it_meanwhile(two: tuple[Database, Database]) -> None:
    changing, waiting = two
    with changing.transaction() as store:
        game = store.games.add(Game(0, "ostend", "standard", GameState.RUNNING, settings=(("zone", "UTC"),)))
        seat = store.games.add_seat(Seat(0, game.id, "France"))
    changed, filled = replace(game, phase="F1901M", settings=(("zone", "Europe/Berlin"),)), replace(seat, generation=2)
    seen: list[tuple[Game, tuple[Seat, ...]]] = []

    def look(name: str, *, check: bool) -> None:
        with waiting.transaction() as store:
            assert store.games.by_name("Ostend") == game
            assert store.games.seats(game.id) == (seat,)
            if name:
                store.games.lock_named(name)
            if check:
                assert store.games.lock_to_check(game.id, AT, wait=False) is None
                assert store.games.lock_to_check(game.id, AT, wait=True) is not None
            seen.append((store.games.lock(game.id), store.games.seats(game.id)))

    for name, check in (("", False), ("OSTEND", False), ("", True)):
        looker = threading.Thread(target=look, args=(name,), kwargs={"check": check})
        with changing.transaction() as store:
            store.games.lock(game.id)
            store.games.save_seat(filled)
            store.games.save(changed)
            looker.start()
            _waits_for_a_lock(changing, looker)
        looker.join(GUARD)
        assert seen.pop() == (changed, (filled,))
        with changing.transaction() as store:
            store.games.save(game)
            store.games.save_seat(seat)


def test_a_game_that_another_node_has_checked_is_not_checked_again(two: tuple[Database, Database]) -> None:
    with two[0].transaction() as store:
        game = store.games.add(Game(0, "ostend", "standard", GameState.RUNNING))
        assert store.games.ids_to_check(AT) == (game.id,)
        assert store.games.lock_to_check(game.id, AT, wait=False) == game
        store.games.check_again_at(game.id, AT + timedelta(hours=1))
    with two[1].transaction() as store:
        assert store.games.lock_to_check(game.id, AT, wait=True) is None


def _waits_for_a_lock(database: Database, thread: threading.Thread) -> None:
    """Or has ended without."""
    end = time.monotonic() + GUARD
    while thread.is_alive() and time.monotonic() < end:
        with database.engine.connect() as connection:
            if connection.exec_driver_sql("SELECT 1 FROM pg_locks WHERE NOT granted").first():
                return
        time.sleep(0.02)


def test_letters_are_read_by_one_node_at_a_time(two: tuple[Database, Database]) -> None:
    first, second = two
    with first.reading() as mine, second.reading() as other:
        assert mine()
        assert not other()
        assert mine()
    with second.reading() as mine:
        assert mine()


def test_the_site_is_written_by_one_node_at_a_time_while_another_reads(two: tuple[Database, Database]) -> None:
    first, second = two
    with first.publishing() as mine, second.publishing() as other, second.reading() as reads:
        assert (mine(), other(), reads()) == (True, False, True)
    with second.publishing() as mine:
        assert mine()


def test_a_node_alone_has_every_right(tmp_path: Path) -> None:
    database = Database(tmp_path / "gm.sqlite")
    assert database.polling().beat()
    assert database.listener(lambda _: None) is None
    with database.reading() as mine:
        assert mine()
    database.close()


class _Bells:
    """What a node hears from the others."""

    def __init__(self) -> None:
        self.heard: Queue[Bell] = Queue()

    def __call__(self, bells: Collection[Bell]) -> None:
        for bell in bells:
            self.heard.put(bell)

    def all(self) -> set[Bell]:
        """As it begins to listen."""
        return {self.heard.get(timeout=GUARD) for _ in Bell}


@contextmanager
def _listening(node: Database) -> Iterator[_Bells]:
    bells = _Bells()
    listener = node.listener(bells)
    assert listener is not None
    listener.start()
    assert bells.all() == set(Bell)
    yield bells
    listener.stop()
    listener.join(GUARD)
    assert not listener.is_alive()


def _wait_until_alone(node: Database) -> None:
    """PostgreSQL lets go of what a closed connection held only when its process there has ended."""
    end = time.monotonic() + GUARD
    alone = False
    while not alone:
        assert time.monotonic() < end
        with node.write_connection() as connection:
            alone = rights.claim_alone(connection)


def _accept(node: Database, key: str) -> None:
    with node.transaction() as store:
        store.inbox.accept(InboxRow(0, "lmtp", key, AT, b""))


def _queue(node: Database, cause: str) -> None:
    with node.transaction() as store:
        store.outbox.add(OutLetter(cause, "answer", "ann@example.org", "Ann", "gm", "gm@x", "gm@x", "Re:", "ok"), AT)


def test_work_of_one_node_wakes_the_workers_of_the_other_that_it_is_for(two: tuple[Database, Database]) -> None:
    with _listening(two[1]) as bells:
        _accept(two[0], "key")
        assert bells.heard.get(timeout=GUARD) is Bell.LETTERS
        _queue(two[0], "inbox:1")
        assert bells.heard.get(timeout=GUARD) is Bell.OUTBOX
        with two[1].engine.begin() as connection:  # a database that ends the session: it listens again
            connection.exec_driver_sql(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%%'"
                " AND datname = current_database()"
            )
        assert bells.all() == set(Bell)


def test_a_node_that_serves_wakes_the_others_and_not_itself(two: tuple[Database, Database]) -> None:
    """However many letters it takes in a moment, none is left without a ring after it."""
    with _listening(two[0]) as own, _listening(two[1]) as others:
        for number in range(30):
            _accept(two[0], f"key{number}")
        _queue(two[0], "inbox:1")
        heard = [others.heard.get(timeout=GUARD)]
        while heard[-1] is not Bell.OUTBOX:
            heard.append(others.heard.get(timeout=GUARD))
        assert Bell.LETTERS in heard
        assert len(heard) < 10
        assert own.heard.empty()


def test_nothing_is_restored_under_a_node_that_serves(two: tuple[Database, Database], tmp_path: Path) -> None:
    maintenance = StoreMaintenance(two[0])
    two[0].upgrade()
    maintenance.back_up(tmp_path / "b.gz", "0", None)
    with _listening(two[1]), pytest.raises(GmError, match="in use by a running `gm serve`: stop every node first"):
        maintenance.restore(tmp_path / "b.gz", force=True)
    _wait_until_alone(two[0])
    assert maintenance.restore(tmp_path / "b.gz", force=True)[0] == 0


def test_a_transaction_that_fails_wakes_nobody(two: tuple[Database, Database]) -> None:
    with _listening(two[1]) as bells:
        with suppress(KeyError), two[0].transaction() as store:
            store.inbox.accept(InboxRow(0, "lmtp", "key", AT, b""))
            store.inbox.get(0)
        _queue(two[0], "inbox:1")
        assert bells.heard.get(timeout=GUARD) is Bell.OUTBOX


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_the_read_position_of_a_mailbox_only_advances(kind: str, tmp_path: Path) -> None:
    database = Database(needs_postgresql() if kind == "postgresql" else tmp_path / "gm.sqlite")
    database.upgrade()
    assert database.polled("imap:gm@a") is None
    for minutes, known in ((5, 5), (3, 5), (7, 7)):
        database.note_polled("imap:gm@a", AT + timedelta(minutes=minutes))
        assert database.polled("imap:gm@a") == AT + timedelta(minutes=known)
    assert database.polled("imap:gm@b") is None
    database.close()
