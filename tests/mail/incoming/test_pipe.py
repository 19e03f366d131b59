"""`gm deliver` by its exit codes, and the key by which a letter that comes twice is known."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from datetime import UTC, datetime

import pytest
from support.mail.mail_samples import ADDRESS, REPLY, opened, simple

from gm.errors import Unavailable
from gm.mail.incoming.pipe import deliver
from gm.mail.incoming.received import Received, content_key

AT = datetime(2026, 11, 20, 20, tzinfo=UTC)


def run(raw: bytes, environment: Mapping[str, str], *to: str, max_bytes: int = 1_000_000) -> tuple[int, list[Received]]:
    kept: list[Received] = []
    return deliver(raw, environment, to, kept.append, max_bytes, lambda: AT), kept


@pytest.mark.parametrize(
    ("environment", "to", "sender", "recipients"),
    [
        ({"SENDER": "ann@players.test", "RECIPIENT": REPLY}, (), "ann@players.test", (REPLY,)),
        ({"SENDER": "", "ORIGINAL_RECIPIENT": REPLY, "RECIPIENT": ADDRESS}, (), "<>", (REPLY, ADDRESS)),
        ({"SENDER": "MAILER-DAEMON"}, (REPLY.upper(),), "<>", (REPLY,)),
        ({}, (REPLY, REPLY), "ann@players.test", (REPLY,)),
        ({"RECIPIENT": "gm"}, (), "ann@players.test", ()),
    ],
)
def test_the_envelope(
    environment: dict[str, str], to: tuple[str, ...], sender: str, recipients: tuple[str, ...]
) -> None:
    code, (letter,) = run(simple(), environment, *to)
    assert code == 0
    assert (letter.raw, letter.received_at, letter.envelope_from) == (simple(), AT, sender)
    assert letter.envelope_to == recipients


@pytest.mark.parametrize(("word", "sender"), [("ann@players.test", "ann@players.test"), ("MAILER-DAEMON", "<>")])
def test_an_mbox_from_line_is_the_sender_and_no_header(word: str, sender: str) -> None:
    raw = f"From {word} Fri Nov 20 10:00:00 2026\n".encode() + simple()
    code, (letter,) = run(raw, {})
    assert (code, letter.envelope_from) == (0, sender)
    assert opened(raw).sender == "ann@players.test"
    assert content_key(letter) == key(simple())


def test_empty_input_is_no_letter(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(b" \n", {}) == (65, [])
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    "fault", [Unavailable("the database is locked"), RuntimeError("bad luck"), OSError("disk full")]
)
def test_any_fault_of_ours_is_try_again(fault: Exception, capsys: pytest.CaptureFixture[str]) -> None:
    def accept(_: Received) -> None:
        raise fault

    assert deliver(simple(), {}, [ADDRESS], accept) == 75
    assert capsys.readouterr().err.count("\n") == 1


def test_over_the_cap_the_headers_are_kept_for_an_answer() -> None:
    code, (letter,) = run(simple(body="x" * 50_000), {}, REPLY, max_bytes=10_000)
    assert code == 0
    assert len(letter.raw) < 1_000
    assert opened(letter.raw).refused == "too large"


def key(raw: bytes) -> str:
    return content_key(Received(raw, AT, "test"))


def test_a_letter_that_comes_twice_has_one_key() -> None:
    raw = simple("A Mün - Böh", Content_Type="text/plain; charset=utf-8", Content_Transfer_Encoding="8bit")
    coded = simple(
        base64.b64encode("A Mün - Böh\r\n".encode()).decode(),
        Content_Type="text/plain; charset=utf-8",
        Content_Transfer_Encoding="base64",
    )
    same = [
        raw,
        raw.replace(b"\r\n", b"\n"),
        b"Received: from a by b\r\nReturn-Path: <ann@players.test>\r\n" + raw,
        raw.replace(b"To: ", b"Delivered-To: x@y.test\r\nTo: "),
        raw + b"\r\n\r\n",
        raw.replace(b"Subject: orders", b"Subject:\r\n orders"),
        coded,
    ]
    assert len({key(letter) for letter in same}) == 1


def test_different_letters_have_different_keys() -> None:
    other = [
        simple(),
        simple("A Par - Pic"),
        simple(From="Eve <eve@players.test>"),
        simple(number=2),
        simple(subject="more"),
        simple(Date="Fri, 20 Nov 2026 10:00:01 +0000"),
    ]
    assert len({key(letter) for letter in other}) == len(other)


def test_letters_without_id_and_date_differ_by_every_byte() -> None:
    bare = b"From: ann@players.test\r\n\r\nREADY\r\n"
    assert key(b"Received: from a; 10:00\r\n" + bare) != key(b"Received: from a; 11:00\r\n" + bare)
    assert key(bare) == key(bare)
