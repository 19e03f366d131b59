"""A letter as it arrives by any of the three ways in (`smtpd`, `imap`, `pipe`), before anybody has read it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Protocol

from msgspec import Struct

from gm.mail import limits as caps
from gm.mail.message import mime
from gm.mail.message.headers import split


class Received(Struct, frozen=True):
    """`account` names the way in. `envelope_from` is "<>" for the null sender and "" where the envelope is not known.

    `received_at` is when our server took it, or the IMAP server (INTERNALDATE). `pushed`: its sender waits for our
    word, so that it counts from the moment it is committed; a letter that lay in a mailbox counts from before.
    """

    raw: bytes
    received_at: datetime
    account: str
    envelope_from: str = ""
    envelope_to: tuple[str, ...] = ()
    pushed: bool = True


Accept = Callable[[Received], None]
"""Keeps a letter for good: returns after the commit, or raises (`gm.errors.Unavailable`) having kept nothing.

A letter whose content key is there already is accepted silently: it came by another way or a second time.
"""


class AcceptAll(Protocol):
    """As `Accept`, for letters that came together by one way: they share a commit, and all are kept or none."""

    def __call__(self, *letters: Received) -> None: ...


def present() -> datetime:
    return datetime.now(UTC)


def content_key(received: Received) -> str:
    """The same for one letter that comes twice, by whatever way; another for a forged repeat of its Message-ID.

    Headers that servers add and transfer encodings they change do not matter. Letters with neither Message-ID nor
    Date differ by every byte.
    """
    tree = mime.parse(received.raw)
    digest = hashlib.sha256()
    for name in ("message-id", "from", "date", "subject"):
        _add(digest.update, " ".join(" ".join(tree.headers.all(name)).split()).encode("utf-8", "replace"))
    for piece in _body(tree) if tree.whole else iter([received.raw]):
        _add(digest.update, piece)
    if not (tree.headers.get("message-id") or tree.headers.get("date")):
        _add(digest.update, received.raw)
    return digest.hexdigest()


def _add(update: Callable[[bytes], object], piece: bytes) -> None:
    """With its length, so that moving a byte from one field to the next makes another key."""
    update(len(piece).to_bytes(8, "big"))
    update(piece)


def _body(tree: mime.MimePart) -> Iterator[bytes]:
    for part in tree.leaves():
        yield b"\n".join(line.rstrip() for line in mime.content(part).splitlines()).strip()


def headers_only(raw: bytes, size: int = 0) -> bytes:
    """A letter over the size cap, cut to its headers and marked, so that its sender can still be answered.

    `size` is the whole letter's, where `raw` is its beginning alone.
    """
    block = raw[: caps.HEADER_BLOCK].replace(b"\r\n", b"\n")
    ended = block.find(b"\n\n")
    block = block[:ended] if ended >= 0 else block
    return f"{caps.TOO_LARGE_HEADER}: {size or len(raw)}\n".encode() + block.removeprefix(b"\n") + b"\n\n"


def is_looping(raw: bytes) -> bool:
    block = raw[: caps.HEADER_BLOCK]
    if block.lower().count(b"received") <= caps.RECEIVED:  # nearly always
        return False
    headers, _ = split(block.replace(b"\r\n", b"\n"))
    return len(headers.all("received")) > caps.RECEIVED
