"""Outages postpone deadlines: on the store in memory, on SQLite and with several nodes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from msgspec.structs import replace
from support.dialogue import DeskStage, Player, read
from support.paths import STARTED
from support.services import envelope
from support.stores.postgresql import ready_postgresql

from gm.game.clock import clock
from gm.game.deadlines import outages
from gm.game.model.records import Game
from gm.game.model.services import Services
from gm.store.database import Database

DUE = datetime.fromisoformat("2026-03-08T20:00:00Z")
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def player(stage: DeskStage) -> Player:
    """A game due on Sunday 8 March, 20:00, and a server that records its heartbeat."""
    stage.services = replace(stage.services, outage=HOUR)
    dialogue_player = Player(stage, "outages")
    dialogue_player.begin(STARTED)
    dialogue_player.boxes.clear()
    return dialogue_player


def game(stage: DeskStage) -> Game:
    with stage.transaction() as store:
        ostend = store.games.by_name("ostend")
    assert ostend
    return ostend


def work(player: Player, until: datetime, polled: datetime | None = None) -> None:
    """The server worked until then; its mailbox was read up to `polled`."""
    stage = player.stage
    with stage.transaction() as store:
        if polled is None:
            store.heartbeat.note(until)
    stage.go_to(until)
    clock.tick(stage.services, stage.transaction, polled)
    if polled is None:
        player.settle()


def back(player: Player, at: datetime) -> None:
    """The server was down and is up again."""
    player.stage.go_to(at)
    player.settle()


OUTAGES = [
    # down since, up again (hours before and after the deadline) -> hours that the deadline moves by; None: resolved
    ("over it", -10, 5, 48),
    ("over it, for days", -50, 100, 24 * 6),
    ("short, over it", -0.5, 0.4, None),
    ("an hour at most", -0.5, 0.5, None),
    ("long, from just before it", -0.1, 5, 48),
    ("long before it", -60, -20, 0),
    ("an hour and more of the last half day", -13, -10, 24),
    ("just before it", -3, -0.1, 24),
    ("short, just before it", -0.9, -0.1, 0),
]


@pytest.mark.parametrize(("since", "until", "hours"), [row[1:] for row in OUTAGES], ids=[row[0] for row in OUTAGES])
def test_a_deadline_that_an_outage_touches_is_moved_once(
    player: Player, stage: DeskStage, since: float, until: float, hours: float | None
) -> None:
    work(player, DUE + since * HOUR)
    back(player, DUE + until * HOUR)
    kept = game(stage)
    if hours is None:
        assert kept.phase == "F1901M"
        return
    assert kept.phase == "S1901M"
    assert kept.due_at == DUE + hours * HOUR
    notices = [letter for box in player.boxes.values() for letter in box if "server was down" in letter.text]
    assert len(notices) == (8 if hours else 0)
    back(player, stage.now() + MINUTE)
    assert game(stage).due_at == DUE + hours * HOUR
    work(player, DUE + hours * HOUR)
    assert game(stage).phase == "F1901M"
    due = game(stage).due_at
    assert due is not None
    assert (due - DUE) % timedelta(days=7) == timedelta(0)  # the grid is where it was


def test_an_outage_during_a_pause_changes_nothing(player: Player, stage: DeskStage) -> None:
    with stage.transaction() as store:
        store.games.save(replace(game_in(store), due_at=None, paused_at=store.now()))
    work(player, DUE - 10 * HOUR)
    back(player, DUE + 50 * HOUR)
    assert game(stage).due_at is None
    assert not any(player.boxes.values())


def game_in(store) -> Game:  # type: ignore[no-untyped-def]
    ostend = store.games.by_name("ostend")
    assert ostend
    return ostend


def test_a_mailbox_that_cannot_be_read_over_a_deadline(player: Player, stage: DeskStage) -> None:
    """Deadlines wait for it at first; after an hour they are moved, also before the mailbox is back."""
    stale = DUE - HOUR / 4
    work(player, stale, polled=None)
    work(player, DUE + HOUR / 2, polled=stale)
    assert (game(stage).phase, game(stage).due_at) == ("S1901M", DUE)
    work(player, DUE + HOUR, polled=stale)
    moved = game(stage).due_at
    assert moved == DUE + 48 * HOUR
    work(player, DUE + 3 * HOUR, polled=stale)
    assert game(stage).due_at == moved
    player.settle()  # read again
    assert game(stage).due_at == moved
    work(player, DUE + 47 * HOUR)
    assert (game(stage).phase, game(stage).due_at) == ("S1901M", moved)


def test_a_mailbox_that_comes_back_shortly_before_the_deadline(player: Player, stage: DeskStage) -> None:
    stale = DUE - 8 * HOUR
    work(player, stale, polled=None)
    work(player, DUE - HOUR, polled=stale)
    assert game(stage).due_at == DUE
    player.settle()
    assert game(stage).due_at == DUE + 24 * HOUR


@pytest.mark.parametrize("days", [1, 10, 400])
def test_a_clock_that_jumps_resolves_no_phase(player: Player, stage: DeskStage, days: int) -> None:
    work(player, DUE - 3 * HOUR)
    back(player, DUE - 3 * HOUR + timedelta(days=days))
    assert game(stage).phase == "S1901M"
    assert game(stage).due_at > stage.now() + 23 * HOUR  # type: ignore[operator]
    back(player, DUE - 2 * HOUR)
    back(player, DUE + HOUR / 2)
    assert game(stage).phase == "S1901M"
    back(player, stage.now() - timedelta(days=days))
    assert game(stage).phase == "S1901M"


@pytest.fixture
def nodes(services: Services) -> Iterator[tuple[DeskStage, DeskStage]]:
    """Two nodes on one PostgreSQL, by one clock."""
    url = ready_postgresql()
    hour_hand = Hand()
    databases = [Database(url, clock=lambda: hour_hand.clock, envelope=envelope) for _ in range(2)]
    databases[0].upgrade()
    watched = replace(services, outage=HOUR)
    first, second = (DeskStage(watched, database, hour_hand) for database in databases)
    yield first, second
    for database in databases:
        database.close()


class Hand:
    clock = datetime.fromisoformat("2026-03-02T09:00:00Z")


def test_with_several_nodes_an_outage_means_that_none_worked(nodes: tuple[DeskStage, DeskStage]) -> None:
    first, second = nodes
    player = Player(first, "nodes")
    player.play(read(STARTED.read_text(encoding="utf-8"))[1])
    work(player, DUE - 10 * HOUR)
    for _ in range(12):  # the first is away, the second goes on
        second.go_to(second.now() + HOUR)
        clock.tick(second.services, second.transaction, None)
    assert game(first).phase == "F1901M"
    due = game(first).due_at
    assert due is not None
    second.go_to(due + 3 * HOUR)  # none is
    outages.check_outage(first.services, first.transaction, None)
    moved = game(second).due_at
    assert moved == due + 48 * HOUR
    outages.check_outage(second.services, second.transaction, None)
    assert game(first).due_at == moved
