"""What Europe 1933 adds to Standard: minor powers that great ones bid for and then command, ferries, wings.

Everything else (the board, who starts where, the settings) is data: variant.toml and map.toml.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from gm.judge.bidding import Bid, NoBids
from gm.judge.bids import Bids, Decay
from gm.judge.builds import Builds
from gm.judge.census import Census
from gm.judge.control import Control
from gm.judge.envoys import ENVOYS, VEILED_ENVOYS
from gm.judge.ferries import Ferries
from gm.judge.influence import Cap, Influence, commanded
from gm.judge.moves import Moves
from gm.judge.production import BOMBED, HINDERED
from gm.judge.retreats import Retreats
from gm.judge.statements import Passage
from gm.judge.steps import Step
from gm.judge.variant import Rules
from gm.judge.wings import AirMoves, AirRetreats, BaseCheck, Bomb, Doctrine, Intercept
from gm.judge.wings.doctrine import OCCUPATION


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
