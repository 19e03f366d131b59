"""A stage for dialogues on which everything is real: SMTP in, SQLite, SMTP out; only the clock is moved by hand."""

from __future__ import annotations

import email
import email.policy
import smtplib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

from msgspec.structs import replace

from gm.config import Listen, Relay, Settings
from gm.game.clock import clock
from gm.game.model.records import OutLetter, Part
from gm.game.model.services import Office
from gm.mail.incoming.received import AcceptAll, Received
from gm.mail.incoming.smtp_server import Server
from gm.mail.outgoing.smtp_relay import RelayMailer
from gm.server.wiring import Works, assemble


class SmtpStage:
    """`settings` are those of a server whose mailbox is gm@gm.example; letters out are read from what arrived."""

    def __init__(self, works: Works, port: int, relay: RelayMailer, arrived: list[Received], start: datetime) -> None:
        self.works, self.port, self.relay, self.arrived = works, port, relay, arrived
        self.hands = start
        self.office: Office = works.office
        self.transaction = works.database.transaction

    def go_to(self, now: datetime) -> None:
        self.hands = now

    def now(self) -> datetime:
        return self.hands

    def post(self, received: Received) -> None:
        now, self.hands = self.hands, received.received_at
        sender = "" if received.envelope_from == "<>" else received.envelope_from
        try:
            with smtplib.SMTP("127.0.0.1", self.port, timeout=30) as client:
                client.sendmail(sender, list(received.envelope_to), received.raw)
        finally:
            self.hands = now

    def collect(self) -> list[OutLetter]:
        while clock.send(self.transaction, self.relay, self.office):
            pass
        if not self.arrived:
            return []
        with self.transaction() as store:
            queued = {row.letter.message_id: row.letter for row in store.outbox.all()}
        taken = [_as_read(queued, received) for received in self.arrived]
        self.arrived.clear()
        return taken


def _as_read(queued: dict[str, OutLetter], received: Received) -> OutLetter:
    """The letter with everything that its reader sees taken from the bytes that arrived."""
    message = email.message_from_bytes(received.raw, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    letter = queued[str(message["Message-ID"]).strip("<>")]
    assert received.envelope_to == (letter.address,)
    part = message.get_body(("plain",))
    assert part is not None
    return replace(
        letter,
        subject=str(message["Subject"]),
        text=str(part.get_content()),
        parts=tuple(_parts(message)),
        reply_to=str(message["Reply-To"] or ""),
        references=tuple(one.strip("<>") for one in str(message["References"] or "").split()),
    )


def _parts(message: EmailMessage) -> Iterator[Part]:
    for part in message.walk():
        if name := part.get_filename():
            content = part.get_payload(decode=True)
            assert isinstance(content, bytes)
            yield Part(part.get_content_type(), name, content, str(part["Content-ID"] or "").strip("<>"))


@contextmanager
def smtp_stage(folder: Path, start: datetime, authserv_id: str, master: str) -> Iterator[SmtpStage]:
    arrived: list[Received] = []
    stage: SmtpStage | None = None

    def now() -> datetime:
        return stage.hands if stage else datetime.now(UTC)

    with ExitStack() as closing:
        relay = RelayMailer(Relay(port=closing.enter_context(_listening(arrived.append, lambda _: True, now))))
        closing.callback(relay.close)
        settings = Settings(
            address="gm@gm.example",
            database=str(folder / "gm.sqlite"),
            authserv_id=authserv_id,
            masters=(master,),
            operators=("op@example.org",),
            map_wait_seconds=0,
            outage_minutes=0,
        )
        works = assemble(settings, clock=now)
        works.database.upgrade()
        closing.callback(works.database.close)
        port = closing.enter_context(_listening(works.accept, works.known, now))
        stage = SmtpStage(works, port, relay, arrived, start)
        yield stage


@contextmanager
def _listening(accept: AcceptAll, known, now) -> Iterator[int]:  # type: ignore[no-untyped-def]
    server = Server(Listen(port=0, protocol="smtp"), accept, known, 1_000_000, now=now)
    server.start()
    try:
        yield server.port
    finally:
        server.stop()
