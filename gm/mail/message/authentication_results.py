"""Authentication-Results (RFC 8601): did our own mail server verify From?

    Authentication-Results: mx.example.org; dkim=pass header.d=x.org; dmarc=pass (p=none) header.from=x.org

Only the topmost header of exactly our server's name counts. Our server must delete those that strangers send; below
the topmost, nothing is believed anyway. Comments and quoted reasons are cut away first: they are free text.
"""

from __future__ import annotations

import re

from gm.mail.message.headers import Headers

QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"?')
RESULT = re.compile(r"\s*dmarc\s*=\s*([a-z]+)", re.IGNORECASE)
FROM = re.compile(r"\bheader\.from\s*=\s*(\S+)", re.IGNORECASE)


def verdict(headers: Headers, authserv_id: str) -> tuple[bool, bool]:
    """(proven, failed): dmarc=pass for the one address in the one From header; dmarc=fail."""
    ours = [some for some in map(_clean, headers.all("authentication-results")) if _server(some) == authserv_id.lower()]
    if not authserv_id or not ours:
        return False, False
    for section in ours[0].split(";")[1:]:
        result = RESULT.match(section)
        if result:
            passed = result[1].lower() == "pass" and _is_for_sender(section, headers)
            return passed, result[1].lower() == "fail"
    return False, False


def _is_for_sender(section: str, headers: Headers) -> bool:
    """Two From headers, or two addresses in one, would let one be verified and the other read."""
    senders = headers.addresses("from")
    if len(senders) != 1 or len(headers.all("from")) != 1:
        return False
    checked = FROM.search(section)
    domain = senders[0][1].rpartition("@")[2]
    return checked is None or checked[1].lower().rpartition("@")[2] == domain


def _server(value: str) -> str:
    words = value.partition(";")[0].split()
    return words[0].lower() if words and "=" not in words[0] else ""


def _clean(value: str) -> str:
    """Without comments, however deep, and quoted strings."""
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
