"""CIVIL DISORDER and EXCLUDE, in variants whose rules have them.

The position changes at once; the phase stays open with its deadline. All sheets are kept but the power's own and lines
about units that are gone. Everybody gets a notice.
"""

from __future__ import annotations

from msgspec.structs import replace

from gm.game.model.loaded_game import power_named
from gm.game.session import seat_changes
from gm.game.session.session import LetterSession, tell_all
from gm.game.turns import resolve
from gm.judge.model.events import PowerCollapsed
from gm.language.commands import requests

CIVIL_DISORDER = "civil disorder"
EXCLUSION = "exclusion"


def civil_disorder(session: LetterSession, request: requests.CivilDisorderRequest, line: int) -> None:
    loaded_game = session.loaded_game
    act = loaded_game.variant.gm_changes.get(CIVIL_DISORDER)
    if act is None:
        session.note("no-civil-disorder", done=False, line=line)
        return
    power = power_named(loaded_game.variant, request.power) or request.power
    if not act.is_allowed(loaded_game.position, loaded_game.variant, power):
        powers = ", ".join(
            seated for seated in loaded_game.variant.seated if not loaded_game.position.collapsed(seated)
        )
        session.note("no-such-collapse", done=False, line=line, power=power[:40], powers=powers)
        return
    session.flush()
    turn = act.apply(loaded_game.position, loaded_game.variant, power)
    session.reload_game(resolve.store_gm_change(session.services, session.store, session.game, turn, power))
    fallen = next(event for event in turn.events if isinstance(event, PowerCollapsed))
    note = session.note(
        "civil-disorder",
        line=line,
        headline=True,
        power=fallen.power,
        gone=", ".join(map(str, fallen.units)) or "-",
        independent=", ".join(map(str, fallen.independent)) or "-",
    )
    session.log(f"CIVIL DISORDER {fallen.power}", note)
    tell_all(session, replace(note, headline=True), line)


def exclude(session: LetterSession, request: requests.ExcludeRequest, line: int) -> None:
    """The player loses the seat with its reply address, and the sheet."""
    loaded_game = session.loaded_game
    act = loaded_game.variant.gm_changes.get(EXCLUSION)
    if act is None:
        session.note("no-exclusion", done=False, line=line, power=request.power[:40])
        return
    power = power_named(loaded_game.variant, request.power) or request.power
    seat = loaded_game.seat_of(power)
    allowed = act.is_allowed(loaded_game.position, loaded_game.variant, power)
    if not allowed or seat is None or seat.person is None:
        powers = ", ".join(other.power for other in loaded_game.taken_seats)
        session.note("no-such-exclusion", done=False, line=line, power=power[:40], powers=powers)
        return
    session.flush()
    note = session.note("excluded", line=line, headline=True, power=seat.power)
    turn = act.apply(loaded_game.position, loaded_game.variant, power)
    resolve.store_gm_change(session.services, session.store, session.game, turn, seat.power)
    seat_changes.exclude_holder(session, seat)
    tell_all(session, replace(note, headline=True), line)
    session.log(f"EXCLUDE {seat.power}", note)
