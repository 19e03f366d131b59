"""Finds the undeleted letters of an IMAP folder, by SEARCH or, where a server refuses it, by FETCH of flags.

imapclient's `search` cannot read all that RFC 9051 allows: it raises for an answer in several lines and takes an
ESEARCH answer for an empty one. So this module sends the commands by imaplib and reads the answers itself.
"""

from __future__ import annotations

import imaplib
import re

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError

NUMBERS = re.compile(rb"([\d ]*)(?:\(.*)?", re.DOTALL)
"""An answer to SEARCH; extensions add what stands in brackets."""
RANGES = re.compile(rb".*\bUID\b(?:.*\bALL (\d+(?:[:,]\d+)*))?", re.IGNORECASE | re.DOTALL)
"""An ESEARCH answer; without "ALL" nothing matched."""
UID = re.compile(rb"\bUID (\d+)", re.IGNORECASE)


def undeleted_uids(client: IMAPClient) -> list[int]:
    """Sorted."""
    server: imaplib.IMAP4 = client._imap
    status, lines = _send_uid_command(server, "SEARCH", "UNDELETED")
    numbers = [NUMBERS.fullmatch(line) for line in lines]
    ranges = [RANGES.match(line) for line in server.response("ESEARCH")[1] if line]
    if status != "OK" or None in (*numbers, *ranges):
        return _undeleted_by_flags(server, lines)
    uids = {int(uid) for number in numbers if number for uid in number[1].split()}
    uids.update(*(_range(part) for match in ranges if match and match[1] for part in match[1].split(b",")))
    return sorted(uids)


def _undeleted_by_flags(server: imaplib.IMAP4, refusal: list[bytes]) -> list[int]:
    status, lines = _send_uid_command(server, "FETCH", "1:*", "(FLAGS)")
    if status != "OK":
        answer = b", ".join((*refusal, *lines)).decode("utf-8", "replace")
        raise IMAPClientError(f"neither SEARCH nor FETCH of flags is answered: {answer}")
    return sorted(int(uid) for line in lines if b"\\deleted" not in line.lower() for uid in UID.findall(line))


def _send_uid_command(server: imaplib.IMAP4, *command: str) -> tuple[str, list[bytes]]:
    """The status and the lines of the answer."""
    try:
        status, lines = server.uid(*command)
    except imaplib.IMAP4.abort:
        raise
    except imaplib.IMAP4.error as error:
        return "BAD", [str(error).encode()]
    return status, [line for line in lines if isinstance(line, bytes)]


def _range(text: bytes) -> range:
    """The ends may come in either order (RFC 9051)."""
    ends = [int(end) for end in text.split(b":")]
    return range(min(ends), max(ends) + 1)
