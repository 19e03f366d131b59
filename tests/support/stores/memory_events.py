"""What was announced of each game, and the queue of the webhook, in the twin in memory."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from msgspec.structs import replace
from support.stores.memory_rows import Rows, next_id

from gm.game.model.public_events import Announced, PublicEvent


class MemoryEvents(Rows):
    def changed(self) -> tuple[int, ...]:
        return tuple(game for game in sorted(self._data.games) if game not in self._data.quiet)

    def announced(self, game: int) -> Announced | None:
        return self._data.announced.get(game)

    def announce(self, game: int, facts: str) -> None:
        before = self.announced(game) or Announced(game, facts)
        self._data.announced[game] = replace(before, facts=facts, revision=before.revision + 1)
        self._data.quiet.add(game)

    def add(self, event: PublicEvent) -> PublicEvent:
        event = replace(event, id=next_id(self._data.events))
        self._data.events[event.id] = event
        return event

    def recent(self, most: int, game: int = 0) -> tuple[PublicEvent, ...]:
        newest = (event for _, event in sorted(self._data.events.items(), reverse=True))
        return tuple(event for event in newest if game in (0, event.game))[:most]

    def next(self, now: datetime) -> PublicEvent | None:
        oldest = next((event for event in self._data.events.values() if event.waiting), None)
        ready = oldest is not None and (oldest.not_before is None or oldest.not_before <= now)
        return oldest if ready else None

    def postpone(self, event: int, until: datetime, error: str = "") -> None:
        before = self._data.events[event]
        tries, last = before.tries + bool(error), error or before.last_error
        self._data.events[event] = replace(before, not_before=until, tries=tries, last_error=last)

    def settle(self, event: int, error: str = "") -> None:
        before = self._data.events[event]
        self._data.events[event] = replace(before, waiting=False, not_before=None, last_error=error)

    def revisions(self) -> Mapping[int, int]:
        return {game: row.revision for game, row in self._data.announced.items()}

    def stale(self) -> bool:
        return any(row.published != row.revision for row in self._data.announced.values())

    def mark_published(self, game: int, revision: int) -> None:
        self._data.announced[game] = replace(self._data.announced[game], published=revision)
        for event in self._data.events.values():
            if event.game == game and event.waiting and not event.tries:
                self._data.events[event.id] = replace(event, not_before=None)
