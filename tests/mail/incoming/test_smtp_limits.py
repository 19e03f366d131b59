"""Many connections at once to the embedded server, and open files that have run out."""

from __future__ import annotations

import asyncio
import errno
import resource
import socket
from contextlib import closing
from queue import SimpleQueue

import pytest
from mail.incoming.test_smtp_server import Store, Talk, started
from structlog.testing import capture_logs
from support.mail.mail_samples import until

from gm.config import ListenConfig
from gm.errors import Unavailable
from gm.mail.incoming import smtp_server


@pytest.fixture
def store() -> Store:
    return Store()


def test_connections_over_the_limit_get_421(
    store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(smtp_server, "most_connections", lambda: 2)
    for protocol, hello in (("smtp", "EHLO me"), ("lmtp", "LHLO me")):
        with capture_logs() as logs, closing(started(ListenConfig(port=0, protocol=protocol), store)) as run:
            server = next(run)
            with Talk(server, hello), Talk(server, hello):
                for _ in range(5):
                    with socket.create_connection(("127.0.0.1", server.port), 20) as refused:
                        assert refused.makefile("rb").read() == b"421 4.3.2 Too many connections, try again later\r\n"
            until(lambda server=server: not server._handler.transports)
            with Talk(server, hello) as talk:
                assert talk("NOOP").startswith("250")
        assert [line["event"] for line in logs] == ["too many connections: more are refused"]
    assert capsys.readouterr().err == ""


def test_the_limit_leaves_open_files_for_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    for files, most in ((64, 16), (1024, 200), (resource.RLIM_INFINITY, 200)):
        monkeypatch.setattr(resource, "getrlimit", lambda _, files=files: (files, files))
        assert smtp_server.most_connections() == most


def test_a_connection_that_cannot_be_accepted_is_tried_once_and_later_again(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tried: SimpleQueue[int] = SimpleQueue()

    def accept(_: socket.socket) -> None:
        tried.put(1)
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(asyncio.constants, "ACCEPT_RETRY_DELAY", 3600)
    with closing(started(ListenConfig(port=0), store)) as run, monkeypatch.context() as patch:
        server = next(run)
        patch.setattr(socket.socket, "accept", accept)
        with socket.create_connection(("127.0.0.1", server.port), 20):
            tried.get(timeout=20)
            assert server._loop is not None
            asyncio.run_coroutine_threadsafe(asyncio.sleep(0), server._loop).result(20)
        assert tried.empty()
    assert len(caplog.records) == 1


def test_what_clients_repeat_while_the_store_is_away_is_logged_once(store: Store) -> None:
    store.fault = Unavailable("the database is away")
    with (
        capture_logs() as logs,
        closing(started(ListenConfig(port=0), store)) as run,
        Talk(next(run), "LHLO me") as talk,
    ):
        talk("MAIL FROM:<ann@players.test>")
        for _ in range(5):
            assert talk("RCPT TO:<gm@example.org>").startswith("451")
    assert [(line["event"], line["error"]) for line in logs] == [("recipient not checked", "the database is away")]
