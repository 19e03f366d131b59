"""What players read of a game master's acts: the table names them, and nothing that it does not name is told."""

from __future__ import annotations

import pytest

from gm.game.model.services import Services
from gm.game.views import gm_log as ledger
from gm.game.views.gm_log import PUBLIC, ActAnnouncement


@pytest.mark.parametrize("word", [word for word, telling in PUBLIC.items() if telling is not ActAnnouncement.WRITTEN])
def test_an_act_listed_by_its_kind_has_a_sentence(services: Services, word: str) -> None:
    assert f"ledger.kind.{word.lower().replace(' ', '-')}" in services.letters.catalogue("en")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("ROLLBACK", "ROLLBACK"),
        ("ROLLBACK F1901M", "ROLLBACK"),
        ("SET moves 48 h", "SET"),
        ("SETUP\nOWN Mun none", "SETUP"),
        ("SEAT France: Luc <luc@example.org>", ""),
        ("ASK nothing", ""),
        ("AS France\nA Par H", "AS"),
        ("ANNOUNCE hello", ""),
        ("CORRECT RESULT S1901M\nwrong", "CORRECT RESULT"),
    ],
)
def test_an_act_is_known_by_its_words(text: str, word: str) -> None:
    assert ledger._public_command(text) == word
