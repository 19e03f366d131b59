from __future__ import annotations

from pathlib import Path

import pytest

from gm.judge.variant import Variant
from gm.library import Library


@pytest.fixture(scope="session")
def shelf() -> Library:
    return Library([Path(__file__).parents[2] / "variants"])


@pytest.fixture(scope="session")
def standard(shelf: Library) -> Variant:
    return shelf.variant("standard")


@pytest.fixture(scope="session")
def youngstown(shelf: Library) -> Variant:
    return shelf.variant("youngstown")


@pytest.fixture(scope="session")
def locarno(shelf: Library) -> Variant:
    return shelf.variant("locarno")


@pytest.fixture(scope="session")
def fin_de_siecle(shelf: Library) -> Variant:
    return shelf.variant("fin-de-siecle")
