"""Backups taken, and brought back, while letters come in: each letter is whole in them, and its answer, or neither."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

import pytest
from support.mail.dovecot import free_port
from support.stores.migrated_database import migrate
from support.stores.postgresql import ready_postgresql

from gm.config import Config, RelayConfig, Secret
from gm.errors import GmError, Unavailable
from gm.game.model.records import InboxRow, InboxState, OutLetter
from gm.server.operators.doctor import examine_installation
from gm.store.database import Database
from gm.store.maintenance import StoreMaintenance

GUARD = 60
KINDS = ("sqlite", "postgresql")


def place(kind: str, folder: Path, name: str) -> str:
    return ready_postgresql() if kind == "postgresql" else str(folder / f"{name}.sqlite")


class Letters:
    """Takes letters and answers every other one, as fast as it can. `taken`: whose keys were acknowledged."""

    def __init__(self, database: Database) -> None:
        self._database, self._numbers = database, count()
        self.taken: list[str] = []
        self.fault: Exception | None = None

    def process_letter(self) -> None:
        key = f"key {next(self._numbers)}"
        with self._database.transaction() as store:
            row, _ = store.inbox.accept(InboxRow(0, "lmtp", key, store.now(), f"{key} ".encode() * 200))
        self.taken.append(key)
        if row.id % 2:
            with suppress(KeyError), self._database.transaction() as store:  # gone, where a backup is brought back
                cause, answer = f"inbox:{row.id}", f"{row.id}@x"
                letter = OutLetter(cause, "answer", "ann@x", "Ann", "gm", "gm@x", "gm@x", "Re:", key, message_id=answer)
                store.outbox.add(letter, store.now())
                store.inbox.close(row.id, InboxState.DONE)


@contextmanager
def coming(database: Database) -> Iterator[Letters]:
    letters, ended = Letters(database), threading.Event()

    def come() -> None:
        while not ended.is_set():
            try:
                letters.process_letter()
            except Unavailable:
                continue
            except Exception as error:
                letters.fault = error
                return

    thread = threading.Thread(target=come)
    thread.start()
    try:
        yield letters
    finally:
        ended.set()
        thread.join(GUARD)
    assert letters.fault is None


def wait_for(letters: Letters, more: int) -> None:
    wanted, ended = len(letters.taken) + more, threading.Event()
    while len(letters.taken) < wanted and letters.fault is None:
        ended.wait(0.01)


def check(database: Database) -> set[str]:
    """The keys of the letters in it: each whole, answered where it is done, and no answer without its letter."""
    there = numbers(database)
    with database.transaction() as store:
        answers = {row.letter.cause: row.letter.text for row in store.outbox.all()}
        rows = [store.inbox.get(number) for number in there]
    assert all(row.raw == f"{row.content_key} ".encode() * 200 for row in rows)
    assert {f"inbox:{row.id}": row.content_key for row in rows if row.state is InboxState.DONE} == answers
    return {row.content_key for row in rows}


def numbers(database: Database) -> list[int]:
    with database.write_connection() as connection:
        return [int(row[0]) for row in connection.exec_driver_sql("SELECT id FROM inbox ORDER BY id")]


@pytest.mark.parametrize("kind", KINDS)
def test_a_backup_made_while_letters_arrive_is_complete(kind: str, tmp_path: Path) -> None:
    where = place(kind, tmp_path, "here")
    here = Database(where)
    migrate(here)
    beside = Database(where, alone=False)
    with coming(here) as letters:
        for name in ("first", "second"):
            wait_for(letters, 150)
            before = set(letters.taken)
            StoreMaintenance(beside).back_up(tmp_path / f"{name}.gz", "1.0", None)
            restored = place(kind, tmp_path, name)
            there = Database(restored)
            StoreMaintenance(there).restore(tmp_path / f"{name}.gz")
            assert check(there) >= before
            settings = Config(
                address="gm@example.org",
                database=restored,
                secret=Secret("a secret of the tests, long enough"),
                relay=RelayConfig(port=free_port()),
                dkim=False,
            )
            there.close()
            faults = {finding.what for finding in examine_installation(settings) if not finding.good}
            assert faults <= {"relay", "alarms"}
            there = Database(restored)
            with there.transaction() as store:
                assert store.inbox.accept(InboxRow(0, "lmtp", "a new one", store.now(), b""))[1]
            there.close()
    for database in (here, beside):
        database.close()


def _restored(database: Database, path: Path) -> bool:
    """Of two that wait for each other one is told to try again."""
    try:
        StoreMaintenance(database).restore(path, force=True)
    except GmError as error:
        assert "was busy" in str(error)  # noqa: PT017  # anything else fails
        return False
    return True


def test_a_restore_while_letters_arrive_keeps_every_later_letter(tmp_path: Path) -> None:
    """Who forgot to stop the nodes of a PostgreSQL finds nothing half there: they wait."""
    where = ready_postgresql()
    here, beside = Database(where), Database(where)
    here.upgrade()
    with coming(here) as letters:
        wait_for(letters, 300)
    StoreMaintenance(beside).back_up(tmp_path / "all.gz", "1.0", None)
    kept = set(letters.taken)
    with coming(here) as later:
        later._numbers = count(10_000)
        wait_for(later, 20)
        while not _restored(beside, tmp_path / "all.gz"):
            pass
        restored = set(later.taken)
        wait_for(later, 20)
    keys = check(here)
    assert keys >= kept
    assert keys >= set(later.taken) - restored
    for database in (here, beside):
        database.close()
