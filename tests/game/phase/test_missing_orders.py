"""Letters that come after a deadline while the game waits for somebody, read before anybody has looked at the clock."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from msgspec.structs import replace
from support.dialogue import DeskStage, Player, read
from support.paths import STARTED
from support.services import ORDERS, START, envelope
from support.stores.memory_store import MemoryStore

from gm.game.clock import clock
from gm.game.intake import inbox as intake
from gm.game.model.services import Services

DUE = datetime.fromisoformat("2026-03-08T20:00:00Z")


@pytest.fixture
def player(services: Services) -> Player:
    store = MemoryStore(START, envelope=envelope)
    dialogue_player = Player(DeskStage(services, store, store), "lateness")
    dialogue_player.begin(STARTED)
    return dialogue_player


def say(player: Player, power: str, words: str, *, hold: bool = False) -> None:
    name = "ruth" if power == "GM" else ORDERS[power][0]
    held = "Hold: yes\n" if hold else ""
    player.play(read(f">> {name} <{name}@example.org>\nTo: ostend {power}\n{held}\n{words}\n")[1])


def sheet(player: Player, power: str) -> tuple[str, ...]:
    with player.stage.transaction() as store:
        game = store.games.by_name("ostend")
        assert game
        latest = store.turns.sheet(game.id, game.snapshot, power, power)
    return tuple(line.text for line in latest.lines) if latest else ()


@pytest.mark.parametrize(
    ("policy", "late", "after", "taken"),
    [
        ("stop", ("Turkey",), timedelta(minutes=1), True),
        ("stop", ("Turkey",), timedelta(days=9), True),
        ("stop", (), timedelta(minutes=1), False),
        ("wait", ("Turkey",), timedelta(hours=23), True),
        ("wait", ("Turkey",), timedelta(hours=25), False),
        ("wait", (), timedelta(minutes=1), False),
        ("hold", ("Turkey",), timedelta(minutes=1), False),
    ],
)
def test_a_letter_after_the_deadline_counts_while_the_game_waits(
    player: Player, policy: str, late: tuple[str, ...], after: timedelta, taken: bool
) -> None:
    say(player, "GM", f"SET nmr {policy}")
    for power, (_, order) in ORDERS.items():
        if power not in late:
            say(player, power, order)
    stage = player.stage
    stage.go_to(DUE + after)
    say(player, "France", "F Bre - MAO", hold=True)
    while intake.read_some(stage.services, stage.transaction):
        pass
    assert ("F Bre - MAO" in sheet(player, "France")) is taken


def test_ready_without_orders_is_no_orders_and_orders_need_no_ready(player: Player) -> None:
    say(player, "GM", "SET nmr wait\nSET grace 2 h")
    for power, (_, order) in ORDERS.items():
        say(player, power, "READY" if power == "Turkey" else order)
    player.boxes.clear()
    player.stage.go_to(DUE)
    player.settle()
    letters = player.boxes["luc@example.org"]
    assert ["without orders from Turkey." in " ".join(letter.text.split()) for letter in letters] == [True]
    player.stage.go_to(DUE + timedelta(hours=2))
    clock.tick(player.stage.services, player.stage.transaction, None)
    with player.stage.transaction() as store:
        game = store.games.by_name("ostend")
    assert game is not None
    assert game.phase == "F1901M"


def test_nobody_waits_for_a_player_without_a_power(player: Player) -> None:
    """An empty seat holds; a letter to all names only who could have written."""
    say(player, "GM", "SET nmr stop\nSEAT Turkey:")
    for power, (_, order) in ORDERS.items():
        if power != "Turkey":
            say(player, power, order)
    player.stage.go_to(DUE)
    player.settle()
    with player.stage.transaction() as store:
        game = store.games.by_name("ostend")
    assert game is not None
    assert game.phase == "F1901M"
    assert replace(game, held=0) == game
