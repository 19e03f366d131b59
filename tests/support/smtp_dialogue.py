"""A stage for dialogues on which everything is real: SMTP in, SQLite, SMTP out; only the clock is moved by hand."""

from __future__ import annotations

import smtplib
import sqlite3
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from email.header import decode_header, make_header
from email.message import Message
from pathlib import Path

from msgspec.structs import replace
from sqlalchemy import event
from support.mail.plain_words import parsed, plain_words
from support.stores.migrated_database import migrate

from gm.config import Config, ListenConfig, RelayConfig, Secret
from gm.game.clock import clock
from gm.game.deadlines import outages
from gm.game.model.records import LetterPart, OutboxRow, OutLetter
from gm.game.model.services import Services
from gm.mail.incoming.received import AcceptAll, Received
from gm.mail.incoming.smtp_server import SmtpServer
from gm.mail.outgoing.smtp_relay import RelayMailer
from gm.server.short_lived import work_limits
from gm.server.wiring import Application, assemble
from gm.store.sqlite_file import SqliteFile

FIRST: list[Application] = []
"""The first stage's: what it has read of variants and templates serves all later ones."""
HOUR = timedelta(hours=1)
AHEAD = 48
"""For so many hours it is asked whether they have work."""


class OpenedFile(SqliteFile):
    """Opened once for all questions."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.connection = sqlite3.connect(path)

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        yield self.connection


class SmtpStage:
    """`settings` are those of a server whose mailbox is gm@gm.example; letters out are read from what arrived."""

    def __init__(
        self, app: Application, port: int, relay: RelayMailer, arrived: list[Received], start: datetime
    ) -> None:
        self.app, self.relay, self.arrived = app, relay, arrived
        self.sent: dict[str, OutLetter] = {}
        self.hands = self.asked = start
        self.quiet_until = start - HOUR
        self.client = smtplib.SMTP("127.0.0.1", port, timeout=30)
        self.services: Services = app.services
        self.database = app.database
        self.file = OpenedFile(Path(app.settings.database))
        self.transaction = app.database.transaction

    def go_to(self, now: datetime) -> None:
        self.hands = now

    def now(self) -> datetime:
        return self.hands

    def post(self, received: Received) -> None:
        now, self.hands = self.hands, received.received_at
        sender = "" if received.envelope_from == "<>" else received.envelope_from
        try:
            self.client.sendmail(sender, list(received.envelope_to), received.raw)
        finally:
            self.hands = now
            self.quiet_until = now - HOUR

    def has_work(self) -> bool:
        """Asks as `gm tick` does: most hours of a dialogue have nothing to do.

        What waits at one time waits at each later one until it is done. So the first hour with work is looked for, and
        nothing is asked again before it, unless a letter comes or the clock jumps.
        """
        outages.check_outage(self.services, self.transaction, None)
        before, self.asked = self.asked, self.hands
        if before <= self.hands <= min(self.quiet_until, before + HOUR):
            return False
        if self._work_waits_after(0):
            self.quiet_until = self.hands - HOUR
            return True
        hours = range(1, AHEAD)
        self.quiet_until = self.hands + bisect_left(hours, True, key=self._work_waits_after) * HOUR
        return False

    def _work_waits_after(self, hours: int) -> bool:
        return self.file.work_waits(work_limits(self.app.settings, self.hands + hours * HOUR))

    def collect(self) -> list[OutLetter]:
        while clock.send(self.transaction, self, self.services):
            pass
        taken = [_as_read(self.sent, received) for received in self.arrived]
        self.arrived.clear()
        self.sent.clear()
        return taken

    def send(self, row: OutboxRow) -> None:
        self.relay.send(row)
        self.sent[row.letter.message_id] = row.letter


def _as_read(sent: dict[str, OutLetter], received: Received) -> OutLetter:
    """The letter with everything that its reader sees taken from the bytes that arrived."""
    message = parsed(received.raw)
    letter = sent[_header(message, "Message-ID").strip("<>")]
    assert received.envelope_to == (letter.address,)
    return replace(
        letter,
        subject=_header(message, "Subject"),
        text=plain_words(message),
        parts=tuple(_parts(message)),
        reply_to=_header(message, "Reply-To"),
        references=tuple(reference.strip("<>") for reference in _header(message, "References").split()),
    )


def _header(message: Message, name: str) -> str:
    """Unfolded and decoded; the parsers of the standard library's new policies take ten times as long."""
    value = "".join(str(message[name] or "").splitlines())
    return str(make_header(decode_header(value))) if "=?" in value else value


def _parts(message: Message) -> Iterator[LetterPart]:
    for part in message.walk():
        if name := part.get_filename():
            content = part.get_payload(decode=True)
            assert isinstance(content, bytes)
            yield LetterPart(part.get_content_type(), name, content, _header(part, "Content-ID").strip("<>"))


@contextmanager
def smtp_stage(folder: Path, start: datetime, authserv_id: str, master: str) -> Iterator[SmtpStage]:
    arrived: list[Received] = []
    stage: SmtpStage | None = None

    def now() -> datetime:
        return stage.hands if stage else datetime.now(UTC)

    with ExitStack() as closing:
        relay = RelayMailer(RelayConfig(port=closing.enter_context(_listening(arrived.append, lambda _: True, now))))
        closing.callback(relay.close)
        settings = Config(
            address="gm@gm.example",
            database=str(folder / "gm.sqlite"),
            secret=Secret("a secret for all dialogues"),
            authserv_id=authserv_id,
            masters=(master,),
            operators=("op@example.org",),
            map_wait_seconds=0,
            outage_minutes=0,
        )
        app = _with_what_was_read(assemble(settings, clock=now))
        migrate(app)
        closing.callback(app.database.close)
        event.listen(app.database.engine, "connect", _hurried)
        port = closing.enter_context(_listening(app.accept, app.is_known, now))
        stage = SmtpStage(app, port, relay, arrived, start)
        closing.callback(stage.client.close)
        closing.callback(stage.file.connection.close)
        yield stage


def _hurried(connection: sqlite3.Connection, _: object) -> None:
    """No power cut is waited for here."""
    connection.execute("PRAGMA synchronous=OFF")


def _with_what_was_read(app: Application) -> Application:
    FIRST[:] = FIRST or [app]
    first = FIRST[0]
    vars(app)["library"] = first.library
    vars(app)["services"] = replace(app.services, letters=first.services.letters)
    return app


@contextmanager
def _listening(accept: AcceptAll, known, now) -> Iterator[int]:  # type: ignore[no-untyped-def]
    server = SmtpServer(ListenConfig(port=0, protocol="smtp"), accept, known, 1_000_000, now=now)
    server.start()
    try:
        yield server.port
    finally:
        server.stop()
