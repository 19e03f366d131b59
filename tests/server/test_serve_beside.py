"""`gm serve` and what runs beside it: a mail server's pipe, letters by LMTP, a second server by mistake, `kill -9`."""

from __future__ import annotations

import os
import signal
import smtplib
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from support.mail.dovecot import free_port
from support.processes.warm_process import GM, WarmProcess, run

from gm.config import ListenConfig
from gm.mail.incoming.received import Received
from gm.mail.incoming.smtp_server import SmtpServer

GUARD = 60
SETTINGS = """
address = "gm@gm.example"
database = "{folder}/gm.sqlite"
masters = ["ruth@amsel.example"]
authserv_id = "mx.gm.example"
tick_seconds = 0.5
map_wait_seconds = 0
[listen]
protocol = "lmtp"
port = {listen}
[relay]
port = {relay}
"""


def letter(number: int, words: str) -> bytes:
    return (
        "Authentication-Results: mx.gm.example; dmarc=pass header.from=amsel.example\r\n"
        f"From: Ruth <ruth@amsel.example>\r\nTo: gm@gm.example\r\nMessage-ID: <{number}@amsel.example>\r\n"
        f"Subject: {number}\r\n\r\n{words}\r\n"
    ).encode()


class House:
    """A server that can be killed and started again, and the letters it sent."""

    def __init__(self, folder: Path, closing: ExitStack) -> None:
        self.config, self.port = folder / "gm.toml", free_port()
        self.sent: list[Received] = []
        sink = SmtpServer(ListenConfig(port=0, protocol="smtp"), self.sent.append, lambda _: True, 1_000_000)
        sink.start()
        closing.callback(sink.stop)
        self.config.write_text(SETTINGS.format(folder=folder, listen=self.port, relay=sink.port), encoding="utf-8")
        self._log = closing.enter_context((folder / "log").open("wb"))
        self.process = self.start()
        closing.callback(lambda: self.process.wait(GUARD))
        closing.callback(lambda: self.process.kill())

    def start(self) -> WarmProcess:
        with Path(os.devnull).open("r+b") as nothing:
            self.process = WarmProcess(GM, self._words("serve"), streams=(nothing, nothing, self._log))
        end = time.monotonic() + GUARD
        while time.monotonic() < end:
            try:
                with smtplib.LMTP("127.0.0.1", self.port, timeout=5):
                    return self.process
            except OSError:
                assert self.process.poll() is None
                time.sleep(0.1)
        raise AssertionError("the server does not listen")

    def run(self, *words: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        return run(GM, *self._words(*words), stdin=stdin)

    def deliver(self, raw: bytes) -> None:
        with smtplib.LMTP("127.0.0.1", self.port, timeout=GUARD) as client:
            client.sendmail("ruth@amsel.example", ["gm@gm.example"], raw)

    def wait_for(self, words: str) -> None:
        end = time.monotonic() + GUARD
        while time.monotonic() < end:
            if any(words.encode() in sent_letter.raw for sent_letter in self.sent):
                return
            time.sleep(0.1)
        raise AssertionError(f"no letter with {words!r} among {len(self.sent)}")

    def _words(self, *words: str) -> tuple[str, ...]:
        return "-c", str(self.config), *words


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with ExitStack() as closing:
        yield House(tmp_path, closing)


def test_a_pipe_delivers_beside_the_running_server(house: House) -> None:
    done = house.run("deliver", "gm@gm.example", stdin=letter(1, "CREATE harbour"))
    assert done.returncode == 0, done.stderr.decode()
    house.wait_for("harbour is created")


def test_a_second_server_on_the_same_file_is_refused_in_one_line(house: House) -> None:
    for command in ("serve", "tick"):
        done = house.run(command)
        assert done.returncode == 1
        assert len(done.stderr.decode().strip().splitlines()) == 1, done.stderr.decode()
        assert "gm.sqlite" in done.stderr.decode()


def test_letters_taken_before_a_kill_are_answered_after_it(house: House) -> None:
    house.deliver(letter(0, "CREATE harbour"))
    house.wait_for("harbour is created")
    for number in range(1, 6):
        house.deliver(letter(number, f"SET reminder {number}"))
        house.process.send_signal(signal.SIGKILL)
        house.process.wait(GUARD)
        house.start()
        if number > 1:  # a letter whose reading ends three processes is set aside
            house.wait_for(f"In-Reply-To: <{number - 1}@amsel.example>")
    for number in range(1, 6):
        house.wait_for(f"In-Reply-To: <{number}@amsel.example>")
    identities = [sent_letter.raw.partition(b"Message-ID: ")[2].partition(b"\r\n")[0] for sent_letter in house.sent]
    assert len(set(identities)) == 6
    assert len(identities) <= 6 + 5
