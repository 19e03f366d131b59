"""Figures, faults, /healthz, /metrics and alarms of a store in trouble."""

from __future__ import annotations

import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs
from support.mail.mail_samples import until
from support.stores.migrated_database import migrate

from gm.config import Config, HealthConfig, ImapConfig, Secret
from gm.errors import GmError, Unavailable
from gm.game.model.records import (
    MASTER,
    Game,
    GameState,
    InboxRow,
    InboxState,
    OutboxState,
    OutLetter,
    Person,
    Seat,
    Snapshot,
)
from gm.server.faults import ServerFault, find_faults, format_age
from gm.server.monitoring import alarms, health
from gm.server.monitoring.ask_health import ask_health
from gm.server.monitoring.health import HealthMonitor
from gm.server.wiring import Application, assemble
from gm.store.maintenance import StoreMaintenance
from gm.store.queries.statistics import StoreFigures

AT = datetime(2026, 3, 13, 12, 0, tzinfo=UTC)
IMAP = ImapConfig(host="imap.example.org", user="gm", password=Secret("sesame"))


class Clock:
    def __init__(self) -> None:
        self.now = AT

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def app(tmp_path: Path, clock: Clock) -> Iterator[Application]:
    settings = Config(address="gm@example.org", database=str(tmp_path / "gm.sqlite"), masters=("op@example.org",))
    made = assemble(settings, clock=clock)
    migrate(made)
    yield made
    made.database.close()


def letter(cause: str) -> OutLetter:
    return OutLetter(cause, "answer", "ann@example.org", "Ann", "gm", "gm@x", "gm@x", "Re:", "ok", message_id=cause)


def trouble(app: Application) -> None:
    """A letter unread, one unsent, one set aside, a deadline due, a mailbox read long ago."""
    with app.database.transaction() as store:
        store.inbox.accept(InboxRow(0, "lmtp", "one", AT, b""))
        aside, _ = store.inbox.accept(InboxRow(0, "lmtp", "two", AT, b""))
        store.inbox.close(aside.id, InboxState.SHUNTED, "Traceback")
        store.outbox.add(letter("one"), AT)
        store.outbox.add(replace(letter("two"), not_before=AT + timedelta(days=9)), AT)
        game = store.games.add(Game(0, "ostend", "standard", GameState.RUNNING, "S1901M", due_at=AT))
        master = store.people.add(Person(0, "Ruth", ("ruth@example.org",)))
        store.games.add_seat(Seat(0, game.id, MASTER, master.id))
        store.turns.add_snapshot(Snapshot(0, game.id, 0, 0, "", "S1901M", 1, AT, "{}", "[]", "{}"))
    app.database.note_polled("imap:gm@imap.example.org", AT)


def test_an_idle_server_has_no_faults(app: Application) -> None:
    assert find_faults(StoreMaintenance(app.database).figures(), app.settings) == ()


def test_every_trouble_is_a_fault_when_it_lasts(app: Application, clock: Clock) -> None:
    trouble(app)
    settings = replace(app.settings, imap=IMAP)
    kinds = []
    for minutes in (1, 16, 31):
        clock.now = AT + timedelta(minutes=minutes)
        kinds.append([fault.kind for fault in find_faults(StoreMaintenance(app.database).figures(), settings)])
    assert kinds == [
        ["shunted"],
        ["unread", "late", "unpolled", "shunted"],
        ["unread", "unsent", "late", "unpolled", "shunted"],
    ]
    for fault in find_faults(StoreMaintenance(app.database).figures(), settings):
        assert alarms.fault_sentence(app, fault)


def test_letters_refused_alike_are_a_fault_before_they_are_late(app: Application, clock: Clock) -> None:
    """What comes after a letter that was sent counts; and only when it was refused to several recipients alike."""

    def present() -> list[tuple[str, tuple[tuple[str, str], ...]]]:
        faults = find_faults(StoreMaintenance(app.database).figures(), app.settings)
        assert all("@" not in alarms.fault_sentence(app, fault) for fault in faults)
        return [(fault.kind, fault.fields) for fault in faults]

    def queue(cause: str, *names: str) -> list[int]:
        with app.database.transaction() as store:
            for number, name in enumerate(names):
                new = replace(letter(f"{cause} {number}"), address=f"{name}@example.org")
                store.outbox.add(new, clock.now)
            return [row.id for row in store.outbox.all()][-len(names) :]

    first = queue("results", "ann", "bob", "cy", "ann")
    for number, row in enumerate(first):
        with app.database.transaction() as store:
            store.outbox.postpone(row, clock.now, f"554 5.7.1 <{number}@example.org>: denied")
    assert present() == []
    clock.now += timedelta(minutes=6)
    assert present() == [("postponed", (("answer", "554 5.7.1"), ("n", "3")))]
    for number, row in enumerate(first):
        with app.database.transaction() as store:
            store.outbox.mark_failed(row, f"552 5.7.0 <{number}@example.org>: spam")
    assert present() == [("refused", (("answer", "552 5.7.0"), ("n", "3")))]
    (last,) = queue("later", "cy")
    with app.database.transaction() as store:
        store.outbox.mark_sent(last, clock.now)
    assert present() == []
    for row, answer in zip(queue("own", "ann", "bob", "cy"), ("550 5.1.1", "550 5.2.1", "550 5.1.1"), strict=True):
        with app.database.transaction() as store:
            store.outbox.mark_failed(row, f"{answer} who")
    assert present() == []


def test_ages_are_written_in_words() -> None:
    assert [format_age(timedelta(minutes=m)) for m in (0, 25, 119, 120, 2879, 2880)] == [
        "0 min",
        "25 min",
        "119 min",
        "2 h",
        "47 h",
        "2 d",
    ]


def get(port: int, path: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=30) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def test_health_and_metrics_over_http(app: Application, clock: Clock) -> None:
    maintenance = StoreMaintenance(app.database)
    monitor = HealthMonitor(
        HealthConfig(port=0),
        maintenance.figures,
        lambda figures: find_faults(figures, app.settings),
        lambda fault: alarms.fault_sentence(app, fault),
    )
    monitor.start()
    try:
        assert get(monitor.port, "/healthz") == (200, "ok\n")
        trouble(app)
        clock.now += timedelta(hours=3)
        status, body = get(monitor.port, "/healthz")
        assert status == 503
        assert "3 h" in body
        status, body = get(monitor.port, "/metrics")
        assert status == 200
        for line in (
            'gm_letters_in{state="new"} 1.0',
            'gm_letters_out{state="queued"} 2.0',
            "gm_deadline_lag_seconds 10800.0",
            "gm_letters_shunted 1.0",
            'gm_mailbox_polled_seconds{mailbox="gm@imap.example.org"} 10800.0',
        ):
            assert line in body.splitlines()
        assert "ann@" not in body
        assert get(monitor.port, "/")[0] == 404
    finally:
        monitor.stop()


def test_a_database_that_is_away_is_ill_health_in_one_line() -> None:
    def look() -> StoreFigures:
        raise Unavailable("database gm cannot be reached")

    monitor = HealthMonitor(HealthConfig(port=0), look, lambda figures: (), lambda fault: "")
    monitor.start()
    try:
        assert get(monitor.port, "/healthz") == (503, "database gm cannot be reached\n")
        assert get(monitor.port, "/metrics") == (503, "database gm cannot be reached\n")
    finally:
        monitor.stop()


def test_silent_connections_hold_up_no_request(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Beyond the limit they are closed, and the log has one line."""
    monkeypatch.setattr(health, "MOST_TOGETHER", 3)
    monitor = HealthMonitor(HealthConfig(port=0), StoreFigures, lambda _: (), lambda fault: fault.kind)
    monitor.start()
    with ExitStack() as idle, capture_logs() as logs:
        idle.callback(monitor.stop)
        for _ in range(2):
            idle.enter_context(socket.create_connection(("127.0.0.1", monitor.port), 20))
        assert get(monitor.port, "/healthz") == (200, "ok\n")
        until(lambda: monitor._server._free._value == 1)  # the thread of that request has ended
        idle.enter_context(socket.create_connection(("127.0.0.1", monitor.port), 20))
        until(lambda: monitor._server._free._value == 0)
        for _ in range(2):
            with socket.create_connection(("127.0.0.1", monitor.port), 20) as refused:
                assert refused.recv(10) == b""
        monitor._server.handle_error(None, None)
    assert [line["event"] for line in logs] == ["too many connections: more are refused", "a request failed"]
    assert capsys.readouterr().err == ""


def test_an_alarm_goes_out_once_a_day_and_to_the_games_masters_once(
    app: Application, clock: Clock, tmp_path: Path
) -> None:
    heard = tmp_path / "heard"
    app = replace(app, settings=replace(app.settings, alarm_command=f"cat >> {heard}"))
    trouble(app)
    clock.now += timedelta(hours=1)
    for _ in range(3):
        alarms.raise_alarms(app)
        clock.now += timedelta(hours=1)
    with app.database.transaction() as store:
        sent = [row.letter for row in store.outbox.all() if row.letter.kind == "alarm"]
        told_of = [row.letter for row in store.outbox.all() if row.letter.address == "ruth@example.org"]
    assert [alarm.address for alarm in sent] == ["op@example.org"] * 4
    assert sorted(alarm.subject for alarm in sent) == [
        "[gm] a deadline is late",
        "[gm] letters are not being read",
        "[gm] letters cannot be sent",
        "[gm] letters were set aside",
    ]
    assert len(heard.read_text(encoding="utf-8").splitlines()) == 4
    assert len(told_of) == 1
    assert "results are late" in told_of[0].text
    clock.now += timedelta(days=1)
    alarms.raise_alarms(app)
    with app.database.transaction() as store:
        assert len([row for row in store.outbox.all() if row.letter.kind == "alarm"]) == 8


def test_without_an_operator_the_command_runs_once_a_day_for_each_kind(
    app: Application, clock: Clock, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also when the server is started again. No letter is queued for it."""
    heard = tmp_path / "heard"
    trouble(app)
    for hours, lines in ((1, 4), (2, 4), (3, 4), (25, 8)):
        app.database.close()
        alone = assemble(app.settings, clock=clock)
        settings = replace(app.settings, alarm_command=f"cat >> {heard}", masters=(), operators=())
        alone = replace(alone, settings=settings)
        clock.now = AT + timedelta(hours=hours)
        alarms.raise_alarms(alone)
        with alone.database.transaction() as store:
            store.outbox.expire(store.now())
        assert len(heard.read_text(encoding="utf-8").splitlines()) == lines
        with alone.database.transaction() as store:
            assert [row.letter.address for row in store.outbox.all() if row.state is OutboxState.QUEUED] == [
                "ann@example.org", "ann@example.org", "ruth@example.org"
            ]  # fmt: skip
        alone.database.close()
    output = capsys.readouterr()
    assert (output.out + output.err).count("alarm ") == 8


def test_a_game_that_cannot_be_laid_out_keeps_no_other_master_from_hearing(app: Application, clock: Clock) -> None:
    trouble(app)
    with app.database.transaction() as store:
        game = store.games.add(Game(0, "lost", "no such variant", GameState.RUNNING, due_at=AT - timedelta(hours=1)))
        store.games.add_seat(Seat(0, game.id, MASTER, store.people.by_address("ruth@example.org").id))  # type: ignore[union-attr]
    clock.now += timedelta(hours=1)
    alarms.raise_alarms(app)
    with app.database.transaction() as store:
        (told_of,) = [row.letter for row in store.outbox.all() if row.letter.address == "ruth@example.org"]
    assert "ostend" in told_of.subject


def test_an_operator_who_reads_german_gets_german_alarms(app: Application, clock: Clock) -> None:
    with app.database.transaction() as store:
        store.people.add(Person(0, "Ruth", ("op@example.org",), language="de"))
    trouble(app)
    alarms.raise_alarms(app)
    with app.database.transaction() as store:
        (sent,) = [row.letter for row in store.outbox.all() if row.letter.kind == "alarm"]
    assert sent.subject == "[gm] Briefe wurden beiseitegelegt"
    assert "gm shunted list" in sent.text


def test_only_the_alarm_command_reports_a_database_that_is_away(app: Application, tmp_path: Path) -> None:
    """No letter can be queued then. Once for as long as it lasts, and not of a restart."""
    heard, now = tmp_path / "heard", [0.0]
    settings = replace(app.settings, alarm_command=f"cat >> {heard}")
    watchman = alarms.AlarmWatch(replace(app, settings=settings), lambda: now[0])
    file, away = tmp_path / "gm.sqlite", tmp_path / "away.sqlite"

    def looks(*seconds: float) -> None:
        for second in seconds:
            now[0] += second
            with pytest.raises(Unavailable):
                watchman.look()

    def lose() -> None:
        app.database.close()
        file.rename(away)
        file.mkdir()

    def find() -> None:
        app.database.close()
        file.rmdir()
        away.rename(file)
        watchman.look()

    watchman.look()
    lose()
    looks(0, alarms.AWAY_MOST - 1)
    find()
    lose()
    looks(0, alarms.AWAY_MOST - 1)
    assert not heard.exists()
    looks(2, 1000)
    (line,) = heard.read_text(encoding="utf-8").splitlines()
    assert "The database cannot be used: database" in line
    find()
    lose()
    looks(0, alarms.AWAY_MOST)
    assert len(heard.read_text(encoding="utf-8").splitlines()) == 2
    find()


@pytest.mark.parametrize("lines", [(), ("letter 1 waits", "a deadline is late")])
def test_gm_healthy_asks_the_running_server(lines: tuple[str, ...]) -> None:
    faults = tuple(ServerFault(line) for line in lines)
    monitor = HealthMonitor(HealthConfig(port=0), StoreFigures, lambda _: faults, lambda fault: fault.kind)
    monitor.start()
    try:
        settings = Config(address="gm@example.org", health=HealthConfig(port=monitor.port, host="0.0.0.0"))
        assert ask_health(settings) == (not lines, "\n".join(lines) or "ok")
    finally:
        monitor.stop()
    with pytest.raises(GmError, match="is the server running"):
        ask_health(settings)
    with pytest.raises(GmError, match="health"):
        ask_health(Config(address="gm@example.org"))
