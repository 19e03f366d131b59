"""When the running server works: the jobs of APScheduler, and the two cases in which APScheduler 3 rings nobody."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path

import apscheduler.schedulers.base as apscheduler_base
import pytest
from apscheduler.events import EVENT_JOB_MAX_INSTANCES
from apscheduler.triggers import interval
from msgspec.structs import replace
from support.mail.dovecot import free_port
from support.stores.migrated_database import migrate

from gm.config import Config, HealthConfig, ImapConfig, ListenConfig, Secret
from gm.errors import RelayDown
from gm.game.clock import clock
from gm.game.model.records import Game, GameState
from gm.server import scheduler
from gm.server import service as serving
from gm.server.monitoring.ask_health import ask_health
from gm.server.operators import doctor
from gm.server.scheduler import FLOOR, JobScheduler, job_triggers, planned_lines, right_seconds
from gm.server.service import Service
from gm.server.wiring import Application, assemble
from gm.server.worker import Worker
from gm.store.nodes import rights

GUARD = 60
NOW = datetime(2026, 3, 13, 12, 0, tzinfo=UTC)
IMAP = ImapConfig(host="imap.example.org", user="gm", password=Secret("sesame"), poll_seconds=90)
NAMES = ("mailbox", "deadlines", "send", "faults", "upkeep", "rights")


class Rings:
    """A bell that counts."""

    def __init__(self, fault: Exception | None = None) -> None:
        self.count, self._fault = threading.Semaphore(0), fault

    def __call__(self, *_: object) -> bool:
        self.count.release()
        if self._fault is not None:
            raise self._fault
        return False

    def come(self, number: int = 1, seconds: float = GUARD) -> bool:
        return all(self.count.acquire(timeout=seconds) for _ in range(number))


class WallClock(datetime):
    """The wall clock as APScheduler reads it, `shift` off."""

    shift = timedelta(0)

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> WallClock:
        shifted = datetime.now(tz) + cls.shift
        return cls.combine(shifted.date(), shifted.timetz())


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> type[WallClock]:
    monkeypatch.setattr(WallClock, "shift", timedelta(0))
    for module in (apscheduler_base, interval):
        monkeypatch.setattr(module, "datetime", WallClock)
    return WallClock


def settings(**changes: object) -> Config:
    values = {
        "address": "gm@gm.example",
        "masters": ("op@example.org",),
        "tick_seconds": 0.02,
        "secret": Secret("s" * 32),
    }
    return Config(**(values | changes))  # type: ignore[arg-type]


@contextmanager
def started(config: Config, bells: dict[str, Callable[[], object]]) -> Iterator[JobScheduler]:
    jobs = JobScheduler(config, {name: lambda: None for name in NAMES} | bells)  # type: ignore[arg-type]
    jobs.start()
    try:
        yield jobs
    finally:
        jobs.stop()


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Application]:
    listen = ListenConfig(port=0)
    made = assemble(settings(database=str(tmp_path / "gm.sqlite"), listen=listen, health=HealthConfig(port=0)))
    migrate(made)
    with closing(made.database):
        yield made


@pytest.mark.parametrize(
    ("changes", "absent"),
    [
        ({}, {"mailbox", "rights"}),
        ({"imap": IMAP}, {"rights"}),
        ({"imap": IMAP, "database": "postgresql+psycopg://gm@localhost/gm"}, set()),
        ({"database": "postgresql+psycopg://gm@localhost/gm"}, {"mailbox", "rights"}),
    ],
)
def test_a_server_has_the_jobs_that_its_settings_need(changes: dict[str, object], absent: set[str]) -> None:
    assert set(NAMES) - set(job_triggers(settings(**changes))) == absent


def test_polls_of_a_mailbox_are_spread(wall: type[WallClock]) -> None:
    trigger = job_triggers(settings(imap=IMAP))["mailbox"]
    waits = {trigger.get_next_fire_time(NOW, NOW) - NOW for _ in range(50)}
    assert len(waits) > 25
    assert timedelta(seconds=90) <= min(waits)
    assert max(waits) <= timedelta(seconds=99)


def test_upkeep_runs_once_a_night_by_the_servers_zone() -> None:
    trigger = job_triggers(settings(zone="Europe/Berlin"))["upkeep"]
    first = trigger.get_next_fire_time(None, NOW)
    assert timedelta(0) <= first - datetime(2026, 3, 14, 2, 30, tzinfo=UTC) <= timedelta(minutes=10)
    assert trigger.get_next_fire_time(first, first) - first > timedelta(hours=23)


def test_a_node_keeps_its_right_also_without_rings() -> None:
    for seconds in (0.3, 5, 300):
        assert FLOOR * right_seconds(settings(tick_seconds=seconds)) < rights.SILENCE_SECONDS


def test_bells_ring_again_and_again() -> None:
    deadlines, senders = Rings(), Rings()
    with started(settings(), {"deadlines": deadlines, "send": senders}):
        assert deadlines.come(3)
        assert senders.come(3)


def test_the_next_deadline_rings_in_time_by_the_clock_of_the_database() -> None:
    """Which is hours off here. The interval would not have come for a long time."""
    deadlines = Rings()
    with started(settings(tick_seconds=300), {"deadlines": deadlines}) as jobs:
        jobs.ring_at(NOW + timedelta(hours=5), NOW)
        jobs.ring_at(NOW + timedelta(seconds=0.2), NOW)
        assert deadlines.come()
        jobs.ring_at(NOW + timedelta(seconds=0.2), NOW)  # the same again, after it has rung
        assert deadlines.come()
        jobs.ring_at(NOW + timedelta(hours=1), NOW)
        assert any("next-deadline" in line for line in jobs.lines())
        jobs.ring_at(None, NOW)
        jobs.ring_at(None, NOW)
        assert not any("next-deadline" in line for line in jobs.lines())


def test_the_server_looks_at_a_game_at_the_instant_that_it_names(
    app: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when the instant changes. The interval would not have come for a long time."""
    rounds = Rings()
    monkeypatch.setattr(clock, "tick", lambda *_: rounds())
    app = replace(app, settings=replace(app.settings, tick_seconds=300))
    with app.database.transaction() as store:
        game = store.games.add(Game(0, "bruges", "standard", GameState.FORMING))

    def check_in(seconds: float) -> datetime:
        with app.database.transaction() as store:
            at = store.now() + timedelta(seconds=seconds)
            store.games.check_again_at(game.id, at)
        return at

    check_in(3600)
    with Service(app) as service:
        assert rounds.come()
        for seconds in (1, 0.5):
            at = check_in(seconds)
            service.game.ring()  # as a letter does, and the other nodes
            assert rounds.come(2)
            assert at <= datetime.now(UTC) < at + timedelta(seconds=GUARD)


def test_a_ring_during_long_work_is_not_lost() -> None:
    """APScheduler 3 skips a job that still runs: work within a job would lose the ring and be logged as skipped."""
    entered, finish, again, skipped = Rings(), threading.Event(), threading.Event(), Rings()

    def work() -> bool:
        if finish.is_set():
            again.set()
        entered()
        finish.wait(GUARD)
        return False

    worker, rung = Worker("worker", work), Rings()

    def ring() -> None:
        worker.ring()
        rung()

    worker.start()
    with started(settings(tick_seconds=0.5), {"deadlines": ring}) as jobs:  # a ring is over by then on a busy machine
        jobs._scheduler.add_listener(skipped, EVENT_JOB_MAX_INSTANCES)
        assert entered.come()
        assert rung.come(5)
        jobs.ring_at(NOW + timedelta(seconds=0.05), NOW)
        assert rung.come(5)
    finish.set()  # no job is left: only a ring from before can wake the worker
    assert again.wait(GUARD)
    assert not skipped.come(seconds=0)
    worker.stop()
    worker.join(GUARD)


def test_a_clock_that_is_put_back_by_an_hour_silences_nobody(
    app: Application, wall: type[WallClock], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also after the relay took no letters. APScheduler is silent for the hour: its next runs are an hour away."""
    looks, watches = Rings(RelayDown("the relay is away")), Rings()
    monkeypatch.setattr(serving, "RELAY_PAUSE", 0.0)
    monkeypatch.setattr(clock, "send", looks)
    monkeypatch.setattr(clock, "tick", lambda *_: watches())
    with Service(app) as service:
        assert looks.come(3)
        wall.shift = timedelta(hours=-1)
        service._scheduler._scheduler.wakeup()  # it looks at the clock
        assert looks.come(5)
        assert watches.come(5)
        while looks.come(seconds=0) or watches.come(seconds=0):  # all rings from before
            pass
        assert looks.come(3)
        assert watches.come(3)


def test_a_machine_that_starts_in_1970_and_learns_the_date_goes_on(wall: type[WallClock]) -> None:
    """Missed runs are not counted one by one: at five seconds each these are 350 million."""
    wall.shift = datetime(1970, 1, 1, tzinfo=UTC) - datetime.now(UTC)
    deadlines = Rings()
    with started(settings(tick_seconds=0.2), {"deadlines": deadlines}) as jobs:
        jobs.ring_at(NOW + timedelta(seconds=1), NOW)
        wall.shift = timedelta(0)
        jobs._scheduler.wakeup()
        assert deadlines.come(3)


def test_health_and_doctor_list_the_jobs(app: Application) -> None:
    at = datetime.now(UTC) + timedelta(hours=2)
    with app.database.transaction() as store:
        store.games.add(Game(0, "ostend", "standard", GameState.ENDED))
        game = store.games.add(Game(0, "bruges", "standard", GameState.FORMING))
        store.games.check_again_at(game.id, at)
    with Service(app) as service:
        config = replace(app.settings, health=HealthConfig(port=service.health_port))
        until = threading.Event()
        while not any("next-deadline" in line for line in service._scheduler.lines()):
            assert not until.wait(0.01)
        good, text = ask_health(config)
        jobs = [finding.text for finding in doctor.examine_installation(config) if finding.what == "job"]
    assert good
    lines = text.splitlines()
    assert lines[0] == "ok"
    assert [line.partition(":")[0] for line in sorted(lines[1:])] == [
        "job deadlines", "job faults", "job next-deadline", "job send", "job upkeep"
    ]  # fmt: skip
    assert {line.partition(":")[0] for line in jobs} == {"deadlines", "faults", "next-deadline", "send", "upkeep"}


def test_doctor_lists_the_jobs_of_a_server_that_does_not_run(app: Application) -> None:
    port = free_port()
    config = replace(app.settings, health=HealthConfig(port=port), zone="Europe/Berlin")
    findings = list(doctor.examine_installation(config))
    jobs = [finding for finding in findings if finding.what == "job"]
    assert any("no server answers" in finding.text for finding in findings)
    assert {finding.text.partition(":")[0] for finding in jobs} == {"deadlines", "faults", "send", "upkeep"}
    assert f"{scheduler.JOB}next-deadline: next run 2026-03-13 12:00:00 UTC" in planned_lines(config, NOW)
