"""Deadlines as iCalendar (RFC 5545): a file in a letter, and the calendars of the public site."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from functools import lru_cache

from msgspec import Struct

from gm.language.rendering.plain_text import printable

WIDTH = 75
"""Octets of a line (RFC 5545, 3.1)."""

NO_EVENT = (
    *("BEGIN:VTIMEZONE", "TZID:UTC", "BEGIN:STANDARD", "DTSTART:19700101T000000", "TZOFFSETFROM:+0000"),
    *("TZOFFSETTO:+0000", "END:STANDARD", "END:VTIMEZONE"),
)
"""A calendar must have a component (RFC 5545, 3.6)."""


class CalendarEvent(Struct, frozen=True):
    """An instant. A later version of an event keeps its `uid` and has a higher `sequence`; `stamp` is when it was made.

    `alarm`: minutes before `start` at which a reminder rings; 0: none.
    """

    uid: str
    stamp: datetime
    sequence: int
    start: datetime
    summary: str
    description: str = ""
    url: str = ""
    alarm: int = 0


def calendar_file(events: Iterable[CalendarEvent], name: str = "", language: str = "EN") -> bytes:
    """`name`: the calendar's own, for programs that subscribe to it (RFC 7986); they are asked to look every hour."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:-//gm//deadlines//{language.upper()}", "METHOD:PUBLISH"]
    if name:
        lines += [f"NAME:{_escaped(name)}", f"X-WR-CALNAME:{_escaped(name)}"]
        lines += ["REFRESH-INTERVAL;VALUE=DURATION:PT1H", "X-PUBLISHED-TTL:PT1H"]
    body = [line for event in events for line in _event(event)]
    lines += body or NO_EVENT
    return "".join(map(_folded, (*lines, "END:VCALENDAR"))).encode("utf-8")


def _event(event: CalendarEvent) -> Iterator[str]:
    start, summary = _instant(event.start), _escaped(event.summary)
    yield from ("BEGIN:VEVENT", f"UID:{event.uid}", f"DTSTAMP:{_instant(event.stamp)}", f"SEQUENCE:{event.sequence}")
    yield from (f"DTSTART:{start}", f"DTEND:{start}", f"SUMMARY:{summary}")
    if event.description:
        yield f"DESCRIPTION:{_escaped(event.description)}"
    if event.url:
        yield f"URL:{event.url}"
    yield "TRANSP:TRANSPARENT"
    if event.alarm:
        yield from (
            "BEGIN:VALARM",
            "ACTION:DISPLAY",
            f"DESCRIPTION:{summary}",
            f"TRIGGER:-PT{event.alarm}M",
            "END:VALARM",
        )
    yield "END:VEVENT"


@lru_cache(maxsize=64)
def _instant(moment: datetime) -> str:
    """Kept only for speed: all readers of a turn get the same instants."""
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _escaped(text: str) -> str:
    text = printable(text)
    for char in "\\;,":
        text = text.replace(char, "\\" + char)
    return "\\n".join(text.splitlines())


def _folded(line: str) -> str:
    """Fold a long line (RFC 5545, 3.1) between characters."""
    if len(line) <= WIDTH and line.isascii():  # fast path
        return line + "\r\n"
    octets = line.encode("utf-8")
    lines: list[str] = []
    while len(octets) > WIDTH:
        first = octets[:WIDTH].decode("utf-8", "ignore")
        lines.append(first)
        octets = b" " + octets[len(first.encode("utf-8")) :]
    return "\r\n".join((*lines, octets.decode("utf-8"))) + "\r\n"
