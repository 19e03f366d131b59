"""The board of the reading tests."""

from __future__ import annotations

import pytest

from gm import resources
from gm.judge.variant import Variant
from gm.library import Library


@pytest.fixture(scope="session")
def standard() -> Variant:
    return Library([resources.folder("variants")]).variant("standard")
