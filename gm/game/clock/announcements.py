"""Finds what anybody may be told about a game, by comparing its public facts with those announced before.

Whatever changed them, a letter, a deadline or an operator, the comparison finds it, once: facts and events are stored
in one commit. Nothing else is told in public, so no secret can be.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import takewhile

import msgspec

from gm.game.model.ports import Store, Transaction
from gm.game.model.public_events import PublicEvent, PublicEventKind
from gm.game.model.records import Game, GameState, Snapshot
from gm.game.model.services import Services
from gm.game.views import maps
from gm.game.views.public.event_words import event_words
from gm.game.views.public.facts import PublicFacts, facts_from_text, facts_to_text, public_facts
from gm.game.views.public.game_list import ListedGame

Happened = tuple[PublicEventKind, Snapshot | None]


def announce_changes(services: Services, tx: Transaction, game: int, polled_until: datetime | None) -> int:
    """Stores the events of one game. No phase is resolved: 0."""
    with tx() as store:
        locked = store.games.lock(game)
        before, seen = store.events.announced(game), public_facts(services, store, locked)
        facts, listed = seen or (None, None)
        if listed is not None:
            for kind, snapshot in _happened(store, locked, before.facts if before is not None else None, facts):
                store.events.add(_event(listed, kind, snapshot))
        store.events.announce(game, facts_to_text(facts))
    return 0


def _happened(store: Store, game: Game, stored: str | None, new: PublicFacts | None) -> Iterator[Happened]:
    """`stored`: None for a new game."""
    try:
        old = None if stored is None else facts_from_text(stored)
    except msgspec.DecodeError:  # the past of this game is not told
        return
    if new is None or (old is None and stored is not None and new.state is not GameState.FORMING):
        return
    line = maps.snapshots_back(store, game)
    present = line[0] if line else None
    if new.state is GameState.FORMING:
        if new.open and not (old is not None and old.open):
            yield PublicEventKind.OPEN, None
        return
    if old is None or old.state is GameState.FORMING:
        yield PublicEventKind.STARTED, line[-1] if line else None
        old = PublicFacts(GameState.RUNNING, snapshot=line[-1].id if line else 0)
    yield from _turns(line, old, new)
    if old.state is not new.state:
        yield PublicEventKind.ENDED if new.state is GameState.ENDED else PublicEventKind.REOPENED, present
    elif old.snapshot == new.snapshot and old.phase and _schedule(old) != _schedule(new):
        yield PublicEventKind.DEADLINE, present
    if new.state is GameState.RUNNING and new.open and set(new.free) - set(old.free):
        yield PublicEventKind.SEAT, present


def _turns(line: tuple[Snapshot, ...], old: PublicFacts, new: PublicFacts) -> Iterator[Happened]:
    """The turns since the old facts, oldest first; or that the position is another."""
    if old.snapshot == new.snapshot or not line:
        return
    known = any(snapshot.id == old.snapshot for snapshot in line)
    since = tuple(takewhile(lambda snapshot: snapshot.id != old.snapshot, line)) if known else line[:1]
    for snapshot in reversed(since):
        if not snapshot.phase and not snapshot.resolved:  # the game was ended, which is told
            continue
        turn = known and snapshot.resolved and not snapshot.replaces
        yield PublicEventKind.TURN if turn else PublicEventKind.CORRECTED, snapshot


def _schedule(facts: PublicFacts) -> tuple[object, ...]:
    return facts.due_at, facts.paused, facts.paused_until


def _event(listed: ListedGame, kind: PublicEventKind, snapshot: Snapshot | None) -> PublicEvent:
    reader, wait = listed.reader, listed.reader.services.webhook_wait
    title, text = event_words(listed, kind, snapshot)
    stored = snapshot if kind in (PublicEventKind.TURN, PublicEventKind.STARTED) else None
    past = stored is not None and stored.id != listed.game.snapshot
    return PublicEvent(
        id=0,
        game=listed.game.id,
        kind=kind,
        phase=stored.resolved if stored is not None and kind is PublicEventKind.TURN else listed.game.phase,
        at=stored.at if stored is not None else reader.now,
        due_at=None if past else listed.game.due_at,
        title=title,
        text=text,
        waiting=wait is not None,
        not_before=reader.now + wait if wait else None,
    )
