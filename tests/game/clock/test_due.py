"""Everything that the clock looks for makes `gm tick` import the game."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace
from support.stores.store_under_test import NOON, a_game, a_letter, a_row

from gm.game.clock.due import is_anything_due
from gm.game.model.ports import Store
from gm.game.model.records import GameState
from gm.game.model.statement_records import StatementRound
from gm.store.database import Database


@pytest.mark.parametrize(
    "act",
    [
        lambda store: store.inbox.accept(a_row("one")),
        lambda store: store.games.add(a_game("forming")),
        lambda store: store.statements.save_round(
            StatementRound(store.games.add(a_game("over", state=GameState.ENDED)).id, 1, NOON - timedelta(hours=1))
        ),
        lambda store: store.outbox.collect(replace(a_letter("one"), not_before=NOON - timedelta(hours=1)), NOON),
        lambda store: store.outbox.add(a_letter("one"), NOON),
    ],
    ids=["a letter to read", "a game to look at", "statements to send", "a digest", "a letter to send"],
)
def test_what_is_due(tmp_path: Path, act: Callable[[Store], object]) -> None:
    database = Database(tmp_path / "gm.sqlite", clock=lambda: NOON)
    database.upgrade()
    with database.transaction() as store:
        assert not is_anything_due(store)
        act(store)
        assert is_anything_due(store)
    database.close()
