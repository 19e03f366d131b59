"""What Locarno adds to Standard: points for the minor powers' orders, their dismissal and return, and civil disorder.

Everything else (the board, who starts where, the settings) is data: variant.toml and map.toml.
"""

from __future__ import annotations

from collections.abc import Mapping

from gm.judge.acts import CivilDisorder
from gm.judge.builds import Builds
from gm.judge.census import Census
from gm.judge.minors import DismissMinors, Garrison
from gm.judge.moves import Moves
from gm.judge.points import Points
from gm.judge.retreats import Retreats
from gm.judge.statements import Allocate, NoPoints
from gm.judge.variant import Rules


def rules(options: Mapping[str, str]) -> Rules:
    cap = options["dp_max_per_order"]
    points = Points("DP", most=3, per_order=0 if cap == "none" else int(cap), over=options["dp_overallocation"])
    return Rules(
        calendar=(
            Moves("Spring", muster=points),
            DismissMinors("Spring"),
            Retreats("Spring"),
            Moves("Fall", muster=points),
            DismissMinors("Fall"),
            Retreats("Fall"),
            Census("Fall"),
            Builds("Winter"),
            Garrison("Winter"),
        ),
        statements=(Allocate, NoPoints),
        acts={"civil disorder": CivilDisorder(kind="A")},
        revealed=options["reveal_dp_after_game"] == "true",
    )
