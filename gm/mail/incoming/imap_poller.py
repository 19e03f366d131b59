"""A mailbox polled by IMAP (RFC 9051): fetch, commit, move to Processed, in a thread with a watchdog.

State is in our database, not in flags: people open the mailbox in webmail too. What lies in the folder is unread by us;
what was committed is moved away, and if it comes again (a new UIDVALIDITY, a move that failed) its content key tells.
IDLE only shortens the wait, and at first not for long: of a letter that came between the look and the IDLE some servers
have told by then, where nobody hears it. Any error throws the connection away; the next one comes after a growing,
jittered pause.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from datetime import datetime

import structlog
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError

from gm.config import ImapConfig
from gm.errors import GmError, Unavailable
from gm.mail.incoming.imap_connection import FetchedBatch, ImapMailbox
from gm.mail.incoming.received import Accept, present

IDLE_FIRST = 1.0
"""Each IDLE in which nothing came is followed by one of twice its length."""
IDLE_MOST = 540.0
"""RFC 2177 allows 29 minutes; servers and NAT cut earlier."""
PAUSES = (2, 5, 15, 30, 60, 120)
WATCHDOG_SECONDS = 300.0
LOT = 100
"""Letters fetched together. A connection begins with one, so that a line that keeps breaking still brings letters."""
MOST_REFUSED = 20
"""A server that refuses so many letters, one after the other, refuses us."""
OTHERS_SECONDS = 1.0
"""How often a node that does not poll looks whether it is to."""

log = structlog.get_logger(__name__)


class ImapPoller:
    """`polled_until` is when the last poll began that took everything in the folder; None before the first.

    `ours` tells whether this node is to poll, `polled` is told of each whole poll. `problem` is one line about what
    keeps it from polling, "" when all is well.
    """

    def __init__(
        self,
        settings: ImapConfig,
        accept: Accept,
        max_bytes: int = 1_000_000,
        now: Callable[[], datetime] = present,
        pauses: tuple[float, ...] = PAUSES,
        watchdog_seconds: float = WATCHDOG_SECONDS,
        ours: Callable[[], bool] = lambda: True,
        polled: Callable[[datetime], None] = lambda until: None,
    ) -> None:
        self._ours, self._polled = ours, polled
        self._settings, self._accept, self._max_bytes, self._now = settings, accept, max_bytes, now
        self._pauses, self._watchdog_seconds = pauses, watchdog_seconds
        self._stop = threading.Event()
        self._hurry = threading.Event()
        self._mailbox: ImapMailbox | None = None
        self._alive_at = time.monotonic()
        self._threads: list[threading.Thread] = []
        self.polled_until: datetime | None = None
        self.problem = ""
        self._unmoved = ""
        self._idle_seconds = IDLE_FIRST

    def start(self) -> None:
        """Returns at once; whatever is wrong with the mailbox is logged in one line and tried again."""
        self._stop.clear()
        self._hurry.clear()
        for name, work in (("gm-imap", self._run), ("gm-imap-watchdog", self._watch)):
            thread = threading.Thread(target=work, name=name, daemon=True)
            self._threads.append(thread)
            thread.start()

    def hurry(self) -> None:
        """Poll again at once, for a deadline that waits for `polled_until`."""
        self._hurry.set()

    def stop(self) -> None:
        self._stop.set()
        self._hurry.set()
        self._cut()
        for thread in self._threads:
            thread.join(10)
        self._threads.clear()

    def check(self) -> None:
        """Connect, log in, open both folders. GmError, in one line, when something is wrong."""
        mailbox = ImapMailbox(self._settings)
        try:
            mailbox.open()
        finally:
            mailbox.close()

    def poll_once(self) -> datetime:
        """One connection, one poll; returns what `polled_until` is then. GmError, in one line, when it failed."""
        mailbox = ImapMailbox(self._settings)
        try:
            mailbox.open()
            self._poll(mailbox)
        except (OSError, IMAPClientError) as error:
            raise GmError(f"imap: {self._settings.host} broke off: {_line(error)}") from None
        finally:
            mailbox.close()
        if self.polled_until is None:
            raise GmError(f"imap: {self.problem}")
        return self.polled_until

    def _run(self) -> None:
        failures = 0
        while not self._stop.is_set():
            try:
                self._alive()
                if not self._ours():
                    self._stop.wait(OTHERS_SECONDS)
                    continue
                self._mailbox = ImapMailbox(self._settings)
                self._mailbox.open()
                self._idle_seconds = IDLE_FIRST
                while not self._stop.is_set() and self._ours() and self._mailbox.is_open:
                    taken = self._poll(self._mailbox)
                    failures = 0
                    if taken:
                        self._idle_seconds = IDLE_FIRST
                    else:  # of what came meanwhile the server may have told already, and tells but once
                        self._wait(self._mailbox)
            except Exception as error:  # the thread must outlive whatever a server sends
                self._complain(error)
            finally:
                self._forget()
            if not self._stop.is_set():
                pause = self._pauses[min(failures, len(self._pauses) - 1)]
                failures += 1
                self._alive()
                self._stop.wait(pause * random.uniform(0.5, 1.5))

    def _poll(self, mailbox: ImapMailbox) -> bool:
        """Takes all letters; were there any? `polled_until` moves on only when none was left behind."""
        began, complete, taken, refused = self._now(), True, False, 0
        uids, most = mailbox.waiting(), 1
        while uids:
            self._alive()
            try:
                lot = mailbox.fetch(uids[:most], self._max_bytes, self._now)
            except Exception as error:  # a letter that nobody can fetch stops no other
                refused += isinstance(error, IMAPClientError)
                if isinstance(error, OSError | IMAPClientAbortError) or refused > MOST_REFUSED:
                    raise
                if most == 1:
                    self._complain(GmError(f"{self._withheld}: {_line(error)}"))
                complete, uids, most = complete and most > 1, uids[most == 1 :], 1
                continue
            kept = self._take(mailbox, lot)
            complete = complete and kept == len(lot.letters) and not lot.withheld
            taken, refused = taken or kept > 0, 0
            uids, most = uids[lot.looked_at :], min(2 * most, LOT)
            if self._stop.is_set():
                return taken
        self._alive()
        if complete:
            self._polled(began)
            self.polled_until = began
            if self.problem:
                log.info("mailbox is read again", host=self._settings.host)
            self.problem = ""
        return taken

    def _take(self, mailbox: ImapMailbox, lot: FetchedBatch) -> int:
        """Each letter committed, then all of them out of the folder; how many: some may have to be left there."""
        taken: list[int] = []
        try:
            for uid, letter in lot.letters:
                self._alive()
                try:
                    self._accept(letter)
                    taken.append(uid)
                except (OSError, IMAPClientError, Unavailable):
                    raise
                except Exception as error:
                    self._complain(error)
                if self._stop.is_set():
                    break
        except Unavailable as error:
            raise GmError(f"a letter stays in the mailbox for now: {error}") from None
        mailbox.put_away(taken)
        if mailbox.unmoved not in ("", self._unmoved):
            said = {"folder": self._settings.processed, "error": mailbox.unmoved}
            log.warning("letters that were taken stay in the mailbox: they cannot be moved", **said)
            self._unmoved = mailbox.unmoved
        if lot.withheld:
            self._complain(GmError(self._withheld))
        return len(taken)

    @property
    def _withheld(self) -> str:
        settings = self._settings
        return (
            f"{settings.host} has a letter in {settings.folder} that it does not give out; "
            "look at it by webmail and move it away, deadlines wait for it"
        )

    def _wait(self, mailbox: ImapMailbox) -> None:
        seconds = self._settings.poll_seconds
        if self._settings.idle and mailbox.can_idle:
            mailbox.idle(min(seconds, self._idle_seconds), self._hurry, self._alive)
            self._idle_seconds = min(2 * self._idle_seconds, IDLE_MOST)
        else:
            end = time.monotonic() + min(seconds, IDLE_MOST)
            while (left := end - time.monotonic()) > 0 and not self._hurry.wait(min(left, 5)):
                self._alive()
        if not self._stop.is_set():
            self._hurry.clear()

    def _complain(self, error: Exception) -> None:
        if self._stop.is_set():
            return
        said = str(error) if isinstance(error, GmError) else f"{self._settings.host} broke off: {_line(error)}"
        if said != self.problem:
            log.warning("mailbox not read", error=said)
        self.problem = said

    def _alive(self) -> None:
        self._alive_at = time.monotonic()

    def _watch(self) -> None:
        """A read that hangs in spite of its timeout is ended by cutting the connection under it."""
        while not self._stop.wait(min(5.0, self._watchdog_seconds / 4)):
            if time.monotonic() - self._alive_at > self._watchdog_seconds and self._mailbox is not None:
                log.warning("mailbox connection hangs; cutting it", host=self._settings.host)
                self._alive()
                self._cut()

    def _cut(self) -> None:
        mailbox = self._mailbox
        if mailbox is not None:
            mailbox.cut()

    def _forget(self) -> None:
        mailbox, self._mailbox = self._mailbox, None
        if mailbox is not None:
            mailbox.close(politely=False)


def _line(error: object) -> str:
    return " ".join(str(error).split())[:300] or type(error).__name__
