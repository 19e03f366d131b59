"""The threads of the running server, without a server."""

from __future__ import annotations

import operator
import threading
from datetime import datetime, tzinfo
from pathlib import Path

import pytest
from mail.dovecot import free_port
from structlog.testing import capture_logs

from gm import serving
from gm.desk import clock
from gm.desk.errors import RelayDown, Unavailable
from gm.desk.records import InboxRow, InboxState
from gm.serving import Service, Worker, tick
from gm.settings import Listen, Relay, Settings
from gm.wiring import assemble

GUARD = 60


class Looks:
    """Work that counts how often it was done, and fails if it is told to."""

    def __init__(self, fault: Exception | None = None) -> None:
        self.done, self._fault = threading.Semaphore(0), fault

    def __call__(self, *_: object) -> bool:
        self.done.release()
        if self._fault is not None:
            raise self._fault
        return False

    def times(self, number: int) -> bool:
        return all(self.done.acquire(timeout=GUARD) for _ in range(number))


def test_a_worker_looks_by_itself_and_goes_on_after_any_fault() -> None:
    looks = Looks(ValueError("a fault of ours"))
    worker = Worker("looker", looks, every=0.01)
    worker.start()
    assert looks.times(3)
    worker.stop()
    worker.join(GUARD)
    assert not worker.is_alive()


def test_what_is_wrong_is_said_once_however_long_it_lasts() -> None:
    full = Unavailable("the disk is full")
    left, ended = iter([full, full, full, None, None, full, full]), threading.Event()

    def work() -> bool:
        fault = next(left, full)
        if operator.length_hint(left) == 0:
            ended.set()
        if fault is not None:
            raise fault
        return False

    with capture_logs() as said:
        worker = Worker("looker", work, every=0.001)
        worker.start()
        assert ended.wait(GUARD)
        worker.stop()
        worker.join(GUARD)
    assert [one["event"] for one in said] == ["stopped for now", "goes on", "stopped for now"]


def test_a_worker_of_no_hours_waits_for_its_bell() -> None:
    looks = Looks()
    worker = Worker("looker", looks)
    worker.start()
    worker.ring()
    assert looks.times(1)
    worker.stop()
    worker.join(GUARD)
    assert not looks.done.acquire(blocking=False)


def test_cron_has_alarms_too_even_when_the_relay_is_away(tmp_path: Path) -> None:
    settings = Settings(
        address="gm@gm.example",
        database=str(tmp_path / "gm.sqlite"),
        operators=("op@amsel.example",),
        relay=Relay(port=free_port()),
    )
    works = assemble(settings)
    works.database.upgrade()
    with works.database.transaction() as store:
        row, _ = store.inbox.accept(InboxRow(0, "pipe", "key", store.now(), b""))
        store.inbox.close(row.id, InboxState.SHUNTED, "Traceback")
    tick(works)
    with pytest.raises(RelayDown):  # now there is a letter to send
        tick(works)
    with works.database.transaction() as store:
        assert [one.letter.address for one in store.outbox.all()] == ["op@amsel.example"]
    works.database.close()


def test_letters_go_on_leaving_when_the_walls_clock_is_put_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing that waits asks it, also after the relay took no letters."""

    class Wall(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Wall:
            raise AssertionError("the wall's clock was asked")

    looks = Looks(RelayDown("the relay is away"))
    monkeypatch.setattr(serving, "datetime", Wall)
    monkeypatch.setattr(serving, "RELAY_PAUSE", 0.0)
    monkeypatch.setattr(clock, "send", looks)
    database = str(tmp_path / "gm.sqlite")
    works = assemble(Settings(address="gm@gm.example", database=database, listen=Listen(port=0), tick_seconds=0.01))
    works.database.upgrade()
    try:
        with Service(works):
            assert looks.times(3)
    finally:
        works.database.close()
