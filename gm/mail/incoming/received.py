"""A letter as it arrives by SMTP, IMAP or pipe, before it is read; and its content key."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Protocol

from msgspec import Struct

from gm.game.model.records import InboxRow
from gm.mail import limits as caps
from gm.mail.message import mime
from gm.mail.message.headers import parse_addresses, split_headers


class Received(Struct, frozen=True):
    """`account` names the way in. `envelope_from` is "<>" for the null sender, "" where nothing names one.

    `received_at` is when our server took it, or the IMAP server (INTERNALDATE). `pushed`: the sending server waits for
    our reply, so the letter counts from its commit; a letter from a mailbox counts from `received_at`.
    """

    raw: bytes
    received_at: datetime
    account: str
    envelope_from: str = ""
    envelope_to: tuple[str, ...] = ()
    pushed: bool = True


def inbox_row(letter: Received) -> InboxRow:
    return InboxRow(
        id=0,
        account=letter.account,
        content_key=content_key(letter),
        received_at=letter.received_at,
        raw=letter.raw,
        envelope_from=letter.envelope_from,
        envelope_to=letter.envelope_to,
    )


Accept = Callable[[Received], None]
"""Stores a letter: returns after the commit, or raises `gm.errors.Unavailable` and has stored nothing.

A letter whose content key is stored already is accepted silently.
"""


class AcceptAll(Protocol):
    """As `Accept`, for several letters in one commit: all are stored or none."""

    def __call__(self, *letters: Received) -> None: ...


def present() -> datetime:
    return datetime.now(UTC)


def content_key(received: Received) -> str:
    """A digest that recognises a letter that arrives twice, but not another letter with the same Message-ID.

    It ignores headers that servers add and transfer encodings. Without Message-ID and Date every byte counts.
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
    """Adds the length too, so that moving a byte from one field to the next changes the key."""
    update(len(piece).to_bytes(8, "big"))
    update(piece)


def _body(tree: mime.MimePart) -> Iterator[bytes]:
    for part in tree.leaves():
        yield b"\n".join(line.rstrip() for line in mime.content(part).splitlines()).strip()


def headers_only(raw: bytes, size: int = 0) -> bytes:
    """A letter over the size limit cut to its headers and marked, so that its sender gets an answer.

    `size` is the size of the whole letter, where `raw` is only its beginning.
    """
    block = raw[: caps.HEADER_BLOCK].replace(b"\r\n", b"\n")
    ended = block.find(b"\n\n")
    block = block[:ended] if ended >= 0 else block
    return f"{caps.TOO_LARGE_HEADER}: {size or len(raw)}\n".encode() + block.removeprefix(b"\n") + b"\n\n"


def envelope_sender(raw: bytes) -> str:
    """The envelope sender of a letter that came without its envelope: the topmost Return-Path, else From's address.

    "<>" for the null sender, "" where neither header names anybody.
    """
    headers, _ = split_headers(raw[: caps.HEADER_BLOCK].replace(b"\r\n", b"\n"))
    path = headers.get("return-path").strip()
    addresses = (address for text in (path, headers.get("from")) for _, address in parse_addresses(text))
    return "<>" if path == "<>" else next(addresses, "")


def is_looping(raw: bytes) -> bool:
    block = raw[: caps.HEADER_BLOCK]
    if block.lower().count(b"received") <= caps.RECEIVED:  # fast path
        return False
    headers, _ = split_headers(block.replace(b"\r\n", b"\n"))
    return len(headers.all("received")) > caps.RECEIVED
