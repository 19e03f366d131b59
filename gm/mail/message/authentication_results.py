"""Authentication-Results (RFC 8601): whether our own mail server verified the From address.

    Authentication-Results: mx.example.org; dkim=pass header.d=x.org; dmarc=pass (p=none) header.from=x.org

Only the topmost header with exactly our server's name counts, because strangers can send headers with that name too.
Comments and quoted strings are removed first: they are free text.
"""

from __future__ import annotations

import re

from gm.mail.message.headers import Headers

QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"?')
RESULT = re.compile(r"\s*dmarc\s*=\s*([a-z]+)", re.IGNORECASE)
FROM = re.compile(r"\bheader\.from\s*=\s*(\S+)", re.IGNORECASE)


def read_dmarc(headers: Headers, authserv_id: str) -> tuple[bool, bool]:
    """(proven, failed): dmarc=pass for the only From address; dmarc=fail."""
    values = map(_without_comments, headers.all("authentication-results"))
    ours = [value for value in values if _server_of(value) == authserv_id.lower()]
    if not authserv_id or not ours:
        return False, False
    for section in ours[0].split(";")[1:]:
        result = RESULT.match(section)
        if result:
            passed = result[1].lower() == "pass" and _is_for_sender(section, headers)
            return passed, result[1].lower() == "fail"
    return False, False


def _is_for_sender(section: str, headers: Headers) -> bool:
    """Two From addresses prove nothing: one could be verified and the other one read."""
    senders = headers.addresses("from")
    if len(senders) != 1 or len(headers.all("from")) != 1:
        return False
    checked = FROM.search(section)
    domain = senders[0][1].rpartition("@")[2]
    return checked is None or checked[1].lower().rpartition("@")[2] == domain


def _server_of(value: str) -> str:
    words = value.partition(";")[0].split()
    return words[0].lower() if words and "=" not in words[0] else ""


def _without_comments(value: str) -> str:
    """Removes nested comments and quoted strings."""
    if '"' not in value and "(" not in value and ")" not in value:
        return value
    kept: list[str] = []
    depth = 0
    for character in QUOTED.sub(" ", value):
        if character == "(":
            depth += 1
        elif character == ")":
            depth = max(0, depth - 1)
        elif not depth:
            kept.append(character)
    return "".join(kept)
