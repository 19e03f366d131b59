"""Alarms: tells operators that mail is broken or late, and game masters that a deadline of theirs hangs.

One letter for each kind of fault and day, queued like any other: if the relay is away, it leaves later.
For what cannot wait, `alarm_command` gets the same words on standard input. Only the command can report that the
database is away: then no letter can be queued.
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
from gm.game.model.loaded_game import load_game
from gm.server.faults import ServerFault, find_faults
from gm.server.wiring import Application
from gm.store.maintenance import StoreMaintenance

log = structlog.get_logger()

COMMAND_SECONDS = 30
AWAY_MOST = 300.0
"""Seconds that the database may be away before an alarm: a restart takes less."""


class AlarmWatch:
    """Looks for faults while a server runs."""

    def __init__(self, app: Application, now: Callable[[], float] = time.monotonic) -> None:
        self._app, self._now = app, now
        self._away_since: float | None = None
        self._alarmed = False

    def look(self) -> None:
        """Raises alarms. Raises Unavailable if the database is away, after one alarm if that lasts."""
        try:
            raise_alarms(self._app)
        except Unavailable as error:
            self._away(str(error))
            raise
        self._away_since, self._alarmed = None, False

    def _away(self, error: str) -> None:
        if self._away_since is None:
            self._away_since = self._now()
        lasts = self._now() - self._away_since >= AWAY_MOST
        if lasts and not self._alarmed:
            self._alarmed = True
            words = self._app.services.letters.catalogue("en").say("alarm.store", error=error)
            log.error("alarm", fault="store", error=error)
            _run_alarm_command(self._app.settings.alarm_command, words)


def raise_alarms(app: Application) -> tuple[ServerFault, ...]:
    """Raises an alarm for every fault without one today. Returns the present faults."""
    maintenance = StoreMaintenance(app.database)
    figures = maintenance.figures()
    present = find_faults(figures, app.settings)
    fresh = [fault for fault in present if _raise_once_a_day(app, fault)]
    if fresh:
        _run_alarm_command(app.settings.alarm_command, "\n".join(fault_sentence(app, fault) for fault in fresh))
    if any(fault.kind == "late" for fault in present):
        for game in figures.late_games:
            _tell_masters(app, game)
    return present


def fault_sentence(app: Application, fault: ServerFault) -> str:
    return app.services.letters.catalogue("en").say(f"alarm.{fault.kind}", **dict(fault.fields))


def _raise_once_a_day(app: Application, fault: ServerFault) -> bool:
    with app.database.transaction() as store:
        return alarm.raise_alarm(app.services, store, fault.kind, dict(fault.fields))


def _tell_masters(app: Application, game: int) -> None:
    """Tells the game masters once for each deadline; players learn nothing before the results."""
    try:
        with app.database.transaction() as store:
            table, note = load_game(app.services, store, store.games.get(game)), Note("desk.deadline-hangs", ())
            for master in table.masters:
                queue_notice(app.services, store, table.game, master, note, f"hangs:{table.game.snapshot}")
    except Unavailable:
        raise
    except Exception:  # the game cannot be loaded: the clock has reported that
        return


def _run_alarm_command(command: str, words: str) -> None:
    if not command:
        return
    try:
        subprocess.run(command, shell=True, input=words + "\n", text=True, timeout=COMMAND_SECONDS, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        log.error("alarm_command failed", error=str(error))
