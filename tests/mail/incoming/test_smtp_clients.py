"""The embedded server against clients with habits: who waits for no answer, odd bytes and addresses, far too many."""

from __future__ import annotations

import socket

import pytest
from mail.incoming.test_smtp_server import SmtpServer, Store, Talk, lmtp, server, smtp, store
from support.mail.mail_samples import ADDRESS, REPLY

__all__ = ["lmtp", "server", "smtp", "store"]


def hello(server: SmtpServer) -> str:
    return "LHLO tests" if server._settings.protocol == "lmtp" else "EHLO tests"


def exchanged(server: SmtpServer, *pieces: bytes) -> list[str]:
    """All that is answered to bytes sent in pieces, until the server hangs up."""
    with socket.create_connection(("127.0.0.1", server.port), 20) as line:
        for piece in pieces:
            line.sendall(piece)
        with line.makefile("rb") as answers:
            return [answer.decode().strip() for answer in answers if answer[3:4] != b"-"]


def test_a_client_that_waits_for_no_answer(server: SmtpServer, store: Store) -> None:
    """Two letters and the end in one breath, and in pieces that end anywhere."""
    letter = f"MAIL FROM:<a@players.test>\r\nRCPT TO:<{ADDRESS}>\r\nDATA\r\nSubject: x\r\n\r\n..\r\n.a\r\n.\r\n"
    session = f"{hello(server)}\r\n{letter}{letter}RSET\r\nQUIT\r\n".encode()
    for pieces in ([session], [session[:50], session[50:111], session[111:]], [bytes((byte,)) for byte in session]):
        codes = [answer[:3] for answer in exchanged(server, *pieces)]
        assert codes == ["220", "250", *["250", "250", "354", "250"] * 2, "250", "221"]
    assert [stored.raw for stored in store.letters] == [b"Subject: x\r\n\r\n.\r\na\r\n"] * 6


def test_an_unsupported_command_is_refused_and_the_letter_goes_on(server: SmtpServer, store: Store) -> None:
    with Talk(server, hello(server)) as talk:
        talk("MAIL FROM:<a@players.test>")
        talk(f"RCPT TO:<{ADDRESS}>")
        for odd in ("BDAT 3 LAST", "XCLIENT NAME=x", "", "\x00\x01", "é" * 20, "VRFY", "TURN", "DATA now", "A" * 600):
            assert talk(odd)[:1] == "5", odd
        assert talk("DATA")[:3] == "354"
        assert talk("x\r\n.")[:3] == "250"
    assert [letter.raw for letter in store.letters] == [b"x\r\n"]


def test_a_command_without_end_leaves_nothing_and_the_next_client_is_served(server: SmtpServer, store: Store) -> None:
    with Talk(server, hello(server)) as talk:
        assert talk("MAIL FROM:<" + "a" * 200_000 + "@players.test>")[:1] == "5"
    with Talk(server, hello(server)) as talk:
        assert talk("MAIL FROM:<a@players.test>")[:3] == "250"


def test_any_bytes_of_a_letter_are_kept_as_they_came(server: SmtpServer, store: Store) -> None:
    raw = b"Subject: \xff\x00\r\n\r\n\x00\x00\x1a\x7f\x80\r\r\n\n.\n\rx" + b"y" * 70_000 + b"\r\n..two\r\n"
    with Talk(server, hello(server)) as talk:
        talk("MAIL FROM:<a@players.test> BODY=8BITMIME")
        talk(f"RCPT TO:<{ADDRESS}>")
        talk("DATA")
        talk.socket.sendall(raw.replace(b"\r\n.", b"\r\n..") + b".\r\n")
        assert talk.read()[:3] == "250"
    assert [letter.raw for letter in store.letters] == [raw]


@pytest.mark.parametrize(
    ("sender", "code"),
    [
        ("<jürgen@spieler.example> SMTPUTF8", "250"),
        ("<jürgen@spieler.example>", "250"),  # though not announced: the letter is worth more
        ('<"a b"@players.test>', "250"),
        ("<@hop.example:a@players.test>", "250"),
        ("a@players.test", "250"),
        ("<a@[192.0.2.7]>", "250"),
        ("<a@players.test> SIZE=99999999", "552"),
        ("<a@players.test> SIZE=x", "5"),
        ("<a@players.test> AUTH=<> RET=HDRS", "5"),
        ("<>", "250"),
        ("", "5"),
    ],
)
def test_senders_of_any_form(server: SmtpServer, store: Store, sender: str, code: str) -> None:
    with Talk(server, hello(server)) as talk:
        assert talk(f"MAIL FROM:{sender}").startswith(code)
        if code == "250":
            assert talk(f"RCPT TO:<{REPLY}>")[:3] == "250"
            talk("DATA")
            assert talk("x\r\n.")[:3] == "250"
    assert len(store.letters) == (code == "250")


@pytest.mark.parametrize("recipient", ["<jürgen@example.org>", "<gm@example.org\x00>", "<>", "<gm>", "<gm", ""])
def test_recipients_of_no_form_are_refused_for_good(server: SmtpServer, store: Store, recipient: str) -> None:
    with Talk(server, hello(server)) as talk:
        talk("MAIL FROM:<a@players.test>")
        assert talk(f"RCPT TO:{recipient}")[:1] == "5"
        assert talk(f"RCPT TO:<{ADDRESS}>")[:3] == "250"
        talk("DATA")
        assert talk("x\r\n.")[:3] == "250"
    assert [letter.envelope_to for letter in store.letters] == [(ADDRESS,)]


def test_recipients_beyond_the_limit_are_deferred(server: SmtpServer, store: Store) -> None:
    with Talk(server, hello(server)) as talk:
        talk("MAIL FROM:<a@players.test>")
        codes = [talk(f"RCPT TO:<gm+{number}@example.org>")[:3] for number in range(1000)]
        assert codes == ["250"] * 100 + ["452"] * 900
        talk("DATA")
        assert talk("x\r\n.")[:3] == "250"
    assert [len(letter.envelope_to) for letter in store.letters] == [100]
