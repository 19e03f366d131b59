"""What Europe 1933 adds to Standard: minor powers that great ones bid for and then command, ferries, wings.

Everything else (the board, who starts where, the settings) is data: variant.toml and map.toml.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from gm.judge.mechanics.influence.bid_orders import Bid, NoBids
from gm.judge.mechanics.influence.bidding_step import Bids, Decay
from gm.judge.mechanics.influence.control import Control
from gm.judge.mechanics.influence.ferries import Ferries
from gm.judge.mechanics.influence.influence_points import Cap, Influence, commanded
from gm.judge.mechanics.influence.minor_power_press import ENVOYS, VEILED_ENVOYS
from gm.judge.mechanics.wings.movement_step import AirMoves
from gm.judge.mechanics.wings.options import OCCUPATION, Doctrine
from gm.judge.mechanics.wings.retreats import AirRetreats, BaseCheck
from gm.judge.mechanics.wings.wing_orders import Bomb, Intercept
from gm.judge.model.orders import Passage
from gm.judge.model.sheets import Step
from gm.judge.model.variant import Rules
from gm.judge.movement.movement_step import Moves
from gm.judge.steps.adjustments import Builds
from gm.judge.steps.centre_ownership import Census
from gm.judge.steps.production_part import BOMBED, HINDERED
from gm.judge.steps.retreats import Retreats


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
    flies = on("wings")
    doctrine = Doctrine(
        purse=BOMBED if options["bombing_affects"] == "upkeep" else HINDERED,
        base_lost=options["wing_base_lost"],
        own_space=on("intercept_own_space"),
        own_centre=options["bomb_own_centre"] == "counts",
        confused=options["confused_wing"],
    )
    moves = partial(AirMoves, doctrine=doctrine, friends=commanded) if flies else Moves
    retreats = AirRetreats if flies else Retreats

    def bases(season: str, when: bool) -> tuple[Step, ...]:
        """Wings whose base is lost, and where they go; in Spring only where a mere occupation takes one."""
        check = BaseCheck(season, base_lost=doctrine.base_lost)
        return (check, AirRetreats(season, muster=control, letter="Q")) if flies and when else ()

    return Rules(
        calendar=(
            Decay("Spring", influence=influence),
            Bids("Spring", influence=influence),
            moves("Spring", muster=muster),
            retreats("Spring", muster=control),
            *bases("Spring", when=doctrine.base_lost == OCCUPATION),
            moves("Fall", muster=muster),
            retreats("Fall", muster=control),
            Census("Fall", counting=influence),
            *bases("Fall", when=True),
            Builds("Winter", muster=control),
        ),
        statements=(Bid, NoBids, Passage, *((Bomb, Intercept) if flies else ())),
        influence=influence,
        press=VEILED_ENVOYS if influence.hidden else ENVOYS,
    )
