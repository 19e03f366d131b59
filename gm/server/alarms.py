"""Alarms: the operator hears when mail is broken or late, and so do the game masters of games whose deadline hangs.

A letter for each kind of fault and day, queued like any other: when the relay itself is away it leaves when that is
back. For what cannot wait there is `alarm_command`, which gets the same words on its standard input. It alone can tell
that the database is away: then no letter can be queued.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable

import structlog

from gm.errors import Unavailable
from gm.game.letters import alarms as alarm
from gm.game.letters.notify import queue_notice
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import lay
from gm.server.faults import ServerFault, faults
from gm.server.wiring import Application
from gm.store.maintenance import StoreMaintenance

log = structlog.get_logger()

COMMAND_SECONDS = 30
AWAY_MOST = 300.0
"""Seconds that the database may be away before anybody is woken: a restart takes less."""


class AlarmWatch:
    """Looks again and again, for as long as a server runs."""

    def __init__(self, works: Application, now: Callable[[], float] = time.monotonic) -> None:
        self._works, self._now = works, now
        self._away_since: float | None = None
        self._told = False

    def look(self) -> None:
        """Raises Unavailable when the database is away, having told of it, once, where it lasts."""
        try:
            watch(self._works)
        except Unavailable as error:
            self._away(str(error))
            raise
        self._away_since, self._told = None, False

    def _away(self, error: str) -> None:
        if self._away_since is None:
            self._away_since = self._now()
        lasts = self._now() - self._away_since >= AWAY_MOST
        if lasts and not self._told:
            self._told = True
            words = self._works.services.letters.catalogue("en").say("alarm.store", error=error)
            log.error("alarm", fault="store", error=error)
            _run(self._works.settings.alarm_command, words)


def watch(works: Application) -> tuple[ServerFault, ...]:
    """Look once, and raise an alarm for every fault that none was raised for today. What is wrong now."""
    cabinet = StoreMaintenance(works.database)
    figures = cabinet.figures()
    found = faults(figures, works.settings)
    fresh = [fault for fault in found if _raise(works, fault)]
    if fresh:
        _run(works.settings.alarm_command, "\n".join(sentence(works, fault) for fault in fresh))
    if any(fault.kind == "late" for fault in found):
        for game in figures.late_games:
            _tell_masters(works, game)
    return found


def sentence(works: Application, fault: ServerFault) -> str:
    return works.services.letters.catalogue("en").say(f"alarm.{fault.kind}", **dict(fault.fields))


def _raise(works: Application, fault: ServerFault) -> bool:
    with works.database.transaction() as store:
        return alarm.raise_alarm(works.services, store, fault.kind, dict(fault.fields))


def _tell_masters(works: Application, game: int) -> None:
    """Once for a deadline; the players are told nothing that the results will not tell them."""
    try:
        with works.database.transaction() as store:
            table, note = lay(works.services, store, store.games.get(game)), Note("desk.deadline-hangs", ())
            for master in table.masters:
                queue_notice(works.services, store, table.game, master, note, f"hangs:{table.game.snapshot}")
    except Unavailable:
        raise
    except Exception:  # a game that cannot be laid out: the clock has told them of it
        return


def _run(command: str, words: str) -> None:
    if not command:
        return
    try:
        subprocess.run(command, shell=True, input=words + "\n", text=True, timeout=COMMAND_SECONDS, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        log.error("alarm_command failed", error=str(error))
