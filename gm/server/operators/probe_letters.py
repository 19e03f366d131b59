"""The letters that `gm doctor` sends to its own mailbox: do they arrive, at a plus-address too, and signed?

They are looked for in the mailbox (folder, `processed`, spam) and among the letters that the server or `gm deliver` has
taken, for as long as the operator waits. Found ones are removed from the mailbox, and so are those of earlier runs that
came too late. A running server ignores them, as it does all letters of its own.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial

from msgspec import Struct

from gm.config import Config, ImapConfig
from gm.errors import GmError
from gm.findings import DoctorFinding
from gm.game.model.records import OutboxRow, OutLetter
from gm.mail.incoming.imap_connection import ImapMailbox
from gm.mail.incoming.received import Received, content_key
from gm.mail.message.dkim_keys import DkimKeys, ResolveTxt, resolve_txt
from gm.mail.outgoing.compose import compose_letter
from gm.mail.outgoing.own_domain import examine_signature
from gm.mail.outgoing.smtp_relay import RelayMailer
from gm.server.wiring import Application
from gm.store.maintenance import StoreMaintenance

PREFIX = "gm-doctor-"
"""All Message-IDs of these letters begin so."""
LOOK_SECONDS = 1.0
DNS_SECONDS = 5.0
TEXT = "`gm doctor` has sent this letter to its own mailbox, to see whether it arrives. It may be deleted.\n"


class ProbeLetter(Struct, frozen=True):
    row: OutboxRow

    @property
    def address(self) -> str:
        return self.row.letter.address

    @property
    def message_id(self) -> str:
        return self.row.letter.message_id

    @property
    def key(self) -> str:
        return content_key(Received(compose_letter(self.row), self.row.queued_at, ""))


class ProbeArrival(Struct, frozen=True):
    """`junk`: the folder for spam in which it lay, else ""."""

    raw: bytes
    seconds: float
    junk: str = ""


Look = Callable[[], dict[str, tuple[bytes, str]]]
"""Message-ID → bytes of the delivered letter and its spam folder."""


def write_probe(address: str, to: str) -> ProbeLetter:
    now = datetime.now(UTC)
    message_id = f"{PREFIX}{secrets.token_hex(12)}@{address.rpartition('@')[2]}"
    letter = OutLetter(
        cause=message_id,
        kind="doctor",
        address=to,
        to_name="",
        from_name="gm doctor",
        from_address=address,
        reply_to="",
        subject="A letter of gm doctor to itself",
        text=TEXT,
        message_id=message_id,
    )
    return ProbeLetter(OutboxRow(0, letter, now, envelope_from=address))


def send_probes(
    settings: Config, app: Application, wait: float, resolve: ResolveTxt = resolve_txt
) -> Iterator[DoctorFinding]:
    """Sends one letter to the address and one to a plus-address, and yields what became of them.

    `wait`: seconds. Never raises GmError.
    """
    name, _, domain = settings.address.rpartition("@")
    plain = write_probe(settings.address, settings.address)
    plus = write_probe(settings.address, f"{name}+doctor.{secrets.token_hex(4)}@{domain}")
    try:
        refused = _send(settings, (plain, plus))
        looks = [partial(_look_in_store, app, (plain, plus))]
        mailbox = _open(settings.imap) if settings.imap is not None else None
        try:
            if mailbox is not None:
                looks.append(partial(_look_in_mailbox, mailbox))
            arrived = _await(looks, [probe for probe in (plain, plus) if probe.message_id not in refused], wait)
            if mailbox is not None and arrived:
                _clear_away(mailbox)
        finally:
            if mailbox is not None:
                mailbox.close()
    except GmError as error:
        yield DoctorFinding("delivery", str(error), good=False)
        return
    yield _delivery(plain, arrived, refused, wait)
    if plain.message_id in arrived or plus.message_id in arrived:
        yield _plus_delivery(plus, arrived, refused, wait)
    delivered = arrived.get(plain.message_id) or arrived.get(plus.message_id)
    if delivered is not None and settings.dkim and "." in domain:
        keys = DkimKeys(lambda name, seconds: resolve(name, DNS_SECONDS))
        yield examine_signature(delivered.raw, settings.address, keys)


def _send(settings: Config, probes: tuple[ProbeLetter, ...]) -> dict[str, str]:
    """Returns the relay's words for each Message-ID that it refused."""
    refused: dict[str, str] = {}
    mailer = RelayMailer(settings.relay)
    try:
        for probe in probes:
            try:
                mailer.send(probe.row)
            except GmError as error:
                refused[probe.message_id] = str(error)
    finally:
        mailer.close()
    return refused


def _open(settings: ImapConfig) -> ImapMailbox:
    mailbox = ImapMailbox(settings)
    mailbox.open()
    return mailbox


def _await(looks: Sequence[Look], probes: Sequence[ProbeLetter], wait: float) -> dict[str, ProbeArrival]:
    began = time.monotonic()
    arrived: dict[str, ProbeArrival] = {}
    wanted = {probe.message_id for probe in probes}
    while wanted - set(arrived):
        for look in looks:
            for message_id, (raw, junk) in look().items():
                arrived.setdefault(message_id, ProbeArrival(raw, time.monotonic() - began, junk))
        if time.monotonic() - began >= wait:
            break
        time.sleep(min(LOOK_SECONDS, wait))
    return arrived


def _clear_away(mailbox: ImapMailbox) -> None:
    """Takes out what a running server was just moving to `processed` while the folders were read one after another."""
    time.sleep(LOOK_SECONDS)
    mailbox.take_out(PREFIX)


def _look_in_mailbox(mailbox: ImapMailbox) -> dict[str, tuple[bytes, str]]:
    letters = mailbox.take_out(PREFIX)
    return {letter.message_id: (letter.raw, letter.folder if letter.junk else "") for letter in letters}


def _look_in_store(app: Application, probes: tuple[ProbeLetter, ...]) -> dict[str, tuple[bytes, str]]:
    maintenance = StoreMaintenance(app.database)
    taken = {probe.message_id: maintenance.taken(probe.key) for probe in probes}
    return {message_id: (raw, "") for message_id, raw in taken.items() if raw is not None}


def _delivery(
    plain: ProbeLetter, arrived: dict[str, ProbeArrival], refused: dict[str, str], wait: float
) -> DoctorFinding:
    if plain.message_id in refused:
        return DoctorFinding("delivery", f"a letter to {plain.address}: {refused[plain.message_id]}", good=False)
    arrival = arrived.get(plain.message_id)
    if arrival is None:
        advice = "look at the relay's log and for spam filters, or allow more time with --wait"
        text = f"a letter to {plain.address} left, but did not arrive within {wait:.0f} s: {advice}"
        return DoctorFinding("delivery", text, good=False)
    if arrival.junk:
        advice = "gm does not read that folder: tell the provider's filter that letters to gm are no spam"
        return DoctorFinding("delivery", f"a letter to {plain.address} lay in {arrival.junk}: {advice}", good=False)
    return DoctorFinding("delivery", f"a letter to {plain.address} arrived after {arrival.seconds:.0f} s")


def _plus_delivery(
    plus: ProbeLetter, arrived: dict[str, ProbeArrival], refused: dict[str, str], wait: float
) -> DoctorFinding:
    if plus.message_id in arrived:
        return DoctorFinding("plus", f"plus-addresses are delivered: a letter to {plus.address} arrived")
    fate = f"is refused: {refused[plus.message_id]}" if plus.message_id in refused else f"is away after {wait:.0f} s"
    advice = 'turn on plus-addresses (subaddressing, recipient_delimiter), or set addresses = "plain"'
    return DoctorFinding("plus", f"a letter to {plus.address} {fate}: players' replies go there; {advice}", good=False)
