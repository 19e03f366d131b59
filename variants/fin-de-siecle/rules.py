"""What Fin de Siècle adds to Standard: a choice of units before the first turn, dips, a last year, letters for dips.

The board with its oceans, the countries and the settings are data: map.toml and variant.toml.
"""

from __future__ import annotations

from collections.abc import Mapping

from gm.judge.gm_changes.civil_disorder import Exclusion
from gm.judge.mechanics.dips.dip_orders import DipSupport, InterceptMail, NoDips, Protect
from gm.judge.mechanics.dips.dips import HOLDS, MOVES, Dips
from gm.judge.mechanics.dips.interception import Interception
from gm.judge.mechanics.dips.paid_press import Paid
from gm.judge.mechanics.dips.usage_windows import Window
from gm.judge.model.press import Release
from gm.judge.model.variant import Rules
from gm.judge.movement.movement_step import Moves
from gm.judge.steps.adjustments import Builds
from gm.judge.steps.centre_ownership import Census, Closing
from gm.judge.steps.retreats import Retreats
from gm.judge.steps.unit_placement import SetUp

LAST_YEAR = 1900


def rules(options: Mapping[str, str]) -> Rules:
    blocks = options["dip_window"] == "blocks-of-5"
    ears = Interception(
        guards_received=options["protect_covers"] == "sent-and-received",
        tells_protected=options["tell_protected"] == "true",
    )
    dips = Dips(
        major=6,
        minor=4,
        move=int(options["dip_cost_move"]),
        holds=Window(HOLDS, most=5, blocks=blocks),
        moves=Window(MOVES, most=2, blocks=blocks),
        show_payer=options["show_dip_payer"] == "true",
        ears=ears,
    )
    paid = Paid(
        between=options["messages_between_phases"] == "next-turn",
        shown=options["show_recipients"] == "true",
        passing=options["intercept_delivery"] == "also-immediate",
        ears=ears,
        release=Release(options["message_release"]),
        doubles_public=options["double_seats_public"] == "true",
    )
    attackers = options["retreat_to_attackers_ocean"] == "true"
    return Rules(
        calendar=(
            Moves("Spring", muster=dips, withdraw_to_shared=attackers),
            Retreats("Spring"),
            Moves("Fall", muster=dips, withdraw_to_shared=attackers),
            Retreats("Fall"),
            Census("Fall", closing=Closing(LAST_YEAR, most=options["end_1900"] == "most-centres")),
            Builds("Winter"),
            SetUp("Winter"),
        ),
        statements=(DipSupport, InterceptMail, Protect, NoDips),
        acts={"exclusion": Exclusion()},
        press=paid,
    )
