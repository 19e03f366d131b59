from __future__ import annotations

from pathlib import Path

import pytest

from gm.judge.variant import Variant
from gm.library import Library


@pytest.fixture(scope="session")
def standard() -> Variant:
    return Library([Path(__file__).parents[2] / "variants"]).variant("standard")
