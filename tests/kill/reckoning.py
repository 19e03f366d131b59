"""What must be true after the fire, from the database and from what crossed the sockets."""

from __future__ import annotations

import email
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from sqlalchemy import select

from gm.desk.records import InboxState, OutboxState, Snapshot
from gm.desk.schedule import After, next_due
from gm.desk.turn import LAG
from gm.store import tables as t
from gm.store.database import Database
from gm.store.rows import record
from gm.text import codec
from gm.text.write import statement as written
from gm.wiring import variants
from kill.field import PHASE, Field


@dataclass(frozen=True)
class Letter:
    name: str
    sender: str
    words: str
    at: datetime
    state: InboxState


@dataclass(frozen=True)
class Tally:
    """Figures of a run that went well."""

    kills: int
    letters: int
    results: int
    sent: int
    repeats: int

    def __str__(self) -> str:
        return (
            f"{self.kills} kills: {self.letters} letters accepted and processed once, {self.results} deadlines with "
            f"one result each, {self.sent} letters sent, {self.repeats} of them twice (with the same Message-ID)"
        )


def reckon(field: Field) -> Tally:
    """AssertionError where a promise was broken."""
    database = Database(field.database, alone=False)
    try:
        letters = _letters(database)
        _each_letter_once(field, letters)
        results = sum(_one_result_each(field, database, game, letters) for game in field.games)
        sent, repeats = _each_letter_sent(field, database)
    finally:
        database.close()
    _no_traceback(field.folder)
    return Tally(field.kills, len(field.accepted), results, sent, repeats)


def _letters(database: Database) -> list[Letter]:
    found = []
    with database.connected() as connection:
        for row in connection.execute(select(t.inbox).order_by(t.inbox.c.received_at, t.inbox.c.id)).mappings():
            message = email.message_from_bytes(row["raw"])
            words = str(message.get_payload()).strip()
            name = str(message["Message-ID"]).strip("<>")
            found.append(Letter(name, str(message["From"]), words, row["received_at"], row["state"]))
    return found


def _each_letter_once(field: Field, letters: list[Letter]) -> None:
    counted = Counter(letter.name for letter in letters)
    lost = [name for name in field.accepted if not counted[name]]
    assert not lost, f"accepted and lost: {lost}"
    assert max(counted.values()) == 1, "a letter is there twice"
    undone = [letter for letter in letters if letter.state is not InboxState.DONE]
    assert not undone, f"not processed: {undone}"


def _one_result_each(field: Field, database: Database, name: str, letters: list[Letter]) -> int:
    with database.connected() as connection:
        game = connection.execute(select(t.game).where(t.game.c.name == name)).mappings().one()
        query = select(t.snapshot).where(t.snapshot.c.game == game["id"]).order_by(t.snapshot.c.id)
        chain = [record(Snapshot, row) for row in connection.execute(query).mappings()]
    assert [one.previous for one in chain] == [0, *(one.id for one in chain[:-1])], f"{name}: two results of one phase"
    assert [one.resolved for one in chain[1:]] == [one.phase for one in chain[:-1]]
    for opened, due, resolved in _phases(chain):
        assert resolved.at >= due, f"{name}: {resolved.resolved} was resolved early"
        _orders_on_file(name, resolved, [one for one in letters if opened <= one.at < due])
    return len(chain) - 1


def _phases(chain: list[Snapshot]) -> Iterator[tuple[datetime, datetime, Snapshot]]:
    """Of each phase resolved: when it opened, its deadline, and its snapshot.

    A letter that names no phase and comes between a deadline and the results is late for the one, not early for the
    next: its writer had not seen them. One that comes while the game is being founded waits for it.
    """
    opened, due = chain[0].at - timedelta(days=1), after(chain[0].at)
    for one in chain[1:]:
        yield opened, due, one
        opened, due = one.at, after(due if one.at < due + LAG else one.at)


def after(opened: datetime) -> datetime:
    due = next_due(After(0, PHASE, ZoneInfo("UTC"), ""), opened)
    assert due is not None
    return due


def _orders_on_file(game: str, resolved: Snapshot, letters: list[Letter]) -> None:
    """What was adjudicated is what the last letter before the deadline said."""
    standard = variants().variant("standard", {})
    book = codec.book_from_text(resolved.book, standard)
    last: dict[str, str] = {}
    for letter in letters:
        power, _, domain = letter.sender.partition("@")
        if domain == f"{game}.example":
            last[power.title()] = letter.words
    on_file = {power: written(entries[0].statement) for (power, _), entries in book.sheets.items() if entries}
    assert on_file == last, f"{game} {resolved.resolved}"


def _each_letter_sent(field: Field, database: Database) -> tuple[int, int]:
    seen = field.seen()
    with database.connected() as connection:
        rows = connection.execute(select(t.outbox.c.message_id, t.outbox.c.state, t.outbox.c.kind)).all()
    states = {row.message_id: row.state for row in rows}
    assert not [row for row in rows if row.state is OutboxState.FAILED], "a letter was given up"
    unsent = [name for name, state in states.items() if state is OutboxState.SENT and not seen[name]]
    assert not unsent, f"said to be sent, and never seen: {unsent}"
    assert set(seen) <= set(states), "a letter that was never queued"
    repeats = sum(number - 1 for number in seen.values())
    allowed = field.kills + field.dropped_after_taking
    assert repeats <= allowed, f"{repeats} repeats, {allowed} kills and cut lines"
    return len(states), repeats


def _no_traceback(folder: Path) -> None:
    for log in folder.glob("log*"):
        said = log.read_text(encoding="utf-8")
        assert "Traceback" not in said, said[said.index("Traceback") - 500 :][:3000]
