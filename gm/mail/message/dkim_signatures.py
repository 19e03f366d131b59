"""Proves the From address by a DKIM signature (RFC 6376) of its domain, without a mail server that vouches for it.

A signature counts if

- it is aligned as for DMARC (RFC 7489, 3.1.1, relaxed): the same organisational domain by the public suffix list, which
  `publicsuffixlist` brings with it;
- it covers From, Date, Subject, Cc if To, and the whole body: no l=; its algorithm is not SHA-1, its key has 1,024 bits
  or more and is no test key (RFC 8301);
- nothing is there twice that it covers once, and its view of headers and body is ours.

A signed letter can be sent again by anybody who has it. So it must be of these days, be addressed to us and to each
seat or game it was delivered to, and not have been read before (`Letter.signature`). Microsoft does not sign To: then
the visible recipients count, and Content-Type must be signed. Whatever is amiss means "not proven", never an error.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from gm.game.model.records import InboxRow, Letter, SenderVerdict
from gm.mail import limits
from gm.mail.message.dkim_keys import DkimKeys
from gm.mail.message.headers import Headers, split_headers

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

SIGNATURE = "dkim-signature"
ONCE = ("from", "to", "cc", "subject", "date", "message-id", "content-type", "content-transfer-encoding")
"""Headers that a letter has at most once (RFC 5322, 3.6): of two, a signature may cover the one that we do not read."""
ALGORITHMS = ("rsa-sha256", "ed25519-sha256")
BITS_LEAST = 1_024
SIGNATURES_MOST = 3
"""Aligned signatures of a letter that are verified."""
SIGNATURE_LONGEST = 4_096
"""Characters; some of dkimpy's patterns take more than linear time. So do long runs of blanks."""
BLANKS = re.compile(rb"\s{33}")
OLDEST, NEWEST = timedelta(days=3), timedelta(days=1)
"""How long before its arrival a letter may be dated, and how long after: clocks are wrong."""
TAG = re.compile(r"\s*([A-Za-z]\w*)\s*=([^;]*)")
ENDING = b"\r\n" * 512


class SigningDomain(Struct, frozen=True):
    """A signature's place among the letter's signatures, and its tags."""

    index: int
    tags: Mapping[str, str]

    @property
    def domain(self) -> str:
        return self.tags.get("d", "").lower()

    @property
    def covered(self) -> frozenset[str]:
        """The names of the headers it covers, in lower case."""
        return frozenset(name.strip().lower() for name in self.tags.get("h", "").split(":"))


def prove_by_signature(
    row: InboxRow, letter: Letter, keys: DkimKeys, ours: Callable[[str], bool], names_game: Callable[[str], bool]
) -> Letter:
    """The letter, `proven` if a signature proves its From address. Never raises.

    `names_game`: whether an address of ours names a game or a seat.
    """
    if letter.proven or letter.failed or letter.refused == "too large" or letter.verdict is not SenderVerdict.ACT:
        return letter
    head, body = split_letter(row.raw)
    headers, rest = split_headers(head.replace(b"\r\n", b"\n"))
    if SIGNATURE not in headers or rest or not _is_unambiguous(head, headers, letter.sender):
        return letter
    if not _is_of_these_days(headers.get("date"), row.received_at):
        return letter
    for signature in _usable(headers, letter, row.received_at):
        if _is_for_us(signature, headers, letter, ours, names_game) and verifies(head, body, signature, keys):
            return replace(letter, proven=True, signature=_fingerprint(signature, headers, letter.sender))
    return letter


def split_letter(raw: bytes) -> tuple[bytes, bytes]:
    """Head and body, with CRLF. The head is b"" where a limit or a bare CR could make us read it otherwise."""
    whole = re.sub(rb"\r?\n", b"\r\n", raw).lstrip(b"\r\n")
    head, _, body = whole.partition(b"\r\n\r\n")
    if head.replace(b"\r\n", b"").count(b"\r") or b"\0" in head:
        return b"", b""
    while body.endswith(ENDING):  # both canonicalizations ignore blank lines at the end
        body = body[: 2 - len(ENDING)]
    return head + b"\r\n", body


def _is_unambiguous(head: bytes, headers: Headers, sender: str) -> bool:
    lines = head.split(b"\r\n")[:-1]
    starts = [line for line in lines if line[:1] not in (b" ", b"\t") and not line.startswith(b"From ")]
    senders = headers.addresses("from")
    return (
        len(starts) == len(headers.fields)
        and all(len(headers.all(name)) <= 1 for name in ONCE)
        and [address for _, address in senders] == [sender]
        and all(len(value) < limits.ONE_HEADER // 2 for name in ONCE for value in headers.all(name))
        and len(head) + 20 * len(starts) < limits.HEADER_BLOCK  # nothing was cut off
    )


def _is_of_these_days(date: str, received_at: datetime) -> bool:
    try:
        written = parsedate_to_datetime(date[:100])
    except (TypeError, ValueError, OverflowError):
        return False
    written = written if written.tzinfo else written.replace(tzinfo=UTC)
    return received_at - OLDEST <= written <= received_at + NEWEST


def _usable(headers: Headers, letter: Letter, received_at: datetime) -> Iterator[SigningDomain]:
    """The signatures that are worth a look-up."""
    sender_domain = letter.sender.rpartition("@")[2]
    count = 0
    for index, value in enumerate(headers.all(SIGNATURE)):
        signature = SigningDomain(index, read_tags(value) if len(value) <= SIGNATURE_LONGEST else {})
        if _is_strong(signature, headers, received_at) and is_aligned(signature.domain, sender_domain):
            count += 1
            if count > SIGNATURES_MOST:
                return
            yield signature


def read_tags(value: str) -> Mapping[str, str]:
    """{} if a tag is there twice or has no value (RFC 6376, 3.2)."""
    pairs = [TAG.fullmatch(text) for text in value.rstrip("; \t").split(";")]
    tags = {pair[1]: pair[2].strip() for pair in pairs if pair is not None}
    return tags if len(tags) == len(pairs) else {}


def _is_strong(signature: SigningDomain, headers: Headers, received_at: datetime) -> bool:
    tags, covered = signature.tags, signature.covered
    needed = {"from", "date", *({"subject"} & headers.names)}
    needed |= {"cc"} & headers.names if "to" in covered else {"content-type"} & headers.names
    expires = tags.get("x", "")
    return (
        tags.get("v") == "1"
        and tags.get("a", "").lower() in ALGORITHMS
        and "l" not in tags
        and needed <= covered
        and (not expires or (expires.isdigit() and len(expires) <= 12 and int(expires) > received_at.timestamp()))
    )


def is_aligned(domain: str, sender_domain: str) -> bool:
    try:
        plain = sender_domain.encode("idna").decode("ascii").lower()
    except UnicodeError:
        return False
    return bool(domain) and (domain == plain or _organisation(domain) == _organisation(plain) is not None)


def _organisation(domain: str) -> str | None:
    """The organisational domain, None for a public suffix."""
    organisation: str | None = _suffixes().privatesuffix(domain)
    return organisation


@cache
def _suffixes() -> PublicSuffixList:
    """Loaded where it is needed, because start-up counts."""
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList()


def _is_for_us(
    signature: SigningDomain,
    headers: Headers,
    letter: Letter,
    ours: Callable[[str], bool],
    names_game: Callable[[str], bool],
) -> bool:
    """Whether the letter was written to us, and to each game and seat that it was delivered to."""
    signed = "to" in signature.covered
    names = [name for name in ("to", "cc") if not signed or name in signature.covered]
    written_to = {address for _, address in headers.addresses(*names)}
    named = {address for address in letter.delivered_to if ours(address) and names_game(address)}
    return any(ours(address) for address in written_to) and named <= written_to


def _fingerprint(signature: SigningDomain, headers: Headers, sender: str) -> str:
    """What nobody can change in a letter without breaking its signature."""
    body_hash = "".join(signature.tags.get("bh", "").split())
    parts = (sender, " ".join(headers.get("date").split()), " ".join(headers.get("subject").split()), body_hash)
    return f"{signature.domain} {hashlib.sha256(chr(10).join(parts).encode()).hexdigest()}"


def verifies(head: bytes, body: bytes, signature: SigningDomain, keys: DkimKeys) -> bool:
    record = keys.record(signature.tags.get("s", ""), signature.domain)
    if not _is_usable_key(record, signature):
        return False
    import dkim

    try:
        message = dkim.DKIM(head + b"\r\n", minkey=BITS_LEAST)
        if BLANKS.search(b"".join(value for name, value in message.headers if name.lower() == SIGNATURE.encode())):
            return False
        relaxed = signature.tags.get("c", "").lower().partition("/")[2] == "relaxed"
        message.body = re.sub(rb"[\t ]+", b" ", body) if relaxed else body
        return bool(message.verify(signature.index, dnsfunc=lambda name, timeout=0: record))
    except Exception:  # whatever its bytes do to the library, the letter is not proven
        return False


def _is_usable_key(record: bytes, signature: SigningDomain) -> bool:
    """Not revoked, not for tests, for SHA-256 and email, and for this identity (RFC 6376, 3.6.1)."""
    tags = read_tags(record.decode("ascii", "replace"))
    flags = [flag.strip().lower() for flag in tags.get("t", "").split(":")]
    hashes = [name.strip().lower() for name in tags.get("h", "sha256").split(":")]
    services = [name.strip().lower() for name in tags.get("s", "*").split(":")]
    identity = signature.tags.get("i", f"@{signature.domain}").rpartition("@")[2].lower()
    return (
        bool(tags.get("p"))
        and "y" not in flags
        and "sha256" in hashes
        and bool({"*", "email"} & set(services))
        and (identity == signature.domain or ("s" not in flags and identity.endswith(f".{signature.domain}")))
    )
