"""What Fin de Siècle adds to Standard: a choice of units before the first turn, dips, a last year, letters for dips.

The board with its oceans, the countries and the settings are data: map.toml and variant.toml.
"""

from __future__ import annotations

from collections.abc import Mapping

from gm.judge.gm_changes.civil_disorder import ExclusionChange
from gm.judge.mechanics.dips.dip_orders import DipSupport, InterceptMail, NoDips, Protect
from gm.judge.mechanics.dips.dips import HOLDS, MOVES, DipRights
from gm.judge.mechanics.dips.interception import Interception
from gm.judge.mechanics.dips.paid_press import PaidPress
from gm.judge.mechanics.dips.usage_windows import UsageWindow
from gm.judge.model.press import ReleaseTime
from gm.judge.model.variant import Rules
from gm.judge.movement.movement_step import MovementStep
from gm.judge.steps.adjustments import AdjustmentStep
from gm.judge.steps.centre_ownership import Census, LastYearRule
from gm.judge.steps.retreats import RetreatStep
from gm.judge.steps.unit_placement import UnitPlacementStep

LAST_YEAR = 1900


def rules(options: Mapping[str, str]) -> Rules:
    blocks = options["dip_window"] == "blocks-of-5"
    ears = Interception(
        guards_received=options["protect_covers"] == "sent-and-received",
        tells_protected=options["tell_protected"] == "true",
    )
    dips = DipRights(
        major=6,
        minor=4,
        move=int(options["dip_cost_move"]),
        holds=UsageWindow(HOLDS, most=5, blocks=blocks),
        moves=UsageWindow(MOVES, most=2, blocks=blocks),
        show_payer=options["show_dip_payer"] == "true",
        ears=ears,
    )
    paid = PaidPress(
        between=options["messages_between_phases"] == "next-turn",
        shown=options["show_recipients"] == "true",
        copies_at_once=options["intercept_delivery"] == "also-immediate",
        ears=ears,
        release=ReleaseTime(options["message_release"]),
        doubles_public=options["double_seats_public"] == "true",
    )
    attackers = options["retreat_to_attackers_ocean"] == "true"
    return Rules(
        calendar=(
            MovementStep("Spring", rights=dips, withdraw_to_shared=attackers),
            RetreatStep("Spring"),
            MovementStep("Fall", rights=dips, withdraw_to_shared=attackers),
            RetreatStep("Fall"),
            Census("Fall", closing=LastYearRule(LAST_YEAR, most=options["end_1900"] == "most-centres")),
            AdjustmentStep("Winter"),
            UnitPlacementStep("Winter"),
        ),
        statements=(DipSupport, InterceptMail, Protect, NoDips),
        gm_changes={"exclusion": ExclusionChange()},
        press=paid,
    )
