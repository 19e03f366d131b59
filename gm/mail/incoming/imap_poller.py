"""Polls a mailbox by IMAP (RFC 9051) in a thread: fetches letters, commits them, moves them to `imap.processed`.

State is kept in our database, not in flags, because people open the mailbox in webmail too. What lies in the folder is
new; a letter that comes again (a new UIDVALIDITY, a failed move) is recognised by its content key. IDLE only shortens
the wait, and is kept short at first: some servers announce a letter before IDLE starts and never again. After any
error the connection is dropped and a new one opened after a growing, jittered pause. A watchdog cuts a hanging read.
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
from gm.errors import GmError, Unavailable, one_line
from gm.mail.incoming.imap_connection import FetchedBatch, ImapMailbox
from gm.mail.incoming.received import Accept, present

IDLE_FIRST = 1.0
"""Seconds. The time doubles after each IDLE in which nothing came."""
IDLE_MOST = 540.0
"""RFC 2177 allows 29 minutes; some servers and NAT cut earlier."""
PAUSES = (2, 5, 15, 30, 60, 120)
WATCHDOG_SECONDS = 300.0
MOST_TOGETHER = 100
"""Letters fetched together. A connection starts with one, so that a bad line still makes progress."""
MOST_REFUSED = 20
"""After so many refused letters in a row the connection is dropped."""
FLOOR = 2
"""The mailbox is polled after so many times `poll_seconds` without a ring."""
STANDBY_SECONDS = 1.0
"""How often a node that does not poll asks whether it should."""

log = structlog.get_logger(__name__)


class ImapPoller:
    """`polled_until` is when the last complete poll began; None before the first.

    `should_poll` says whether this node is to poll; `on_polled` is called after each complete poll. `problem` is one
    line about what prevents polling, "" when all is well.
    """

    def __init__(
        self,
        settings: ImapConfig,
        accept: Accept,
        max_bytes: int = 1_000_000,
        now: Callable[[], datetime] = present,
        pauses: tuple[float, ...] = PAUSES,
        watchdog_seconds: float = WATCHDOG_SECONDS,
        should_poll: Callable[[], bool] = lambda: True,
        on_polled: Callable[[datetime], None] = lambda until: None,
    ) -> None:
        self._should_poll, self._on_polled = should_poll, on_polled
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
        """Returns at once; problems with the mailbox are logged and tried again."""
        self._stop.clear()
        self._hurry.clear()
        for name, work in (("gm-imap", self._run), ("gm-imap-watchdog", self._watch)):
            thread = threading.Thread(target=work, name=name, daemon=True)
            self._threads.append(thread)
            thread.start()

    def hurry(self) -> None:
        """Poll at once: it is time, or a deadline waits for `polled_until`."""
        self._hurry.set()

    def stop(self) -> None:
        self._stop.set()
        self._hurry.set()
        self._cut()
        for thread in self._threads:
            thread.join(10)
        self._threads.clear()

    def check(self) -> None:
        """Connect, log in, open both folders. Raises GmError."""
        mailbox = ImapMailbox(self._settings)
        try:
            mailbox.open()
        finally:
            mailbox.close()

    def poll_once(self) -> datetime:
        """One connection, one poll; returns `polled_until`. Raises GmError."""
        mailbox = ImapMailbox(self._settings)
        try:
            mailbox.open()
            self._poll(mailbox)
        except (OSError, IMAPClientError) as error:
            raise GmError(f"imap: {self._settings.host} broke off: {one_line(error)}") from None
        finally:
            mailbox.close()
        if self.polled_until is None:
            raise GmError(f"imap: {self.problem}")
        return self.polled_until

    def _run(self) -> None:
        failures = 0
        while not self._stop.is_set():
            try:
                self._note_alive()
                if not self._should_poll():
                    self._stop.wait(STANDBY_SECONDS)
                    continue
                self._mailbox = ImapMailbox(self._settings)
                self._mailbox.open()
                self._idle_seconds = IDLE_FIRST
                while not self._stop.is_set() and self._should_poll() and self._mailbox.is_open:
                    taken = self._poll(self._mailbox)
                    failures = 0
                    if taken:
                        self._idle_seconds = IDLE_FIRST
                    else:  # after new letters poll again: the server may have announced more already
                        self._wait(self._mailbox)
            except Exception as error:  # the thread must survive whatever a server sends
                self._complain(error)
            finally:
                self._close_mailbox()
            if not self._stop.is_set():
                pause = self._pauses[min(failures, len(self._pauses) - 1)]
                failures += 1
                self._note_alive()
                self._stop.wait(pause * random.uniform(0.5, 1.5))

    def _poll(self, mailbox: ImapMailbox) -> bool:
        """Take all letters; returns whether there were any. `polled_until` advances only when none was left."""
        began, complete, taken, refused = self._now(), True, False, 0
        uids, most = mailbox.new_uids(), 1
        while uids:
            self._note_alive()
            try:
                batch = mailbox.fetch(uids[:most], self._max_bytes, self._now)
            except Exception as error:  # a letter that cannot be fetched must not stop the others
                refused += isinstance(error, IMAPClientError)
                if isinstance(error, OSError | IMAPClientAbortError) or refused > MOST_REFUSED:
                    raise
                if most == 1:
                    self._complain(GmError(f"{self._withheld_message}: {one_line(error)}"))
                complete, uids, most = complete and most > 1, uids[most == 1 :], 1
                continue
            kept = self._take(mailbox, batch)
            complete = complete and kept == len(batch.letters) and not batch.withheld
            taken, refused = taken or kept > 0, 0
            uids, most = uids[batch.uid_count :], min(2 * most, MOST_TOGETHER)
            if self._stop.is_set():
                return taken
        self._note_alive()
        if complete:
            self._on_polled(began)
            self.polled_until = began
            if self.problem:
                log.info("mailbox is read again", host=self._settings.host)
            self.problem = ""
        return taken

    def _take(self, mailbox: ImapMailbox, batch: FetchedBatch) -> int:
        """Commit each letter, then move them all away; returns how many were committed."""
        taken: list[int] = []
        try:
            for uid, letter in batch.letters:
                self._note_alive()
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
        mailbox.move_to_processed(taken)
        if mailbox.unmoved not in ("", self._unmoved):
            fields = {"folder": self._settings.processed, "error": mailbox.unmoved}
            log.warning("letters that were taken stay in the mailbox: they cannot be moved", **fields)
        self._unmoved = mailbox.unmoved
        if batch.withheld:
            self._complain(GmError(self._withheld_message))
        return len(taken)

    @property
    def _withheld_message(self) -> str:
        settings = self._settings
        return (
            f"{settings.host} has a letter in {settings.folder} that it does not give out; "
            "look at it by webmail and move it away, deadlines wait for it"
        )

    def _wait(self, mailbox: ImapMailbox) -> None:
        seconds = FLOOR * self._settings.poll_seconds
        if self._settings.idle and mailbox.can_idle:
            mailbox.idle(min(seconds, self._idle_seconds), self._hurry, self._note_alive)
            self._idle_seconds = min(2 * self._idle_seconds, IDLE_MOST)
        else:
            end = time.monotonic() + min(seconds, IDLE_MOST)
            while (left := end - time.monotonic()) > 0 and not self._hurry.wait(min(left, 5)):
                self._note_alive()
        if not self._stop.is_set():
            self._hurry.clear()

    def _complain(self, error: Exception) -> None:
        if self._stop.is_set():
            return
        text = str(error) if isinstance(error, GmError) else f"{self._settings.host} broke off: {one_line(error)}"
        if text != self.problem:
            log.warning("mailbox not read", error=text)
        self.problem = text

    def _note_alive(self) -> None:
        self._alive_at = time.monotonic()

    def _watch(self) -> None:
        """Ends a read that hangs in spite of its timeout, by cutting the connection."""
        while not self._stop.wait(min(5.0, self._watchdog_seconds / 4)):
            if time.monotonic() - self._alive_at > self._watchdog_seconds and self._mailbox is not None:
                log.warning("mailbox connection hangs; cutting it", host=self._settings.host)
                self._note_alive()
                self._cut()

    def _cut(self) -> None:
        mailbox = self._mailbox
        if mailbox is not None:
            mailbox.cut()

    def _close_mailbox(self) -> None:
        mailbox, self._mailbox = self._mailbox, None
        if mailbox is not None:
            mailbox.close(politely=False)
