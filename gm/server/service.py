"""The running server: threads that wait for a bell, and look by themselves when it has been quiet for a while.

    letters in   (IMAP poller, SMTP/LMTP server)   -> inbox -> ring the desk
    desk         reads letters, watches deadlines  -> outbox -> ring the sender
    watch        raises alarms, thins out what is old
    painter      has maps drawn, in other processes -> ring the sender
    sender       hands letters to the relay, one transaction each

A bell only wakes: what is due stands in the database, so a missed ring loses nothing. Waits go by the monotonic clock:
a schedule of hours would be silent for as long as the wall's clock was put back.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from functools import partial

import structlog
from msgspec.structs import replace

from gm.config import ImapConfig
from gm.errors import GmError, RelayDown
from gm.game.clock import clock
from gm.game.deadlines import outages
from gm.game.intake import inbox as intake
from gm.mail.incoming.imap_connection import account_name
from gm.mail.incoming.imap_poller import ImapPoller
from gm.mail.incoming.received import Accept, Received
from gm.mail.incoming.smtp_server import SmtpServer
from gm.mail.outgoing.smtp_relay import RelayMailer
from gm.server import alarms
from gm.server.faults import faults
from gm.server.health import HealthMonitor
from gm.server.map_worker import MapWorkers, draw_all
from gm.server.wiring import Application, shelves
from gm.store.maintenance import StoreMaintenance

log = structlog.get_logger()

RELAY_PAUSE = 30.0
"""Seconds without letters out after the relay took none."""
WATCH_SECONDS = 60
OFFERED_MOST = 3
"""So many letters cron offers to a relay that takes none."""


class Worker(threading.Thread):
    """Works whenever its bell rings, until there is nothing left to do. After an error the next ring tries again.

    `every`: it rings by itself when it has been quiet for so many seconds; None: never.
    """

    def __init__(self, name: str, work: Callable[[], bool], every: float | None = None) -> None:
        super().__init__(name=name, daemon=True)
        self._work, self._every = work, every
        self._bell = threading.Event()
        self._problem = ""
        self._ending = threading.Event()

    def ring(self) -> None:
        self._bell.set()

    def stop(self) -> None:
        self._ending.set()
        self._bell.set()

    def run(self) -> None:
        while True:
            self._bell.wait(self._every)
            self._bell.clear()
            if self._ending.is_set():
                return
            try:
                while not self._ending.is_set() and self._work():
                    pass
            except GmError as error:
                self._complain(str(error))
            except Exception as error:
                self._fail(f"{type(error).__name__}: {error}")
            else:
                self._complain("")

    def _fail(self, problem: str) -> None:
        """With its traceback, from where it was caught; a fault of ours that lasts is told once as well."""
        if problem != self._problem:
            log.exception("failed", worker=self.name)
        self._problem = problem

    def _complain(self, problem: str) -> None:
        """Once, however long it lasts: a full disk is not to be filled by the log."""
        if problem != self._problem and problem:
            log.warning("stopped for now", worker=self.name, error=problem)
        elif problem != self._problem:
            log.info("goes on", worker=self.name)
        self._problem = problem


class Service:
    """Everything that runs under `gm serve`. Use as a context manager; `port` is where letters are taken."""

    def __init__(self, works: Application) -> None:
        self.works = works
        tick = works.settings.tick_seconds
        self.desk = Worker("desk", self._desk, tick)
        self.sender = Worker("sender", self._send, tick)
        self.watch = Worker("watch", self._look, WATCH_SECONDS)
        self.painter = Worker("painter", self._paint, tick)
        self.rights = Worker("rights", self._beat, tick)
        self._watchman = alarms.AlarmWatch(works)
        self._studio = MapWorkers(shelves(works.settings))
        self.port = self.health_port = 0
        self._mailer = RelayMailer(works.settings.relay)
        self._poller: ImapPoller | None = None
        self._right = works.database.polling()
        self._relay_rests_until, self._relay_fault = 0.0, ""
        self._open = ExitStack()

    def __enter__(self) -> Service:
        settings = self.works.settings
        if settings.imap is None and settings.listen is None:
            raise GmError("nothing to read letters from: give an [imap] mailbox or a [listen] port in gm.toml")
        with ExitStack() as undo:
            if settings.listen is not None:
                works, most = self.works, settings.max_letter_bytes
                server = SmtpServer(settings.listen, self._accept, works.known, most, cached=works.told)
                server.start()
                undo.callback(server.stop)
                self.port = server.port
            if settings.imap is not None:
                self._poller = self._polling(settings.imap, undo)
            undo.callback(self._mailer.close)
            undo.callback(self._studio.close)
            _recover(self.works)
            for worker in self._workers:
                worker.start()
                undo.callback(worker.stop)
            listener = self.works.database.listener(self._ring)
            if listener is not None:
                listener.start()
                undo.callback(listener.stop)
            self._watch(undo)
            self._ring()
            self._open = undo.pop_all()
        return self

    def _polling(self, settings: ImapConfig, undo: ExitStack) -> ImapPoller:
        """A poller that polls while no other node does."""
        undo.callback(self._right.release)
        self._right.beat()
        poller = mailbox_poller(self.works, settings, self._accept, lambda: self._right.mine)
        if self.works.database.polled(account_name(settings)) is None:  # never read yet: the settings may be wrong
            poller.check()
        poller.start()
        undo.callback(poller.stop)
        return poller

    @property
    def _workers(self) -> tuple[Worker, ...]:
        return self.desk, self.painter, self.sender, self.watch, self.rights

    def _ring(self) -> None:
        self.desk.ring()
        self._post()

    def _post(self) -> None:
        """Letters wait: some to be sent, some for their maps."""
        self.painter.ring()
        self.sender.ring()

    def __exit__(self, *_: object) -> None:
        self._open.close()
        for worker in self._workers:
            worker.join(timeout=30)

    def _watch(self, undo: ExitStack) -> None:
        """A port to be watched by, where the settings want one."""
        settings = self.works.settings
        if settings.health is None:
            return
        monitor = HealthMonitor(
            settings.health,
            StoreMaintenance(self.works.database).figures,
            lambda figures: faults(figures, settings),
            lambda fault: alarms.sentence(self.works, fault),
        )
        monitor.start()
        undo.callback(monitor.stop)
        self.health_port = monitor.port

    def _beat(self) -> bool:
        if self._poller is not None:  # the right is of no use here, and kept from those who have a mailbox to poll
            self._right.beat()
        return False

    def _look(self) -> bool:
        self._watchman.look()
        _thin(self.works)
        self.sender.ring()
        return False

    def _accept(self, *letters: Received) -> None:
        self.works.accept(*letters)
        self.desk.ring()

    def _desk(self) -> bool:
        services, transaction = self.works.services, self.works.database.transaction
        outages.check_outage(
            services, transaction, polled_until(self.works)
        )  # or letters would be read against an old deadline
        while intake.read_some(services, transaction):
            self._post()
        done = clock.tick(services, transaction, polled_until(self.works))
        self._post()
        self._hurry()
        return bool(done)

    def _hurry(self) -> None:
        """A deadline that waits only for the mailbox to be read once more need not wait for the next poll."""
        if self._poller is not None:
            with self.works.database.transaction() as store:
                held = store.games.due(store.now())
            if held is not None:
                self._poller.hurry()

    def _paint(self) -> bool:
        return self._studio.work(self.works.services, self.works.database.transaction, self.sender.ring)

    def _send(self) -> bool:
        if time.monotonic() < self._relay_rests_until:
            raise GmError(self._relay_fault)
        try:
            return clock.send(self.works.database.transaction, self._mailer, self.works.services)
        except RelayDown as error:
            self._relay_rests_until = time.monotonic() + RELAY_PAUSE
            self._relay_fault = f"the relay takes no letters for now; they wait: {error}"
            raise GmError(self._relay_fault) from None


def mailbox_poller(
    works: Application, settings: ImapConfig, accept: Accept, ours: Callable[[], bool] = lambda: True
) -> ImapPoller:
    """By the database's clock, and telling all nodes how far the mailbox is read."""
    return ImapPoller(
        settings,
        accept,
        max_bytes=works.settings.max_letter_bytes,
        now=works.database.now,
        should_poll=ours,
        on_polled=partial(works.database.note_polled, account_name(settings)),
    )


def polled_until(works: Application) -> datetime | None:
    """Letters that arrived before this instant have been taken; None where they come to us by themselves."""
    settings = works.settings
    if settings.imap is None or not settings.hold_until_polled:
        return None
    return works.database.polled(account_name(settings.imap)) or datetime.min.replace(tzinfo=UTC)


def _recover(works: Application) -> None:
    """Letters that a killed server had in hand go again at once, with their Message-ID; so do maps it was drawing."""
    if works.database.sole:
        with works.database.transaction() as store:
            store.outbox.end_leases()
            store.pictures.end_leases()


def _thin(works: Application) -> None:
    cabinet, settings = StoreMaintenance(works.database), works.settings
    cabinet.thin(settings.keep_letters_days)
    cabinet.thin_pictures(settings.keep_maps_days)


def tick(works: Application) -> None:
    """One round for cron, and a look at what is wrong, also when the round broke off."""
    try:
        one_pass(works)
    finally:
        alarms.watch(works)
        _thin(works)


def serve(works: Application) -> None:
    """Run until SIGTERM or SIGINT."""
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    with Service(works) as service:
        log.info("serving", address=works.settings.address, port=service.port or None)
        ended.wait()
    log.info("stopped")


def one_pass(works: Application) -> None:
    """For those who prefer cron to a server: fetch, read, resolve, send, once. A mailbox that is away keeps no letter
    from leaving; it is complained of at the end.
    """
    settings, transaction = works.settings, works.database.transaction
    services = replace(works.services, outage=timedelta(0))  # cron's own pace is no outage
    away: GmError | None = None
    if settings.imap is not None:
        try:
            mailbox_poller(works, settings.imap, works.accept).poll_once()
        except GmError as error:
            away = error
    while intake.read_some(services, transaction):
        pass
    while clock.tick(services, transaction, polled_until(works)):
        pass
    _recover(works)
    draw_all(works.services, transaction, works.library)
    mailer = RelayMailer(settings.relay)
    try:
        _send_all(works, mailer)
    finally:
        mailer.close()
    if away is not None:
        raise away


def _send_all(works: Application, mailer: RelayMailer) -> None:
    """A relay that breaks off may do so over one letter: some others are offered before it is left for this time."""
    faults: list[RelayDown] = []
    going = True
    while going and len(faults) < OFFERED_MOST:
        try:
            going = clock.send(works.database.transaction, mailer, works.services)
        except RelayDown as error:
            faults.append(error)
    if faults:
        raise faults[0]
