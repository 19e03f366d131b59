from __future__ import annotations

import pytest

from gm.language.i18n.similar_words import has_one_slip


@pytest.mark.parametrize("written", ["supprts", "suppports", "supoprts", "suppofts", "support", "upports", "supportss"])
def test_one_slip(written: str) -> None:
    assert has_one_slip(written, "supports")


@pytest.mark.parametrize("written", ["supports", "supprt", "sports", "reports", "supposrt", ""])
def test_none_or_more_than_one(written: str) -> None:
    assert not has_one_slip(written, "supports")
