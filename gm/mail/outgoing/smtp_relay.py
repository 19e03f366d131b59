"""Letters out through a relay (RFC 5321) by smtplib: one recipient and one transaction each.

4xx; silence or a cut once DATA began (it may have gone out)      -> Deferred: the same Message-ID again later
5xx to the recipient or the letter                                -> Refused, TooLarge
5xx because the relay does not serve us (so much, or at all)      -> Deferred: no reader's fault, and mended it leaves
no connection, 421, wrong password, TLS, anything 5xx to MAIL     -> RelayDown: pause, no letter's fault

A relay that does not like the sender that names the letter may say so to MAIL, as Postfix does to RCPT, or as Exchange
does after the letter: then it is offered the same letter from our mailbox itself.
"""

from __future__ import annotations

import binascii
import contextlib
import math
import re
import smtplib
import socket
import ssl
import threading
import time
from collections.abc import Iterator

import structlog

from gm.config import RelayConfig
from gm.errors import Deferred, GmError, Refused, RelayDown, TooLarge
from gm.game.model.records import OutboxRow
from gm.mail import oauth
from gm.mail.outgoing import compose

log = structlog.get_logger(__name__)

IDLE_SECONDS = 20
"""A connection unused for longer is opened anew: relays cut idle ones, some without a word."""
CREDENTIALS = {530, 534, 535, 538}
LETTER_SECONDS = 240.0
"""For all of one letter, however slowly the relay answers: less than the desk's lease, or another node sends it too.
After the letter the relay has all that is left of it to answer: who gives up too soon sends it twice.
"""
SENDER = re.compile(
    r"\d{3} 5\.(1\.[78]|7\.60)\b|sender address|not owned by|send[- ]?as\b|sendasdenied|as this sender",
    re.IGNORECASE,
)
"""What relays say of a sender's address (RFC 3463: its form, its domain; and who may use it), and 553 at MAIL FROM.
Anything else there, 5.7.1 too, may be this letter's alone: it sets no rule for the next.
"""
POLICY = re.compile(
    r"\b5\.4\.5\b|relay(ing)? (access )?(is )?(denied|not (permitted|allowed)|prohibited)|"
    r"(daily|hourly|sending|user|rate|message) +(sending )?(limit|quota|rate)|too many messages|"
    r"(client host|helo command|sender address) rejected",
    re.IGNORECASE,
)
"""What servers say when it is we who may not send, or not so much (RFC 3463: X.4.5, congestion)."""
UNAUTHORISED = re.compile(r"\d{3} 5\.7\.1\b(?!.*recipient address rejected)", re.IGNORECASE)
"""To RCPT it says that we may not write to somebody, not that he is not there (RFC 3463: X.7.1)."""
TOO_LARGE = re.compile(r"552\b(?!.* 5\.2\.2\b)|5\d\d 5\.3\.4\b")
"""What they say of a letter that they would take without its picture; 5.2.2 is a mailbox that is full."""
PLAIN_SECONDS = 3600.0
"""So long letters leave by the plain address before the one that names them is tried again."""


class _SenderRefused(Exception):
    """It is the sender's address that is refused. `fault`: what that means where there is no other to offer."""

    def __init__(self, said: str, fault: GmError) -> None:
        super().__init__(said)
        self.said, self.fault = said, fault


class RelayMailer:
    """Implements `gm.game.model.ports.Mailer`. Keeps its connection from letter to letter; any fault throws it away."""

    def __init__(self, settings: RelayConfig) -> None:
        self._settings = settings
        self._client: smtplib.SMTP | None = None
        self._used = 0.0
        self._plain_until = -math.inf
        self._lock = threading.Lock()
        self._place = f"the relay {settings.host} port {settings.port}"

    def send(self, row: OutboxRow) -> None:
        try:
            raw = compose.build(row)
            recipient = compose.address("", row.letter.address).addr_spec
            sender = compose.address("", row.envelope_from).addr_spec if row.envelope_from else ""
        except (ValueError, LookupError) as error:
            raise Refused(f"letter {row.id} cannot be written: {error}") from None
        with self._lock:
            try:
                with self._limited():
                    self._transact(raw, sender, recipient, row.letter.from_address)
                self._used = time.monotonic()
            except GmError:
                self._drop()
                raise

    def close(self) -> None:
        with self._lock:
            if self._client is not None:
                with contextlib.suppress(OSError, smtplib.SMTPException):
                    self._client.quit()
            self._drop()

    def check(self, sender: str = "", recipient: str = "") -> None:
        """Connect, log in, and offer a letter from a sender to a recipient, which is then not sent. GmError, in one
        line, when that fails.
        """
        with self._lock:
            self._drop()
            client = self._connection()
            if sender:
                with self._limited():
                    self._introduced(client, sender, recipient)

    def _introduced(self, client: smtplib.SMTP, sender: str, recipient: str) -> None:
        """Many relays say to RCPT alone that it is the sender, or we, that they do not serve."""
        try:
            code, said = client.mail(sender)
            fault = None if _is_yes(code) else self._sender_fault(code, said)
            if fault is None and recipient:
                code, said = client.rcpt(recipient)
                if code >= 500:
                    fault = RelayDown(f"{self._place} takes no letter to {recipient}: {code} {_line(said)}")
            client.rset()
        except (OSError, smtplib.SMTPException) as error:
            raise RelayDown(f"{self._place} broke off: {_line(error)}") from None
        if fault is not None:
            raise fault.fault if isinstance(fault, _SenderRefused) else fault

    @contextlib.contextmanager
    def _limited(self) -> Iterator[None]:
        """A relay that dribbles holds up no letter for ever: the line is cut."""
        timer = threading.Timer(LETTER_SECONDS, self._cut)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _cut(self) -> None:
        """From another thread: ends any read at once."""
        client = self._client
        if client is not None and client.sock is not None:
            with contextlib.suppress(OSError):
                client.sock.shutdown(socket.SHUT_RDWR)

    def _transact(self, raw: bytes, sender: str, recipient: str, fallback: str) -> None:
        """Some providers take no sender but the mailbox itself: then it is that one, and bounces name no letter."""
        client = self._connection()
        most = client.esmtp_features.get("size", "")
        if most.isdecimal() and 0 < int(most) < len(raw):  # some cut the line over it, and would again (RFC 1870)
            raise TooLarge(f"{self._place} takes no letter of {len(raw)} bytes: it says SIZE {most}")
        plain = time.monotonic() < self._plain_until
        try:
            self._offer(client, raw, fallback if plain else sender, recipient)
        except _SenderRefused as refusal:
            if plain or sender == fallback:
                raise refusal.fault from None
            self._offer_plainly(client, raw, fallback, recipient)
            if sender and (refusal.said.startswith("553") or SENDER.search(refusal.said)):
                self._plain_until = time.monotonic() + PLAIN_SECONDS
                log.warning("the relay takes letters from our mailbox alone: bounces tell nothing", said=refusal.said)

    def _offer_plainly(self, client: smtplib.SMTP, raw: bytes, fallback: str, recipient: str) -> None:
        try:
            client.rset()
            self._offer(client, raw, fallback, recipient)
        except _SenderRefused as refusal:
            raise refusal.fault from None
        except (OSError, smtplib.SMTPException) as error:
            raise RelayDown(f"{self._place} broke off: {_line(error)}") from None

    def _offer(self, client: smtplib.SMTP, raw: bytes, sender: str, recipient: str) -> None:
        try:
            code, said = client.mail(sender)
            if not _is_yes(code):
                raise self._sender_fault(code, said)
            code, said = client.rcpt(recipient)
            if not _is_yes(code):
                raise self._fault(code, said, recipient=True)
        except (OSError, smtplib.SMTPException) as error:
            raise RelayDown(f"{self._place} broke off: {_line(error)}") from None
        try:
            code, said = self._hand_over(client, raw)
        except smtplib.SMTPDataError as error:
            raise self._fault(error.smtp_code, error.smtp_error) from None
        except (OSError, smtplib.SMTPException) as error:
            raise Deferred(f"{self._place} broke off while taking the letter: {_line(error)}") from None
        if code == -1:
            raise Deferred(f"{self._place} gave no answer that can be read: {_line(said)}")
        if TOO_LARGE.match(f"{code} {_line(said)}"):
            raise TooLarge(f"{code} {_line(said)}")
        if not _is_yes(code):
            raise self._fault(code, said)

    def _hand_over(self, client: smtplib.SMTP, raw: bytes) -> tuple[int, bytes]:
        """The connection is cut when its time is up (`_limited`)."""
        if client.sock is not None:
            client.sock.settimeout(LETTER_SECONDS)
        answer = client.data(raw)
        if client.sock is not None:
            client.sock.settimeout(self._settings.timeout)
        return answer

    def _sender_fault(self, code: int, said: bytes | str) -> Exception:
        """The relay knows of no letter yet, nor of its reader: what it refuses is us, and letters wait for the mend."""
        told = f"{code} {_line(said)}"
        if code < 500 or code in CREDENTIALS:
            return self._fault(code, said)
        return _SenderRefused(told, RelayDown(f"{self._place} does not accept our sender address: {told}"))

    def _fault(self, code: int, said: bytes | str, *, recipient: bool = False) -> Exception:
        told = f"{code} {_line(said)}"
        if code == 421 or code == -1 or code in CREDENTIALS:
            return RelayDown(f"{self._place} takes no letters: {told}")
        if code >= 500 and SENDER.search(told) and "recipient address" not in told.lower():
            return _SenderRefused(told, Deferred(told))
        if code >= 500 and (POLICY.search(told) or (recipient and UNAUTHORISED.match(told))):
            return Deferred(told)
        return Refused(told, recipient=recipient) if code >= 500 else Deferred(told)

    def _connection(self) -> smtplib.SMTP:
        if self._client is not None:
            if time.monotonic() - self._used < IDLE_SECONDS and self._is_alive(self._client):
                return self._client
            self._drop()
        client = self._connect()
        self._used = time.monotonic()
        return client

    def _is_alive(self, client: smtplib.SMTP) -> bool:
        try:
            return client.rset()[0] == 250
        except (OSError, smtplib.SMTPException):
            return False

    def _connect(self) -> smtplib.SMTP:
        settings = self._settings
        try:
            client = self._client = self._open()
            client.ehlo_or_helo_if_needed()
            if settings.security == "starttls":
                client.starttls(context=ssl.create_default_context())
                client.ehlo()
            self._log_in(client)
            return client
        except smtplib.SMTPAuthenticationError as error:
            fault = f"{self._place} does not accept user {settings.user}: {error.smtp_code} {_line(error.smtp_error)}"
        except ssl.SSLCertVerificationError as error:
            fault = f"{self._place} shows a certificate we cannot trust: {error.verify_message}"
        except ssl.SSLError as error:
            fault = f"{self._place} does not speak TLS as set (relay.security = {settings.security}): {_line(error)}"
        except (socket.gaierror, UnicodeError):
            fault = f"{self._place} is not found; is relay.host right?"
        except smtplib.SMTPResponseException as error:
            fault = f"{self._place} takes no letters: {error.smtp_code} {_line(error.smtp_error)}"
        except smtplib.SMTPServerDisconnected as error:
            fault = f"{self._place} broke off: {_line(error)}"
        except smtplib.SMTPException as error:
            fault = f"{self._place} cannot be used as set: {_line(error)}"
        except OSError as error:
            fault = f"{self._place} cannot be reached: {_line(error)}"
        self._drop()
        raise RelayDown(fault)

    def _open(self) -> smtplib.SMTP:
        settings = self._settings
        if settings.security == "tls":
            context = ssl.create_default_context()
            return smtplib.SMTP_SSL(settings.host, settings.port, timeout=settings.timeout, context=context)
        return smtplib.SMTP(settings.host, settings.port, timeout=settings.timeout)

    def _log_in(self, client: smtplib.SMTP) -> None:
        settings = self._settings
        try:
            if settings.token_command:
                offered = client.esmtp_features.get("auth", "").upper().split()
                client.auth(*oauth.sasl(offered, settings.user, oauth.token(settings.token_command)))
            elif settings.user and settings.password is not None:
                client.login(settings.user, settings.password.get_secret_value())
        except GmError as error:
            raise smtplib.SMTPException(str(error)) from None
        except UnicodeError:
            raise smtplib.SMTPException("user and password may hold plain ASCII characters only") from None
        except binascii.Error:
            raise smtplib.SMTPException("its answer to AUTH cannot be read") from None

    def _drop(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None


def _is_yes(code: int) -> bool:
    """The first digit tells (RFC 5321, 4.3.2)."""
    return 200 <= code < 300


def _line(said: object) -> str:
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
    return " ".join(text.split())[:300]
