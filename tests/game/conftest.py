"""An office with the real variants, templates and letter opener; its store in memory or in SQLite."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import pytest
from support.dialogue import DeskStage, Player
from support.paths import STARTED
from support.services import START, envelope, server_services
from support.shipped import LIBRARY, letter_templates
from support.stores.memory_store import MemoryStore
from support.stores.migrated_database import migrate

from gm.game.model.services import Services
from gm.language.rendering.templates import LetterTemplates
from gm.store.database import Database
from gm.variant_files.library import Library


@pytest.fixture(scope="session")
def library() -> Library:
    return LIBRARY


@pytest.fixture(scope="session")
def letters() -> LetterTemplates:
    return letter_templates()


@pytest.fixture
def services(library: Library, letters: LetterTemplates) -> Services:
    return server_services(library, letters)


@dataclass
class Hands:
    """The hands of a clock that tests move."""

    clock: datetime = START


@pytest.fixture(params=["memory", "sqlite"])
def stage(request: pytest.FixtureRequest, services: Services, tmp_path: Path) -> Iterator[DeskStage]:
    if request.param == "memory":
        store = MemoryStore(START, envelope=envelope)
        yield DeskStage(services, store, store)
        return
    hands = Hands()
    database = Database(str(tmp_path / "gm.sqlite"), clock=lambda: hands.clock, envelope=envelope)
    migrate(database)
    try:
        yield DeskStage(services, database, hands)
    finally:
        database.close()


@pytest.fixture
def player(stage: DeskStage) -> Player:
    """A game of seven has begun, and everybody has read his first letter."""
    player = Player(stage)
    player.begin(STARTED)
    player.boxes.clear()
    return player
