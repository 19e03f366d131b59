"""What Fin de Siècle adds to Standard: a choice of units before the first turn, dips, a last year, letters for dips.

The board with its oceans, the countries and the settings are data: map.toml and variant.toml.
"""

from __future__ import annotations

from collections.abc import Mapping

from gm.judge.acts import Exclusion
from gm.judge.builds import Builds
from gm.judge.census import Census, Closing
from gm.judge.dips import HOLDS, MOVES, Dips
from gm.judge.intercepts import Interception
from gm.judge.moves import Moves
from gm.judge.paid import Paid
from gm.judge.pledges import DipSupport, InterceptMail, NoDips, Protect
from gm.judge.press import Release
from gm.judge.retreats import Retreats
from gm.judge.setup import SetUp
from gm.judge.variant import Rules
from gm.judge.windows import Window

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
