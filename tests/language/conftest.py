"""The board of the reading tests."""

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
