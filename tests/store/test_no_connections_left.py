"""A PostgreSQL that gives out no more connections, because others have them all: one line, 451, and back by itself."""

from __future__ import annotations

import smtplib
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import func, select
from sqlalchemy.pool import QueuePool
from structlog.testing import capture_logs
from support.mail.dovecot import free_port
from support.mail.mail_samples import simple
from support.stores.postgresql import ready_postgresql

from gm.config import Config, ListenConfig, RelayConfig, Secret
from gm.errors import Unavailable
from gm.server.service import Service
from gm.server.wiring import assemble
from gm.store.database import Database
from gm.store.maintenance import StoreMaintenance
from gm.store.nodes import bells, rights

GUARD = 60


@pytest.fixture
def where() -> str:
    return ready_postgresql()


@contextmanager
def crowd(where: str) -> Iterator[None]:
    """Connections of somebody else's until the server refuses one."""
    with ExitStack() as taken:
        while _taken(taken, where):
            pass
        yield


def _taken(taken: ExitStack, where: str) -> bool:
    try:
        taken.enter_context(psycopg.connect(where))
    except psycopg.OperationalError:
        return False
    return True


def until(true: Callable[[], object]) -> None:
    end = time.monotonic() + GUARD
    while not true() and time.monotonic() < end:
        time.sleep(0.05)
    assert true()


def test_no_connection_is_one_line_and_the_next_try_may_have_one(where: str) -> None:
    database = Database(where)
    right = database.polling()
    with crowd(where):
        for look in (
            database.check,
            database.now,
            StoreMaintenance(database).figures,
            lambda: database.reading().__enter__(),
        ):
            with pytest.raises(Unavailable, match=r"^database .* cannot be reached: .*too many") as caught:
                look()
            assert "\n" not in str(caught.value)
        assert not right.beat()
    assert right.beat()
    right.release()
    database.check()
    database.close()


def test_an_exhausted_connection_pool_is_one_line(where: str) -> None:
    database = Database(where)
    pool = database.engine.pool
    assert isinstance(pool, QueuePool)
    pool._timeout = 0.05
    right = database.polling()
    with ExitStack() as held:
        for _ in range(pool.size() + pool._max_overflow):
            held.enter_context(database.engine.connect())
        with pytest.raises(Unavailable, match=r"is busy: no connection was free in time$"):
            database.now()
        assert not right.beat()
    assert right.beat()
    right.release()
    database.close()


def test_a_server_without_connections_takes_no_letter_and_comes_back(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bells, "PATIENCE", 0.05)
    settings = Config(
        address="gm@gm.example",
        database=where,
        secret=Secret("a secret of the tests, long enough"),
        masters=("op@example.org",),
        listen=ListenConfig(protocol="lmtp", port=0),
        relay=RelayConfig(host="127.0.0.1", port=free_port()),
        tick_seconds=0.05,
    )
    app = assemble(settings)

    def sent() -> int:
        with smtplib.LMTP("127.0.0.1", service.port, timeout=GUARD) as client:
            client.ehlo("tests")
            client.mail("ann@example.org")
            client.rcpt("gm@gm.example")
            return client.data(simple(subject="HELP", number=1))[0]

    with capture_logs() as log, ExitStack() as running:
        with crowd(where):
            service = running.enter_context(Service(app))
            assert [sent(), sent()] == [451, 451]
            until(lambda: sum(entry["event"] == "stopped for now" for entry in log) >= 3)
            until(lambda: any(entry["event"].startswith("not listening") for entry in log))
            assert sent() == 451
        until(lambda: sent() == 250)
        with app.database.engine.connect() as connection:  # a node without a mailbox keeps no other from polling
            assert connection.execute(select(func.pg_try_advisory_lock(rights.POLLING))).scalar_one()
            connection.execute(select(func.pg_advisory_unlock(rights.POLLING)))
        until(lambda: StoreMaintenance(app.database).figures().letters_in.get("new", 0) == 0)
        until(lambda: {"goes on", "listening to other nodes again"} <= {entry["event"] for entry in log})
    app.database.close()
    assert not [entry for entry in log if "exc_info" in entry]
    refused = [(entry["event"], entry.get("worker")) for entry in log if "too many" in str(entry.get("error"))]
    lasting = [refusal for refusal in refused if refusal[0] != "letter not taken"]
    assert len(lasting) == len(set(lasting)) > 3
