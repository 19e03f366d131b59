"""What Europe 1933 adds to Standard: minor powers that great ones bid for and then command, and ferries.

Everything else (the board, who starts where, the settings) is data: variant.toml and map.toml.
"""

from __future__ import annotations

from collections.abc import Mapping

from gm.judge.bidding import Bid, NoBids
from gm.judge.bids import Bids, Decay
from gm.judge.builds import Builds
from gm.judge.census import Census
from gm.judge.control import Control
from gm.judge.ferries import Ferries
from gm.judge.influence import Cap, Influence
from gm.judge.moves import Moves
from gm.judge.retreats import Retreats
from gm.judge.statements import Passage
from gm.judge.variant import Rules


def rules(options: Mapping[str, str]) -> Rules:
    def on(key: str) -> bool:
        return options[key] in ("on", "true")

    influence = Influence(
        yards=("Ark",),
        native=options["arkhangelsk_ip"] == "russia-only",
        caps=(Cap("Russia", 1933, 12),),
        hidden=on("hidden_control"),
        numbers_after=on("hidden_numbers_after_bids"),
        members_known=on("coalition_members_known"),
        coalition_annexes=options["coalition_annexation"] == "each-member",
        bank=on("bank_unspent_ips"),
    )
    control = Control()
    muster = Ferries(control)
    return Rules(
        calendar=(
            Decay("Spring", influence),
            Bids("Spring", influence),
            Moves("Spring", muster=muster),
            Retreats("Spring", muster=control),
            Moves("Fall", muster=muster),
            Retreats("Fall", muster=control),
            Census("Fall", counting=influence),
            Builds("Winter", muster=control),
        ),
        statements=(Bid, NoBids, Passage),
        influence=influence,
    )
