"""Whether anything is due, asked of the store alone: an idle `gm tick` then imports nothing of the game."""

from __future__ import annotations

from gm.game.model.ports import Store


def is_anything_due(store: Store) -> bool:
    """Whether `gm.game.clock.clock` would read, resolve, collect or send something, or a map is to be drawn."""
    now = store.now()
    return bool(
        store.inbox.next()
        or store.games.ids_to_check(now)
        or store.statements.due(now)
        or store.events.changed()
        or store.outbox.collected(now)
        or store.outbox.next(now)
        or store.pictures.next(now)
    )
