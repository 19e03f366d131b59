"""`gm doctor`: checks everything that can be wrong with an installation, one line each.

It cannot check the relay's DKIM signature, or whether the SPF record names the relay: the README says how to look.
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
from gm.mail.message.dkim_keys import DnsTrouble, ResolveTxt, resolve_txt
from gm.mail.outgoing.domain_records import examine_domain
from gm.mail.outgoing.smtp_relay import RelayMailer
from gm.server.alarms import fault_sentence
from gm.server.faults import DISK_LEAST, disk_left, find_faults
from gm.server.health import ask_health
from gm.server.scheduler import JOB, planned_lines
from gm.server.wiring import Application, assemble, load_library
from gm.store.maintenance import StoreMaintenance

CLOCKS_APART_MOST = timedelta(seconds=10)
KNOWN_KEY, DNS_SECONDS = "20230601._domainkey.gmail.com", 5.0
SANE_SINCE = datetime(2026, 1, 1, tzinfo=UTC)
"""A machine without a battery clock starts in 1970."""


class DoctorFinding(Struct, frozen=True):
    what: str
    text: str
    good: bool = True


def examine_installation(settings: Config) -> Iterator[DoctorFinding]:
    """Yields findings, dependencies first. Works beside a running server."""
    app: Application | None = None
    try:
        app = assemble(settings, alone=False)
        app.database.check()
        yield DoctorFinding("database", f"{app.database.name} can be read and is of this version")
    except GmError as error:
        yield DoctorFinding("database", str(error), good=False)
        app = None
    yield from _check_clock(app)
    yield _check("variants", lambda: f"{', '.join(load_library(settings).ids())} can be played")
    if settings.imap is not None:
        yield _check("mailbox", partial(_check_mailbox, settings.imap))
    if settings.listen is not None:
        yield _check_listener(settings)
    if settings.imap is None and settings.listen is None:
        yield DoctorFinding("letters in", "neither [imap] nor [listen] is set: only `gm deliver` brings letters")
    if settings.dkim:
        yield from check_dns(settings.address)
    yield _check("relay", lambda: _check_relay(settings))
    if not settings.operators:
        yield DoctorFinding("alarms", "nobody gets alarms about broken mail: set `operators` or `masters`", good=False)
    yield from _check_disk(settings)
    if app is not None:
        yield from _check_queues(app)
        yield from _list_jobs(app)
        app.database.close()


def _check(what: str, look: Callable[[], str]) -> DoctorFinding:
    try:
        return DoctorFinding(what, look())
    except GmError as error:
        return DoctorFinding(what, str(error), good=False)


def _check_clock(app: Application | None) -> Iterator[DoctorFinding]:
    now = datetime.now(UTC)
    if now < SANE_SINCE:
        yield DoctorFinding("clock", f"this machine's clock says {now:%d %b %Y}: set its clock", good=False)
    elif app is not None and abs(app.database.now() - now) > CLOCKS_APART_MOST:
        apart = abs(app.database.now() - now).total_seconds()
        yield DoctorFinding(
            "clock", f"this machine and the database are {apart:.0f} s apart: set both by NTP", good=False
        )
    else:
        yield DoctorFinding("clock", f"{now:%a %d %b %Y %H:%M:%S} UTC")


def _check_listener(settings: Config) -> DoctorFinding:
    """Checks that our server answers on the port, or nobody does."""
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


def check_dns(address: str, resolve: ResolveTxt = resolve_txt) -> Iterator[DoctorFinding]:
    """Signatures prove senders only if keys can be looked up. Any answer will do; letters are read without one too.

    Then it looks up the records of our own domain, which decide where receivers put our letters.
    """
    try:
        resolve(KNOWN_KEY, DNS_SECONDS)
        yield DoctorFinding("dns", "keys of DKIM signatures can be looked up")
        for record in examine_domain(address.rpartition("@")[2], resolve, DNS_SECONDS):
            yield DoctorFinding(record.kind, record.text, record.good)
    except DnsTrouble as trouble:
        advice = "until a name server answers, signatures prove no sender, who is asked instead"
        yield DoctorFinding("dns", f"a look-up fails ({trouble}): {advice}")


def _check_mailbox(imap: ImapConfig) -> str:
    ImapPoller(imap, lambda received: None).check()
    return f"{imap.user} on {imap.host} can be read"


def _check_relay(settings: Config) -> str:
    mailer = RelayMailer(settings.relay)
    try:
        mailer.check(settings.address, next(iter(settings.operators), ""))
    finally:
        mailer.close()
    return f"{settings.relay.host} port {settings.relay.port} takes letters"


def _check_disk(settings: Config) -> Iterator[DoctorFinding]:
    try:
        left = disk_left(settings)
    except OSError as error:
        yield DoctorFinding("disk", f"the database's disk cannot be examined ({error.strerror})", good=False)
        return
    if left is not None:
        text = f"{left // 1_000_000} MB are left for the database"
        good = left >= DISK_LEAST
        advice = "" if good else ": free some space; no letter can be stored on a full disk"
        yield DoctorFinding("disk", text + advice, good=good)


def _check_queues(app: Application) -> Iterator[DoctorFinding]:
    figures = StoreMaintenance(app.database).figures()
    wrong = [fault for fault in find_faults(figures, app.settings) if fault.kind != "disk"]
    for fault in wrong:
        yield DoctorFinding("queues", fault_sentence(app, fault), good=False)
    if not wrong:
        unread, unsent = figures.letters_in.get("new", 0), figures.letters_out.get("queued", 0)
        yield DoctorFinding("queues", f"{unread} letters to read, {unsent} to send, nothing late")


def _list_jobs(app: Application) -> Iterator[DoctorFinding]:
    """The jobs of the running server, if it has a health port; else those of one that starts now."""
    try:
        lines = ask_health(app.settings)[1].splitlines()
    except GmError:
        with app.database.transaction() as store:
            lines = planned_lines(app.settings, store.games.next_check(store.now()))
    for line in lines:
        if line.startswith(JOB):
            yield DoctorFinding(JOB.strip(), line.removeprefix(JOB))
