"""The subject of an answer says what the answer holds."""

from __future__ import annotations

import pytest
from support.paths import ROOT

from gm.game.letters.answer_inserts import INSERTS
from gm.language.i18n.catalogue import languages, load


@pytest.mark.parametrize("language", languages())
def test_every_insert_has_a_name(language: str) -> None:
    catalogue = load(ROOT / "templates" / "sentences", language)
    assert {kind for kind in INSERTS if f"answer.about.{kind}" not in catalogue} == set()
