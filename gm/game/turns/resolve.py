"""Starts games, resolves phases, and stores what the game master changes: OVERRULE, ROLLBACK, REDO, SETUP, END.

Every change of the position is a new snapshot; the letters about it are queued in the same transaction. Nothing is
deleted: an overrule `replaces` the snapshot it corrects, a rollback copies an old one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise

from msgspec.structs import replace

from gm.game.letters import chronicle, observer, results
from gm.game.model import mail_preferences, result_notes
from gm.game.model.loaded_game import LoadedGame, load_game, stored_position, with_humans
from gm.game.model.observer_records import OBSERVER_SEATS
from gm.game.model.ports import Store
from gm.game.model.records import DecreeRecord, Game, GameState, Snapshot
from gm.game.model.services import Services
from gm.game.phase import absences, conduct, draw_votes, planned_orders, sheets
from gm.game.press.delivery import deliver_due_press
from gm.game.turns import substitutes
from gm.game.views.turns.turn_events import TurnSteps
from gm.judge.gm_changes.overrule_checks import decree_problems
from gm.judge.model.calendar import resolve_phase
from gm.judge.model.events import GameEnded
from gm.judge.model.position import Ending, Position
from gm.judge.model.sheets import Decree, Problem, ResolvedStep, Submissions, Turn
from gm.language.formats import stored_values

LAG = timedelta(minutes=10)
"""A phase that is resolved so soon after its deadline counts from the deadline."""


def start_game(services: Services, store: Store, game: Game, starter: int = 0) -> Game:
    """Store the first position and queue the first letters, but for the seat `starter` that gets an answer instead."""
    loaded_game = load_game(services, store, game)
    seed = hashlib.sha256(services.post.code("seed", str(game.id)).encode()).digest()
    position = replace(loaded_game.variant.start, seed=int.from_bytes(seed[:4], "big"))
    legs: Sequence[ResolvedStep] = ()
    if not loaded_game.step.due(position, loaded_game.variant):
        legs = resolve_phase(loaded_game.variant, position, Submissions())
        position = legs[-1].turn.position
    game = _enter(store, loaded_game, _snapshot(loaded_game, store.now(), position, legs), position)
    for seat in loaded_game.manned:
        if seat.id != starter:
            store.outbox.add(results.render_welcome(services, store, game, seat), store.now())
    for chair in loaded_game.watchers(results_only=True):
        mail_preferences.send(store, chair, observer.render_game_begun(services, store, game, chair))
    return game


def resolve_open_phase(services: Services, store: Store, game: Game) -> Game:
    """Resolve the open phase with the orders on file, and queue the results."""
    deliver_due_press(services, store, game)
    loaded_game = load_game(services, store, game)
    book = sheets.load_submissions(services, store, loaded_game)
    conduct.record_phase(store, loaded_game)
    legs = resolve_phase(loaded_game.variant, loaded_game.position, book)
    end = legs[-1].turn.position
    snapshot = _snapshot(loaded_game, store.now(), end, legs, game.phase, book)
    game = _enter(store, loaded_game, _as_next_version(store, snapshot), end)
    planned_orders.enter_planned_orders(store, load_game(services, store, game))
    _tell(services, store, loaded_game, game, legs)
    substitutes.open_seats(services, store, game)
    return game


def preview_resolution(store: Store, loaded_game: LoadedGame, book: Submissions) -> Snapshot:
    """The snapshot that these submissions would lead to. Stores nothing."""
    legs = resolve_phase(loaded_game.variant, loaded_game.position, book)
    return _snapshot(loaded_game, store.now(), legs[-1].turn.position, legs, loaded_game.game.phase, book)


def _as_next_version(store: Store, snapshot: Snapshot) -> Snapshot:
    """The snapshot as the next version of earlier results of its phase, if a rollback reopened the phase."""
    earlier = [other for other in store.turns.snapshots(snapshot.game) if other.resolved == snapshot.resolved]
    if not earlier:
        return snapshot
    last = earlier[-1]
    return replace(snapshot, replaces=last.id, version=result_notes.version(store, last) + 1)


def overrule_results(services: Services, store: Store, game: Game, words: Sequence[tuple[Decree, str]]) -> Game:
    """Resolve the last phase again with these decrees and reasons, and with earlier decrees."""
    loaded_game = load_game(services, store, game)
    last = loaded_game.snapshot
    if last is None or not last.previous:
        raise ValueError("nothing was resolved yet")
    before, book = _last_submissions(store, loaded_game, last, [decree for decree, _ in words])
    legs = resolve_phase(loaded_game.variant, before, book)
    end = legs[-1].turn.position
    decreed = {record.unit: record for record in last.decrees}
    for decree, reason in words:
        word = str(decree.unit)
        decreed[word] = DecreeRecord(word, decree.outcome.value, reason)
    snapshot = replace(
        _snapshot(loaded_game, store.now(), end, legs, last.resolved, book),
        previous=last.previous,
        replaces=last.id,
        version=result_notes.version(store, last) + 1,
        decrees=tuple(decreed.values()),
    )
    same = snapshot.phase == game.phase and game.state is GameState.RUNNING
    changed = _enter(store, loaded_game, snapshot, end, keep_deadline=same)
    if same:
        sheets.copy_sheets(store, load_game(services, store, changed), last.id)
    planned_orders.enter_planned_orders(store, load_game(services, store, changed))
    _tell(services, store, loaded_game, changed, legs)
    return changed


def decree_faults(
    store: Store, loaded_game: LoadedGame, last: Snapshot, decrees: Sequence[Decree]
) -> tuple[Problem, ...]:
    """Problems of these decrees together with earlier ones."""
    before, book = _last_submissions(store, loaded_game, last, decrees)
    return decree_problems(before, loaded_game.variant, book)


def _last_submissions(
    store: Store, loaded_game: LoadedGame, last: Snapshot, decrees: Sequence[Decree]
) -> tuple[Position, Submissions]:
    """The position and the submissions that the last snapshot was made from, with more decrees."""
    before = with_humans(stored_position(store, last.previous, loaded_game.variant), loaded_game.seats)
    old = stored_values.book_from_text(last.book)
    every = {decree.unit: decree for decree in (*old.decrees, *decrees)}
    return before, replace(old, decrees=tuple(every.values()))


def roll_back_to(services: Services, store: Store, game: Game, target: Snapshot) -> Game:
    """Open the phase of an old snapshot again, with its orders on file.

    The new snapshot `replaces` the undone one, so that REDO finds it.
    """
    return _reopen(services, store, game, target, replace(target, replaces=game.snapshot))


def undone_snapshot(store: Store, game: Game) -> Snapshot | None:
    """The snapshot that a rollback to the present one undid; None without a rollback."""
    here = store.turns.snapshot(game.snapshot)
    there = store.turns.snapshot(here.replaces) if here.replaces else None
    corrects = there is not None and bool(here.resolved) and here.resolved == there.resolved
    return None if corrects else there


def redo_phase(services: Services, store: Store, game: Game, left: Snapshot) -> Game:
    """Undo a rollback: return to the snapshot `left`, with its orders on file."""
    return _reopen(services, store, game, left, left)


def _reopen(services: Services, store: Store, game: Game, source: Snapshot, snapshot: Snapshot) -> Game:
    loaded_game = load_game(services, store, game)
    position = stored_values.position_from_text(snapshot.position, loaded_game.variant)
    announced = _announced_due(store, game, snapshot.phase)
    changed = _enter(store, loaded_game, replace(snapshot, id=0, at=store.now()), position, announced=announced)
    reopened = load_game(services, store, changed)
    sheets.copy_sheets(store, reopened, source.id, reopened=True)
    planned_orders.enter_planned_orders(store, reopened)
    here = store.turns.snapshot(changed.snapshot)
    draw_votes.restore_votes(store, changed, source, here.at)
    result_notes.copy_notes(store, source, here)
    return changed


def _announced_due(store: Store, game: Game, phase: str) -> datetime | None:
    """The last deadline that the players were told for a phase: the open one, or one that was open before."""
    if game.phase == phase:
        return game.due_at
    stored = store.turns.snapshots(game.id)
    ends = [after.left_due_at for before, after in pairwise(stored) if before.phase == phase != after.phase]
    return ends[-1] if ends else None


def edit_position(services: Services, store: Store, game: Game, turn: Turn) -> Game:
    """Store a position that the game master edited (SETUP). The same phase keeps its deadline.

    Lines on file that no longer fit are dropped.
    """
    loaded_game = load_game(services, store, game)
    snapshot = edited_snapshot(loaded_game, store.now(), turn)
    same = snapshot.phase == game.phase
    changed = _enter(store, loaded_game, snapshot, turn.position, keep_deadline=same)
    if same:
        sheets.copy_sheets(store, load_game(services, store, changed), game.snapshot)
    else:
        planned_orders.enter_planned_orders(store, load_game(services, store, changed))
    return changed


def edited_snapshot(loaded_game: LoadedGame, now: datetime, turn: Turn) -> Snapshot:
    return _snapshot(loaded_game, now, turn.position, (ResolvedStep(loaded_game.game.phase, turn),))


def end_game(services: Services, store: Store, game: Game, why: str, winners: tuple[str, ...]) -> Game:
    """End the game by an act of the game master."""
    deliver_due_press(services, store, game)
    loaded_game = load_game(services, store, game)
    position = replace(loaded_game.position, ended=Ending(winners, why))
    leg = ResolvedStep("", Turn(position, (GameEnded(winners, why),)))
    changed = _enter(store, loaded_game, _snapshot(loaded_game, store.now(), position, (leg,)), position)
    chronicle.send(services, store, loaded_game, changed)
    return changed


def store_gm_change(services: Services, store: Store, game: Game, turn: Turn, power: str) -> Game:
    """Store a change by the game master, such as CIVIL DISORDER: the phase stays open, the power's sheet is dropped."""
    loaded_game = load_game(services, store, game)
    snapshot = edited_snapshot(loaded_game, store.now(), turn)
    changed = _enter(store, loaded_game, snapshot, turn.position, keep_deadline=True)
    if game.reminded == game.snapshot:
        changed = replace(changed, reminded=changed.snapshot)
        store.games.save(changed)
    sheets.copy_sheets(store, load_game(services, store, changed), game.snapshot, without=power)
    return changed


def _snapshot(
    loaded_game: LoadedGame,
    now: datetime,
    position: Position,
    legs: Sequence[ResolvedStep],
    resolved: str = "",
    book: Submissions | None = None,
) -> Snapshot:
    return Snapshot(
        id=0,
        game=loaded_game.game.id,
        previous=loaded_game.game.snapshot,
        replaces=0,
        resolved=resolved,
        phase="" if position.ended else loaded_game.variant.phase_name(position),
        version=1,
        at=now,
        position=stored_values.position_to_text(position, loaded_game.variant),
        events=stored_values.events_to_text(legs),
        book=stored_values.book_to_text(book or Submissions()),
    )


def _enter(
    store: Store,
    loaded_game: LoadedGame,
    snapshot: Snapshot,
    position: Position,
    *,
    keep_deadline: bool = False,
    announced: datetime | None = None,
) -> Game:
    """Make the snapshot the present one, and set phase, state and deadline.

    `announced`: an earlier deadline of the phase, which holds again if it is still ahead.
    All times are taken now, as late as possible: the process may have hung since the turn began.
    """
    now, game = store.now(), loaded_game.game
    snapshot = store.turns.add_snapshot(replace(snapshot, at=now, left_due_at=game.due_at))
    draw_votes.lapse_votes(store, loaded_game, snapshot, position, now)
    ended = position.ended is not None
    due = game.due_at
    if not keep_deadline or due is None or due <= now:
        due = None if ended or game.paused_at else _due(store, loaded_game, position, snapshot.phase, now, announced)
    if not keep_deadline:
        game = replace(game, locked=False, forbearance=())
    if ended:
        game = replace(game, paused_at=None, paused_until=None)
    if game.held == game.snapshot and keep_deadline:
        game = replace(game, held=snapshot.id)
    game = replace(
        game,
        state=GameState.ENDED if ended else GameState.RUNNING,
        snapshot=snapshot.id,
        phase=snapshot.phase,
        opened_at=game.opened_at if keep_deadline else now,
        due_at=due,
    )
    store.games.save(game)
    if ended and loaded_game.running:
        conduct.record_end(store, game, loaded_game.power_seats)
    return game


def _due(
    store: Store, loaded_game: LoadedGame, position: Position, phase: str, now: datetime, announced: datetime | None
) -> datetime | None:
    """The deadline of a phase. It counts from the last deadline if that has just passed, so that hours do not creep."""
    if announced is not None and announced > now:
        return absences.due_after_absences(store, loaded_game, position, phase, announced)
    before = loaded_game.game.due_at
    opened = before if before is not None and before <= now < before + LAG else now
    return absences.deadline_of(store, loaded_game, position, phase, opened)


def _tell(services: Services, store: Store, loaded_game: LoadedGame, game: Game, legs: Sequence[ResolvedStep]) -> None:
    snapshot = store.turns.snapshot(game.snapshot)
    steps = TurnSteps((leg.phase, leg.turn.events) for leg in legs)
    store.read_readers(game.id)
    for seat in (*loaded_game.manned, *loaded_game.watchers(results_only=True)):
        letter = results.render_results(services, store, game, seat, snapshot, steps)
        mail_preferences.send(store, seat, letter, may_wait=seat.power in OBSERVER_SEATS)
    if game.state is GameState.ENDED:
        chronicle.send(services, store, loaded_game, game)
