"""Files that many dialogues begin with: each process plays one once on a kind of stage, and copies what it left.

What is copied: the rows, the time, and the player's letters. A stage with other settings plays the file itself.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Hashable, Mapping
from contextlib import closing
from copy import copy
from typing import TYPE_CHECKING, Any

from support.stores.memory_store import MemoryStore

from gm.game.model.services import Services
from gm.store.database import Database

if TYPE_CHECKING:
    from support.dialogue import Player

AnyStore = MemoryStore | Database
SAVED: dict[Hashable, Callable[[Player], None]] = {}


def play_once(player: Player, file: Hashable, play: Callable[[], None]) -> None:
    """Plays a file on an empty stage, or makes the stage and its player as they were after it was played before."""
    stage = player.stage
    if isinstance(stage.database, Database) and stage.database.engine.dialect.name != "sqlite":
        play()
        return
    key = file, type(stage), type(stage.database), stage.now(), player.maps, *_settings(stage.services)
    if key in SAVED:
        SAVED[key](player)
    else:
        play()
        SAVED[key] = _saved(player)


def _settings(services: Services) -> tuple[Hashable, ...]:
    """Those that letters depend on."""
    values = (getattr(services, name) for name in services.__struct_fields__)
    return tuple(value for value in values if not callable(value))


def _saved(player: Player) -> Callable[[Player], None]:
    now, restore = player.stage.now(), _saved_rows(player.stage.database)
    played = _copied(vars(player))

    def put_back(other: Player) -> None:
        own = {"stage": other.stage, "name": other.name}
        restore(other.stage.database)
        other.stage.go_to(now)
        vars(other).update(_copied(played) | own)

    return put_back


def _copied(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """Letters are frozen; the boxes that they lie in are not."""
    copied = {name: copy(value) for name, value in attributes.items()}
    for boxes in (copied["boxes"], copied["got"]):
        boxes.update((address, [*letters]) for address, letters in boxes.items())
    return copied


def _saved_rows(database: AnyStore) -> Callable[[AnyStore], None]:
    if isinstance(database, MemoryStore):
        rows = database.data.copy()

        def put_rows_back(other: AnyStore) -> None:
            assert isinstance(other, MemoryStore)
            other.data = rows.copy()

        return put_rows_back
    saved = sqlite3.connect(":memory:", check_same_thread=False)
    with closing(sqlite3.connect(database.name)) as file:
        file.backup(saved)

    def put_file_back(other: AnyStore) -> None:
        assert isinstance(other, Database)
        with closing(sqlite3.connect(other.name)) as file:
            file.execute("PRAGMA synchronous=OFF")
            saved.backup(file)

    return put_file_back
