"""Answers about the asker's own absences: "May I extend my vacation?", "How many days of absence have I left?"."""

from __future__ import annotations

from collections.abc import Mapping
from zoneinfo import ZoneInfo

from gm.game.phase import absences
from gm.game.session.session import LetterSession

Fields = Mapping[str, str]


def other_days(session: LetterSession, fields: Fields) -> tuple[str, Fields] | None:
    """How an absence gets other days; nothing is changed, for the days of a sentence may be the old ones or the new."""
    if not session.plays:
        return None
    days = _own(session)
    return ("asked-absence-days", {"days": days}) if days else ("asked-absence-days-none", {})


def days_left(session: LetterSession, fields: Fields) -> tuple[str, Fields] | None:
    if not session.plays or session.loaded_game.settings.absence == "no":
        return None
    left = absences.days_left(session.store, session.loaded_game, session.person.id)
    return "asked-absence-left", {"n": str(left), "most": str(session.loaded_game.settings.absence_max)}


def _own(session: LetterSession) -> str:
    catalogue, zone = session.services.letters.catalogue(session.language), ZoneInfo(session.person.zone)
    current = absences.current_absences(session.store, session.loaded_game)
    own = (absence for absence in current if absence.person == session.person.id)
    days = (absences.first_and_last_day(catalogue, absence, zone) for absence in own)
    return ", ".join(f"{each['first']} – {each['last']}" for each in days)
