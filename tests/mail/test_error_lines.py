"""What servers answer, in errors that people read."""

from __future__ import annotations

import imaplib

import pytest
from imapclient.exceptions import LoginError

from gm.errors import one_line


@pytest.mark.parametrize(
    ("reason", "line"),
    [
        (
            imaplib.IMAP4.error(b"[AUTHENTICATIONFAILED] Authentication failed."),
            "[AUTHENTICATIONFAILED] Authentication failed.",
        ),
        (LoginError("b'[ALERT] it\\'s late'"), "[ALERT] it's late"),
        (LoginError('b"that\'s wrong"'), "that's wrong"),
        (imaplib.IMAP4.error("UID command error: BAD [b'Unknown command']"), "UID command error: BAD Unknown command"),
        (imaplib.IMAP4.error("login failed: NO [b'caf\\xc3\\xa9', b'closed']"), "login failed: NO café, closed"),
        ("unexpected response: b'* BYE'", "unexpected response: * BYE"),
        ("Bob's list [b] isn't b'roken", "Bob's list [b] isn't b'roken"),
        (b"550 5.1.1\r\nno such user", "550 5.1.1 no such user"),
        (TimeoutError(), "TimeoutError"),
    ],
)
def test_an_answer_of_a_server_is_words(reason: object, line: str) -> None:
    assert one_line(reason) == line
