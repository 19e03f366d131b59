"""Whole dialogues, as players and game masters would read them: tests/dialogues/*.txt."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from msgspec.structs import replace
from support.dialogue import AUTHSERV, DeskStage, Player, Stage, maps_of
from support.paths import DIALOGUES, MEMORY
from support.services import START, envelope
from support.smtp_dialogue import smtp_stage
from support.stores.memory_store import MemoryStore

from gm.game.model.services import Services

FILES = sorted(DIALOGUES.glob("*.txt"))


@pytest.fixture(params=["memory", "smtp"])
def anywhere(request: pytest.FixtureRequest, services: Services) -> Iterator[Stage]:
    """The desk alone on ports in memory; or a real SMTP socket before a SQLite file, and one behind it."""
    if request.param == "memory":
        store = MemoryStore(START, envelope=envelope)
        yield DeskStage(services, store, store)
        return
    with (
        TemporaryDirectory(dir=MEMORY) as folder,
        smtp_stage(Path(folder), START, AUTHSERV, "ruth@example.org") as stage,
    ):
        yield stage


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_dialogue(file: Path, anywhere: Stage) -> None:
    anywhere.services = replace(anywhere.services, outage=timedelta(hours=1))
    Player(anywhere, file.stem, maps_of(file)).play_file(file)


def test_there_are_dialogues() -> None:
    assert {"year", "mistakes", "late", "press", "identity", "machines", "gm"} <= {file.stem for file in FILES}
