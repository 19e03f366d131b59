"""The benchmark runs, on a few phases and without the other side; what it measures is measured elsewhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import timedelta

from support.paths import TESTS
from support.stores.postgresql import needs_postgresql

from bench import meshes, nodes, ours, phases, pictures
from gm.cli.adjudicate import Adjudicator
from gm.judge.model.events import Outcome
from gm.judge.movement.adjudicate import adjudicate


def test_it_prints_its_table() -> None:
    command = [sys.executable, "-m", "bench", "--phases", "12", "--rounds", "1", "--no-peer"]
    done = subprocess.run(command, cwd=TESTS, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    for row in (
        "capitals, new lines",
        "own spelling, new lines",
        "× one core",
        "400 units",
        "40 fleets in one convoy mesh",
        "most memory",
    ):
        assert row in done.stdout


def test_the_phases_are_the_same_for_a_seed_and_legal() -> None:
    library = ours.library()
    lines = list(phases.lines(ours.standard(library), 3, 25))
    assert lines == list(phases.lines(ours.standard(library), 3, 25))
    answers = [json.loads(line) for line in Adjudicator(library).answers(lines)]
    outcomes = [row["outcome"] for answer in answers for row in answer["results"]]
    assert "illegal" not in outcomes
    assert {"succeeds", "bounced", "cut"} <= set(outcomes)
    orders = [text for line in lines for sheet in json.loads(line)["orders"].values() for text in sheet]
    assert any(" C " in text for text in orders)


def test_every_process_makes_the_same_phases() -> None:
    program = "from bench import ours, phases; print(*phases.lines(ours.standard(ours.library()), 1, 40))"
    command = [sys.executable, "-c", program]
    made = {
        subprocess.run(
            command, cwd=TESTS, env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in "12"
    }
    assert len(made) == 1
    assert made != {b""}


def test_capitals_mean_the_same() -> None:
    library = ours.library()
    lines = list(phases.lines(ours.standard(library), 3, 25))
    capitals = [phases.in_capitals(line) for line in lines]
    assert list(Adjudicator(library).answers(capitals)) == list(Adjudicator(library).answers(lines))


def test_a_ring_of_convoys_is_a_paradox_and_a_chain_is_not() -> None:
    ring = adjudicate(meshes.paradoxes(7, ring=True))
    assert sum(order_outcome.outcome is Outcome.DISRUPTED for order_outcome in ring.outcomes) >= 7
    chain = adjudicate(meshes.paradoxes(7, ring=False))
    assert all(order_outcome.outcome is not Outcome.DISRUPTED for order_outcome in chain.outcomes)


def test_load_is_measured() -> None:
    few = ["--letters", "14", "--due", "2", "--sizes", "10,20"]
    command = [sys.executable, "-W", "ignore", "-m", "bench.load", *few]
    done = subprocess.run(command, cwd=TESTS, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    for row in ("letters a second", "2 games due at once", "the dearest is", "memory of this process"):
        assert row in done.stdout


def test_nodes_are_measured() -> None:
    needs_postgresql()
    rows = list(nodes.measure([2], 20, 4, timedelta(seconds=2)))
    assert [row.partition(":")[0] for row in rows[1:]] == ["2 nodes", "2 nodes"]
    assert "letters taken a second" in rows[1]
    assert "4 games due within 2 s" in rows[2]


def test_pictures_are_measured() -> None:
    row = pictures.row(ours.library(), "standard", 2, 300)
    assert row.lstrip().startswith("Standard")
    assert "pictures a second" in row
