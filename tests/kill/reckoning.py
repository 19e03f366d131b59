"""What must be true after the fire, from the database and from what crossed the sockets."""

from __future__ import annotations

import email
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from msgspec import Struct
from sqlalchemy import select

from gm.game.model.records import InboxState, OutboxState, Snapshot
from gm.game.turns.resolve import LAG
from gm.language.dates.schedule import After, next_due
from gm.language.formats import stored_values as codec
from gm.language.rendering.order_text import statement as written
from gm.store.database import Database
from gm.store.queries.row_mapping import record
from gm.store.schema import tables as t
from kill.field import ASKING, PHASE, POWERS, Field

READERS = len(POWERS) + 1
"""Of each game's results: the players and the game master."""


@dataclass(frozen=True)
class Letter:
    id: int
    name: str
    sender: str
    words: str
    at: datetime
    state: InboxState


@dataclass(frozen=True)
class Tally:
    """Figures of a run that went well."""

    kills: int
    freezes: int
    letters: int
    results: int
    sent: int
    repeats: int
    refused: int
    unanswered: int

    def __str__(self) -> str:
        return (
            f"{self.kills} kills, {self.freezes} freezes: {self.letters} letters accepted and processed once, "
            f"{self.unanswered} of them in silence, since their writers had had answers enough; {self.results} "
            f"deadlines with one result each; {self.sent} letters sent, {self.repeats} of them twice (with the same "
            f"Message-ID), and {self.refused} that the relay refused for good"
        )


class Sent(Struct, frozen=True):
    """A row of the outbox."""

    cause: str
    kind: str
    game: int
    seat: int
    state: OutboxState
    message_id: str


def reckon(field: Field) -> Tally:
    """AssertionError where a promise was broken."""
    database = Database(field.database, alone=False)
    try:
        letters = _letters(database)
        _each_letter_once(field, letters)
        rows = _rows(database)
        results = sum(_one_result_each(field, database, game, letters, rows) for game in field.games)
        repeats, refused = _each_letter_sent(field, rows)
    finally:
        database.close()
    unanswered = _each_letter_answered(field, letters, rows)
    _no_traceback(field.folder)
    accepted = len(field.accepted)
    return Tally(field.kills, field.freezes, accepted, results, len(rows) - refused, repeats, refused, unanswered)


def _letters(database: Database) -> list[Letter]:
    letters = []
    with database.write_connection() as connection:
        for row in connection.execute(select(t.inbox).order_by(t.inbox.c.received_at, t.inbox.c.id)).mappings():
            message = email.message_from_bytes(row["raw"])
            words = str(message.get_payload()).strip()
            name = str(message["Message-ID"]).strip("<>")
            sender = str(message["From"])
            letters.append(Letter(row["id"], name, sender, words, row["received_at"], row["state"]))
    return letters


def _each_letter_once(field: Field, letters: list[Letter]) -> None:
    counted = Counter(letter.name for letter in letters)
    lost = [name for name in field.accepted if not counted[name]]
    assert not lost, f"accepted and lost: {lost}"
    assert max(counted.values()) == 1, "a letter is there twice"
    undone = [letter for letter in letters if letter.state is not InboxState.DONE]
    assert not undone, f"not processed: {undone}"


def _rows(database: Database) -> list[Sent]:
    columns = [t.outbox.c[name] for name in Sent.__struct_fields__]
    with database.write_connection() as connection:
        return [record(Sent, row) for row in connection.execute(select(*columns)).mappings()]


def _each_letter_answered(field: Field, letters: list[Letter], rows: list[Sent]) -> int:
    """One answer each, or silence that the log knows of. How often it was silence."""
    answered = {int(row.cause.split(":")[1]) for row in rows if row.cause.startswith("inbox:")}
    unanswered = [letter for letter in letters if letter.id not in answered]
    logs = (log.read_text(encoding="utf-8") for log in field.folder.glob("log*"))
    silenced = sum(text.count("an address gets no more answers for now") for text in logs)
    assert len(unanswered) <= silenced, f"{len(unanswered)} letters without an answer, {silenced} of them silenced"
    return len(unanswered)


def _one_result_each(field: Field, database: Database, name: str, letters: list[Letter], rows: list[Sent]) -> int:
    with database.write_connection() as connection:
        game = connection.execute(select(t.game).where(t.game.c.name == name)).mappings().one()
        query = select(t.snapshot).where(t.snapshot.c.game == game["id"]).order_by(t.snapshot.c.id)
        chain = [record(Snapshot, row) for row in connection.execute(query).mappings()]
    assert [snapshot.previous for snapshot in chain] == [0, *(snapshot.id for snapshot in chain[:-1])], (
        f"{name}: two results of one phase"
    )
    assert [snapshot.resolved for snapshot in chain[1:]] == [snapshot.phase for snapshot in chain[:-1]]
    results = Counter(
        row.cause.partition(":seat")[0] for row in rows if row.kind == "results" and row.game == game["id"]
    )
    assert results == {f"snapshot:{snapshot.id}": READERS for snapshot in chain[1:]}, f"{name}: not everybody's results"
    for opened, due, resolved in _phases(chain):
        assert resolved.at >= due, f"{name}: {resolved.resolved} was resolved early"
        _orders_on_file(name, opened, due, resolved, letters)
    return len(chain) - 1


def _phases(chain: list[Snapshot]) -> Iterator[tuple[datetime, datetime, Snapshot]]:
    """Of each phase resolved: when it opened, its deadline, and its snapshot.

    A letter that names no phase and comes between a deadline and the results is late for the one, not early for the
    next: its writer had not seen them. One that comes while the game is being founded waits for it.
    """
    opened, due = chain[0].at - timedelta(days=1), after(chain[0].at)
    for snapshot in chain[1:]:
        yield opened, due, snapshot
        opened, due = snapshot.at, after(due if snapshot.at < due + LAG else snapshot.at)


def after(opened: datetime) -> datetime:
    due = next_due(After("", 0, PHASE, ZoneInfo("UTC")), opened)
    assert due is not None
    return due


def _orders_on_file(game: str, opened: datetime, due: datetime, resolved: Snapshot, letters: list[Letter]) -> None:
    """What was adjudicated is what the last letter before the deadline said."""
    book = codec.book_from_text(resolved.book)
    theirs = [letter for letter in letters if letter.sender.endswith(f"@{game}.example") and letter.words != ASKING]
    last = {letter.sender.partition("@")[0].title(): letter.words for letter in theirs if opened <= letter.at < due}
    on_file = {power: written(entries[0].statement) for (power, _), entries in book.sheets.items() if entries}
    wrong = {power for power in POWERS if on_file.get(power) != last.get(power)}
    around = [
        letter
        for letter in theirs
        if abs(letter.at - due) < 2 * PHASE and letter.sender.partition("@")[0].title() in wrong
    ]
    listing = "\n".join(f"{letter.at} {letter.id} {letter.sender} {letter.words}" for letter in around)
    assert not wrong, (
        f"{game} {resolved.resolved}, opened {opened}, due {due}, resolved {resolved.at}\n{on_file}\n{last}\n{listing}"
    )


def _each_letter_sent(field: Field, rows: list[Sent]) -> tuple[int, int]:
    """How many came twice, and how many were refused for good."""
    seen = field.seen()
    states = Counter(row.state for row in rows)
    unsent = [row.message_id for row in rows if row.state is OutboxState.SENT and not seen[row.message_id]]
    assert not unsent, f"said to be sent, and never seen: {unsent}"
    pointless = [row for row in rows if row.state is OutboxState.EXPIRED and row.kind != "reminder"]
    assert not pointless, f"not sent: {pointless}"
    known = {OutboxState.SENT, OutboxState.FAILED, OutboxState.EXPIRED}
    assert set(states) <= known, f"not sent: {[row for row in rows if row.state not in known]}"
    assert states[OutboxState.FAILED] <= field.sink.refusals, "a letter was given up"
    assert set(seen) <= {row.message_id for row in rows}, "a letter that was never queued"
    repeats = sum(number - 1 for number in seen.values())
    allowed = field.kills + field.freezes + field.unknown
    assert repeats <= allowed, f"{repeats} repeats, {allowed} kills, freezes and letters of unknown fate"
    return repeats, states[OutboxState.FAILED]


def _no_traceback(folder: Path) -> None:
    for log in folder.glob("log*"):
        text = log.read_text(encoding="utf-8")
        assert "Traceback" not in text, text[text.index("Traceback") - 500 :][:3000]
