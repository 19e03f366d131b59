"""What Locarno adds to Standard: points for the minor powers' orders, their dismissal and return, and civil disorder.

Everything else (the board, who starts where, the settings) is data: variant.toml and map.toml.
"""

from __future__ import annotations

from collections.abc import Mapping

from gm.judge.gm_changes.civil_disorder import CivilDisorderChange
from gm.judge.mechanics.diplomacy_points import DiplomacyPoints
from gm.judge.mechanics.minor_powers import DismissMinors, Garrison
from gm.judge.model.orders import Allocate, NoPoints
from gm.judge.model.variant import Rules
from gm.judge.movement.movement_step import MovementStep
from gm.judge.steps.adjustments import AdjustmentStep
from gm.judge.steps.centre_ownership import Census
from gm.judge.steps.retreats import RetreatStep


def rules(options: Mapping[str, str]) -> Rules:
    cap = options["dp_max_per_order"]
    points = DiplomacyPoints(
        "DP", most=3, per_order=0 if cap == "none" else int(cap), over=options["dp_overallocation"]
    )
    return Rules(
        calendar=(
            MovementStep("Spring", rights=points),
            DismissMinors("Spring"),
            RetreatStep("Spring"),
            MovementStep("Fall", rights=points),
            DismissMinors("Fall"),
            RetreatStep("Fall"),
            Census("Fall"),
            AdjustmentStep("Winter"),
            Garrison("Winter"),
        ),
        statements=(Allocate, NoPoints),
        gm_changes={"civil disorder": CivilDisorderChange(kind="A")},
        revealed=options["reveal_dp_after_game"] == "true",
    )
