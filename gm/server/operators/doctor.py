"""`gm doctor`: checks everything that can be wrong with an installation, one line each.

It sends itself two letters (`probe_letters`). It cannot check whether the SPF record names the relay.
"""

from __future__ import annotations

import shlex
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from gm.config import Config, ImapConfig, ListenConfig, RelayConfig
from gm.errors import GmError
from gm.findings import DoctorFinding
from gm.mail.incoming.imap_poller import ImapPoller
from gm.mail.message.dkim_keys import DnsTrouble, ResolveTxt, resolve_txt
from gm.mail.outgoing.own_domain import examine_domain
from gm.mail.outgoing.smtp_relay import RelayMailer
from gm.server.faults import DISK_LEAST, disk_left, find_faults
from gm.server.monitoring.alarms import fault_sentence
from gm.server.monitoring.ask_health import ask_health
from gm.server.operators.probe_letters import send_probes
from gm.server.operators.public_checks import check_queue, check_site, check_webhook
from gm.server.scheduler import JOB, planned_lines
from gm.server.wiring import Application, assemble, variant_folders
from gm.store.maintenance import StoreMaintenance
from gm.variant_files.library import Library

CLOCKS_APART_MOST = timedelta(seconds=10)
KNOWN_KEY, DNS_SECONDS = "20230601._domainkey.gmail.com", 5.0
EVENTS_MOST = 1000
"""Public events among which those are looked for that the webhook has not taken."""
SHELL_SECONDS = 10
SANE_SINCE = datetime(2026, 1, 1, tzinfo=UTC)
"""A machine without a battery clock starts in 1970."""


def examine_installation(
    settings: Config, wait: float = 0, resolve: ResolveTxt = resolve_txt
) -> Iterator[DoctorFinding]:
    """Yields findings, dependencies first. Works beside a running server.

    `wait`: for how many seconds it looks for the letters that it sends to itself; 0: it sends none.
    """
    app: Application | None = None
    try:
        app = assemble(settings, alone=False)
        app.database.check()
        yield DoctorFinding("database", f"{app.database.name} can be read and is of this version")
    except GmError as error:
        yield DoctorFinding("database", str(error), good=False)
        app = None
    yield from _check_clock(app)
    yield _check("variants", lambda: f"{', '.join(Library(variant_folders(settings)).ids())} can be played")
    yield from _check_disk(settings)  # on a full disk no letter is stored
    yield from _check_mail(settings, app, wait, resolve)
    yield from _check_alarms(settings)
    if settings.site is not None:
        yield from check_site(settings.site)
    if settings.notify is not None:
        yield check_webhook(settings.notify)
        if app is not None:
            with app.database.look() as store:
                events = store.events.recent(EVENTS_MOST)
            yield from check_queue(events)
    if app is not None:
        yield from _check_queues(app)
        yield from _list_jobs(app)
        app.database.close()


def _check_mail(settings: Config, app: Application | None, wait: float, resolve: ResolveTxt) -> Iterator[DoctorFinding]:
    """The ways in, DNS, the relay; and if all of these are well, a letter through them."""
    ways = [check_relay(settings.relay, settings.address, next(iter(settings.operators), ""))]
    if settings.imap is not None:
        ways.append(check_mailbox(settings.imap))
    elif settings.listen is None:
        yield DoctorFinding("letters in", "neither [imap] nor [listen] is set: only `gm deliver` brings letters")
    serving = True
    if settings.listen is not None:
        finding, serving = check_listener(settings.listen)
        ways.append(finding)
    if settings.dkim:
        yield from check_dns(settings.address, resolve)
    yield from ways
    if not wait or app is None or not all(finding.good for finding in ways):
        return
    if serving or settings.imap is not None:
        yield from send_probes(settings, app, wait, resolve)
    else:
        yield DoctorFinding("delivery", "start `gm serve`, then ask again: gm sends itself a letter, to see it arrive")


def _check_alarms(settings: Config) -> Iterator[DoctorFinding]:
    if not settings.operators:
        yield DoctorFinding("alarms", "nobody gets alarms about broken mail: set `operators` or `masters`", good=False)
    if not settings.alarm_command:
        return
    try:
        program = next((word for word in shlex.split(settings.alarm_command) if "=" not in word), "")
    except ValueError as error:
        yield DoctorFinding("alarms", f"alarm_command: {error}", good=False)
        return
    asked = ("sh", "-c", 'command -v -- "$0"', program)
    if not program or subprocess.run(asked, capture_output=True, timeout=SHELL_SECONDS).returncode:
        yield DoctorFinding("alarms", f"alarm_command: there is no program {program or 'in it'} to be run", good=False)
    else:
        yield DoctorFinding("alarms", f"alarm_command can be run; to try it: echo a test | {settings.alarm_command}")


def _check(what: str, look: Callable[[], str]) -> DoctorFinding:
    try:
        return DoctorFinding(what, look())
    except GmError as error:
        return DoctorFinding(what, str(error), good=False)


def _check_clock(app: Application | None) -> Iterator[DoctorFinding]:
    now = datetime.now(UTC)
    fault = f"this machine's clock says {now:%d %b %Y}: set its clock" if now < SANE_SINCE else ""
    if app is not None and not fault:
        with app.database.transaction() as store:
            shared, worked_at = store.now(), store.heartbeat.last()
        if abs(shared - now) > CLOCKS_APART_MOST:
            apart = abs(shared - now).total_seconds()
            fault = f"this machine and the database are {apart:.0f} s apart: set both by NTP"
        elif worked_at is not None and worked_at - shared > CLOCKS_APART_MOST:
            fault = (
                f"it is {shared:%d %b %Y %H:%M} UTC by the clock, but gm has worked until {worked_at:%d %b %Y %H:%M}"
            )
            fault += ": set the clock, or deadlines are late"
    yield DoctorFinding("clock", fault or f"{now:%a %d %b %Y %H:%M:%S} UTC", good=not fault)


def check_listener(listen: ListenConfig) -> tuple[DoctorFinding, bool]:
    """Checks that our server answers on the port, or nobody does; and tells whether it does."""
    place = listen.socket or f"{listen.host} port {listen.port}"
    family = socket.AF_UNIX if listen.socket else socket.AF_INET6 if ":" in listen.host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe, suppress(OSError):
        probe.settimeout(5)
        probe.connect(listen.socket or (listen.host, listen.port))
        greeting = probe.recv(200).decode("ascii", "replace").strip()
        if " gm" in greeting:
            return DoctorFinding("listen", f"letters are taken on {place}"), True
        return DoctorFinding("listen", f"another program answers on {place}: {greeting[:60]!r}", good=False), False
    return DoctorFinding("listen", f"nobody answers on {place}: the server is not running", good=True), False


def check_dns(address: str, resolve: ResolveTxt = resolve_txt) -> Iterator[DoctorFinding]:
    """Signatures prove senders only if keys can be looked up. Any answer will do; letters are read without one too.

    Then it looks up the records of our own domain, which decide where receivers put our letters.
    """
    try:
        resolve(KNOWN_KEY, DNS_SECONDS)
        yield DoctorFinding("dns", "keys of DKIM signatures can be looked up")
        yield from examine_domain(address.rpartition("@")[2], resolve, DNS_SECONDS)
    except DnsTrouble as trouble:
        advice = "until a name server answers, signatures prove no sender, who is asked instead"
        yield DoctorFinding("dns", f"a look-up fails ({trouble}): {advice}")


def check_mailbox(imap: ImapConfig) -> DoctorFinding:
    """Connects, logs in and opens the folders."""

    def look() -> str:
        ImapPoller(imap, lambda received: None).check()
        return f"{imap.user} on {imap.host} can be read"

    return _check("mailbox", look)


def check_relay(relay: RelayConfig, sender: str, recipient: str) -> DoctorFinding:
    """Logs in and offers a letter without sending it."""

    def look() -> str:
        mailer = RelayMailer(relay)
        try:
            mailer.check(sender, recipient)
        finally:
            mailer.close()
        return f"{relay.host} port {relay.port} takes letters"

    return _check("relay", look)


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
        yield DoctorFinding("jobs", "no server answers at [health]: these are the jobs of one that starts now")
        with app.database.transaction() as store:
            lines = planned_lines(app.settings, store.games.next_check(store.now()))
    for line in lines:
        if line.startswith(JOB):
            yield DoctorFinding(JOB.strip(), line.removeprefix(JOB))
