"""Files of text that come with a letter: what is opened, and what stays closed."""

from __future__ import annotations

import base64
import gzip
from datetime import UTC, datetime

import pytest

from gm.game.model.records import InboxRow, TextAttachment
from gm.mail import limits
from gm.mail.message.attachments import text_attachments

MOST = 1_000_000


def row(*parts: str) -> InboxRow:
    body = "".join(f"--cut\r\n{part}\r\n" for part in parts)
    raw = f"MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=cut\r\n\r\n{body}--cut--\r\n".encode("latin-1")
    return InboxRow(1, "test", "key", datetime(2026, 3, 2, tzinfo=UTC), raw)


def file(kind: str, name: str, words: str) -> str:
    return f'Content-Type: {kind}\r\nContent-Disposition: attachment; filename="{name}"\r\n\r\n{words}'


WORDS = "Content-Type: text/plain\r\n\r\nIMPORT"


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("text/plain", "orders"),
        ("text/csv", "orders.csv"),
        ("application/json", "position.json"),
        ("application/octet-stream", "Position.JSON"),
        ("application/xml", "game"),
        ("application/octet-stream", "game.jdip"),
    ],
)
def test_a_file_of_text_is_opened(kind: str, name: str) -> None:
    assert text_attachments(row(WORDS, file(kind, name, "Italy: A Ven H")), MOST) == (
        TextAttachment(name, "Italy: A Ven H"),
    )


@pytest.mark.parametrize(
    "part",
    [
        file("image/png", "map.png", "abc"),
        file("text/html", "page.html", "<p>abc"),
        file("text/calendar", "deadline.ics", "BEGIN:VCALENDAR"),
        file("application/octet-stream", "setup.exe", "abc"),
        file("text/plain", "empty.txt", "  "),
        file("text/plain", "long.txt", "x" * (limits.ATTACHED_TEXT + 1)),
        "Content-Type: text/plain\r\n\r\nmore words of the letter",
    ],
)
def test_other_attachments_stay_closed(part: str) -> None:
    assert text_attachments(row(WORDS, part), MOST) == ()


def test_a_letter_beyond_the_cap_is_not_looked_at() -> None:
    assert text_attachments(row(WORDS, file("text/plain", "orders.txt", "Italy: A Ven H")), 100) == ()


def test_a_charset_is_understood() -> None:
    assert text_attachments(row(WORDS, file("text/plain; charset=latin-1", "a.txt", "Özil")), MOST) == (
        TextAttachment("a.txt", "Özil"),
    )


def packed(content: bytes, name: str = "game.jdip") -> str:
    head = file("application/octet-stream", name, "").rstrip("\r\n")
    return f"{head}\r\nContent-Transfer-Encoding: base64\r\n\r\n{base64.encodebytes(content).decode()}"


def test_a_game_that_jdip_saved_is_unpacked() -> None:
    assert text_attachments(row(WORDS, packed(gzip.compress(b"<game>\xc3\xb6</game>"))), MOST) == (
        TextAttachment("game.jdip", "<game>ö</game>"),
    )


@pytest.mark.parametrize(
    "content",
    [
        gzip.compress(b"<game/>")[:-9],
        gzip.compress(b"<" + b" " * (limits.SAVED_GAME + 1)),
        gzip.compress(b"x" * (limits.ATTACHED_TEXT + 1)),
        b"\x1f\x8bnothing",
    ],
    ids=["cut off", "a long game", "long text", "damaged"],
)
def test_what_is_damaged_or_too_long_stays_closed(content: bytes) -> None:
    assert text_attachments(row(WORDS, packed(content)), MOST) == ()


def test_saved_games_may_be_longer_than_what_people_write() -> None:
    words = '{"phases": "' + "x" * limits.ATTACHED_TEXT + '"}'
    assert text_attachments(row(WORDS, file("application/json", "game.json", words)), MOST) == (
        TextAttachment("game.json", words),
    )
