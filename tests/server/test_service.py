"""Threads of the running server, and `gm tick`."""

from __future__ import annotations

import operator
import threading
import time
from datetime import timedelta
from pathlib import Path

import pytest
from server.test_serve_beside import letter
from structlog.testing import capture_logs
from support.mail.dovecot import free_port
from support.mail.smtp_sink import Sink
from support.stores.migrated_database import migrate

from gm.config import Config, ImapConfig, RelayConfig, Secret, SiteConfig
from gm.errors import GmError, RelayDown, Unavailable
from gm.game.clock import clock
from gm.game.model.records import InboxRow, InboxState, OutLetter
from gm.mail.incoming.received import Received
from gm.mail.outgoing.smtp_relay import RelayMailer
from gm.server.service import Service
from gm.server.short_lived import accept_beside_server, first_look
from gm.server.tick import tick
from gm.server.wiring import assemble
from gm.server.worker import Worker

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


def test_a_worker_wakes_by_itself_and_survives_errors() -> None:
    looks = Looks(ValueError("a fault of ours"))
    worker = Worker("looker", looks, floor=0.01)
    worker.start()
    assert looks.times(3)
    worker.stop()
    worker.join(GUARD)
    assert not worker.is_alive()


@pytest.mark.parametrize(
    ("full", "event"), [(Unavailable("the disk is full"), "stopped for now"), (ValueError("a fault of ours"), "failed")]
)
def test_a_lasting_problem_is_logged_once(full: Exception, event: str) -> None:
    left, ended = iter([full, full, full, None, None, full, full]), threading.Event()

    def work() -> bool:
        fault = next(left, full)
        if operator.length_hint(left) == 0:
            ended.set()
        if fault is not None:
            raise fault
        return False

    with capture_logs() as logs:
        worker = Worker("looker", work, floor=0.001)
        worker.start()
        assert ended.wait(GUARD)
        worker.stop()
        worker.join(GUARD)
    assert [entry["event"] for entry in logs] == [event, "goes on", event]


def test_a_worker_without_period_waits_for_its_bell() -> None:
    looks = Looks()
    worker = Worker("looker", looks)
    worker.start()
    worker.ring()
    assert looks.times(1)
    worker.stop()
    worker.join(GUARD)
    assert not looks.done.acquire(blocking=False)


def test_tick_raises_alarms_without_the_relay(tmp_path: Path) -> None:
    settings = Config(
        address="gm@gm.example",
        database=str(tmp_path / "gm.sqlite"),
        operators=("op@amsel.example",),
        relay=RelayConfig(port=free_port()),
    )
    app = assemble(settings)
    migrate(app)
    with app.database.transaction() as store:
        row, _ = store.inbox.accept(InboxRow(0, "pipe", "key", store.now(), b""))
        store.inbox.close(row.id, InboxState.SHUNTED, "Traceback")
    tick(app)
    with pytest.raises(RelayDown):  # now there is a letter to send
        tick(app)
    with app.database.transaction() as store:
        assert [queued.letter.address for queued in store.outbox.all()] == ["op@amsel.example"]
    app.database.close()


def test_an_unreachable_mailbox_at_start_is_reported_and_a_known_one_is_awaited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A restart in the midst of an outage must send what is queued, and raise the alarm."""
    looks = Looks()
    monkeypatch.setattr(clock, "send", looks)
    imap = ImapConfig(host="127.0.0.1", port=free_port(), user="gm", password=Secret("x"), security="none")
    app = assemble(Config(address="gm@gm.example", database=str(tmp_path / "gm.sqlite"), imap=imap))
    migrate(app)
    with pytest.raises(GmError, match="cannot be reached"), Service(app):
        pass
    app.database.note_polled("imap:gm@127.0.0.1", app.database.now())
    with Service(app):
        assert looks.times(1)
    app.database.close()


def a_letter(name: str) -> OutLetter:
    return OutLetter(
        name, "answer", f"{name}@x.example", "", "", "gm@gm.example", "gm@gm.example", "Re:", "ok",
        message_id=f"{name}@gm.example",
    )  # fmt: skip


def test_sending_goes_on_only_when_the_relay_has_answered(tmp_path: Path) -> None:
    """While the letter rests none is due, which is no sign that the relay is back."""
    with Sink() as sink:
        settings = Config(
            address="gm@gm.example", database=str(tmp_path / "gm.sqlite"), relay=RelayConfig(port=free_port())
        )
        app = assemble(settings)
        migrate(app)
        with app.database.transaction() as store:
            store.outbox.add(a_letter("ann"), store.now())
        service = Service(app)
        for pause in (0.0, 30.0, 0.0):
            service._relay_rests_until = pause and time.monotonic() + pause
            with pytest.raises(GmError, match="the relay takes no letters for now"):
                service._send()
        with app.database.transaction() as store:
            store.outbox.end_leases()
        service._relay_rests_until, service._mailer = 0.0, RelayMailer(RelayConfig(port=sink.port))
        while service._send():
            pass
        service._mailer.close()
    assert [delivery.recipients for delivery in sink.taken] == [["ann@x.example"]]
    app.database.close()


def test_stopping_says_that_the_relay_is_waited_for(tmp_path: Path) -> None:
    app = assemble(Config(address="gm@gm.example", database=str(tmp_path / "gm.sqlite")))
    migrate(app)
    service = Service(app)
    with capture_logs() as logs:
        service.log_stopping()
        with service._mailer._lock:
            service.log_stopping()
    assert [entry["event"] for entry in logs] == ["stopping", "stopping"]
    assert [entry.get("waits") for entry in logs] == [None, "127.0.0.1 is taking a letter; it gets 240 s at most"]
    app.database.close()


def test_tick_sends_letters_without_the_mailbox(tmp_path: Path) -> None:
    """Among them the alarm that it is."""
    with Sink() as sink:
        settings = Config(
            address="gm@gm.example",
            database=str(tmp_path / "gm.sqlite"),
            operators=("op@amsel.example",),
            imap=ImapConfig(host="127.0.0.1", port=free_port(), user="gm", password=Secret("x"), security="none"),
            relay=RelayConfig(port=sink.port),
        )
        app = assemble(settings)
        migrate(app)
        app.database.note_polled("imap:gm@127.0.0.1", app.database.now() - timedelta(hours=1))
        for _ in range(2):
            with pytest.raises(GmError, match=r"imap: 127\.0\.0\.1 .* cannot be reached"):
                tick(app)
    assert [delivery.recipients for delivery in sink.taken] == [["op@amsel.example"]]
    assert b"the mailbox cannot be read" in sink.taken[0].raw
    app.database.close()


def test_a_tick_leaves_nothing_to_do_until_the_next_letter_or_deadline(tmp_path: Path) -> None:
    """Also with a game that waits for players, a site and letters that have been answered."""
    with Sink() as sink:
        settings = Config(
            address="gm@gm.example",
            database=str(tmp_path / "gm.sqlite"),
            masters=("ruth@amsel.example",),
            authserv_id="mx.gm.example",
            relay=RelayConfig(port=sink.port),
            site=SiteConfig(folder=str(tmp_path / "site")),
        )
        (tmp_path / "gm.sqlite").touch()
        app = assemble(settings, alone=False)
        migrate(app)
        for number, words in enumerate(("CREATE harbour", "SET deadline Fri 20:00", "an order for nobody")):
            accept_beside_server(settings)(Received(letter(number, words), app.database.now(), "pipe"))
            assert not first_look(settings).idle
            tick(app)
            assert first_look(settings).idle
    assert len(sink.taken) >= 3
    app.database.close()


def test_tick_sends_the_other_letters_when_one_breaks_the_connection(tmp_path: Path) -> None:
    with Sink("rcpt:drop") as sink:
        settings = Config(
            address="gm@gm.example", database=str(tmp_path / "gm.sqlite"), relay=RelayConfig(port=sink.port)
        )
        app = assemble(settings)
        migrate(app)
        with app.database.transaction() as store:
            for name in ("ann", "bob", "cy"):
                store.outbox.add(a_letter(name), store.now())
        with pytest.raises(RelayDown, match="broke off"):
            tick(app)
        assert [delivery.recipients for delivery in sink.taken] == [["bob@x.example"], ["cy@x.example"]]
        tick(app)
        assert sink.taken[-1].recipients == ["ann@x.example"]
    app.database.close()
