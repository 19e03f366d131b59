"""The poller against another server than Dovecot: pymap, which answers SEARCH, MOVE and IDLE in its own ways."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from imapclient import IMAPClient
from support.mail.dovecot import free_port
from support.mail.mail_samples import opened, simple, until

from gm.config import ImapConfig, load_section
from gm.mail.incoming.imap_poller import ImapPoller
from gm.mail.incoming.received import Received


@pytest.fixture
def port() -> Iterator[int]:
    number = free_port()
    program = [str(Path(sys.executable).with_name("pymap")), "--host", "127.0.0.1", "--port", str(number), "--no-tls"]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(
        [*program, "--no-service", "admin", "dict", "--demo-data"], stdout=quiet, stderr=quiet
    ) as server:
        try:
            until(lambda: answers(number))
            yield number
        finally:
            server.terminate()


def answers(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    time.sleep(0.1)
    return False


def session(port: int) -> IMAPClient:
    client = IMAPClient("127.0.0.1", port, ssl=False, timeout=20)
    client.login("demouser", "demopass")
    return client


@pytest.mark.parametrize("idle", [True, False])
def test_letters_are_taken_once_and_moved(port: int, idle: bool) -> None:
    kept: list[Received] = []
    settings = load_section(
        ImapConfig,
        {
            "host": "127.0.0.1",
            "port": port,
            "security": "none",
            "user": "demouser",
            "password": "demopass",
            "poll_seconds": 20 if idle else 0.3,
            "idle": idle,
        },
    )
    with session(port) as client:
        client.select_folder("INBOX")
        before = len(client.search(["UNDELETED"]))
        assert before > 0
        poller = ImapPoller(settings, kept.append)
        poller.start()
        try:
            until(lambda: len(kept) == before)
            until(lambda: poller.polled_until)
            client.append("INBOX", simple(subject="later"))
            until(lambda: len(kept) == before + 1, 40)
            until(lambda: count(client, "INBOX") == 0, 40)
        finally:
            poller.stop()
        assert count(client, "Processed") == before + 1
    assert opened(kept[-1].raw).subject == "later"
    assert poller.problem == ""


def count(client: IMAPClient, folder: str) -> int:
    return int(client.folder_status(folder, ["MESSAGES"])[b"MESSAGES"])
