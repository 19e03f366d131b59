"""The deadline of a phase as an iCalendar file (RFC 5545) with an alarm.

The event keeps its UID in all letters of the phase, so that a deadline that moves does so in the calendar too. It
holds nothing secret: calendars are shared.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from gm.game.model.recipient import Recipient
from gm.game.model.records import GameState, LetterPart
from gm.language.rendering import calendars

MIME = "text/calendar; charset=utf-8; method=PUBLISH"
NAME = "deadline.ics"
ALARM = timedelta(hours=3)
"""Time before the deadline, if the game has no reminders."""
SHARE = 4
"""The alarm rings at most this part of the phase before the deadline."""


def deadline_calendar(reader: Recipient) -> tuple[LetterPart, ...]:
    """The file as a part of a letter; nothing if the phase has no deadline."""
    game = reader.game
    if game.due_at is None or game.state is not GameState.RUNNING:
        return ()
    return (LetterPart(MIME, NAME, calendars.calendar_file((_event(reader, game.due_at),))),)


def _event(reader: Recipient, due: datetime) -> calendars.CalendarEvent:
    game, post = reader.game, reader.services.post
    opened = game.opened_at or reader.now
    uid = post.code("deadline", str(game.id), game.phase, str(opened), str(reader.seat.id))
    return calendars.CalendarEvent(
        uid=f"{uid}@{post.domain}",
        stamp=reader.now,
        sequence=max(0, int((reader.now - opened).total_seconds())),  # the highest number counts
        start=due,
        summary=reader.phase_words("calendar.summary", game.phase, game=game.name, role=reader.role),
        description=reader.say("calendar.words", game=game.name),
        alarm=_minutes(reader, due - opened),
    )


def _minutes(reader: Recipient, whole: timedelta) -> int:
    return max(1, min(reader.settings.reminder or ALARM, whole / SHARE) // timedelta(minutes=1))
