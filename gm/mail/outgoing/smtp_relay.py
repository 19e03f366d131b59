"""Sends letters through a relay (RFC 5321) by smtplib: one recipient and one transaction each.

4xx; silence or a cut after DATA began (the letter may be sent)     Deferred: again later, with the same Message-ID
5xx to the recipient or the letter                                  Refused, TooLarge
5xx because the relay does not serve us (so much, or at all)        Deferred: not the letter's fault
5xx because the recipient's mailbox is full                         Deferred: this passes
no connection, 421, wrong password, TLS, any 5xx to MAIL            RelayDown: sending pauses

A relay may refuse the sender address that names the letter: to MAIL, to RCPT (Postfix) or after the letter (Exchange).
Then the same letter is offered with our mailbox itself as the sender.
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

import structlog

from gm.config import RelayConfig
from gm.errors import Deferred, GmError, Refused, RelayDown, TooLarge, one_line
from gm.game.model.records import OutboxRow
from gm.mail import oauth
from gm.mail.certificates import describe_untrusted
from gm.mail.outgoing.compose import compose_letter, parse_address
from gm.mail.outgoing.time_limit import TimeLimit

log = structlog.get_logger(__name__)

IDLE_SECONDS = 20
"""A connection unused for longer is replaced: relays cut idle ones, some silently."""
CREDENTIALS = {530, 534, 535, 538}
LETTER_SECONDS = 240.0
"""Time for one letter. Less than the lease in the outbox, or another node sends the letter too.

After the letter the relay may use all the time that is left: giving up too soon would send it twice.
"""
SENDER = re.compile(
    r"\d{3} 5\.(1\.[78]|7\.60)\b|sender address|not owned by|send[- ]?as\b|sendasdenied|as this sender",
    re.IGNORECASE,
)
"""Answers about the sender address (RFC 3463), as is 553 to MAIL FROM.

Other answers to MAIL FROM, 5.7.1 too, may concern this letter only and set no rule for the next ones.
"""
POLICY = re.compile(
    r"\b5\.4\.5\b|relay(ing)? (access )?(is )?(denied|not (permitted|allowed)|prohibited)|"
    r"(daily|hourly|sending|user|rate|message) +(sending )?(limit|quota|rate)|too many messages|"
    r"\byour (e-?mail )?account .{0,30}(suspended|disabled|blocked|locked)|"
    r"(client host|helo command|sender address) rejected",
    re.IGNORECASE,
)
"""Answers that mean that we may not send, or not so much (RFC 3463: X.4.5, congestion)."""
UNAUTHORISED = re.compile(r"\d{3} 5\.7\.1\b(?!.*recipient address rejected)", re.IGNORECASE)
"""In answer to RCPT: we may not write to this recipient, who may well exist (RFC 3463: X.7.1)."""
ENDS = frozenset({421, -1})
"""Answers that end a connection; -1 is one that cannot be read."""
FULL = re.compile(
    r"(?!\d{3} 5\.3\.4\b)(\d{3} 5\.2\.2\b|.*(\b(mailbox|inbox) (for .* )?(is )?full\b|"
    r"\b(over|exceeds|exceeded) (.{0,30} )?quota\b|\bquota (is |has been )?exceeded))",
    re.IGNORECASE,
)
"""The recipient's mailbox is full (RFC 3463: X.2.2), which passes."""
TOO_LARGE = re.compile(r"552\b|5\d\d 5\.3\.4\b")
"""Answers to a letter that would be accepted without its picture."""
PLAIN_SECONDS = 3600.0
"""How long letters are sent from the plain mailbox before the VERP address is tried again."""


class _SenderRefused(Exception):
    """The sender address is refused. `fault`: the error to raise where there is no other to offer."""

    def __init__(self, answer: str, fault: GmError) -> None:
        super().__init__(answer)
        self.answer, self.fault = answer, fault


class _KeptConnectionEnded(Exception):
    """The relay has ended a connection kept from the letter before; of the next letter it knows nothing yet."""


class RelayMailer:
    """Implements `gm.game.model.ports.Mailer`. Keeps its connection between letters; any fault drops it."""

    def __init__(self, settings: RelayConfig) -> None:
        self._settings = settings
        self._client: smtplib.SMTP | None = None
        self._is_kept = False
        self._used = 0.0
        self._plain_until = -math.inf
        self._lock = threading.Lock()
        self._time_limit = TimeLimit(self._cut)
        self._place = f"the relay {settings.host} port {settings.port}"

    def send(self, row: OutboxRow) -> None:
        try:
            raw = compose_letter(row)
            recipient = parse_address("", row.letter.address).addr_spec
            sender = parse_address("", row.envelope_from).addr_spec if row.envelope_from else ""
        except (ValueError, LookupError) as error:
            raise Refused(f"letter {row.id} cannot be written: {error}") from None
        with self._lock:
            try:
                with self._time_limit.limited(LETTER_SECONDS):
                    self._transact_anew(raw, sender, recipient, row.letter.from_address)
                self._used = time.monotonic()
            except GmError:
                self._drop()
                raise

    @property
    def is_sending(self) -> bool:
        return self._lock.locked()

    def close(self) -> None:
        with self._lock:
            if self._client is not None:
                with contextlib.suppress(OSError, smtplib.SMTPException):
                    self._client.quit()
            self._drop()

    def check(self, sender: str = "", recipient: str = "") -> None:
        """Connect, log in, and offer a letter without sending it. Raises GmError."""
        with self._lock:
            self._drop()
            client = self._connection()
            if sender:
                with self._time_limit.limited(LETTER_SECONDS):
                    self._check_addresses(client, sender, recipient)

    def _check_addresses(self, client: smtplib.SMTP, sender: str, recipient: str) -> None:
        """Sends MAIL and RCPT: many relays refuse the sender, or us, only in answer to RCPT."""
        try:
            code, answer = client.mail(sender)
            fault = None if _is_yes(code) else self._sender_fault(code, answer)
            if fault is None and recipient:
                code, answer = client.rcpt(recipient)
                if code >= 500:
                    fault = RelayDown(f"{self._place} takes no letter to {recipient}: {code} {one_line(answer)}")
            client.rset()
        except (OSError, smtplib.SMTPException) as error:
            raise RelayDown(f"{self._place} broke off: {one_line(error)}") from None
        if fault is not None:
            raise fault.fault if isinstance(fault, _SenderRefused) else fault

    def _cut(self) -> None:
        """Called from another thread when a letter takes LETTER_SECONDS: ends any read at once."""
        client = self._client
        if client is not None and client.sock is not None:
            with contextlib.suppress(OSError):
                client.sock.shutdown(socket.SHUT_RDWR)

    def _transact_anew(self, raw: bytes, sender: str, recipient: str, fallback: str) -> None:
        """MAIL shows whether a kept connection is alive: a question before each letter would double the waiting."""
        try:
            self._transact(raw, sender, recipient, fallback)
        except _KeptConnectionEnded:
            self._drop()
            self._transact(raw, sender, recipient, fallback)

    def _transact(self, raw: bytes, sender: str, recipient: str, fallback: str) -> None:
        """Some providers accept no sender but the mailbox itself; then bounces name no letter."""
        client = self._connection()
        most = client.esmtp_features.get("size", "")
        if most.isdecimal() and 0 < int(most) < len(raw):  # RFC 1870; some relays would cut the connection
            raise TooLarge(f"{self._place} takes no letter of {len(raw)} bytes: it says SIZE {most}")
        plain = time.monotonic() < self._plain_until
        try:
            self._offer(client, raw, fallback if plain else sender, recipient)
        except _SenderRefused as refusal:
            if plain or sender == fallback:
                raise refusal.fault from None
            self._offer_with_fallback_sender(client, raw, fallback, recipient)
            if sender and (refusal.answer.startswith("553") or SENDER.search(refusal.answer)):
                self._plain_until = time.monotonic() + PLAIN_SECONDS
                log.warning("the relay accepts only our mailbox as sender: no bounces", error=refusal.answer)

    def _offer_with_fallback_sender(self, client: smtplib.SMTP, raw: bytes, fallback: str, recipient: str) -> None:
        try:
            client.rset()
            self._offer(client, raw, fallback, recipient)
        except _SenderRefused as refusal:
            raise refusal.fault from None
        except (OSError, smtplib.SMTPException) as error:
            raise RelayDown(f"{self._place} broke off: {one_line(error)}") from None

    def _offer(self, client: smtplib.SMTP, raw: bytes, sender: str, recipient: str) -> None:
        is_kept, self._is_kept = self._is_kept, False
        try:
            code, answer = client.mail(sender)
        except (OSError, smtplib.SMTPException) as error:
            if is_kept:
                raise _KeptConnectionEnded from None
            raise RelayDown(f"{self._place} broke off: {one_line(error)}") from None
        if is_kept and code in ENDS:
            raise _KeptConnectionEnded
        if not _is_yes(code):
            raise self._sender_fault(code, answer)
        try:
            code, answer = client.rcpt(recipient)
            if not _is_yes(code):
                raise self._fault(code, answer, recipient=True)
        except (OSError, smtplib.SMTPException) as error:
            raise RelayDown(f"{self._place} broke off: {one_line(error)}") from None
        try:
            code, answer = self._send_data(client, raw)
        except smtplib.SMTPDataError as error:
            raise self._fault(error.smtp_code, error.smtp_error) from None
        except (OSError, smtplib.SMTPException) as error:
            raise Deferred(f"{self._place} broke off while taking the letter: {one_line(error)}") from None
        if code == -1:
            raise Deferred(f"{self._place} gave no answer that can be read: {one_line(answer)}")
        text = f"{code} {one_line(answer)}"
        if TOO_LARGE.match(text) and not FULL.match(text):
            raise TooLarge(text)
        if not _is_yes(code):
            raise self._fault(code, answer)

    def _send_data(self, client: smtplib.SMTP, raw: bytes) -> tuple[int, bytes]:
        """Waits without its own timeout: `_time_limit` cuts the connection."""
        if client.sock is not None:
            client.sock.settimeout(LETTER_SECONDS)
        answer = client.data(raw)
        if client.sock is not None:
            client.sock.settimeout(self._settings.timeout)
        return answer

    def _sender_fault(self, code: int, answer: bytes | str) -> Exception:
        """The error for an answer to MAIL, when the relay knows neither letter nor recipient and so refuses us."""
        text = f"{code} {one_line(answer)}"
        if code < 500 or code in CREDENTIALS:
            return self._fault(code, answer)
        return _SenderRefused(text, RelayDown(f"{self._place} does not accept our sender address: {text}"))

    def _fault(self, code: int, answer: bytes | str, *, recipient: bool = False) -> Exception:
        text = f"{code} {one_line(answer)}"
        if code in ENDS or code in CREDENTIALS:
            return RelayDown(f"{self._place} takes no letters: {text}")
        if code >= 500 and SENDER.search(text) and "recipient address" not in text.lower():
            return _SenderRefused(text, Deferred(text))
        if code >= 500 and (POLICY.search(text) or FULL.match(text) or (recipient and UNAUTHORISED.match(text))):
            return Deferred(text)
        return Refused(text, recipient=recipient) if code >= 500 else Deferred(text)

    def _connection(self) -> smtplib.SMTP:
        if self._client is not None:
            if time.monotonic() - self._used < IDLE_SECONDS:
                self._is_kept = True
                return self._client
            self._drop()
        client = self._connect()
        self._used = time.monotonic()
        return client

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
            fault = (
                f"{self._place} does not accept user {settings.user}: {error.smtp_code} {one_line(error.smtp_error)}"
            )
        except ssl.SSLCertVerificationError as error:
            fault = f"{self._place} {describe_untrusted(error)}"
        except ssl.SSLError as error:
            fault = f"{self._place} does not speak TLS as set (relay.security = {settings.security}): {one_line(error)}"
        except (socket.gaierror, UnicodeError):
            fault = f"{self._place} is not found; is relay.host right?"
        except smtplib.SMTPResponseException as error:
            fault = f"{self._place} takes no letters: {error.smtp_code} {one_line(error.smtp_error)}"
        except smtplib.SMTPServerDisconnected as error:
            fault = f"{self._place} broke off: {one_line(error)}"
        except smtplib.SMTPException as error:
            fault = f"{self._place} cannot be used as set: {one_line(error)}"
        except OSError as error:
            fault = f"{self._place} cannot be reached: {one_line(error)}"
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
                client.auth(*oauth.sasl_login(offered, settings.user, oauth.read_token(settings.token_command)))
            elif settings.user and settings.password is not None:
                client.login(settings.user, settings.password.get_secret_value())
        except GmError as error:
            raise smtplib.SMTPException(str(error)) from None
        except UnicodeError:
            raise smtplib.SMTPException("user and password may hold plain ASCII characters only") from None
        except binascii.Error:
            raise smtplib.SMTPException("its answer to AUTH cannot be read") from None

    def _drop(self) -> None:
        self._is_kept = False
        if self._client is not None:
            self._client.close()
            self._client = None


def _is_yes(code: int) -> bool:
    """The first digit decides (RFC 5321, 4.3.2)."""
    return 200 <= code < 300
