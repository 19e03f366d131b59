"""The embedded server for incoming letters: SMTP (RFC 5321) or LMTP (RFC 2033), by aiosmtpd in a thread of its own.

It replies 250 only after `accept` has returned, that is after the commit. While the store is away it replies 451, and
the sending mail server keeps the letter. `smtp_DATA` replaces aiosmtpd's, which gives LMTP one reply instead of one
per recipient, refuses lines over 1000 bytes, and holds a line of any length in memory.

A letter refused by SMTP goes back to the server that still has it. An LMTP client has accepted the letter already and
would send a bounce to a sender who may be forged. So LMTP refuses unknown recipients only: a letter that is too large
is stored without its body and answered, and a looping letter is accepted and ignored.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import os
import re
import resource
import socket
import threading
from asyncio import IncompleteReadError, LimitOverrunError
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import Any

import structlog
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session, syntax

from gm.config import ListenConfig
from gm.errors import GmError, Unavailable
from gm.mail import limits as caps
from gm.mail.incoming.received import AcceptAll, Received, headers_only, is_looping, present
from gm.rare_lines import RareLines

MOST_CONNECTIONS = 200
"""At once; fewer where the system allows less than four times as many open files."""
BACKLOG = 100
"""Connections that the system keeps until they are accepted."""
MOST_RECIPIENTS = 100
READY_SECONDS = 10
SESSION_SECONDS = 300
MOST_TOGETHER = 50
"""Letters that share a commit."""
FLOOD = 20
"""A letter this many times over the size limit ends the connection."""
CRLF, DOT_LINE = b"\r\n", b".\r\n"
END = CRLF + DOT_LINE
"""Ends a letter; a letter begins as behind CRLF."""
TOO_MANY = "421 4.3.2 Too many connections, try again later"
TRY_LATER = "451 4.3.0 The game master cannot store letters just now, try again later"
TOO_LARGE = "552 5.3.4 The letter is larger than {limit} bytes"

_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
ADDRESS = re.compile(rf"<(?P<address>{_ATOM}(?:\.{_ATOM})*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*)>(?: +(?=\w)|$)")

log = structlog.get_logger(__name__)


class SmtpServer:
    """`known` says whether an address (in lower case) is one of ours; other recipients get 550.

    It may block, so it is called only where `cached`, which may not, returns None.
    """

    def __init__(
        self,
        settings: ListenConfig,
        accept: AcceptAll,
        known: Callable[[str], bool],
        max_bytes: int,
        now: Callable[[], datetime] = present,
        cached: Callable[[str], bool | None] = lambda address: None,
    ) -> None:
        self._settings = settings
        self._handler = _Handler(accept, known, cached, settings, now)
        self._max_bytes = max_bytes
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._server: asyncio.Server | None = None
        self.port = settings.port
        """The port in use, known after `start` when settings ask for any (0)."""

    def start(self) -> None:
        """Returns when the server listens. Raises GmError when the port or socket is not available."""
        self._refuse_live_socket()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, args=(self._loop,), name="gm-listen", daemon=True)
        self._thread.start()
        try:
            asyncio.run_coroutine_threadsafe(self._bind(), self._loop).result(READY_SECONDS)
        except (OSError, TimeoutError) as error:
            self.stop()
            raise GmError(self._bind_error(error)) from None

    def stop(self) -> None:
        """Accepts no more letters; those being committed are finished first."""
        if self._loop is None or self._thread is None:
            return
        with contextlib.suppress(TimeoutError):
            asyncio.run_coroutine_threadsafe(self._close(), self._loop).result(READY_SECONDS)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(READY_SECONDS)
        for threads in (self._handler.committers, self._handler.checkers):
            threads.shutdown()
        self._handler.committers, self._handler.checkers = _worker(), _worker()
        self._loop = self._thread = self._server = None
        if self._settings.socket:
            Path(self._settings.socket).unlink(missing_ok=True)

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        asyncio.set_event_loop(loop)
        loop.run_forever()
        loop.close()

    async def _bind(self) -> None:
        loop = asyncio.get_running_loop()
        if self._settings.socket:
            path = Path(self._settings.socket)
            self._server = await loop.create_unix_server(self._session, str(path), backlog=1)
            path.chmod(0o660)
            _deepen_backlog(self._server)
            return
        server = await loop.create_server(self._session, self._settings.host, self._settings.port, backlog=1)
        self._server = server
        _deepen_backlog(server)
        self.port = int(server.sockets[0].getsockname()[1])

    async def _close(self) -> None:
        await _run_pending_callbacks()
        if self._server is not None:
            self._server.close()
        await _run_pending_callbacks()
        await self._handler.drain()
        sessions = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for transport in tuple(self._handler.transports):
            transport.close()
        for task in sessions:
            task.cancel()
        await asyncio.gather(*sessions, return_exceptions=True)
        await _run_pending_callbacks()

    def _session(self) -> SMTP:
        kind = _LmtpProtocol if self._settings.protocol == "lmtp" else _SmtpProtocol
        return kind(
            self._handler,
            self._max_bytes,
            enable_SMTPUTF8=True,
            hostname=socket.gethostname(),
            ident="gm",
            timeout=SESSION_SECONDS,
            loop=asyncio.get_running_loop(),
        )

    def _refuse_live_socket(self) -> None:
        """Because asyncio takes over a socket file that another process still listens on."""
        if not self._settings.socket:
            return
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
            try:
                probe.connect(self._settings.socket)
            except OSError:
                return
        raise GmError(f"listen.socket: another program listens on {self._settings.socket}; stop it first")

    def _bind_error(self, error: Exception) -> str:
        if self._settings.socket:
            return f"listen.socket: cannot listen on {self._settings.socket} ({error})"
        place = f"listen: cannot listen on {self._settings.host} port {self._settings.port} ({error}); "
        if isinstance(error, PermissionError):
            return place + "only root takes ports below 1024: let a mail server hand letters to a higher one by LMTP"
        return place + "is another gm running? Choose a free port in [listen]"


class _Handler:
    """The callbacks of aiosmtpd. One thread stores letters, another checks recipients meanwhile."""

    def __init__(
        self,
        accept: AcceptAll,
        known: Callable[[str], bool],
        cached: Callable[[str], bool | None],
        settings: ListenConfig,
        now: Callable[[], datetime],
    ) -> None:
        self._accept, self._known, self._cached, self._now = accept, known, cached, now
        self._account: str = settings.protocol
        self._relays = tuple(ipaddress.ip_network(relay) for relay in settings.relays)
        self.committers, self.checkers = _worker(), _worker()
        self._busy: set[asyncio.Future[Exception | None]] = set()
        self._waiting: list[tuple[Received, asyncio.Future[Exception | None]]] = []
        self._committing: asyncio.Task[None] | None = None
        self.transports: set[asyncio.BaseTransport] = set()
        self._most_connections, self._rare_lines = most_connections(), RareLines()

    def takes(self, transport: asyncio.Transport) -> bool:
        """Whether a new connection may stay; else it gets 421 and is closed."""
        if len(self.transports) < self._most_connections:
            self.transports.add(transport)
            return True
        transport.write(f"{TOO_MANY}\r\n".encode())
        transport.close()
        if self._rare_lines.may_log(TOO_MANY):
            log.warning("too many connections: more are refused", open=len(self.transports))
        return False

    def _log_fault(self, event: str, error: str) -> None:
        """Clients decide how often there is one, for instance while the store is away."""
        if self._rare_lines.may_log(f"{event}: {error}"):
            log.error(event, error=error)

    async def drain(self) -> None:
        if self._busy:
            await asyncio.wait(self._busy, timeout=READY_SECONDS / 2)

    async def handle_RCPT(  # noqa: N802  # the name aiosmtpd looks for
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if not self._may_deliver(session.peer):
            return "554 5.7.1 Only our own mail servers deliver here"
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return "452 4.5.3 Too many recipients"
        try:
            known = self._cached(address.lower())
            if known is None:
                known = await asyncio.get_running_loop().run_in_executor(self.checkers, self._known, address.lower())
        except Exception as error:
            self._log_fault("recipient not checked", str(error))
            return TRY_LATER
        if not known:
            return "550 5.1.1 No such address here"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    def _may_deliver(self, peer: Any) -> bool:
        """`peer`: (host, port …), or the name of a unix socket."""
        if not self._relays or not isinstance(peer, tuple):
            return True
        address = ipaddress.ip_address(str(peer[0]).partition("%")[0])
        mapped = getattr(address, "ipv4_mapped", None) or address
        return any(mapped in network for network in self._relays)

    async def handle_DATA(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        raw = envelope.original_content or b""
        if self._account == "smtp" and is_looping(raw):
            return "554 5.4.6 Too many hops, this letter runs in a circle"
        letter = Received(
            raw=raw,
            received_at=self._now(),
            account=self._account,
            envelope_from=envelope.mail_from or "<>",
            envelope_to=tuple(dict.fromkeys(address.lower() for address in envelope.rcpt_tos)),
        )
        fault = await self._store(letter)
        if fault is None:
            return "250 2.0.0 Kept"
        self._log_fault("letter not taken", str(fault) if isinstance(fault, Unavailable) else repr(fault))
        return TRY_LATER

    async def _store(self, letter: Received) -> Exception | None:
        """The error, None after the commit, which is shared with all letters that came during the last one."""
        outcome: asyncio.Future[Exception | None] = asyncio.get_running_loop().create_future()
        self._busy.add(outcome)
        outcome.add_done_callback(self._busy.discard)
        self._waiting.append((letter, outcome))
        if self._committing is None or self._committing.done():
            self._committing = asyncio.create_task(self._commit_waiting())
        return await asyncio.shield(outcome)

    async def _commit_waiting(self) -> None:
        while self._waiting:
            group, self._waiting = self._waiting[:MOST_TOGETHER], self._waiting[MOST_TOGETHER:]
            letters = [letter for letter, _ in group]
            faults = await asyncio.get_running_loop().run_in_executor(self.committers, self._commit, letters)
            for (_, outcome), fault in zip(group, faults, strict=True):
                if not outcome.done():
                    outcome.set_result(fault)

    def _commit(self, letters: list[Received]) -> list[Exception | None]:
        """The error of each letter. One that cannot be stored does not affect the others.

        After a failed group each letter is tried alone, because two groups on two nodes may have deadlocked. When the
        store is away the rest are not tried: each might wait as long again.
        """
        fault = self._fault(letters)
        if fault is None or len(letters) == 1:
            return [fault] * len(letters)
        faults: list[Exception | None] = []
        for letter in letters:
            away = faults[-1] if faults and isinstance(faults[-1], Unavailable) else None
            faults.append(away or self._fault([letter]))
        return faults

    def _fault(self, letters: list[Received]) -> Exception | None:
        """The error that kept all of them from being stored; None after the commit."""
        try:
            self._accept(*letters)
        except Exception as error:
            return error
        return None

    async def handle_exception(self, error: Exception) -> str:
        self._log_fault("session failed", f"{type(error).__name__}: {error}")
        return TRY_LATER


def _deepen_backlog(server: asyncio.Server) -> None:
    """asyncio accepts as many connections in a row as its backlog, even when open files run out.

    Each failure then sets a timer and logs a traceback. With a backlog of 1 it tries once a second.
    """
    for listening in server.sockets:
        with socket.socket(fileno=os.dup(listening.fileno())) as same:
            same.listen(BACKLOG)


def most_connections() -> int:
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_CONNECTIONS if files == resource.RLIM_INFINITY else min(MOST_CONNECTIONS, files // 4)


async def _run_pending_callbacks() -> None:
    """Lets new connections get a session and cancelled ones close their socket."""
    for _ in range(3):
        await asyncio.sleep(0)


def _worker() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="gm-accept")


class _SmtpProtocol(SMTP):
    """SMTP with its own DATA: any line length, bounded memory, as many replies as the protocol wants."""

    line_length_limit = 64 * 1024
    refused_over = 1
    """A letter this many times over the size limit is refused."""

    def __init__(self, handler: _Handler, most: int, **options: Any) -> None:
        super().__init__(handler, data_size_limit=most * self.refused_over, **options)
        self._most = most
        self._patient_until = 0.0
        """By the loop's clock."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if self.event_handler.takes(transport):
            super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        if self.transport is not None:  # else it was refused
            self.event_handler.transports.discard(self.transport)
            super().connection_lost(error)

    def eof_received(self) -> bool:
        """Closes at once: aiosmtpd leaves that to a task which never starts when a client hangs up early."""
        super().eof_received()
        return False

    def replies(self, status: str, recipients: int) -> str:
        return status

    def _reset_timeout(self, duration: float | None = None) -> None:
        """Only notes until when: to set a timer for each command costs as much as the command."""
        self._patient_until = self.loop.time() + (duration or SESSION_SECONDS)
        if self._timeout_handle is None or self._timeout_handle.cancelled():
            self._timeout_handle = self.loop.call_at(self._patient_until, self._timeout_cb)

    def _timeout_cb(self) -> None:
        if self.loop.time() < self._patient_until:
            self._timeout_handle = self.loop.call_at(self._patient_until, self._timeout_cb)
        else:
            super()._timeout_cb()  # type: ignore[no-untyped-call]

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        """Fast path for ordinary addresses: the library's own way runs a header parser."""
        if match := ADDRESS.match(arg):
            return match["address"], arg[match.end() :]
        parsed: tuple[str | None, str | None] = super()._getaddr(arg)
        return parsed

    @syntax("DATA")
    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802
        if await self.check_helo_needed():
            return
        envelope = self.envelope
        if envelope is None or not envelope.rcpt_tos:
            await self.push("503 5.5.1 Error: need RCPT command")
            return
        if arg:
            await self.push("501 5.5.4 Syntax: DATA")
            return
        await self.push("354 End data with <CR><LF>.<CR><LF>")
        data, size = await self._gather()
        if size > self._most * self.refused_over:
            status = TOO_LARGE.format(limit=self._most)
        else:
            envelope.original_content = data if size <= self._most else headers_only(data, size)
            status = await self.event_handler.handle_DATA(self, self.session, envelope)
        self.envelope = self._create_envelope()
        await self.push(self.replies(status, len(envelope.rcpt_tos)))

    async def _gather(self) -> tuple[bytes, int]:
        """The letter with dots unstuffed and its size; only the beginning of one over the size limit."""
        data, size, last = bytearray(), 0, CRLF
        while last != END:
            piece = await self._piece()
            last = (last + piece)[-len(END) :]
            piece = piece.removesuffix(DOT_LINE) if last == END else piece
            size += len(piece)
            if size > FLOOD * self._most:
                raise ConnectionResetError("a letter without end")
            data += piece
            if size > self._most:
                del data[caps.HEADER_BLOCK :]
        return _without_stuffing(bytes(data)), size

    async def _piece(self) -> bytes:
        """The lines up to one that ends with a dot, or as much of them as the buffer holds. It is cheaper than each."""
        try:
            return await self._reader.readuntil(DOT_LINE)
        except LimitOverrunError as error:
            return await self._reader.readexactly(error.consumed)
        except IncompleteReadError:
            raise ConnectionResetError("the connection ended before the letter did") from None


def _without_stuffing(data: bytes) -> bytes:
    """Removes the dot that a client puts before each line that begins with one (RFC 5321, 4.5.2)."""
    if not data.startswith(b".") and CRLF + b"." not in data:  # fast path
        return data
    return (CRLF + data).replace(CRLF + b".", CRLF).removeprefix(CRLF)


class _LmtpProtocol(_SmtpProtocol, LMTP):
    """LMTP sends one reply after DATA for each accepted recipient (RFC 2033, 4.2)."""

    refused_over = FLOOD

    def replies(self, status: str, recipients: int) -> str:
        return "\r\n".join([status] * recipients)
