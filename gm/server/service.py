"""`gm serve`: threads that wait for a bell, and wake by themselves when it has been quiet for a while.

    letters in   (IMAP poller, SMTP/LMTP server)  -> inbox, ring `game`
    game         reads letters, watches deadlines -> outbox, ring `sender`
    maps         draws maps in other processes    -> ring `sender`
    sender       gives letters to the relay, one transaction each
    watcher      raises alarms, deletes old data
    rights       keeps the right to poll the mailbox (one node has it)

A bell only wakes: what is due is in the database, so a missed ring loses nothing. Waiting uses the monotonic clock: a
schedule by the wall clock would be silent for hours after that is set back.
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
from gm.game.intake import inbox
from gm.mail.incoming.imap_connection import account_name
from gm.mail.incoming.imap_poller import ImapPoller
from gm.mail.incoming.received import Accept, Received
from gm.mail.incoming.smtp_server import SmtpServer
from gm.mail.outgoing.smtp_relay import RelayMailer
from gm.server import alarms
from gm.server.faults import find_faults
from gm.server.health import HealthMonitor
from gm.server.map_worker import MapWorkers, draw_all
from gm.server.wiring import Application, variant_folders
from gm.store.maintenance import StoreMaintenance

log = structlog.get_logger()

RELAY_PAUSE = 30.0
"""Seconds without sending after the relay refused letters."""
WATCH_SECONDS = 60
OFFERED_MOST = 3
"""`gm tick` gives up after this many letters that the relay broke off."""


class Worker(threading.Thread):
    """A thread that works when its bell rings, until nothing is left to do. After an error, the next ring tries again.

    `every`: it also rings by itself after this many quiet seconds; None: never.
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
        """Logs an unexpected exception with its traceback, once while it lasts."""
        if problem != self._problem:
            log.exception("failed", worker=self.name)
        self._problem = problem

    def _complain(self, problem: str) -> None:
        """Logs a problem once while it lasts: a full disk must not be filled by the log."""
        if problem != self._problem and problem:
            log.warning("stopped for now", worker=self.name, error=problem)
        elif problem != self._problem:
            log.info("goes on", worker=self.name)
        self._problem = problem


class Service:
    """Everything that runs under `gm serve`. A context manager; `port` is where SMTP or LMTP listens."""

    def __init__(self, app: Application) -> None:
        self.app = app
        tick = app.settings.tick_seconds
        self.game = Worker("game", self._run_game, tick)
        self.sender = Worker("sender", self._send, tick)
        self.watcher = Worker("watcher", self._watch_faults, WATCH_SECONDS)
        self.maps = Worker("maps", self._draw_maps, tick)
        self.rights = Worker("rights", self._keep_right, tick)
        self._alarm_watch = alarms.AlarmWatch(app)
        self._map_workers = MapWorkers(variant_folders(app.settings))
        self.port = self.health_port = 0
        self._mailer = RelayMailer(app.settings.relay)
        self._poller: ImapPoller | None = None
        self._polling_right = app.database.polling()
        self._relay_rests_until, self._relay_fault = 0.0, ""
        self._resources = ExitStack()

    def __enter__(self) -> Service:
        settings = self.app.settings
        if settings.imap is None and settings.listen is None:
            raise GmError("nothing to read letters from: give an [imap] mailbox or a [listen] port in gm.toml")
        with ExitStack() as undo:
            if settings.listen is not None:
                app, most = self.app, settings.max_letter_bytes
                server = SmtpServer(settings.listen, self._accept, app.is_known, most, cached=app.recognises)
                server.start()
                undo.callback(server.stop)
                self.port = server.port
            if settings.imap is not None:
                self._poller = self._start_poller(settings.imap, undo)
            undo.callback(self._mailer.close)
            undo.callback(self._map_workers.close)
            _release_leases(self.app)
            for worker in self._threads:
                worker.start()
                undo.callback(worker.stop)
            listener = self.app.database.listener(self._ring)
            if listener is not None:
                listener.start()
                undo.callback(listener.stop)
            self._start_monitor(undo)
            self._ring()
            self._resources = undo.pop_all()
        return self

    def _start_poller(self, settings: ImapConfig, undo: ExitStack) -> ImapPoller:
        """Starts a poller that polls while no other node does."""
        undo.callback(self._polling_right.release)
        self._polling_right.beat()
        poller = make_poller(self.app, settings, self._accept, lambda: self._polling_right.mine)
        if self.app.database.polled(account_name(settings)) is None:  # never read: settings may be wrong
            poller.check()
        poller.start()
        undo.callback(poller.stop)
        return poller

    @property
    def _threads(self) -> tuple[Worker, ...]:
        return self.game, self.maps, self.sender, self.watcher, self.rights

    def _ring(self) -> None:
        self.game.ring()
        self._ring_senders()

    def _ring_senders(self) -> None:
        """Wakes the sender, and the maps that letters wait for."""
        self.maps.ring()
        self.sender.ring()

    def __exit__(self, *_: object) -> None:
        self._resources.close()
        for worker in self._threads:
            worker.join(timeout=30)

    def _start_monitor(self, undo: ExitStack) -> None:
        """Starts the monitoring port, if `[health]` is set."""
        settings = self.app.settings
        if settings.health is None:
            return
        monitor = HealthMonitor(
            settings.health,
            StoreMaintenance(self.app.database).figures,
            lambda figures: find_faults(figures, settings),
            lambda fault: alarms.fault_sentence(self.app, fault),
        )
        monitor.start()
        undo.callback(monitor.stop)
        self.health_port = monitor.port

    def _keep_right(self) -> bool:
        if self._poller is not None:  # without a mailbox the right is of no use here
            self._polling_right.beat()
        return False

    def _watch_faults(self) -> bool:
        self._alarm_watch.look()
        _delete_old(self.app)
        self.sender.ring()
        return False

    def _accept(self, *letters: Received) -> None:
        self.app.accept(*letters)
        self.game.ring()

    def _run_game(self) -> bool:
        services, transaction = self.app.services, self.app.database.transaction
        outages.check_outage(services, transaction, polled_until(self.app))  # first: letters need the new deadline
        while inbox.read_some(services, transaction):
            self._ring_senders()
        done = clock.tick(services, transaction, polled_until(self.app))
        self._ring_senders()
        self._hurry()
        return bool(done)

    def _hurry(self) -> None:
        """Polls at once if a deadline waits only for the mailbox: it need not wait for the next poll."""
        if self._poller is not None:
            with self.app.database.transaction() as store:
                held = store.games.due(store.now())
            if held is not None:
                self._poller.hurry()

    def _draw_maps(self) -> bool:
        return self._map_workers.work(self.app.services, self.app.database.transaction, self.sender.ring)

    def _send(self) -> bool:
        if time.monotonic() < self._relay_rests_until:
            raise GmError(self._relay_fault)
        try:
            return clock.send(self.app.database.transaction, self._mailer, self.app.services)
        except RelayDown as error:
            self._relay_rests_until = time.monotonic() + RELAY_PAUSE
            self._relay_fault = f"the relay takes no letters for now; they wait: {error}"
            raise GmError(self._relay_fault) from None


def make_poller(
    app: Application, settings: ImapConfig, accept: Accept, should_poll: Callable[[], bool] = lambda: True
) -> ImapPoller:
    """Makes a poller that uses the database's clock and tells all nodes how far the mailbox is read."""
    return ImapPoller(
        settings,
        accept,
        max_bytes=app.settings.max_letter_bytes,
        now=app.database.now,
        should_poll=should_poll,
        on_polled=partial(app.database.note_polled, account_name(settings)),
    )


def polled_until(app: Application) -> datetime | None:
    """Returns until when letters have been taken from the mailbox; None without a mailbox."""
    settings = app.settings
    if settings.imap is None or not settings.hold_until_polled:
        return None
    return app.database.polled(account_name(settings.imap)) or datetime.min.replace(tzinfo=UTC)


def _release_leases(app: Application) -> None:
    """Releases letters and maps that a killed server had leased: they go again at once, same Message-ID."""
    if app.database.sole:
        with app.database.transaction() as store:
            store.outbox.end_leases()
            store.pictures.end_leases()


def _delete_old(app: Application) -> None:
    maintenance, settings = StoreMaintenance(app.database), app.settings
    maintenance.thin(settings.keep_letters_days)
    maintenance.thin_pictures(settings.keep_maps_days)


def tick(app: Application) -> None:
    """`gm tick`: one round for cron, then alarms, even if the round failed."""
    try:
        run_once(app)
    finally:
        alarms.raise_alarms(app)
        _delete_old(app)


def serve(app: Application) -> None:
    """`gm serve`: runs until SIGTERM or SIGINT."""
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    with Service(app) as service:
        log.info("serving", address=app.settings.address, port=service.port or None)
        ended.wait()
    log.info("stopped")


def run_once(app: Application) -> None:
    """Polls, reads, resolves and sends once. Letters leave even without the mailbox; its error is raised last."""
    settings, transaction = app.settings, app.database.transaction
    services = replace(app.services, outage=timedelta(0))  # cron's own pace is no outage
    away: GmError | None = None
    if settings.imap is not None:
        try:
            make_poller(app, settings.imap, app.accept).poll_once()
        except GmError as error:
            away = error
    while inbox.read_some(services, transaction):
        pass
    while clock.tick(services, transaction, polled_until(app)):
        pass
    _release_leases(app)
    draw_all(app.services, transaction, app.library)
    mailer = RelayMailer(settings.relay)
    try:
        _send_all(app, mailer)
    finally:
        mailer.close()
    if away is not None:
        raise away


def _send_all(app: Application, mailer: RelayMailer) -> None:
    """Sends the outbox. The relay may break off over one letter: others are tried before giving up."""
    faults: list[RelayDown] = []
    going = True
    while going and len(faults) < OFFERED_MOST:
        try:
            going = clock.send(app.database.transaction, mailer, app.services)
        except RelayDown as error:
            faults.append(error)
    if faults:
        raise faults[0]
