"""Letters of many mail systems, list managers and vacation programs (machines/*.eml): none is a person's.

`machines/expected.toml` says what each is. Our own letter in a report shows that it is returned.
"""

from __future__ import annotations

import tomllib

import pytest
from support.mail.mail_samples import TOKEN, opened, simple
from support.paths import MAIL_MACHINES

from gm.game.model.records import SenderVerdict

VERP = f"gm+bounce.{TOKEN}@example.org"
EXPECTED = tomllib.loads((MAIL_MACHINES / "expected.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_machine_is_known(name: str) -> None:
    expected = EXPECTED[name]
    letter = opened((MAIL_MACHINES / f"{name}.eml").read_bytes())
    assert (letter.why, letter.verdict) == (expected["why"], SenderVerdict.IGNORE)
    if expected["why"] == "bounce":
        assert letter.bounce_soft == expected["soft"]
        assert letter.bounce_of == (VERP if expected.get("verp", True) else "")


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_line_ends_do_not_matter(name: str) -> None:
    raw = (MAIL_MACHINES / f"{name}.eml").read_bytes()
    for end in (b"\r\n", b"\r"):
        assert opened(raw.replace(b"\n", end)).why == EXPECTED[name]["why"]


def test_there_are_many() -> None:
    assert len(EXPECTED) >= 60
    assert {path.stem for path in MAIL_MACHINES.glob("*.eml")} == set(EXPECTED)


OURS = (
    (MAIL_MACHINES / "abuse-desk.eml")
    .read_text(encoding="utf-8")
    .partition("message/rfc822\n\n")[2]
    .partition("\n--")[0]
)


def with_letter(subject: str, words: str, attached: str = OURS, sender: str = "luc@corp.test", more: str = "") -> bytes:
    return (
        f"From: Luc <{sender}>\nTo: gm@example.org\nSubject: {subject}\n{more}MIME-Version: 1.0\n"
        'Content-Type: multipart/mixed; boundary="b"\n\n'
        f"--b\nContent-Type: text/plain\n\n{words}\n--b\nContent-Type: message/rfc822\n\n{attached}\n--b--\n"
    ).encode()


@pytest.mark.parametrize(
    "raw",
    [
        with_letter("Fwd: [ostend S1901M] Results", "Is this right?"),
        with_letter("[ostend S1901M] Results", "", sender="ann@players.test"),
        with_letter("WG: [ostend S1901M] Ergebnisse", ""),
        with_letter("my orders", "A Par - Bur", more="In-Reply-To: <b2k7q9xw@example.org>\n"),
        with_letter("what Germany wrote", "See below", attached="From: x@y.test\nTo: luc@corp.test\n\nHello"),
        with_letter("Fwd: Undelivered Mail Returned to Sender", "I got this. STATUS", attached="From: x@y.test\n\nHi"),
        simple("A Par - Bur\n\nReceived: your letter\nFrom: me\n"),
        simple("Received: from a by b\nFrom: gm@example.org\nTo: ann@players.test\nSubject: x\n\nwhat is this?"),
        simple(subject="Delivery failure of my orders"),
        simple(From="Ann <ann@players.test>, Eve <>"),
        simple(Sender="<>"),
    ],
)
def test_people_who_forward_and_quote_are_people(raw: bytes) -> None:
    assert opened(raw).why == ""


def test_the_unsubscribe_button_of_apple_mail_is_a_persons() -> None:
    button = {"Auto-Submitted": "auto-replied", "X-Apple-Unsubscribe": "true"}
    letter = opened(simple("Apple Mail sent this email to unsubscribe.", "unsubscribe", **button))
    assert (letter.why, letter.subject, letter.lines) == ("", "unsubscribe", ())
