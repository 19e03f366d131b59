"""Whole dialogues, as players and game masters would read them: tests/dialogues/*.txt."""

from __future__ import annotations

from pathlib import Path

import pytest
from dialogue import DeskStage, Player, load

FOLDER = Path(__file__).parent.parent / "dialogues"
FILES = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_dialogue(file: Path, stage: DeskStage) -> None:
    _, blocks = load(file)
    Player(stage, file.stem).play(blocks)


def test_there_are_dialogues() -> None:
    assert len(FILES) >= 8
