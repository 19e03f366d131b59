"""A clock that looks at games when there is something to see, against one that looks at every game at every tick."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from support.dialogue import DeskStage, Player, read
from support.paths import DIALOGUES
from support.services import ORDERS, START, envelope
from support.stores.memory_store import Data, MemoryGames, MemoryStore

from gm.game.clock import clock
from gm.game.model.services import Services

MINUTE = timedelta(minutes=1)
OUTAGE = timedelta(hours=1)
BEHIND = timedelta(minutes=20)
"""How far the mailbox is read where polling lags: then nothing that is due may fire yet."""
MASTER = (
    *("PAUSE", "PAUSE until {day} {month}", "RESUME", "LOCK", "UNLOCK", "PROCESS", "ROLLBACK\nYES", "REDO"),
    *("SET nmr wait", "SET nmr stop", "SET nmr hold", "SET grace 2 h", "SET grace no", "NMR {power}: PARDON"),
    *("SET reminder 12 h", "SET reminder no", "SET wait_policy complete", "SET wait_policy ready", "EXTEND 1d"),
    *("POLL Shall we? DAYS 1", "POLL Shall we?\nPOLL And now? SECRET", "CLOSE POLL 1", "SEAT {power}:"),
    *(
        "PRESS TO {power}\nHurry up.\nENDPRESS",
        "CLEAR {power}",
        "AS {power}\n{order}\nEND AS",
        "DEADLINE {day} {month}",
    ),
)
PLAYER = (
    *("{order}", "{order}\nREADY", "READY", "WAIT", "CLEAR", "VOTE 1 YES", "VOTE 2 NO", "VOTE 1 NONE", "UNREADY"),
    *("ABSENCE {day} {month} TO {later} {month}", "CANCEL ABSENCE", "EXTEND 2d", "RESIGN", "VOTE DRAW", "STATUS"),
    *("PRESS TO {other}\nAll quiet.\nENDPRESS", "message {other}: All quiet.", "{order}\nA Foo - Bar", "SET WAIT"),
)
PLAYERS = {
    "ostend": ORDERS,
    "lisbon": {
        "Spain": ("ines", "intercept Mexico to Japan"),
        "Mexico": ("teo", "protect against Spain"),
        "Japan": ("aki", "protect against Mexico"),
    },
}
FIRST = {"ostend": "started.part", "lisbon": "fin-de-siecle-started.part"}
WAITS = (1, 7, 15, 50, 6 * 60, 30 * 60, 5 * 24 * 60)
"""Minutes."""
STEPS = st.one_of(
    st.tuples(st.just("wait"), st.sampled_from(WAITS), st.booleans()),
    st.tuples(st.just("master"), st.sampled_from(MASTER), st.integers(0, 6)),
    st.tuples(st.just("player"), st.sampled_from(PLAYER), st.integers(0, 6)),
    st.tuples(st.just("all"), st.sampled_from(PLAYER[:2]), st.integers(0, 6)),
)

Step = tuple[str, str | int, int]
DAY, LONG = ("wait", 30 * 60, False), ("wait", 5 * 24 * 60, False)
KNOWN: dict[str, list[list[Step]]] = {
    "ostend": [
        [("master", "PAUSE until {day} {month}", 0), DAY, DAY, DAY],
        [("master", "SET nmr wait\nSET grace 2 h\nSET reminder 12 h", 0), ("player", "{order}", 0), LONG, DAY, DAY],
        [("master", "POLL Shall we? DAYS 1", 0), ("player", "VOTE 1 YES", 0), ("wait", 30 * 60, True)],
    ],
    "lisbon": [[("player", "message {other}: All quiet.", 0), ("wait", 15, False), ("wait", 15, False)]],
}
"""Histories in which something comes by the hour alone."""


class EveryGame(MemoryGames):
    def ids_to_check(self, now: datetime) -> tuple[int, ...]:
        return tuple(game.id for game in (*self.running(), *self.forming()))


class Clocks:
    """The same history, under both clocks."""

    def __init__(self, services: Services, name: str, begun: MemoryStore) -> None:
        self.name, self.seats = name, PLAYERS[name]
        self.stores = [MemoryStore(begun.now(), envelope=envelope) for _ in range(2)]
        self.stores[1].games = EveryGame(self.stores[1])
        self.players = []
        for store in self.stores:
            store.data = begun.data.copy()
            self.players.append(Player(DeskStage(services, store, store), "looks"))

    def wait(self, minutes: int, lags: bool) -> None:
        """Work goes on meanwhile, so that it is no outage, unless it is days."""
        end, step = self.stores[0].now() + minutes * MINUTE, timedelta(minutes=50 if minutes < 48 * 60 else minutes)
        while self.stores[0].now() < end:
            self.tick(min(end, self.stores[0].now() + step), lags=lags)
        self.tick(end, lags=False)

    def tick(self, now: datetime, *, lags: bool) -> None:
        for player in self.players:
            player.stage.go_to(now)
            clock.tick(player.stage.services, player.stage.transaction, now - BEHIND if lags else None)
        self.compare()

    def write(self, who: str, words: str, at: int) -> None:
        power, (name, order) = list(self.seats.items())[at % len(self.seats)]
        other = list(self.seats)[(at + 1) % len(self.seats)]
        day = self.stores[0].now() + timedelta(days=2)
        filled = words.format(
            power=power, other=other, order=order, day=day.day, later=min(28, day.day + 3), month=f"{day:%b}"
        )
        name, power = ("ruth", "GM") if who == "master" else (name, power)
        block = f">> {name} <{name}@example.org>\nTo: {self.name} {power}\nAuth: pass\n\n{filled}\n"
        for player in self.players:
            player.may_shunt = False
            player.play(read(block)[1])
        self.compare()

    def compare(self) -> None:
        seen, all_seen = (_told(store.data) for store in self.stores)
        for part in seen:
            assert seen[part] == all_seen[part], f"{part} at {self.stores[0].now()}"


def _told(data: Data) -> dict[str, object]:
    return {name: rows for name, rows in vars(data).items() if name != "look_at"}


@pytest.fixture
def begun(services: Services) -> Callable[[str], MemoryStore]:
    kept: dict[str, MemoryStore] = {}

    def of(name: str) -> MemoryStore:
        if name not in kept:
            kept[name] = MemoryStore(START, envelope=envelope)
            player = Player(DeskStage(services, kept[name], kept[name]), "begun")
            player.begin(DIALOGUES / FIRST[name])
        return kept[name]

    return of


@pytest.mark.parametrize("name", FIRST)
@pytest.mark.parametrize("outage", [timedelta(0), OUTAGE], ids=["", "outage"])
def test_the_clock_misses_nothing(
    services: Services, begun: Callable[[str], MemoryStore], name: str, outage: timedelta
) -> None:
    watching = replace(services, outage=outage)

    def history(steps: list[Step]) -> None:
        clocks = Clocks(watching, name, begun(name))
        for what, how, number in steps:
            if what == "wait":
                clocks.wait(int(how), bool(number))
            elif what == "all":
                for at in range(len(clocks.seats)):
                    clocks.write("player", str(how), at)
            else:
                clocks.write(what, str(how), number)

    for steps in KNOWN[name]:
        history(steps)
    settings(max_examples=5, deadline=None)(given(st.lists(STEPS, min_size=4, max_size=12))(history))()
