"""The kill test's short form. By hand it kills hundreds of times: `python -m kill --help` from the folder tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.stores.postgresql import needs_postgresql

from kill.__main__ import run


@pytest.mark.parametrize(("kind", "nodes"), [("sqlite", 1), ("postgresql", 3)])
def test_nothing_is_lost_and_nothing_done_twice_over_kills(kind: str, nodes: int, tmp_path: Path) -> None:
    database = needs_postgresql() if kind == "postgresql" else str(tmp_path / "gm.sqlite")
    tally = run(tmp_path, database, nodes, kills=4, seed=4)
    assert tally.results
    print(tally)
