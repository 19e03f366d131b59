"""When the server works: APScheduler rings the bells of its workers.

    mailbox        every `poll_seconds` and a little more    poll the mailbox
    deadlines      every `tick_seconds`                      read letters, resolve what is due
    next-deadline  at the next instant that a game names     the same, to the second
    send           every `tick_seconds`                      draw maps, send letters, write the site, call the webhook
    faults         every minute                              raise alarms
    upkeep         at night                                  delete what is too old
    rights         every few seconds                         keep the right to poll (PostgreSQL)

A job only rings, so it never runs when its time comes again: APScheduler 3 skips a job that still runs. What is due is
in the database, so a lost ring loses nothing. The scheduler's thread waits by the wall clock, and is silent for an hour
if that is put back by one: so each worker also works by itself after FLOOR quiet periods, by the monotonic clock.

A new job is a row in `job_triggers` and a bell of the same name in `gm.server.service`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.jobstores.base import JobLookupError
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.base import BaseTrigger
from apscheduler.triggers.cron import CronTrigger
from apscheduler.triggers.date import DateTrigger
from apscheduler.triggers.interval import IntervalTrigger

from gm.config import Config

FLOOR = 3
FAULT_SECONDS = 60.0
RIGHT_SECONDS = 15.0
"""Times FLOOR, this is less than the silence after which a node loses its right (`gm.store.nodes.rights`)."""
UPKEEP_SECONDS = 86_400.0
JITTER = 0.1
"""Part of the period by which polls of a mailbox are late, so that servers do not ask a provider all at once."""
NIGHT = {"hour": 3, "minute": 30, "jitter": 600}
"""When upkeep begins in the server's zone; nodes begin apart."""
NEXT_DEADLINE = "next-deadline"
SAME_INSTANT = timedelta(milliseconds=20)
"""Two readings of clocks for the same deadline differ less."""
JOB = "job "
"""How a line about a job begins."""


class QuietTrigger(IntervalTrigger):  # type: ignore[misc]
    """Fires a period after the last time it fired.

    IntervalTrigger counts every missed time, which are millions when a machine that starts in 1970 learns the date.
    """

    def get_next_fire_time(self, previous: datetime | None, now: datetime) -> datetime | None:
        fire_time: datetime | None = super().get_next_fire_time(previous and now, now)
        return fire_time


def every(seconds: float, jitter: float = 0.0) -> QuietTrigger:
    return QuietTrigger(seconds=seconds, jitter=seconds * jitter, timezone=UTC)


def right_seconds(settings: Config) -> float:
    return min(settings.tick_seconds, RIGHT_SECONDS)


def job_triggers(settings: Config) -> dict[str, BaseTrigger]:
    """The jobs of a server with these settings, by name, without the one at the next deadline."""
    triggers: dict[str, BaseTrigger] = {
        "deadlines": every(settings.tick_seconds),
        "send": every(settings.tick_seconds),
        "faults": every(FAULT_SECONDS),
        "upkeep": CronTrigger(**NIGHT, timezone=ZoneInfo(settings.zone)),
    }
    if settings.imap is not None:
        triggers["mailbox"] = every(settings.imap.poll_seconds, JITTER)
        if "://" in settings.database:
            triggers["rights"] = every(right_seconds(settings))
    return triggers


class JobScheduler:
    """Rings `bells[name]` when the job of that name is due. Use from any thread."""

    def __init__(self, settings: Config, bells: Mapping[str, Callable[[], None]]) -> None:
        defaults = {"coalesce": True, "max_instances": 1, "misfire_grace_time": None}
        executors = {"default": ThreadPoolExecutor(1)}
        self._scheduler = BackgroundScheduler(timezone=UTC, executors=executors, job_defaults=defaults)
        self._ring_deadlines = bells["deadlines"]
        self._deadline: datetime | None = None
        for name, trigger in job_triggers(settings).items():
            self._scheduler.add_job(bells[name], trigger, id=name)

    def start(self) -> None:
        self._scheduler.start()

    def stop(self) -> None:
        self._scheduler.shutdown()

    def ring_at(self, moment: datetime | None, now: datetime) -> None:
        """Sets when the job at the next deadline runs; None: never. Both instants are by the database's clock."""
        if moment is None:
            self._deadline = None
            with suppress(JobLookupError):
                self._scheduler.remove_job(NEXT_DEADLINE)
            return
        deadline = datetime.now(UTC) + (moment - now)
        if self._deadline is None or abs(deadline - self._deadline) > SAME_INSTANT:
            self._deadline = deadline
            trigger = DateTrigger(deadline)
            self._scheduler.add_job(self._deadline_comes, trigger, id=NEXT_DEADLINE, replace_existing=True)

    def _deadline_comes(self) -> None:
        self._deadline = None
        self._ring_deadlines()

    def lines(self) -> list[str]:
        """A line for each job, the next first."""
        return _lines({job.id: job.next_run_time for job in self._scheduler.get_jobs()})


def planned_lines(settings: Config, next_deadline: datetime | None) -> list[str]:
    """What `JobScheduler.lines` returns in a server that starts now."""
    now = datetime.now(UTC)
    times = {name: trigger.get_next_fire_time(None, now) for name, trigger in job_triggers(settings).items()}
    return _lines(times | ({NEXT_DEADLINE: next_deadline} if next_deadline else {}))


def _lines(times: Mapping[str, datetime]) -> list[str]:
    jobs = sorted(times.items(), key=lambda job: job[1])
    return [f"{JOB}{name}: next run {time.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC" for name, time in jobs]
