"""`gm doctor`: everything that can be wrong with an installation, looked at in turn, one line each.

It asks no name server: what a domain's records must say stands in the README.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial

from msgspec import Struct

from gm.config import Config, ImapConfig
from gm.errors import GmError
from gm.mail.incoming.imap_poller import ImapPoller
from gm.mail.outgoing.smtp_relay import RelayMailer
from gm.server.alarms import sentence
from gm.server.faults import DISK_LEAST, disk_left, faults
from gm.server.wiring import Application, assemble, variants
from gm.store.maintenance import StoreMaintenance

CLOCKS_APART_MOST = timedelta(seconds=10)
SANE_SINCE = datetime(2026, 1, 1, tzinfo=UTC)
"""A machine without a clock of its own starts in 1970."""


class DoctorFinding(Struct, frozen=True):
    what: str
    said: str
    good: bool = True


def examine(settings: Config) -> Iterator[DoctorFinding]:
    """In the order in which things depend on each other. Works beside a running server."""
    works: Application | None = None
    try:
        works = assemble(settings, alone=False)
        works.database.check()
        yield DoctorFinding("database", f"{works.database.name} can be read and is of this version")
    except GmError as error:
        yield DoctorFinding("database", str(error), good=False)
        works = None
    yield from _clock(works)
    yield _tried("variants", lambda: f"{', '.join(variants(settings).ids())} can be played")
    if settings.imap is not None:
        yield _tried("mailbox", partial(_mailbox, settings.imap))
    if settings.listen is not None:
        yield _listening(settings)
    if settings.imap is None and settings.listen is None:
        yield DoctorFinding("letters in", "neither [imap] nor [listen] is set: only `gm deliver` brings letters")
    yield _tried("relay", lambda: _relay(settings))
    if not settings.operators:
        yield DoctorFinding("alarms", "nobody hears when mail is broken: name `operators` or `masters`", good=False)
    yield from _disk(settings)
    if works is not None:
        yield from _queues(works)
        works.database.close()


def _tried(what: str, look: Callable[[], str]) -> DoctorFinding:
    try:
        return DoctorFinding(what, look())
    except GmError as error:
        return DoctorFinding(what, str(error), good=False)


def _clock(works: Application | None) -> Iterator[DoctorFinding]:
    now = datetime.now(UTC)
    if now < SANE_SINCE:
        yield DoctorFinding("clock", f"this machine believes it is {now:%d %b %Y}: set its clock", good=False)
    elif works is not None and abs(works.database.now() - now) > CLOCKS_APART_MOST:
        apart = abs(works.database.now() - now).total_seconds()
        yield DoctorFinding(
            "clock", f"this machine and the database are {apart:.0f} s apart: set both by NTP", good=False
        )
    else:
        yield DoctorFinding("clock", f"{now:%a %d %b %Y %H:%M:%S} UTC")


def _listening(settings: Config) -> DoctorFinding:
    """Somebody answers on our port, or it is free to be taken."""
    listen = settings.listen
    assert listen is not None
    place = listen.socket or f"{listen.host} port {listen.port}"
    family = socket.AF_UNIX if listen.socket else socket.AF_INET6 if ":" in listen.host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe, suppress(OSError):
        probe.settimeout(5)
        probe.connect(listen.socket or (listen.host, listen.port))
        greeting = probe.recv(200).decode("ascii", "replace").strip()
        if " gm" in greeting:
            return DoctorFinding("listen", f"letters are taken on {place}")
        return DoctorFinding("listen", f"another program answers on {place}: {greeting[:60]!r}", good=False)
    return DoctorFinding("listen", f"nobody answers on {place}: the server is not running", good=True)


def _mailbox(imap: ImapConfig) -> str:
    ImapPoller(imap, lambda received: None).check()
    return f"{imap.user} on {imap.host} can be read"


def _relay(settings: Config) -> str:
    mailer = RelayMailer(settings.relay)
    try:
        mailer.check(settings.address, next(iter(settings.operators), ""))
    finally:
        mailer.close()
    return f"{settings.relay.host} port {settings.relay.port} takes letters"


def _disk(settings: Config) -> Iterator[DoctorFinding]:
    try:
        left = disk_left(settings)
    except OSError as error:
        yield DoctorFinding("disk", f"the database's disk cannot be looked at ({error.strerror})", good=False)
        return
    if left is not None:
        said = f"{left // 1_000_000} MB are left for the database"
        good = left >= DISK_LEAST
        yield DoctorFinding("disk", said if good else f"{said}: make room, a full disk takes no letters", good=good)


def _queues(works: Application) -> Iterator[DoctorFinding]:
    found = StoreMaintenance(works.database).figures()
    wrong = [fault for fault in faults(found, works.settings) if fault.kind != "disk"]
    for fault in wrong:
        yield DoctorFinding("queues", sentence(works, fault), good=False)
    if not wrong:
        waiting = found.letters_out.get("queued", 0)
        yield DoctorFinding(
            "queues", f"{found.letters_in.get('new', 0)} letters to read, {waiting} to send, nothing late"
        )
