"""Looks up DKIM keys in DNS (RFC 6376, 3.6.2), within bounds: waiting for DNS must not delay the letters behind.

A look-up that fails means "not proven". dnspython is imported by the first look-up, because start-up counts.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import TypeAlias

ResolveTxt: TypeAlias = Callable[[str, float], tuple[bytes, ...]]
"""(name, seconds to wait) → its TXT records, () if there are none. Raises DnsTrouble."""

NAME = re.compile(r"(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)+")
DEBT_MOST = 1.5
"""Seconds of waiting on end, for one letter or many, after which nothing is asked …"""
REPAID = 0.1
"""… until they are a tenth of the time that has passed."""
WAIT_LEAST = 0.1
"""With less time left nothing is asked."""
KEPT = 3600.0
"""Seconds that a record counts. Troubles and missing records count for `MISSED`."""
MISSED = 120.0
RECORDS_MOST = 1_000
RECORD_LONGEST = 1_200
"""Bytes; a key of 4,096 bits takes 750. Longer ones would cost too much to compute with."""


class DnsTrouble(Exception):
    """No name server answered in time."""


def resolve_txt(name: str, seconds: float) -> tuple[bytes, ...]:
    import dns.exception
    import dns.resolver

    try:
        answer = dns.resolver.resolve(f"{name}.", "TXT", lifetime=seconds, search=False)
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
        return ()
    except (dns.exception.DNSException, OSError) as error:
        raise DnsTrouble(f"{type(error).__name__}: {error}") from None
    return tuple(b"".join(record.strings) for record in answer)


class DkimKeys:
    """The cache is only for speed. Used by the one thread that reads letters."""

    def __init__(self, resolve: ResolveTxt = resolve_txt, now: Callable[[], float] = time.monotonic) -> None:
        self._resolve, self._now = resolve, now
        self._kept: dict[str, tuple[bytes, float]] = {}
        self._debt, self._since = 0.0, now()

    def record(self, selector: str, domain: str) -> bytes:
        """The key record, b"" if there is none or DNS does not tell in time."""
        name = f"{selector}._domainkey.{domain}".lower()
        record, until = self._kept.get(name, (b"", 0.0))
        if self._now() < until:
            return record
        seconds = self._seconds_left()
        return self._ask(name, seconds) if NAME.fullmatch(name) and seconds >= WAIT_LEAST else b""

    def _seconds_left(self) -> float:
        now = self._now()
        self._debt = max(0.0, self._debt - (now - self._since) * REPAID)
        self._since = now
        return DEBT_MOST - self._debt

    def _ask(self, name: str, seconds: float) -> bytes:
        began = self._now()
        try:
            records = self._resolve(name, seconds)
        except DnsTrouble:
            records = ()
        ended = self._now()
        self._debt += ended - began
        record = next((text for text in records if b"p=" in text and len(text) <= RECORD_LONGEST), b"")
        if len(self._kept) >= RECORDS_MOST:
            self._kept.clear()
        self._kept[name] = (record, ended + (KEPT if record else MISSED))
        return record
