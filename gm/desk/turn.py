"""Turns: the game's first position, a phase resolved, and what the game master makes of a resolved one.

Every change of the position is a new snapshot; the letters that tell of it are queued in the same transaction, one
for each seat. Nothing is ever deleted: an overrule `replaces` the snapshot it corrects, a rollback starts anew from
an old one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from gm.desk import ahead, courier, results, sheets
from gm.desk.office import Office
from gm.desk.ports import Store
from gm.desk.records import Decreed, Game, GameState, Snapshot
from gm.desk.table import Table, lay, seated
from gm.judge.decrees import decree_problems
from gm.judge.events import GameEnded
from gm.judge.position import Ending, Position, Unit
from gm.judge.steps import Book, Decree, Leg, Problem, Turn, walk
from gm.text import codec, write

LAG = timedelta(minutes=10)


def begin(office: Office, store: Store, game: Game) -> Game:
    """The first position and everybody's first letter."""
    table = lay(office, store, game)
    seed = hashlib.sha256(office.post.code("seed", str(game.id)).encode()).digest()
    position = replace(table.variant.start, seed=int.from_bytes(seed[:4], "big"))
    legs: Sequence[Leg] = ()
    if not table.step.due(position, table.variant):
        legs = walk(table.variant, position, Book())
        position = legs[-1].turn.position
    game = _enter(store, table, _snapshot(table, store.now(), position, legs), position)
    for seat in table.manned:
        store.outbox.add(results.welcome(office, store, game, seat), store.now())
    return game


def resolve(office: Office, store: Store, game: Game) -> Game:
    """Resolve the open phase with what is on file, and tell everybody."""
    courier.release(office, store, game)
    table = lay(office, store, game)
    book = sheets.book(office, store, table)
    legs = walk(table.variant, table.position, book)
    end = legs[-1].turn.position
    snapshot = _snapshot(table, store.now(), end, legs, previous=game.snapshot, resolved=game.phase, book=book)
    game = _enter(store, table, snapshot, end)
    ahead.enter(store, lay(office, store, game))
    _tell(office, store, table, game)
    return game


def overrule(office: Office, store: Store, game: Game, words: Sequence[tuple[Decree, str]]) -> Game:
    """Resolve the last phase anew with these outcomes decreed, each with its reason, beside those decreed before."""
    table = lay(office, store, game)
    last = table.snapshot
    if last is None or not last.previous:
        raise ValueError("nothing was resolved yet")
    before, book = _again(store, table, last, [decree for decree, _ in words])
    legs = walk(table.variant, before, book)
    end = legs[-1].turn.position
    decreed = {one.unit: one for one in last.decrees}
    for decree, reason in words:
        word = unit_word(decree.unit)
        decreed[word] = Decreed(word, decree.outcome.value, reason)
    snapshot = replace(
        _snapshot(table, store.now(), end, legs, previous=last.previous, resolved=last.resolved, book=book),
        replaces=last.id,
        version=last.version + 1,
        decrees=tuple(decreed.values()),
    )
    same = snapshot.phase == game.phase and game.state is GameState.RUNNING
    changed = _enter(store, table, snapshot, end, keep_deadline=same)
    if same:
        sheets.carry(store, lay(office, store, changed), last.id)
    ahead.enter(store, lay(office, store, changed))
    _tell(office, store, table, changed)
    return changed


def decree_faults(store: Store, table: Table, last: Snapshot, decrees: Sequence[Decree]) -> tuple[Problem, ...]:
    """What speaks against these decrees, beside those that stand already."""
    before, book = _again(store, table, last, decrees)
    return decree_problems(before, table.variant, book)


def _again(store: Store, table: Table, last: Snapshot, decrees: Sequence[Decree]) -> tuple[Position, Book]:
    """The position and the book that the last snapshot was made from, with more decrees."""
    before = seated(codec.position_from_text(store.turns.snapshot(last.previous).position, table.variant), table.seats)
    old = codec.book_from_text(last.book, table.variant)
    every = {one.unit: one for one in (*old.decrees, *decrees)}
    return before, replace(old, decrees=tuple(every.values()))


def roll_back(office: Office, store: Store, game: Game, target: Snapshot) -> Game:
    """Open the phase of an old snapshot again, with the orders that were on file for it."""
    table = lay(office, store, game)
    position = codec.position_from_text(target.position, table.variant)
    changed = _enter(store, table, replace(target, id=0, at=store.now()), position)
    sheets.carry(store, lay(office, store, changed), target.id, reopened=True)
    return changed


def end(office: Office, store: Store, game: Game, why: str, winners: tuple[str, ...]) -> Game:
    """End the game by the game master's word."""
    courier.release(office, store, game)
    table = lay(office, store, game)
    position = replace(table.position, ended=Ending(winners, why))
    leg = Leg("", Turn(position, (GameEnded(winners, why),)))
    snapshot = _snapshot(table, store.now(), position, (leg,), previous=game.snapshot)
    return _enter(store, table, snapshot, position)


def declare(office: Office, store: Store, game: Game, told: Turn, power: str) -> Game:
    """Put in the position that an act of the game master's made; the phase stays open, the power's sheet is gone."""
    table = lay(office, store, game)
    legs = (Leg(game.phase, told),)
    snapshot = _snapshot(table, store.now(), told.position, legs, previous=game.snapshot)
    changed = _enter(store, table, snapshot, told.position, keep_deadline=True)
    if game.reminded == game.snapshot:
        changed = replace(changed, reminded=changed.snapshot)
        store.games.save(changed)
    sheets.carry(store, lay(office, store, changed), game.snapshot, without=power)
    return changed


def unit_word(unit: Unit) -> str:
    """A unit as it stands in a decree: "A Pic"."""
    return write.unit(unit)


def _snapshot(
    table: Table,
    now: datetime,
    position: Position,
    legs: Sequence[Leg],
    previous: int = 0,
    resolved: str = "",
    book: Book | None = None,
) -> Snapshot:
    return Snapshot(
        id=0,
        game=table.game.id,
        previous=previous,
        replaces=0,
        resolved=resolved,
        phase="" if position.ended else table.variant.phase_name(position),
        version=1,
        at=now,
        position=codec.position_to_text(position, table.variant),
        events=codec.events_to_text(legs),
        book=codec.book_to_text(book or Book(), table.variant),
    )


def _enter(store: Store, table: Table, snapshot: Snapshot, position: Position, keep_deadline: bool = False) -> Game:
    """Make this snapshot the present one: phase, state, and when it is due."""
    now, game = store.now(), table.game
    snapshot = store.turns.add_snapshot(snapshot)
    ended = position.ended is not None
    due = game.due_at
    if not keep_deadline or due is None or due <= now:
        due = None if ended else _due(table, game, snapshot.phase, now)
    game = replace(
        game,
        state=GameState.ENDED if ended else GameState.RUNNING,
        snapshot=snapshot.id,
        phase=snapshot.phase,
        opened_at=game.opened_at if keep_deadline else now,
        due_at=due,
    )
    store.games.save(game)
    return game


def _due(table: Table, game: Game, phase: str, now: datetime) -> datetime | None:
    """A phase that follows its deadline at once counts from the deadline, so that hours do not creep."""
    opened = game.due_at if game.due_at is not None and game.due_at <= now < game.due_at + LAG else now
    return table.settings.due(phase, opened)


def _tell(office: Office, store: Store, table: Table, game: Game) -> None:
    snapshot = store.turns.snapshot(game.snapshot)
    for seat in table.manned:
        store.outbox.add(results.results(office, store, game, seat, snapshot), store.now())
