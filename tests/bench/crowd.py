"""Very many games in a database: one is made by letters, as a game master does, the others are copies of its rows.

Each copy has players and game masters of its own, so nobody sits at two tables. Garbage is looked for as seldom as
under the command `gm`.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import Connection, insert, select, update

from bench import ours, phases
from bench.senders import Post
from gm.__main__ import GARBAGE_LEAST
from gm.config import Config, Secret
from gm.game.clock import clock
from gm.game.intake import arrivals
from gm.game.intake import inbox as intake
from gm.game.model.records import InboxRow, OutboxRow, OutboxState
from gm.language.rendering.order_text import statement
from gm.server.service import SENT_AT_ONCE
from gm.server.wiring import Application, assemble
from gm.store.schema import tables as t

AUTHSERV = "mx.gm.example"
MASTER = "ruth@amsel.example"
POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
SEED = "crowd"
APART = 1000
"""So many numbers are left between the snapshots of one game and the next: played turns take theirs from there."""
LATER = datetime(2030, 1, 1, tzinfo=UTC)
"""Long after everything that is measured."""


class Crowd:
    """`hands` is what the clock shows."""

    def __init__(self, folder: Path, database: str = "") -> None:
        gc.set_threshold(GARBAGE_LEAST)
        settings = Config(
            address="gm@gm.example",
            database=database or str(folder / "gm.sqlite"),
            secret=Secret("a secret that is only good for measuring"),
            authserv_id=AUTHSERV,
            masters=(MASTER,),
            map_wait_seconds=0,
        )
        self.hands = datetime(2026, 3, 2, 10, tzinfo=UTC)
        self.app: Application = assemble(settings, clock=lambda: self.hands)
        self.app.database.upgrade()
        self.games = 0

    def close(self) -> None:
        self.app.database.close()

    def start_first_game(self) -> None:
        """The first game, and nothing left to be sent."""
        seats = "\n".join(f"SEAT {power}: {power} <{power.lower()}0@players.example>" for power in POWERS)
        words = f"CREATE g0 standard\nzone: UTC\nmoves: Sundays 20:00\nSET REMINDER 0\n{seats}\nSTART\n"
        self.take(letter(0, MASTER, "gm@gm.example", words))
        self.read()
        with self.app.database.write_connection() as connection:
            connection.execute(t.outbox.update().values(state=OutboxState.SENT))
            self.first = _first_rows(connection)
        self.games = 1

    def grow(self, games: int) -> None:
        with self.app.database.write_connection() as connection:
            while self.games < games:
                here = min(games - self.games, 250)
                for table, rows in _copies(self.first, range(self.games, self.games + here)).items():
                    connection.execute(insert(t.metadata.tables[table]), rows)
                self.games += here

    def take(self, raw: bytes) -> None:
        key = str(hash(raw))
        row = InboxRow(0, "bench", key, self.hands, raw, MASTER, ("gm@gm.example",))
        arrivals.accept(self.app.database.transaction, row)

    def read(self) -> int:
        """How many letters."""
        count = 0
        while read := intake.read_some(self.app.services, self.app.database.transaction):
            count += read
        return count

    def read_all(self, games: range, most: int = 7) -> None:
        """So many letters of each game."""
        for game in games:
            for _, _, raw in islice(self.letters(range(game, game + 1)), most):
                self.take(raw)
        self.read()

    def tick(self) -> int:
        return clock.tick(self.app.services, self.app.database.transaction, None)

    def fall_due(self, games: range) -> None:
        """Their deadline has just passed."""
        these = t.game.c.id.in_([game + 1 for game in games])
        with self.app.database.write_connection() as connection:
            connection.execute(update(t.game).where(these).values(due_at=self.hands, look_at=self.hands))
        self.hands += timedelta(minutes=1)

    def send(self) -> int:
        """Hand everything that is queued to a relay that takes it at once; how many letters."""
        relay = Nowhere()
        while clock.send(self.app.database.transaction, relay, most=SENT_AT_ONCE):
            pass
        return relay.count

    def letters(self, games: range) -> Iterator[Post]:
        """Seven for each game, legal orders for every unit of the opening."""
        variant = ours.standard(ours.library())
        post = self.app.services.post
        with self.app.database.transaction() as store:
            seats = {game: [s for s in store.games.seats(game + 1) if s.power in POWERS] for game in games}
        for game in games:
            fought = phases.battle(variant.start.board, variant.kinds, variant.start.units, Random(f"{SEED}/{game}"))
            for seat in seats[game]:
                orders = [statement(order, "M") for unit, order in fought.items() if unit.power == seat.power]
                sender, to = f"{seat.power.lower()}{game}@players.example", post.reply_address(f"g{game}", seat)
                yield sender, to, letter(seat.id, sender, to, "\n".join(orders) + "\n")


class Nowhere:
    count = 0

    def send(self, row: OutboxRow) -> None:
        self.count += 1


def letter(number: int, sender: str, to: str, words: str) -> bytes:
    domain = sender.partition("@")[2]
    return (
        f"Authentication-Results: {AUTHSERV}; dmarc=pass header.from={domain}\r\n"
        f"From: {sender}\r\nTo: {to}\r\nMessage-ID: <{number}.{hash(words)}@{domain}>\r\n"
        f"Date: Mon, 02 Mar 2026 10:00:00 +0000\r\nSubject: orders\r\n"
        f"Content-Type: text/plain; charset=utf-8\r\n\r\n{words}"
    ).encode()


Rows = dict[str, list[dict[str, Any]]]


def _first_rows(connection: Connection) -> Rows:
    """The first game's, while it is the only one."""
    names = ("person", "address", "game", "setting", "snapshot", "seat")
    return {
        name: [dict(row) for row in connection.execute(select(t.metadata.tables[name])).mappings()] for name in names
    }


def _copies(first: Rows, numbers: range) -> Rows:
    """The rows of more games like the first."""
    made: Rows = {name: [] for name in first}
    for number in numbers:
        for name, rows in first.items():
            for old in rows:
                moved = _moved(name, old, number, number + 1, len(first["person"]), len(first["seat"]))
                made[name].append(old | moved)
    return made


def _moved(table: str, old: dict[str, Any], number: int, game: int, people: int, seats: int) -> dict[str, Any]:
    if table == "person":
        return {"id": old["id"] + number * people}
    if table == "address":
        return {
            "person": old["person"] + number * people,
            "address": old["address"].replace("0@", f"{number}@")
            if "0@" in old["address"]
            else f"{number}.{old['address']}",
        }
    if table == "game":
        named = {"id": game, "name": f"g{number}", "folded": f"g{number}", "snapshot": old["snapshot"] + number * APART}
        return named | {"due_at": LATER, "look_at": LATER, "news": False}
    if table == "snapshot":
        return {"id": old["id"] + number * APART, "game": game}
    if table == "seat":
        return {"id": old["id"] + number * seats, "game": game, "person": old["person"] + number * people}
    return {"game": game}
