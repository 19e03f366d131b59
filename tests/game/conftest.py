"""An office with the real variants, templates and letter opener; its store in memory or in SQLite."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path

import pytest
from support.dialogue import AUTHSERV, DeskStage, Player, load
from support.paths import STARTED
from support.services import POST, START, envelope
from support.stores.memory_store import MemoryStore
from support.stores.migrated_database import migrate

from gm.game.model.records import InboxRow, Letter
from gm.game.model.services import Services
from gm.language.rendering.templates import LetterTemplates
from gm.mail.message.attachments import text_attachments
from gm.mail.message.open_letter import open_letter, read_headers
from gm.resources import folder
from gm.store.database import Database
from gm.variant_files.library import Library


@pytest.fixture(scope="session")
def library() -> Library:
    return Library((folder("variants"),))


@pytest.fixture(scope="session")
def letters() -> LetterTemplates:
    return LetterTemplates(folder("templates"))


@pytest.fixture
def services(library: Library, letters: LetterTemplates) -> Services:
    def opened(row: InboxRow) -> Letter:
        return open_letter(row, POST.ours, AUTHSERV, 1_000_000)

    return Services(
        variant=library.variant,
        variant_ids=library.ids(),
        post=POST,
        letters=letters,
        open_letter=opened,
        headers=read_headers,
        attached=partial(text_attachments, max_bytes=1_000_000),
        masters=frozenset({"ruth@example.org"}),
        operators=("op@example.org",),
        zone="UTC",
    )


@dataclass
class Hands:
    """The hands of a clock that tests move."""

    clock: datetime = START


@pytest.fixture(params=["memory", "sqlite"])
def stage(request: pytest.FixtureRequest, services: Services, tmp_path: Path) -> Iterator[DeskStage]:
    if request.param == "memory":
        store = MemoryStore(START, envelope=envelope)
        yield DeskStage(services, store.transaction, store)
        return
    hands = Hands()
    database = Database(str(tmp_path / "gm.sqlite"), clock=lambda: hands.clock, envelope=envelope)
    migrate(database)
    try:
        yield DeskStage(services, database.transaction, hands)
    finally:
        database.close()


@pytest.fixture
def player(stage: DeskStage) -> Player:
    """A game of seven has begun, and everybody has read his first letter."""
    player = Player(stage)
    player.play(load(STARTED))
    player.boxes.clear()
    return player
