"""`gm serve`: threads that wait for a bell.

    letters in   (IMAP poller, SMTP/LMTP server)  -> inbox, ring `game`
    game         reads letters, watches deadlines -> outbox, ring `sender`
    maps         draws maps in other processes    -> ring `sender`
    sender       gives letters to the relay, one transaction each
    site         writes the public site, if [site] is set
    webhook      gives public events to the webhook, if [notify] is set
    watcher      raises alarms
    upkeep       deletes old data
    rights       keeps the right to poll the mailbox (one node has it)

Letters ring at once, `gm.server.scheduler` when it is time, other nodes by NOTIFY. A bell only wakes: what is due is in
the database, so a missed ring loses nothing.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Collection
from contextlib import ExitStack
from queue import SimpleQueue
from typing import TYPE_CHECKING

import structlog

from gm.config import ImapConfig
from gm.errors import GmError, RelayDown
from gm.game.clock import clock
from gm.game.deadlines import outages
from gm.game.intake import inbox
from gm.mail.incoming.imap_connection import account_name
from gm.mail.incoming.imap_poller import ImapPoller
from gm.mail.incoming.received import Received
from gm.mail.incoming.smtp_server import SmtpServer
from gm.mail.outgoing.smtp_relay import LETTER_SECONDS, RelayMailer
from gm.server.faults import find_faults
from gm.server.mailbox import make_poller, polled_until
from gm.server.map_worker import MapWorkers
from gm.server.monitoring import alarms
from gm.server.monitoring.health import HealthMonitor
from gm.server.scheduler import FAULT_SECONDS, FLOOR, UPKEEP_SECONDS, JobScheduler, right_seconds
from gm.server.upkeep import delete_old, release_leases
from gm.server.webhook.delivery import webhook_delivery
from gm.server.wiring import Application, variant_folders
from gm.server.worker import Worker
from gm.store.maintenance import StoreMaintenance
from gm.store.queries.row_mapping import Bell

if TYPE_CHECKING:
    from gm.server.site_writer import SiteWriter

log = structlog.get_logger()

SENT_AT_ONCE = 10
"""Letters that are sent before the sender looks whether the server is to stop."""
RELAY_PAUSE = 30.0
"""Seconds without sending after the relay refused letters."""


class Service:
    """Everything that runs under `gm serve`. A context manager; `port` is where SMTP or LMTP listens."""

    def __init__(self, app: Application) -> None:
        self.app, self._services = app, app.services
        floor = FLOOR * app.settings.tick_seconds
        self.game = Worker("game", self._run_game, floor)
        self.sender = Worker("sender", self._send, floor)
        self.maps = Worker("maps", self._draw_maps, floor)
        self.watcher = Worker("watcher", self._watch_faults, FLOOR * FAULT_SECONDS)
        self.upkeep = Worker("upkeep", self._keep_up, FLOOR * UPKEEP_SECONDS)
        self.site = Worker("site", self._write_site, floor)
        self.webhook = Worker("webhook", self._notify, floor)
        self.rights = Worker("rights", self._keep_right, FLOOR * right_seconds(app.settings))
        bells = {
            "mailbox": self._ring_poller,
            "deadlines": self._ring_clock,
            "send": self._ring_senders,
            "faults": self.watcher.ring,
            "upkeep": self.upkeep.ring,
            "rights": self.rights.ring,
        }
        self._scheduler = JobScheduler(app.settings, bells)
        self._bells = {
            Bell.LETTERS: self._ring_reader,
            Bell.OUTBOX: self.sender.ring,
            Bell.PICTURES: self.maps.ring,
            Bell.EVENTS: self._ring_public,
        }
        self._alarm_watch = alarms.AlarmWatch(app)
        self._map_workers = MapWorkers(variant_folders(app.settings))
        self._site_writer = _site_writer(app)
        self._webhook = webhook_delivery(app)
        self._arrived, self._clock_rung = threading.Event(), threading.Event()
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
            if self._site_writer is not None:
                undo.callback(self._site_writer.stop)
            release_leases(self.app)
            self._scheduler.start()
            undo.callback(self._scheduler.stop)
            for worker in self._threads:
                worker.start()
                undo.callback(worker.stop)
            listener = self.app.database.listener(self._ring)
            if listener is not None:
                listener.start()
                undo.callback(listener.stop)
            self._start_monitor(undo)
            self._ring_clock()
            self._ring_senders()
            self.upkeep.ring()
            self._resources = undo.pop_all()
        return self

    def _start_poller(self, settings: ImapConfig, undo: ExitStack) -> ImapPoller:
        """Starts a poller that polls while no other node does."""
        undo.callback(self._polling_right.release)
        self._polling_right.beat()
        database, most = self.app.database, self.app.settings.max_letter_bytes
        poller = make_poller(settings, database, self._accept, most, lambda: self._polling_right.mine, self._ring_clock)
        if database.polled(account_name(settings)) is None:  # never read: settings may be wrong
            poller.check()
        poller.start()
        undo.callback(poller.stop)
        return poller

    @property
    def _threads(self) -> tuple[Worker, ...]:
        return self.game, self.maps, self.sender, self.site, self.webhook, self.watcher, self.upkeep, self.rights

    def _ring(self, bells: Collection[Bell]) -> None:
        """Wakes the workers that have something to do."""
        for bell in bells:
            self._bells[bell]()

    def _ring_public(self) -> None:
        self.site.ring()
        self.webhook.ring()

    def _ring_senders(self) -> None:
        """Wakes the sender, the maps that letters wait for, and what tells the public."""
        self.maps.ring()
        self.sender.ring()
        self._ring_public()

    def _ring_poller(self) -> None:
        if self._poller is not None:
            self._poller.hurry()

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
            self._scheduler.lines,
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
        self.sender.ring()
        return False

    def _keep_up(self) -> bool:
        delete_old(self.app)
        return False

    def _accept(self, *letters: Received) -> None:
        self.app.accept(*letters)
        log.info("letters taken", by=letters[0].account.partition(":")[0], number=len(letters))
        self._ring_reader()

    def _ring_reader(self) -> None:
        self._arrived.set()
        self.game.ring()

    def _ring_clock(self) -> None:
        self._clock_rung.set()
        self.game.ring()

    def _run_game(self) -> bool:
        services, transaction = self._services, self.app.database.transaction
        only_letters = self._arrived.is_set() and not self._clock_rung.is_set()
        self._arrived.clear()
        self._clock_rung.clear()
        outages.check_outage(services, transaction, polled_until(self.app))  # first: letters need the new deadline
        read = False
        while inbox.read_some(services, transaction):
            self._ring_senders()
            read = True
        if only_letters and not read:  # another node reads them, and sees to their games
            return False
        done = clock.tick(services, transaction, polled_until(self.app))
        self._ring_senders()
        self._look_ahead()
        return bool(done)

    def _look_ahead(self) -> None:
        """Sets the job at the next deadline. Polls at once if a deadline that has passed waits for the mailbox."""
        until = polled_until(self.app)
        with self.app.database.transaction() as store:
            now = store.now()
            overdue = store.games.due(now)
            self._scheduler.ring_at(store.games.next_check(now), now)
        if until is not None and overdue is not None and overdue.due_at is not None and until < overdue.due_at:
            self._ring_poller()

    def _draw_maps(self) -> bool:
        return self._map_workers.work(self._services, self.app.database.transaction, self.sender.ring)

    def _write_site(self) -> bool:
        if self._site_writer is None:
            return False
        self._site_writer.write()
        self.webhook.ring()  # events wait for their page
        return False

    def _notify(self) -> bool:
        return self._webhook is not None and self._webhook.deliver_next()

    def _send(self) -> bool:
        """After a fault of the relay, raises it until the relay has answered: that no letter is due proves nothing."""
        if time.monotonic() < self._relay_rests_until:
            raise GmError(self._relay_fault)
        try:
            offered = clock.send(self.app.database.transaction, self._mailer, self._services, SENT_AT_ONCE)
        except RelayDown as error:
            self._relay_rests_until = time.monotonic() + RELAY_PAUSE
            self._relay_fault = f"the relay takes no letters for now; they wait: {error}"
            raise GmError(self._relay_fault) from None
        if offered:
            self._relay_fault = ""
        elif self._relay_fault:
            raise GmError(self._relay_fault)
        return offered

    def log_stopping(self) -> None:
        """What stopping waits for: a letter that is cut off is sent twice."""
        waits = f"{self.app.settings.relay.host} is taking a letter; it gets {LETTER_SECONDS:.0f} s at most"
        log.info("stopping", **({"waits": waits} if self._mailer.is_sending else {}))


def _site_writer(app: Application) -> SiteWriter | None:
    if app.settings.site is None:
        return None
    from gm.server.site_writer import SiteWriter  # it imports all that draws

    return SiteWriter(app, app.settings.site)


def serve(app: Application) -> None:
    """`gm serve`: runs until SIGTERM or SIGINT.

    A signal handler only notes its signal, in a queue that needs no lock: it interrupts its thread anywhere, also while
    that holds the lock of the log or of an Event.
    """
    asked: SimpleQueue[int] = SimpleQueue()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _: asked.put(number))
    with Service(app) as service:
        log.info("serving", address=app.settings.address, port=service.port or None)
        asked.get()
        service.log_stopping()
        threading.Thread(target=_log_each, args=(asked, service), name="gm-stopping", daemon=True).start()
    log.info("stopped")


def _log_each(asked: SimpleQueue[int], service: Service) -> None:
    """The impatient learn why."""
    while asked.get():
        service.log_stopping()
