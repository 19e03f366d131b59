"""What Seismic adds to Standard: a step after the Spring retreats and after the Winter adjustments that move borders.

Everything else (the board, the straits, the settings) is data: variant.toml and map.toml.
"""

from __future__ import annotations

from collections.abc import Mapping

from gm.judge.builds import Builds
from gm.judge.census import Census
from gm.judge.deeds import Terms
from gm.judge.moves import Moves
from gm.judge.retreats import Retreats
from gm.judge.upheaval import Upheaval
from gm.judge.upheavals import NoEvent, Placement, Release, Separation
from gm.judge.variant import Rules


def rules(options: Mapping[str, str]) -> Rules:
    terms = Terms(
        unnamed=frozenset() if options["ireland_in_seismic"] == "true" else frozenset({"Ire"}),
        groups=options["release_groups"] == "true",
        blocking=options["seismic_beaten_orders_block"] == "true",
    )

    def upheaval(season: str) -> Upheaval:
        eliminated = options["seismic_eliminated_players"] == "true"
        return Upheaval(season, terms, eliminated, options["fleet_placement_default"])

    return Rules(
        calendar=(
            Moves("Spring"),
            Retreats("Spring"),
            upheaval("Spring"),
            Moves("Fall"),
            Retreats("Fall"),
            Census("Fall"),
            Builds("Winter"),
            upheaval("Winter"),
        ),
        statements=(Separation, Release, NoEvent, Placement),
    )
