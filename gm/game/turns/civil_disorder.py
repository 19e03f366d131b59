"""What the game master declares of a power between two deadlines, where the variant's rules have such an act.

The position changes at once and the phase stays open with its deadline. Sheets are carried over, but for the power's
own and for lines about units that are gone. Everybody is told.
"""

from __future__ import annotations

from msgspec.structs import replace

from gm.game.model.loaded_game import power_named
from gm.game.session import seat_changes as chairs
from gm.game.session.session import LetterSession, tell_all
from gm.game.turns import resolve as turn
from gm.judge.model.events import PowerCollapsed
from gm.language.commands import requests as ask
from gm.language.rendering import order_text as write

CIVIL_DISORDER = "civil disorder"
EXCLUSION = "exclusion"


def civil_disorder(sitting: LetterSession, request: ask.CivilDisorderRequest, line: int) -> None:
    table = sitting.table
    act = table.variant.acts.get(CIVIL_DISORDER)
    if act is None:
        sitting.note("no-civil-disorder", done=False, line=line)
        return
    args = {"power": power_named(table.variant, request.power) or request.power}
    problems = act.check(table.position, table.variant, args)
    if problems:
        powers = ", ".join(power.name for power in table.variant.powers if not table.position.collapsed(power.name))
        sitting.note("no-such-collapse", done=False, line=line, power=args["power"][:40], powers=powers)
        return
    sitting.flush()
    told = act.apply(table.position, table.variant, args)
    sitting.lay(turn.declare(sitting.office, sitting.store, sitting.game, told, args["power"]))
    fallen = next(event for event in told.events if isinstance(event, PowerCollapsed))
    note = sitting.note(
        "civil-disorder",
        line=line,
        headline=True,
        power=fallen.power,
        gone=", ".join(write.unit(unit) for unit in fallen.units) or "-",
        independent=", ".join(write.unit(unit) for unit in fallen.independent) or "-",
    )
    sitting.log(f"CIVIL DISORDER {fallen.power}", note)
    tell_all(sitting, replace(note, headline=True), f"act:{sitting.row.id}:{line}")


def exclude(sitting: LetterSession, request: ask.ExcludeRequest, line: int) -> None:
    """The player loses his seat with its reply address, and his sheet; what he has sent stays sent."""
    table = sitting.table
    act = table.variant.acts.get(EXCLUSION)
    if act is None:
        sitting.note("no-exclusion", done=False, line=line, power=request.power[:40])
        return
    args = {"power": power_named(table.variant, request.power) or request.power}
    seat = table.seat_of(args["power"])
    if act.check(table.position, table.variant, args) or seat is None or seat.person is None:
        powers = ", ".join(one.power for one in table.power_seats if one.person is not None)
        sitting.note("no-such-exclusion", done=False, line=line, power=args["power"][:40], powers=powers)
        return
    sitting.flush()
    note = sitting.note("excluded", line=line, headline=True, power=seat.power)
    tell_all(sitting, replace(note, headline=True), f"act:{sitting.row.id}:{line}")
    told = act.apply(table.position, table.variant, args)
    turn.declare(sitting.office, sitting.store, sitting.game, told, seat.power)
    chairs.hand_over(sitting, seat, None)
    sitting.lay()
    sitting.log(f"EXCLUDE {seat.power}", note)
