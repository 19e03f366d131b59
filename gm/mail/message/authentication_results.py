"""Authentication-Results (RFC 8601): whether our own mail server verified the From address.

    Authentication-Results: mx.example.org; dkim=pass header.d=x.org; dmarc=pass (p=none) header.from=x.org

Only the topmost header with exactly our server's name counts, because strangers can send headers with that name too.
A header counts as a whole or not at all: values that a sender chooses (an envelope address, a HELO name) may hold what
looks like results, so a header that does not follow the grammar proves nothing, and neither does one with two results
for DMARC. Beyond the grammar, servers write characters such as / and = into values without quotes, and properties
without a type (Microsoft's `action=none`): those are read.
"""

from __future__ import annotations

import re

from msgspec import Struct

from gm.mail import limits
from gm.mail.message.headers import Headers

QUOTED = r'"(?:[^"\\]|\\.)*"'
OUTSIDE = re.compile(rf'{QUOTED}|[^"();]+|.', re.DOTALL)
"""A string, plain text, or one character with a meaning."""
SIGNS = frozenset('"()')
"""What makes more of a value than statements between semicolons."""
IN_COMMENT = re.compile(r"\\.|[^()\\]+|.", re.DOTALL)
SERVER = re.compile(rf"\s*({QUOTED}|[^\s=;]+)(\s+\d+)?\s*")
STATEMENT = re.compile(r"\s*([a-z][\w-]*)(?:\s*/\s*\d+)?\s*=\s*([a-z]+)(?=\s|$)", re.IGNORECASE)
PROPERTY = re.compile(rf'\s+([a-z][\w-]*(?:\.[\w-]+)?)=((?:{QUOTED}|[^\s"])*)', re.IGNORECASE)
DMARC = "dmarc"


class AuthenticationResult(Struct, frozen=True):
    """`properties` are those of `method`, such as header.from, in lower case."""

    method: str
    result: str
    properties: dict[str, str]


class AmbiguousHeader(ValueError):
    """The header does not follow the grammar."""


def read_dmarc(headers: Headers, authserv_id: str) -> tuple[bool, bool]:
    """(proven, failed): dmarc=pass for the only From address; dmarc=fail."""
    results = _topmost_results(headers, authserv_id) if authserv_id else ()
    dmarc = [given for given in results if given.method == DMARC]
    passed = [given.result for given in dmarc] == ["pass"] and _is_for_sender(dmarc[0], headers)
    return passed, any(given.result == "fail" for given in dmarc)


def parse_results(value: str) -> tuple[str, tuple[AuthenticationResult, ...]]:
    """(the server's name in lower case, its results). Raises AmbiguousHeader."""
    first, *others = _split_statements(value)
    server = SERVER.fullmatch(first)
    if server is None:
        raise AmbiguousHeader(value)
    results = tuple(_parse_statement(text) for text in others if text.strip().lower() not in ("", "none"))
    return server[1].strip('"').lower(), results


def _topmost_results(headers: Headers, authserv_id: str) -> tuple[AuthenticationResult, ...]:
    """The results of our server's newest header; none if it is cut off or ambiguous."""
    for value in headers.all("authentication-results"):
        try:
            server, results = parse_results(value)
        except AmbiguousHeader:
            if authserv_id.lower() in value.lower():
                return ()
            continue
        if server == authserv_id.lower():
            return results if len(value) < limits.ONE_HEADER else ()
    return ()


def _parse_statement(text: str) -> AuthenticationResult:
    """`dmarc=pass header.from=x.org`."""
    head = STATEMENT.match(text)
    if head is None:
        raise AmbiguousHeader(text)
    properties: dict[str, str] = {}
    place = head.end()
    while text[place:].strip():
        given = PROPERTY.match(text, place)
        if given is None or given[1].lower() in (DMARC, *properties):
            raise AmbiguousHeader(text)
        properties[given[1].lower()] = given[2].strip('"').lower()
        place = given.end()
    return AuthenticationResult(head[1].lower(), head[2].lower(), properties)


def _split_statements(value: str) -> list[str]:
    """The text between semicolons, with a blank for each comment; strings keep their quotes."""
    if SIGNS.isdisjoint(value):  # fast path
        return value.split(";")
    statements = [""]
    depth, place = 0, 0
    while place < len(value):
        piece = (IN_COMMENT if depth else OUTSIDE).match(value, place)
        assert piece is not None
        place = piece.end()
        if piece[0] == "(":
            depth += 1
        elif piece[0] == ")" and depth:
            depth -= 1
            statements[-1] += " "
        elif piece[0] in ('"', ")") and not depth:
            raise AmbiguousHeader(value)
        elif piece[0] == ";" and not depth:
            statements.append("")
        elif not depth:
            statements[-1] += piece[0]
    if depth:
        raise AmbiguousHeader(value)
    return statements


def _is_for_sender(result: AuthenticationResult, headers: Headers) -> bool:
    """Two From addresses prove nothing: one could be verified and the other one read."""
    senders = headers.addresses("from")
    if len(senders) != 1 or len(headers.all("from")) != 1:
        return False
    checked = result.properties.get("header.from")
    return checked is None or checked.rpartition("@")[2] == senders[0][1].rpartition("@")[2]
