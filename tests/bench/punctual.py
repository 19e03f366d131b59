"""Many games due at one instant: does every letter leave within map_wait, and how many take their map along?

    python -m bench.punctual [--games 1000] [--wait 300]

A SQLite file, the real desk, painter processes on every core and a relay that swallows letters, as `gm serve` puts
them together; seven players and a game master for each game, Standard, one orders' phase played by dice. Real seconds.
"""

from __future__ import annotations

import argparse
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from msgspec.structs import replace
from support import scripted_players as player
from support.standard_game import NAMES

from bench import ours
from gm.game.clock import clock
from gm.game.model.records import Game, GameState, InboxRow, Letter, OutboxRow, Person, Seat, Sheet, SheetLine, Snapshot
from gm.game.model.reply_addresses import ReplyAddresses
from gm.game.model.services import Services
from gm.judge.model.variant import Variant
from gm.language.formats import stored_values as codec
from gm.language.rendering import order_text as write
from gm.language.rendering.templates import LetterTemplates
from gm.resources import folder
from gm.server.map_worker import MapWorkers
from gm.server.worker import Worker
from gm.store.database import Database

DONE_SECONDS = 3600


@dataclass
class Relay:
    """Takes every letter at once, and remembers how long after the deadline, and whether with its map."""

    begun: float = 0.0
    sent: Counter[bool] = field(default_factory=Counter)
    last: dict[bool, float] = field(default_factory=dict)

    def send(self, row: OutboxRow) -> None:
        if row.letter.kind == "results":
            self.sent[bool(row.pictured)] += 1
            self.last[bool(row.pictured)] = time.monotonic() - self.begun


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.punctual")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--wait", type=int, default=300, help="map_wait_seconds")
    options = parser.parse_args()
    with TemporaryDirectory() as where, closing(Database(Path(where) / "gm.sqlite")) as database:
        database.upgrade()
        services = _office(timedelta(seconds=options.wait))
        variant = services.variant("standard", {})
        for number in range(options.games):
            _game(database, variant, number)
        print(*_run(services, database, options.games), sep="\n")


def _office(wait: timedelta) -> Services:
    library = ours.library()
    return Services(
        variant=library.variant,
        variant_ids=library.ids(),
        post=ReplyAddresses("gm@gm.example", b"a secret of thirty-two bytes ....", catch_all=False),
        letters=LetterTemplates(folder("templates")),
        open_letter=_opened,
        map_wait=wait,
    )


def _opened(row: InboxRow) -> Letter:
    raise AssertionError("no letter comes in here")


def _game(database: Database, variant: Variant, number: int) -> None:
    """Due now, with everybody's orders on file."""
    position, dice = variant.start, Random(number)
    phase = variant.phase_name(position)
    with database.transaction() as store:
        now = store.now()
        game = store.games.add(Game(0, f"game-{number}", variant.id))
        at = (now - timedelta(days=2), codec.position_to_text(position, variant), codec.events_to_text(()), "")
        snapshot = store.turns.add_snapshot(Snapshot(0, game.id, 0, 0, "", phase, 1, *at))
        game = replace(game, state=GameState.RUNNING, phase=phase, snapshot=snapshot.id, opened_at=at[0], due_at=now)
        store.games.save(game)
        for power in NAMES:
            person = store.people.add(Person(0, power, (f"{power.lower()}{number}@example.org",)))
            store.games.add_seat(Seat(0, game.id, power, person.id))
        book = player.orders(variant, position, dice)
        for author, power in book.sheets:
            texts = (entry.statement for entry in book.sheets[author, power])
            lines = tuple(SheetLine(text.slot, write.statement(text, letter=phase[-1:])) for text in texts)
            store.turns.add_sheet(Sheet(game.id, phase, snapshot.id, author, power, 1, lines, at=now))


def _run(services: Services, database: Database, games: int) -> Iterator[str]:
    relay, tx = Relay(), database.transaction
    with closing(MapWorkers((folder("variants"),))) as map_workers:
        sender = Worker("sender", lambda: clock.send(tx, relay, services))
        map_worker = Worker("painter", lambda: map_workers.work(services, tx, sender.ring))
        relay.begun = time.monotonic()
        for worker in (sender, map_worker):
            worker.start()
        resolved, resolving = 0, True
        while resolving:
            resolving = bool(clock.tick(services, tx, datetime.now(UTC) + timedelta(days=1)))
            resolved += resolving
            map_worker.ring()
        adjudicated = time.monotonic() - relay.begun
        ended = threading.Event()
        while sum(relay.sent.values()) < games * len(NAMES) and time.monotonic() - relay.begun < DONE_SECONDS:
            sender.ring()
            map_worker.ring()
            ended.wait(0.5)
        for worker in (map_worker, sender):
            worker.stop()
            worker.join(60)
    whole = sum(relay.sent.values())
    yield f"{games} games of {datetime.now(UTC):%Y-%m-%d}, {map_workers.cores} cores, map_wait {services.map_wait}"
    yield f"  adjudicated and letters queued in {adjudicated:.0f} s"
    for shown, words in ((True, "with its map"), (False, "without")):
        yield f"  {relay.sent[shown]:5} of {whole} letters {words}, the last after {relay.last.get(shown, 0.0):.0f} s"


if __name__ == "__main__":
    main()
