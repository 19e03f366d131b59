"""`gm serve` as a process on a real Dovecot: letters appended by IMAP, results read back by IMAP.

The relay is an SMTP sink that files what the game master sends into folders of a second mailbox on the same Dovecot,
one per player, and the players read it there.
"""

from __future__ import annotations

import asyncio
import email
import email.policy
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from email.message import EmailMessage
from pathlib import Path

import imapclient
import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from support.mail.dovecot import Dovecot, free_port
from support.processes.warm_process import GM, run

POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
GUARD = 60  # seconds until a letter that ought to come at once is given up
SETTINGS = """
address = "gm@gm.example"
database = "{folder}/gm.sqlite"
masters = ["ruth@amsel.example"]
authserv_id = "mx.gm.example"
tick_seconds = 0.5
map_wait_seconds = 0
[imap]
host = "127.0.0.1"
port = {imap}
security = "none"
user = "gm"
password = "secret"
poll_seconds = 1
[relay]
port = {relay}
"""


class Sink:
    """Files letters by IMAP in the folder named after the reader."""

    def __init__(self, client: imapclient.IMAPClient) -> None:
        self._client = client
        self._lock = threading.Lock()

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 (aiosmtpd's name)
        await asyncio.to_thread(self._file, envelope)
        return "250 filed"

    def _file(self, envelope: Envelope) -> None:
        assert isinstance(envelope.content, bytes)
        with self._lock:
            for address in envelope.rcpt_tos:
                folder = address.partition("@")[0]
                if not self._client.folder_exists(folder):
                    self._client.create_folder(folder)
                self._client.append(folder, envelope.content)


def mailbox(dovecot: Dovecot, user: str) -> imapclient.IMAPClient:
    client = imapclient.IMAPClient("127.0.0.1", dovecot.port, ssl=False, timeout=30)
    client.login(user, dovecot.password)
    return client


class Table:
    """Players with mail programs that speak IMAP only."""

    def __init__(self, writing: imapclient.IMAPClient, reading: imapclient.IMAPClient) -> None:
        self._writing, self._reading = writing, reading
        self._number = 0

    def write(self, sender: str, to: str, subject: str, words: str, answered: EmailMessage | None = None) -> None:
        self._number += 1
        message = EmailMessage()
        message["From"] = sender
        message["To"] = to
        message["Subject"] = subject
        message["Message-ID"] = f"<{self._number}@players.example>"
        message["Authentication-Results"] = f"mx.gm.example; dmarc=pass header.from={sender.partition('@')[2]}"
        if answered is not None:
            message["In-Reply-To"] = str(answered["Message-ID"])
        message.set_content(words)
        self._writing.append("INBOX", message.as_bytes(policy=email.policy.SMTP))

    def reply(self, sender: str, answered: EmailMessage, words: str) -> None:
        self.write(sender, str(answered["Reply-To"]), f"Re: {answered['Subject']}", words, answered)

    def letters(self, reader: str) -> list[EmailMessage]:
        if not self._reading.folder_exists(reader):
            return []
        self._reading.select_folder(reader, readonly=True)
        uids = self._reading.search(["ALL"])
        fetched = self._reading.fetch(uids, ["BODY.PEEK[]"]) if uids else {}
        return [
            email.message_from_bytes(fetched[uid][b"BODY[]"], policy=email.policy.default)  # type: ignore[misc]
            for uid in sorted(fetched)
        ]

    def wait_for(self, reader: str, test: Callable[[EmailMessage], bool]) -> EmailMessage:
        end = time.monotonic() + GUARD
        while time.monotonic() < end:
            for letter in reversed(self.letters(reader)):
                if test(letter):
                    return letter
            time.sleep(0.3)
        raise AssertionError(f"{reader} got only {[str(message['Subject']) for message in self.letters(reader)]}")


def about(words: str) -> Callable[[EmailMessage], bool]:
    return lambda letter: words in str(letter["Subject"])


def text(letter: EmailMessage) -> str:
    part = letter.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Table, subprocess.Popen[bytes]]]:
    with ExitStack() as closing:
        dovecot = closing.enter_context(Dovecot())
        filing, writing, reading = (closing.enter_context(mailbox(dovecot, user)) for user in ("other", "gm", "other"))
        relay = free_port()
        sink = Controller(Sink(filing), hostname="127.0.0.1", port=relay)
        sink.start()
        closing.callback(sink.stop)
        config = tmp_path / "gm.toml"
        config.write_text(SETTINGS.format(folder=tmp_path, imap=dovecot.port, relay=relay), encoding="utf-8")
        log = closing.enter_context((tmp_path / "log").open("w+", encoding="utf-8"))
        env = {k: v for k, v in os.environ.items() if not k.startswith("GM_")}
        process = subprocess.Popen([sys.executable, "-m", "gm", "-c", str(config), "serve"], stderr=log, env=env)
        try:
            yield Table(writing, reading), process
            process.send_signal(signal.SIGTERM)
            process.wait(60)
        finally:
            process.kill()
            log.seek(0)
            print(log.read())
        assert process.returncode == 0
        assert "Traceback" not in (tmp_path / "log").read_text(encoding="utf-8")


def test_a_season_by_imap(served: tuple[Table, subprocess.Popen[bytes]]) -> None:
    table, _ = served
    seats = "\n".join(f"SEAT {power}: {power} Player <{power.lower()}@players.example>" for power in POWERS)
    table.write("ruth@amsel.example", "gm@gm.example", "new game", f"CREATE ostend\nmoves 48 h\n{seats}\nSTART\n")
    welcomes = {power: table.wait_for(power.lower(), about("You are")) for power in POWERS}
    addresses = {str(letter["Reply-To"]) for letter in welcomes.values()}
    assert len(addresses) == len(POWERS)

    table.reply("france@players.example", welcomes["France"], "A Par - Bur\nREADY\n")
    answer = text(table.wait_for("france", about("Re:")))
    assert "A Par - Bur" in answer
    for power in POWERS:
        if power != "France":
            table.reply(f"{power.lower()}@players.example", welcomes[power], "HOLD REST\nREADY\n")
    for power in POWERS:
        result = table.wait_for(power.lower(), about("Spring 1901 results"))
        assert "A Par - Bur" in text(result)
        assert all(address not in text(result) for address in addresses - {str(result["Reply-To"])})


def test_a_wrong_imap_password_is_one_line(tmp_path: Path) -> None:
    with Dovecot() as dovecot:
        config = tmp_path / "gm.toml"
        wrong = SETTINGS.format(folder=tmp_path, imap=dovecot.port, relay=25).replace('"secret"', '"sesame"')
        config.write_text(wrong, encoding="utf-8")
        for command in ("serve", "tick"):
            done = run(GM, "-c", str(config), command)
            error = done.stderr.decode()
            assert done.returncode == 1
            assert len(error.strip().splitlines()) == 1, error
            assert "password" in error
            assert "sesame" not in error
