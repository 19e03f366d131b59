"""What Seismic adds to Standard: a step after the Spring retreats and after the Winter adjustments that move borders.

Everything else (the board, the straits, the settings) is data: variant.toml and map.toml.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from gm.judge.mechanics.moving_borders.border_orders import NoEvent, Placement, Release, Separation
from gm.judge.mechanics.moving_borders.border_step import BorderStep
from gm.judge.mechanics.moving_borders.delayed_events import DelayedBorderStep, DelayedEvents
from gm.judge.mechanics.moving_borders.order_meaning import BorderOrderTerms
from gm.judge.model.variant import Rules
from gm.judge.movement.movement_step import MovementStep
from gm.judge.movement.order_rights import OWN_UNITS, OrderRights
from gm.judge.steps.adjustments import AdjustmentStep
from gm.judge.steps.centre_ownership import Census
from gm.judge.steps.retreats import RetreatStep

SEASONS = ("Spring", "Winter")


class Season(NamedTuple):
    """Who may write what with the moves, and the step in which the borders move."""

    rights: OrderRights
    step: BorderStep


def _separate(season: str, terms: BorderOrderTerms, eliminated: bool, placing: str) -> Season:
    return Season(OWN_UNITS, BorderStep(season, terms, eliminated, placing))


def _with_moves(season: str, terms: BorderOrderTerms, eliminated: bool, placing: str) -> Season:
    step = DelayedBorderStep(season, terms, eliminated, placing)
    return Season(DelayedEvents(step), step)


COLLECTED: Mapping[str, Callable[[str, BorderOrderTerms, bool, str], Season]] = {
    "separate": _separate,
    "with-moves": _with_moves,
}
"""The choices of `seismic_collect`."""


def rules(options: Mapping[str, str]) -> Rules:
    terms = BorderOrderTerms(
        unnamed=frozenset() if options["ireland_in_seismic"] == "true" else frozenset({"Ire"}),
        groups=options["release_groups"] == "true",
        blocking=options["seismic_beaten_orders_block"] == "true",
    )

    eliminated = options["seismic_eliminated_players"] == "true"
    placing = options["fleet_placement_default"]
    spring, winter = (COLLECTED[options["seismic_collect"]](season, terms, eliminated, placing) for season in SEASONS)
    return Rules(
        calendar=(
            MovementStep("Spring", rights=spring.rights),
            RetreatStep("Spring"),
            spring.step,
            MovementStep("Fall", rights=winter.rights),
            RetreatStep("Fall"),
            Census("Fall"),
            AdjustmentStep("Winter"),
            winter.step,
        ),
        statements=(Separation, Release, NoEvent, Placement),
    )
