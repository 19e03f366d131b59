"""Which letters lie in the folder, of servers with every habit.

RFC 9051 allows what imapclient's `search` does not read: an answer in several lines raises, and of one that comes as
ESEARCH it says that nothing was found, so that letters would wait unread and nobody would hear of it. Of a server that
refuses SEARCH, for want of an index or for good, the flags tell the same at a greater length.
"""

from __future__ import annotations

import imaplib
import re

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError

NUMBERS = re.compile(rb"([\d ]*)(?:\(.*)?", re.DOTALL)
"""Of SEARCH; what stands in brackets is of extensions."""
RANGES = re.compile(rb".*\bUID\b(?:.*\bALL (\d+(?:[:,]\d+)*))?", re.IGNORECASE | re.DOTALL)
"""Of ESEARCH; without "ALL" there are none."""
UID = re.compile(rb"\bUID (\d+)", re.IGNORECASE)


def undeleted(client: IMAPClient) -> list[int]:
    """UIDs, in their order."""
    server: imaplib.IMAP4 = client._imap
    done, lines = _asked(server, "SEARCH", "UNDELETED")
    numbers = [NUMBERS.fullmatch(line) for line in lines]
    ranges = [RANGES.match(line) for line in server.response("ESEARCH")[1] if line]
    if done != "OK" or None in (*numbers, *ranges):
        return _by_flags(server, lines)
    found = {int(uid) for number in numbers if number for uid in number[1].split()}
    found.update(*(_range(told) for one in ranges if one and one[1] for told in one[1].split(b",")))
    return sorted(found)


def _by_flags(server: imaplib.IMAP4, refusal: list[bytes]) -> list[int]:
    done, lines = _asked(server, "FETCH", "1:*", "(FLAGS)")
    if done != "OK":
        said = b", ".join((*refusal, *lines)).decode("utf-8", "replace")
        raise IMAPClientError(f"neither SEARCH nor FETCH of flags is answered: {said}")
    return sorted(int(uid) for line in lines if b"\\deleted" not in line.lower() for uid in UID.findall(line))


def _asked(server: imaplib.IMAP4, *command: str) -> tuple[str, list[bytes]]:
    """How it ended, and the lines that are told."""
    try:
        done, told = server.uid(*command)
    except imaplib.IMAP4.abort:
        raise
    except imaplib.IMAP4.error as error:
        return "BAD", [str(error).encode()]
    return done, [line for line in told if isinstance(line, bytes)]


def _range(told: bytes) -> range:
    """Its ends may stand in either order."""
    ends = [int(one) for one in told.split(b":")]
    return range(min(ends), max(ends) + 1)
