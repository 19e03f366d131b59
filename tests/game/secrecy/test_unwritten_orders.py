"""With hidden control nobody reads whether somebody wrote for a minor power: two games, in one of which its controller
writes the very orders that the rules supply in the other.
"""

from __future__ import annotations

import re

import pytest
from support.twin_games import MASTERS, Twins

from gm.game.model.records import MASTER
from gm.game.model.services import Services
from gm.variant_files.library import Library

CONTROLLER = "Germany"
HIDDEN = "hidden_control: on\n"
MOVES = "POINTS Germany Poland = 3"
RETREATS = "KILL A War\nUNIT A War Russia\nUNIT A War Poland\nDISLODGE A War Poland FROM Wil TO Kra Sil\nPHASE S1933R"
REMOVALS = "UNIT A Kra Poland\nPHASE W1933A"
BUILDS = "KILL A War\nPHASE W1933A"
ASKED = "STATUS\nHISTORY\nSUMMARY\nMISSING"


def begun(services: Services, library: Library) -> Twins:
    """Germany controls Poland, and nobody anything else."""
    variant = library.variant("europe-1933", {"hidden_control": "on"})
    twins = Twins(services, 5, variant, power=CONTROLLER, chosen=HIDDEN, curious=True)
    for power in variant.powers:
        twins._both(power.name, "bid Poland 5" if power.name == CONTROLLER else "bid none")
    return twins


def correct(twins: Twins, setup: str) -> None:
    for run in twins.runs:
        run.write(MASTERS, run.seat_address(MASTER), f"SETUP\n{setup}\nEND")
        code = re.search(r"CONFIRM ([A-Z0-9]{8})", run.recorder.sent[MASTERS][-1].text())
        assert code is not None, run.recorder.sent[MASTERS][-1].text()
        run.write(MASTERS, run.seat_address(MASTER), f"CONFIRM {code[1]}")


@pytest.mark.parametrize(
    ("setup", "orders"),
    [(MOVES, "A War H"), (RETREATS, "A War disband"), (REMOVALS, "Remove A Kra"), (BUILDS, "Waive")],
    ids=["moves", "retreats", "removals", "builds"],
)
def test_nobody_reads_who_wrote_nothing(services: Services, library: Library, setup: str, orders: str) -> None:
    twins = begun(services, library)
    correct(twins, setup)
    others = [power.name for power in twins.variant.powers if power.name != CONTROLLER]
    twins.runs[1].write(*twins._from(1, CONTROLLER), f"Poland:\n{orders}\nWAIT")
    twins.runs[0].write(*twins._from(0, CONTROLLER), "WAIT")
    phase, due = twins.runs[0].game().phase, twins.runs[0].game().due_at
    assert due is not None
    twins._forward(due - twins.runs[0].now())
    assert twins.runs[0].game().phase == twins.runs[1].game().phase != phase
    for power in others:
        twins._both(power, ASKED)
    assert twins.leaks() == []


def test_no_deadline_skips_the_absence_of_a_controller(services: Services, library: Library) -> None:
    """A retreat of the minor power's unit alone, while its controller is away: announced, and the deadline stays."""
    twins = begun(services, library)
    twins.runs[1].write(*twins._from(1, CONTROLLER), "ABSENCE 1 March TO 4 March")
    correct(twins, RETREATS)
    assert twins.runs[0].game().phase == twins.runs[1].game().phase == "S1933R"
    assert twins.runs[0].game().due_at == twins.runs[1].game().due_at
    twins.master("PROCESS")
    assert twins.runs[0].game().due_at != twins.runs[1].game().due_at, "the absence counts where Germany owes orders"
