"""What the mail tests share: waiting, and letters made of a few words."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime

from gm.game.model.records import InboxRow, Letter
from gm.mail.incoming.received import Received, content_key, headers_only, is_looping
from gm.mail.message.open_letter import open_letter

TOKEN = "k7f3qm2xw9hd4tzp5sanb8vcye"
ADDRESS = "gm@example.org"
REPLY = f"gm+ostend.{TOKEN}@example.org"
AUTHSERV = "mx.example.org"


def ours(address: str) -> bool:
    local, _, domain = address.partition("@")
    return domain == "example.org" and local.partition("+")[0] == "gm"


def row(raw: bytes, envelope_from: str = "", envelope_to: tuple[str, ...] = ()) -> InboxRow:
    return InboxRow(1, "test", "key", datetime(2026, 11, 20, 20, tzinfo=UTC), raw, envelope_from, envelope_to)


def opened(
    raw: bytes, envelope_from: str = "", envelope_to: tuple[str, ...] = (), max_bytes: int = 1_000_000
) -> Letter:
    return open_letter(row(raw, envelope_from, envelope_to), ours, AUTHSERV, max_bytes)


def simple(body: str = "A Par - Bur", subject: str = "orders", number: int = 1, **headers: str) -> bytes:
    lines = {
        "From": "Ann <ann@players.test>",
        "To": REPLY,
        "Subject": subject,
        "Message-ID": f"<{number}@players.test>",
        "Date": "Fri, 20 Nov 2026 10:00:00 +0000",
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    return ("".join(f"{name}: {value}\r\n" for name, value in lines.items()) + "\r\n" + body + "\r\n").encode()


def until(condition: Callable[[], object], seconds: float = 60) -> None:
    """A hang guard, not a measurement."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def survives(raw: bytes) -> None:
    """What may be said of whatever was opened: lines are lines, nothing forges a header, it has a key."""
    letter = opened(raw)
    for _, line in letter.lines:
        assert "\n" not in line
        line.encode("utf-8")
    for text in (letter.sender, letter.sender_name, letter.subject, letter.message_id):
        assert not set(text) & set("\r\n\0")
        text.encode("utf-8")
    assert len(content_key(Received(raw, row(raw).received_at, "test"))) == 64
    is_looping(raw)
    headers_only(raw)
