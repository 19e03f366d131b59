"""One IMAP connection to the folder that letters come into, by imapclient.

Traps this avoids: SEARCH shows only what NOOP has made known; BODY[] marks as seen, BODY.PEEK[] does not; without
MOVE a letter is copied and flagged, and only UIDPLUS may expunge it, since plain EXPUNGE removes others' letters too;
idle_check says nothing of a connection that ended, it only returns too soon, again and again; some servers announce
IDLE and refuse it, and some refuse one letter out of many for good.
"""

from __future__ import annotations

import binascii
import contextlib
import imaplib
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime

from imapclient import DELETED, IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientError, LoginError
from msgspec import Struct

from gm.config import ImapConfig
from gm.errors import GmError
from gm.mail import oauth
from gm.mail.incoming.imap_search import undeleted
from gm.mail.incoming.received import Received
from gm.mail.limits import TOO_LARGE_HEADER

CONNECT_SECONDS = 15
READ_SECONDS = 60
IDLE_SLICE = 1.0
MOST_HASTY = 3
LOT_BYTES = 2_000_000
"""Of letters fetched together, where there is more than one: memory is bounded, however many wait."""


def account(settings: ImapConfig) -> str:
    """The name a mailbox goes by in the store."""
    return f"imap:{settings.user}@{settings.host}"


class FetchedBatch(Struct, frozen=True):
    """`letters` by UID, without those that another program has taken away; `looked_at`: how many UIDs it is about.

    `withheld`: how many the server knows of and did not give, taken away just now or broken on its disk.
    """

    letters: list[tuple[int, Received]]
    looked_at: int
    withheld: int = 0


class ImapMailbox:
    """Unconnected until `open`."""

    def __init__(self, settings: ImapConfig) -> None:
        self._settings = settings
        self._connected: IMAPClient | None = None
        self._processed = settings.processed
        self._done: set[int] = set()
        """Committed, but still in the folder because they could not be moved."""
        self._idles = True
        self.unmoved = ""
        """What the server said when it refused to move letters out of the folder."""

    def open(self) -> None:
        """GmError, in one line, for a wrong host, certificate, password or folder."""
        try:
            self._connect()
            self._log_in()
            self._open_folders()
        except (OSError, imaplib.IMAP4.error) as error:
            raise GmError(f"imap: {self._settings.host} broke off: {_line(error)}") from None

    @property
    def _client(self) -> IMAPClient:
        if self._connected is None:
            raise GmError("imap: not connected")
        return self._connected

    @property
    def is_open(self) -> bool:
        return self._connected is not None

    @property
    def can_idle(self) -> bool:
        return self._idles and bool(self._client.has_capability("IDLE"))

    def waiting(self) -> list[int]:
        """UIDs of letters not taken yet, oldest first."""
        self._client.noop()
        found = undeleted(self._client)
        self._done &= set(found)
        return [uid for uid in found if uid not in self._done]

    def fetch(self, uids: Sequence[int], max_bytes: int, now: Callable[[], datetime]) -> FetchedBatch:
        """As many of the first letters as are brought together; of those over the cap the headers alone."""
        about = self._client.fetch(uids, ["RFC822.SIZE", "INTERNALDATE"])
        sizes = {uid: int(about[uid].get(b"RFC822.SIZE", 0)) for uid in uids if uid in about}
        whole: list[int] = []
        cut: list[int] = []
        total = looked_at = 0
        for uid in uids:
            size = sizes.get(uid, 0)
            total += min(size, max_bytes)
            if looked_at and total > LOT_BYTES:
                break
            looked_at += 1
            if uid in sizes:
                (cut if size > max_bytes else whole).append(uid)
        raws = self._raw(whole, "BODY.PEEK[]") | {
            uid: f"{TOO_LARGE_HEADER}: {sizes[uid]}\r\n".encode() + raw
            for uid, raw in self._raw(cut, "BODY.PEEK[HEADER]").items()
        }
        letters = [
            (uid, Received(raws[uid], _arrived(about[uid], now()), account(self._settings), pushed=False))
            for uid in uids[:looked_at]
            if uid in raws
        ]
        return FetchedBatch(letters, looked_at, len(whole) + len(cut) - len(letters))

    def _raw(self, uids: Sequence[int], part: str) -> dict[int, bytes]:
        if not uids:
            return {}
        name = part.replace(".PEEK", "").encode()
        got = self._client.fetch(uids, [part])
        return {uid: got[uid][name] for uid in uids if got.get(uid, {}).get(name) is not None}

    def put_away(self, uids: Sequence[int]) -> None:
        """Out of the folder. A server that refuses keeps the letters there; they aren't taken twice."""
        if not uids:
            return
        self._done.update(uids)
        try:
            self._move(uids)
        except IMAPClientError as error:
            if isinstance(error, imaplib.IMAP4.abort):
                raise
            self.unmoved = _line(error)
        else:
            self.unmoved = ""

    def _move(self, uids: Sequence[int]) -> None:
        if self._client.has_capability("MOVE"):
            self._client.move(uids, self._processed)
            return
        self._client.copy(uids, self._processed)
        self._client.add_flags(uids, [DELETED], silent=True)
        if self._client.has_capability("UIDPLUS"):
            self._client.uid_expunge(uids)

    def idle(self, seconds: float, ended: threading.Event, alive: Callable[[], None]) -> None:
        """Returns when something came, the time is up, or `ended` is set; at once where the server will not idle."""
        end = time.monotonic() + seconds
        hasty = 0
        if not self._begins_to_idle():
            return
        while not ended.is_set() and (left := end - time.monotonic()) > 0:
            alive()
            began, patience = time.monotonic(), min(left, IDLE_SLICE)
            news = self._client.idle_check(timeout=patience)
            if any(len(one) > 1 and one[1] in (b"EXISTS", b"RECENT") for one in news):
                break
            hasty = hasty + 1 if not news and time.monotonic() - began < patience / 2 else 0
            if hasty > MOST_HASTY:
                raise OSError("the server ended the connection")
        self._client.idle_done()

    def _begins_to_idle(self) -> bool:
        try:
            self._client.idle()
        except IMAPClientError as error:
            if isinstance(error, imaplib.IMAP4.abort):
                raise
            if "b'* " in str(error):  # news before its "+", which imapclient cannot read: the next connection has them
                self.close(politely=False)
            self._idles = False
            return False
        return True

    def cut(self) -> None:
        """From another thread: ends any read at once."""
        client = self._connected
        if client is not None:
            with contextlib.suppress(OSError, AttributeError):
                client.socket().shutdown(socket.SHUT_RDWR)

    def close(self, politely: bool = True) -> None:
        client, self._connected = self._connected, None
        if client is None:
            return
        with contextlib.suppress(OSError, imaplib.IMAP4.error, AttributeError):
            if politely:
                client.logout()
                return
        with contextlib.suppress(OSError, imaplib.IMAP4.error, AttributeError):
            client.shutdown()

    def _connect(self) -> None:
        settings = self._settings
        place = f"imap: {settings.host} port {settings.port}"
        timeout = SocketTimeout(connect=CONNECT_SECONDS, read=READ_SECONDS)
        context = ssl.create_default_context()
        tls = settings.security == "tls"
        try:
            client = IMAPClient(
                settings.host, settings.port, ssl=tls, ssl_context=context if tls else None, timeout=timeout
            )
            self._connected = client
            client.normalise_times = False
            if settings.security == "starttls":
                client.starttls(ssl_context=context)
        except (socket.gaierror, UnicodeError):
            raise GmError(f"{place} is not found; is imap.host right?") from None
        except ssl.SSLCertVerificationError as error:
            raise GmError(f"{place} shows a certificate we cannot trust: {error.verify_message}") from None
        except ssl.SSLError as error:
            set_to = f"imap.security = {settings.security}"
            raise GmError(f"{place} does not speak TLS as set ({set_to}): {_line(error)}") from None
        except (OSError, imaplib.IMAP4.error) as error:
            raise GmError(f"{place} cannot be reached: {_line(error)}") from None

    def _log_in(self) -> None:
        settings = self._settings
        try:
            if settings.password is None:
                offered = {capability.decode().removeprefix("AUTH=") for capability in self._client.capabilities()}
                self._client.sasl_login(*oauth.sasl(offered, settings.user, oauth.token(settings.token_command)))
            elif self._client.has_capability("LOGINDISABLED") and self._client.has_capability("AUTH=PLAIN"):
                self._client.plain_login(settings.user, settings.password.get_secret_value())
            else:
                self._client.login(settings.user, settings.password.get_secret_value())
        except UnicodeError:
            raise GmError(
                "imap: user and password may hold plain ASCII characters only; set another password"
            ) from None
        except binascii.Error:
            self.close(politely=False)  # it still waits for an answer
            raise GmError(f"imap: {settings.host} asks for a password in words that cannot be read") from None
        except LoginError as error:
            if isinstance(error.__context__, imaplib.IMAP4.abort):
                raise
            wrong = "imap.password" if settings.password is not None else "the token of imap.token_command"
            raise GmError(
                f"imap: {settings.host} does not let {settings.user} in; is {wrong} right? It said: {_line(error)}"
            ) from None

    def _open_folders(self) -> None:
        settings = self._settings
        self._processed = self._full_name(settings.processed)
        try:
            if not self._client.folder_exists(self._processed):
                self._client.create_folder(self._processed)
        except imaplib.IMAP4.abort:
            raise
        except IMAPClientError as error:
            raise GmError(f"imap: folder {self._processed} cannot be made: {_line(error)}") from None
        try:
            self._client.select_folder(settings.folder)
        except imaplib.IMAP4.abort:
            raise
        except IMAPClientError as error:
            raise GmError(f"imap: folder {settings.folder} cannot be opened: {_line(error)}") from None

    def _full_name(self, folder: str) -> str:
        """With the server's prefix for personal folders ("INBOX." on some)."""
        if not self._client.has_capability("NAMESPACE"):
            return folder
        personal = self._client.namespace().personal
        prefix = str(personal[0][0]) if personal else ""
        return folder if folder.lower().startswith(prefix.lower()) else prefix + folder


def _arrived(about: Mapping[bytes, object], now: datetime) -> datetime:
    """When the server got it; never later than now, whatever its clock says."""
    arrived = about.get(b"INTERNALDATE")
    known = isinstance(arrived, datetime) and arrived.tzinfo is not None
    return min(arrived.astimezone(UTC), now) if known and isinstance(arrived, datetime) else now


def _line(error: object) -> str:
    return " ".join(str(error).split())[:300] or type(error).__name__
