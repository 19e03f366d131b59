"""What Europe 1933 adds to Standard: minor powers that great ones bid for and then command, ferries, wings.

Everything else (the board, who starts where, the settings) is data: variant.toml and map.toml.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from gm.judge.mechanics.influence.bid_orders import Bid, NoBids, PartBid
from gm.judge.mechanics.influence.bidding_step import BiddingStep, InfluenceDecay
from gm.judge.mechanics.influence.control import ControlRights
from gm.judge.mechanics.influence.ferries import FerryRights
from gm.judge.mechanics.influence.influence_points import Influence, InfluenceCap, commanded
from gm.judge.mechanics.influence.minor_power_press import ENVOYS, SECRET_ENVOYS
from gm.judge.mechanics.wings.movement_step import AirMoves
from gm.judge.mechanics.wings.options import OCCUPATION, WingOptions
from gm.judge.mechanics.wings.retreats import AirRetreats, BaseCheck
from gm.judge.mechanics.wings.wing_orders import Bomb, Intercept
from gm.judge.model.orders import Passage
from gm.judge.model.variant import Rules, Step
from gm.judge.movement.movement_step import MovementStep
from gm.judge.steps.adjustments import AdjustmentStep
from gm.judge.steps.build_rules import BOMBED, HINDERED
from gm.judge.steps.centre_ownership import Census
from gm.judge.steps.retreats import RetreatStep


def rules(options: Mapping[str, str]) -> Rules:
    def on(key: str) -> bool:
        return options[key] in ("on", "true")

    influence = Influence(
        yards=("Ark",),
        native=options["arkhangelsk_ip"] == "russia-only",
        caps=(InfluenceCap("Russia", 1933, 12),),
        hidden=on("hidden_control"),
        numbers_after=on("hidden_numbers_after_bids"),
        members_known=on("coalition_members_known"),
        coalition_annexes=options["coalition_annexation"] == "each-member",
        bank=on("bank_unspent_ips"),
    )
    control = ControlRights()
    rights = ControlRights(FerryRights())
    flies = on("wings")
    doctrine = WingOptions(
        purse=BOMBED if options["bombing_affects"] == "upkeep" else HINDERED,
        base_lost=options["wing_base_lost"],
        own_space=on("intercept_own_space"),
        own_centre=options["bomb_own_centre"] == "counts",
        confused=options["confused_wing"],
    )
    moves = partial(AirMoves, doctrine=doctrine, friends=commanded) if flies else MovementStep
    retreats = AirRetreats if flies else RetreatStep

    def bases(season: str, when: bool) -> tuple[Step, ...]:
        """Wings whose base is lost, and where they go; in Spring only where a mere occupation takes one."""
        check = BaseCheck(season, base_lost=doctrine.base_lost)
        return (check, AirRetreats(season, rights=control, letter="Q")) if flies and when else ()

    return Rules(
        calendar=(
            InfluenceDecay("Spring", influence=influence),
            BiddingStep("Spring", influence=influence),
            moves("Spring", rights=rights),
            retreats("Spring", rights=control),
            *bases("Spring", when=doctrine.base_lost == OCCUPATION),
            moves("Fall", rights=rights),
            retreats("Fall", rights=control),
            Census("Fall", counting=influence),
            *bases("Fall", when=True),
            AdjustmentStep("Winter", rights=control),
        ),
        statements=(Bid, PartBid, NoBids, Passage, *((Bomb, Intercept) if flies else ())),
        influence=influence,
        revealed=on("reveal_control_after_game"),
        press=SECRET_ENVOYS if influence.hidden else ENVOYS,
    )
