"""Moves of borders that are found by search."""

from __future__ import annotations

import os
import subprocess
import sys

from support.paths import ROOT

PROGRAM = """
from bench import ours, phases
from itertools import islice
from random import Random
from gm.judge.mechanics.moving_borders.border_history import search_moves

variant = ours.library().variant("seismic")
*_, (position, _) = islice(phases.movements(variant, Random("pictures/0")), 8)
print(search_moves(variant.start.board.rotation, position.board.rotation))
"""


def test_every_process_finds_the_same_moves() -> None:
    """Else two nodes would draw different pictures of one position."""
    answers = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "tests")))},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "3")
    }
    assert len(answers) == 1
    assert answers.pop().strip()
