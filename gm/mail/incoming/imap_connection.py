"""One IMAP connection to the folder that receives letters, by imapclient.

Peculiarities of servers that this module handles: SEARCH shows only what NOOP has announced. BODY[] marks as seen,
BODY.PEEK[] does not. Without MOVE, letters are copied and flagged as deleted; only UIDPLUS may expunge them, because
plain EXPUNGE also removes other letters. `idle_check` does not report a closed connection, it only returns too early.
Some servers announce IDLE and refuse it; some refuse one letter for good.
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
from gm.errors import GmError, one_line
from gm.mail import oauth
from gm.mail.certificates import describe_untrusted
from gm.mail.incoming.imap_removal import RemovedLetter, junk_folders, remove_letters
from gm.mail.incoming.imap_search import undeleted_uids
from gm.mail.incoming.received import Received, envelope_sender
from gm.mail.limits import TOO_LARGE_HEADER

CONNECT_SECONDS = 15
READ_SECONDS = 60
IDLE_SLICE = 1.0
MOST_EARLY_RETURNS = 3
BATCH_BYTES = 2_000_000
"""Size limit for letters fetched together; a single letter may be larger."""


def account_name(settings: ImapConfig) -> str:
    """How the store names this mailbox."""
    return f"imap:{settings.user}@{settings.host}"


class FetchedBatch(Struct, frozen=True):
    """`letters` with their UIDs, of the first `uid_count` UIDs asked for.

    `withheld` counts letters that the server lists but did not send: removed just now, or broken on its disk.
    """

    letters: list[tuple[int, Received]]
    uid_count: int
    withheld: int = 0


class ImapMailbox:
    """Not connected before `open`."""

    def __init__(self, settings: ImapConfig) -> None:
        self._settings = settings
        self._connected: IMAPClient | None = None
        self._processed = settings.processed
        self._done: set[int] = set()
        """UIDs of letters that are committed but could not be moved out of the folder."""
        self._idles = True
        self.unmoved = ""
        """The server's answer when it refused to move letters."""

    def open(self) -> None:
        """Raises GmError for a wrong host, certificate, password or folder."""
        try:
            self._connect()
            self._log_in()
            self._open_folders()
        except (OSError, imaplib.IMAP4.error) as error:
            raise GmError(f"imap: {self._settings.host} broke off: {one_line(error)}") from None

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

    def new_uids(self) -> list[int]:
        """UIDs of letters not committed yet, oldest first."""
        self._client.noop()
        uids = undeleted_uids(self._client)
        self._done &= set(uids)
        return [uid for uid in uids if uid not in self._done]

    def fetch(self, uids: Sequence[int], max_bytes: int, now: Callable[[], datetime]) -> FetchedBatch:
        """The first letters, up to BATCH_BYTES; only the headers of letters over `max_bytes`."""
        about = self._client.fetch(uids, ["RFC822.SIZE", "INTERNALDATE"])
        sizes = {uid: int(about[uid].get(b"RFC822.SIZE", 0)) for uid in uids if uid in about}
        whole: list[int] = []
        cut: list[int] = []
        total = uid_count = 0
        for uid in uids:
            size = sizes.get(uid, 0)
            total += min(size, max_bytes)
            if uid_count and total > BATCH_BYTES:
                break
            uid_count += 1
            if uid in sizes:
                (cut if size > max_bytes else whole).append(uid)
        raws = self._fetch_raw(whole, "BODY.PEEK[]") | {
            uid: f"{TOO_LARGE_HEADER}: {sizes[uid]}\r\n".encode() + raw
            for uid, raw in self._fetch_raw(cut, "BODY.PEEK[HEADER]").items()
        }
        letters = [
            (uid, self._received(raws[uid], _received_at(about[uid], now()))) for uid in uids[:uid_count] if uid in raws
        ]
        return FetchedBatch(letters, uid_count, len(whole) + len(cut) - len(letters))

    def _received(self, raw: bytes, at: datetime) -> Received:
        """The mail server that delivered the letter wrote its envelope sender into Return-Path."""
        return Received(raw, at, account_name(self._settings), envelope_sender(raw), pushed=False)

    def _fetch_raw(self, uids: Sequence[int], part: str) -> dict[int, bytes]:
        if not uids:
            return {}
        name = part.replace(".PEEK", "").encode()
        items = self._client.fetch(uids, [part])
        return {uid: items[uid][name] for uid in uids if items.get(uid, {}).get(name) is not None}

    def move_to_processed(self, uids: Sequence[int]) -> None:
        """If the server refuses, the letters stay in the folder but are not taken twice."""
        if not uids:
            return
        self._done.update(uids)
        try:
            self._move_even_if_deleted(uids)
        except IMAPClientError as error:
            if isinstance(error, imaplib.IMAP4.abort):
                raise
            self.unmoved = one_line(error)
        else:
            self.unmoved = ""

    def _move_even_if_deleted(self, uids: Sequence[int]) -> None:
        """People delete the folder of letters that are done with. Some servers refuse without TRYCREATE then."""
        try:
            self._move(uids)
        except IMAPClientError as error:
            if isinstance(error, imaplib.IMAP4.abort) or self._client.folder_exists(self._processed):
                raise
            self._client.create_folder(self._processed)
            self._move(uids)

    def _move(self, uids: Sequence[int]) -> None:
        if self._client.has_capability("MOVE"):
            self._client.move(uids, self._processed)
            return
        self._client.copy(uids, self._processed)
        self._client.add_flags(uids, [DELETED], silent=True)
        if self._client.has_capability("UIDPLUS"):
            self._client.uid_expunge(uids)

    def take_out(self, prefix: str) -> list[RemovedLetter]:
        """Removes the letters whose Message-ID begins so, also from `processed` and from spam. Raises GmError.

        Afterwards another folder may be open: the connection serves nothing else.
        """
        try:
            junk = junk_folders(self._client)
            folders = dict.fromkeys([self._settings.folder, self._processed, *junk])
            return [
                letter
                for folder in folders
                for letter in remove_letters(self._client, folder, prefix, junk=folder in junk)
            ]
        except (OSError, imaplib.IMAP4.error) as error:
            raise GmError(f"imap: {self._settings.host} broke off: {one_line(error)}") from None

    def idle(self, seconds: float, ended: threading.Event, alive: Callable[[], None]) -> None:
        """Returns when a letter came, the time is up or `ended` is set; at once where the server refuses IDLE."""
        end = time.monotonic() + seconds
        early_returns = 0
        if not self._start_idle():
            return
        while not ended.is_set() and (left := end - time.monotonic()) > 0:
            alive()
            began, patience = time.monotonic(), min(left, IDLE_SLICE)
            news = self._client.idle_check(timeout=patience)
            if any(len(response) > 1 and response[1] in (b"EXISTS", b"RECENT") for response in news):
                break
            early = not news and time.monotonic() - began < patience / 2
            early_returns = early_returns + 1 if early else 0
            if early_returns > MOST_EARLY_RETURNS:
                raise OSError("the server ended the connection")
        self._client.idle_done()

    def _start_idle(self) -> bool:
        try:
            self._client.idle()
        except IMAPClientError as error:
            if isinstance(error, imaplib.IMAP4.abort):
                raise
            if "b'* " in str(error):  # a response before "+", which imapclient cannot read; the next connection gets it
                self.close(politely=False)
            self._idles = False
            return False
        return True

    def cut(self) -> None:
        """Called from another thread: ends any read at once."""
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
            raise GmError(f"{place} {describe_untrusted(error)}") from None
        except ssl.SSLError as error:
            set_to = f"imap.security = {settings.security}"
            raise GmError(f"{place} does not speak TLS as set ({set_to}): {one_line(error)}") from None
        except (OSError, imaplib.IMAP4.error) as error:
            raise GmError(f"{place} cannot be reached: {one_line(error)}") from None

    def _log_in(self) -> None:
        settings = self._settings
        try:
            if settings.password is None:
                offered = {capability.decode().removeprefix("AUTH=") for capability in self._client.capabilities()}
                token = oauth.read_token(settings.token_command)
                self._client.sasl_login(*oauth.sasl_login(offered, settings.user, token))
            elif self._client.has_capability("LOGINDISABLED") and self._client.has_capability("AUTH=PLAIN"):
                self._client.plain_login(settings.user, settings.password.get_secret_value())
            else:
                self._client.login(settings.user, settings.password.get_secret_value())
        except UnicodeError:
            raise GmError(
                "imap: user and password may hold plain ASCII characters only; set another password"
            ) from None
        except binascii.Error:
            self.close(politely=False)  # the server still waits for an answer
            raise GmError(f"imap: {settings.host} asks for a password in words that cannot be read") from None
        except LoginError as error:
            if isinstance(error.__context__, imaplib.IMAP4.abort):
                raise
            wrong = "imap.password" if settings.password is not None else "the token of imap.token_command"
            raise GmError(
                f"imap: {settings.host} does not let {settings.user} in; is {wrong} right? It said: {one_line(error)}"
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
            raise GmError(f"imap: folder {self._processed} cannot be made: {one_line(error)}") from None
        try:
            self._client.select_folder(settings.folder)
        except imaplib.IMAP4.abort:
            raise
        except IMAPClientError as error:
            raise GmError(f"imap: folder {settings.folder} cannot be opened: {one_line(error)}") from None

    def _full_name(self, folder: str) -> str:
        """With the server's prefix for personal folders, such as "INBOX."."""
        if not self._client.has_capability("NAMESPACE"):
            return folder
        personal = self._client.namespace().personal
        prefix = str(personal[0][0]) if personal else ""
        return folder if folder.lower().startswith(prefix.lower()) else prefix + folder


def _received_at(about: Mapping[bytes, object], now: datetime) -> datetime:
    """INTERNALDATE, but never later than now."""
    date = about.get(b"INTERNALDATE")
    return min(date.astimezone(UTC), now) if isinstance(date, datetime) and date.tzinfo is not None else now
