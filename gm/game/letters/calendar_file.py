"""The deadline of a phase as an iCalendar file (RFC 5545) with an alarm.

The event keeps its UID in all letters of the phase, so that a deadline that moves does so in the calendar too. It
holds nothing secret: calendars are shared.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from gm.game.model.recipient import Recipient
from gm.game.model.records import GameState, LetterPart

MIME = "text/calendar; charset=utf-8; method=PUBLISH"
NAME = "deadline.ics"
WIDTH = 75
"""Octets of a line (RFC 5545, 3.1)."""
ALARM = timedelta(hours=3)
"""Time before the deadline, if the game has no reminders."""
SHARE = 4
"""The alarm rings at most this part of the phase before the deadline."""


def deadline_calendar(reader: Recipient) -> tuple[LetterPart, ...]:
    """The file as a part of a letter; nothing if the phase has no deadline."""
    game = reader.game
    if game.due_at is None or game.state is not GameState.RUNNING:
        return ()
    lines = "".join(_folded(line) for line in _lines(reader, game.due_at))
    return (LetterPart(MIME, NAME, lines.encode("utf-8")),)


def _lines(reader: Recipient, due: datetime) -> Iterator[str]:
    game, post = reader.game, reader.services.post
    opened = game.opened_at or reader.now
    uid = post.code("deadline", str(game.id), game.phase, str(opened), str(reader.seat.id))
    summary = reader.phase_words("calendar.summary", game.phase, game=game.name, role=reader.role)
    yield from ("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//gm//deadlines//EN", "METHOD:PUBLISH")
    yield from ("BEGIN:VEVENT", f"UID:{uid}@{post.domain}", f"DTSTAMP:{_instant(reader.now)}")
    yield f"SEQUENCE:{max(0, int((reader.now - opened).total_seconds()))}"  # the highest number counts
    instant = _instant(due)
    yield from (f"DTSTART:{instant}", f"DTEND:{instant}", f"SUMMARY:{_escaped(summary)}")
    yield f"DESCRIPTION:{_escaped(reader.say('calendar.words', game=game.name))}"
    yield from ("TRANSP:TRANSPARENT", "BEGIN:VALARM", "ACTION:DISPLAY", f"DESCRIPTION:{_escaped(summary)}")
    yield f"TRIGGER:-PT{_minutes(reader, due - opened)}M"
    yield from ("END:VALARM", "END:VEVENT", "END:VCALENDAR")


def _minutes(reader: Recipient, whole: timedelta) -> int:
    return max(1, min(reader.settings.reminder or ALARM, whole / SHARE) // timedelta(minutes=1))


def _instant(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _escaped(text: str) -> str:
    for char in "\\;,":
        text = text.replace(char, "\\" + char)
    return text.replace("\n", "\\n")


def _folded(line: str) -> str:
    """Fold a long line (RFC 5545, 3.1) between characters."""
    octets = line.encode("utf-8")
    lines: list[str] = []
    while len(octets) > WIDTH:
        first = octets[:WIDTH].decode("utf-8", "ignore")
        lines.append(first)
        octets = b" " + octets[len(first.encode("utf-8")) :]
    return "\r\n".join((*lines, octets.decode("utf-8"))) + "\r\n"
