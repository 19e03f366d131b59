"""Whatever a player or a game master writes, in whatever order: every letter is read, and has one answer at most."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from support.dialogue import Block, DeskStage, Player
from support.paths import STARTED
from support.stores.memory_store import MemoryStore

from gm.game.model.records import InboxState
from gm.game.model.services import Services

SEATS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey", "GM", "GM", "GM")
MAP = """Par Bur Mar Spa Spa/sc Bre MAO Lon ENG NTH Lvp Mun Ruh Ber Kie Den Ven Rom Nap ION Vie Bud Tri Alb Gal War
Mos Sev BLA StP/sc StP/nc Ank Con Bul Smy Gre Ser Rum Bel Nwy Swe Tun Por Burgindy"""
PLACES = MAP.split()
NAMES = ("France", "Germany", "GM", "F", "Spain", "all")
PHASES = ("", "S1901M", "F1901M", "S1902M", "W1901A", "X9")
OUTCOMES = ("succeeds", "bounced", "cut", "void", "destroyed", "no-route", "illegal", "explodes")
WORDS = (
    *(
        "READY",
        "WAIT",
        "CLEAR",
        "HOLD REST",
        "SHOW",
        "STATUS",
        "HISTORY",
        "RULES",
        "HELP",
        "HELP gm",
        "TZ Europe/Paris",
    ),
    *("TZ moon", "BROADCAST\nhello\nENDPRESS", "YES", "MISSING", "START", "CREATE ostend", "CREATE a b c", "EXTEND 1d"),
    *("DEADLINE", "DEADLINE Friday 20:00", "DEADLINE yesterday", "DEADLINE 2026-13-45", "ANNOUNCE news\nwords"),
    *("SET PRESS no", "SET PRESS yes", "SET MOVES bananas", "SET GRACE 10 min", "Dear all,", "what a game!", "PROCESS"),
)


def unit(chance: Random) -> str:
    return f"{chance.choice('AF')} {chance.choice(PLACES)}"


def order(chance: Random) -> str:
    first, second, place = unit(chance), unit(chance), chance.choice(PLACES)
    kinds = (f"{first} - {place}", f"{first} H", f"{first} S {second}", f"{first} S {second} - {place}")
    rare = (f"{first} C {second} - {place}", f"{first} D", f"Build {first}", f"Remove {first}", "Waive")
    return chance.choice((*kinds, *kinds, *rare))


def request(chance: Random) -> str:
    name, phase, line = chance.choice(NAMES), chance.choice(PHASES), order(chance)
    made = (
        *(f"PRESS TO {name}\nhello\nENDPRESS", f"PRESS TO {name}, Italy\n\nENDPRESS", f"PROCESS {phase}"),
        *(f"FORCE {line}", f"FORCE {unit(chance)}: {line}", f"STRIKE {unit(chance)}", f"CLEAR {unit(chance)}"),
        *(f"AS {name}\n{line}\nREADY\nPRESS TO Italy\nEND AS", f"AS {name}\n{line}", f"ROLLBACK {phase}", "ROLLBACK"),
        *(f"OVERRULE {line}: {chance.choice(OUTCOMES)}", f"HISTORY {phase}", f"SEAT {name}: Jo <jo@example.org>"),
    )
    return chance.choice((*made, chance.choice(WORDS)))


def letter(chance: Random, player: Player, number: int) -> Block | None:
    """From a seat, as a reply to something it got, or to its address."""
    seat = chance.choice(SEATS)
    with player.stage.transaction() as store:
        game = store.games.by_name("ostend")
        assert game
        held = [row for row in store.games.seats(game.id) if row.power == seat and row.person is not None]
        if not held or held[0].person is None:
            return None
        address = store.people.get(held[0].person).addresses[0]
    got = player.got[address]
    to = f"Reply: {chance.choice(got).subject}" if got and chance.random() < 0.6 else f"To: ostend {seat}"
    lines = [
        order(chance) if chance.random() < 0.5 and seat != "GM" else request(chance)
        for _ in range(chance.randint(1, 5))
    ]
    return Block(number, ">>", f"{seat} <{address}>", [to, "", *"\n".join(lines).split("\n")])


@pytest.mark.parametrize("seed", range(6))
def test_no_letter_is_ever_shunted(seed: int, services: Services) -> None:
    chance = Random(seed)
    store = MemoryStore(datetime(2026, 3, 1, 9, 0, tzinfo=UTC))
    stage = DeskStage(services, store, store)
    player = Player(stage, f"seed {seed}")
    player.begin(STARTED)
    for number in range(40):
        block = letter(chance, player, number)
        if block is not None:
            player.play([block])
        if chance.random() < 0.3:
            stage.go_to(stage.now() + timedelta(hours=chance.choice((1, 5, 30, 60))))
            player.settle()
    states = Counter(row.state for row in store.data.inbox.values())
    assert set(states) <= {InboxState.DONE}
    answered = Counter(
        row.letter.cause.split(":seat")[0]
        for row in store.data.outbox.values()
        if row.letter.kind in ("answer", "plain")
    )
    assert set(answered.values()) == {1}
