"""Whole dialogues, as players and game masters would read them: tests/dialogues/*.txt."""

from __future__ import annotations

from pathlib import Path

import pytest
from dialogue import DeskStage, Player, load

FOLDER = Path(__file__).parent.parent / "dialogues"
FILES = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_dialogue(file: Path, stage: DeskStage) -> None:
    Player(stage, file.stem).play(load(file))


def test_there_are_dialogues() -> None:
    assert {"year", "mistakes", "late", "press", "identity", "machines", "master"} <= {file.stem for file in FILES}
