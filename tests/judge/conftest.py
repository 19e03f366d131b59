from __future__ import annotations

import pytest
from support.shipped import LIBRARY

from gm.judge.model.variant import Variant
from gm.variant_files.library import Library


@pytest.fixture(scope="session")
def shelf() -> Library:
    return LIBRARY


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
