"""Plays the story with real SMTP in both directions, a SQLite file, and a clock that jumps from scene to scene.

Each player has a Maildir below the folder; an SMTP sink delivers the game master's letters there.
"""

from __future__ import annotations

import email
import email.policy
import mailbox
import smtplib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import parseaddr
from pathlib import Path

from msgspec import Struct, field

from gm.config import Config, ListenConfig, RelayConfig
from gm.demo.mail_programs import PlayerLetter, QuotedLetter, format_message
from gm.demo.story import Player, Story, StoryStep
from gm.errors import GmError
from gm.mail.incoming.received import AcceptAll, Received
from gm.mail.incoming.smtp_server import SmtpServer
from gm.server.tick import run_once
from gm.server.wiring import Application, assemble

ADDRESS = "gm@gm.example"
MOST_BYTES = 1_000_000


class DemoLetter(Struct, frozen=True):
    """One letter of the correspondence, in the order of writing."""

    scene: StoryStep
    sender: str
    reader: str
    message: EmailMessage
    words: str
    program: str = ""

    @property
    def by_master(self) -> bool:
        return not self.program


class StageClock:
    """The clock of the demo: it shows the time of the story."""

    def __init__(self) -> None:
        self.instant = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.instant


class MaildirSink(Struct):
    """SMTP sink: delivers the game master's letters to the players' Maildirs."""

    folder: Path
    arrived: list[EmailMessage] = field(default_factory=list)

    def accept(self, *letters: Received) -> None:
        for received in letters:
            message = email.message_from_bytes(received.raw, policy=email.policy.default)
            assert isinstance(message, EmailMessage)
            for address in received.envelope_to:
                mailbox.Maildir(self.folder / address, create=True).add(received.raw)
            self.arrived.append(message)


class DemoStage:
    """Plays scenes: `play` runs one and yields its letters."""

    def __init__(self, app: Application, clock: StageClock, services: MaildirSink, story: Story, port: int) -> None:
        self.app = app
        self.clock = clock
        self.services = services
        self.names = {p.address: p for p in story.people}
        self.port = port
        self.number = 0
        self.received: dict[str, list[EmailMessage]] = {p.address: [] for p in story.people}

    def play(self, scene: StoryStep) -> Iterator[DemoLetter]:
        self.clock.instant = scene.at
        if scene.author is not None:
            yield self._write(scene, scene.author)
        run_once(self.app)
        arrived, self.services.arrived = self.services.arrived, []
        for message in arrived:
            reader = parseaddr(str(message["To"]))[1]
            self.received.setdefault(reader, []).append(message)
            yield DemoLetter(scene, ADDRESS, reader, message, text_of(message))

    def _write(self, scene: StoryStep, author: Player) -> DemoLetter:
        self.number += 1
        answered = self._answered(scene, author)
        out = PlayerLetter(
            name=author.name,
            address=author.address,
            to=answered.reply_to if answered else ADDRESS,
            subject=_re(answered.subject) if answered else scene.subject,
            words=scene.words,
            at=scene.at,
            number=self.number,
            answered=answered,
        )
        message = format_message(author.program, out)
        with smtplib.SMTP("127.0.0.1", self.port, timeout=30) as client:
            client.send_message(message, from_addr=author.address, to_addrs=[out.to])
        return DemoLetter(scene, author.address, out.to, message, scene.words, author.program)

    def _answered(self, scene: StoryStep, author: Player) -> QuotedLetter | None:
        if scene.answers is None:
            return None
        for message in reversed(self.received[author.address]):
            if scene.answers in str(message["Subject"]):
                return QuotedLetter(
                    sender=str(message["From"]),
                    subject=str(message["Subject"]),
                    date=str(message["Date"]),
                    text=text_of(message),
                    message_id=str(message["Message-ID"]).strip("<> "),
                    reply_to=parseaddr(str(message["Reply-To"] or message["From"]))[1],
                )
        raise GmError(f"the demo's story expects a letter to {author.name} about {scene.answers!r}, and none came")


def text_of(message: EmailMessage) -> str:
    part = message.get_body(("plain",))
    return str(part.get_content()).replace("\r\n", "\n") if part is not None else ""


def _re(subject: str) -> str:
    return subject if subject.lower().startswith("re:") else f"Re: {subject}"


@contextmanager
def open_stage(folder: Path, story: Story) -> Iterator[DemoStage]:
    """Sets up a stage in an empty folder. Raises GmError."""
    clock = StageClock()
    clock.instant = story.scenes[0].at
    sink = MaildirSink(folder / "maildirs")
    sink.folder.mkdir(parents=True)
    with run_smtp_server(sink.accept, lambda _: True, clock) as relay:
        settings = Config(
            address=ADDRESS,
            database=str(folder / "game.sqlite"),
            masters=tuple(p.address for p in story.people if p.seat == "GM"),
            zone="Europe/Berlin",
            relay=RelayConfig(port=relay),
        )
        app = assemble(settings, clock=clock)
        app.database.upgrade()
        with run_smtp_server(app.accept, app.is_known, clock) as port:
            yield DemoStage(app, clock, sink, story, port)
        app.database.close()


@contextmanager
def run_smtp_server(accept: AcceptAll, is_known: Callable[[str], bool], clock: Callable[[], datetime]) -> Iterator[int]:
    """Runs an SMTP server on a free loopback port, and yields the port."""
    server = SmtpServer(ListenConfig(port=0, protocol="smtp"), accept, is_known, MOST_BYTES, now=clock)
    server.start()
    try:
        yield server.port
    finally:
        server.stop()
