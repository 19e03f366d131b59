"""Where powers build, what centres produce, and yards (build centres).

A yard is not a supply centre, but its home power may build there while it holds it. It holds a yard from the start,
until another power's unit stands there at a census; then that power holds it. The ledger records holders other than
the home power.
"""

from __future__ import annotations

from collections.abc import Mapping

from gm.judge.board.board import GROUND
from gm.judge.model.position import LedgerKey, Position
from gm.judge.model.rulebooks import BuildRule
from gm.judge.model.variant import Variant


def at_home(position: Position, power: str) -> tuple[str, ...]:
    return position.board.adjacency.homes.get(power, ())


def in_any(position: Position, power: str) -> tuple[str, ...]:
    """All centres the power owns except colonies, and the yards it holds."""
    provinces = position.board.provinces
    yards = {code for code in at_home(position, power) if holder(position, code) == power}
    return tuple(sorted(yards | {code for code in position.centres_of(power) if not provinces[code].colony}))


def with_a_home(position: Position, power: str) -> tuple[str, ...]:
    """As `in_any`, while the power owns one of its home centres."""
    has_home = any(position.centres.get(code) == power for code in at_home(position, power))
    return in_any(position, power) if has_home else ()


AT_HOME = BuildRule("home", at_home, "not-home")
BUILD_RULES: Mapping[str, BuildRule] = {
    rule.name: rule
    for rule in (
        AT_HOME,
        BuildRule("one-home", with_a_home, "not-owned-or-homeless"),
        BuildRule("any", in_any, "not-owned"),
    )
}

HOLDS = "holds"
"""The purse of (holder, yard) for yards not held by their home power."""


def holder(position: Position, code: str) -> str | None:
    """The power that holds a yard; None if the province is not a yard."""
    province = position.board.provinces[code]
    if not province.yard:
        return None
    return next((key.power for key in position.ledger if key.purse == HOLDS and key.subject == code), province.home)


def ledger_with_yards(position: Position, variant: Variant) -> Mapping[LedgerKey, int]:
    """The ledger after the units in yards were counted."""
    ledger, yards = position.ledger, position.board.adjacency.yards
    for unit in position.units if yards else ():
        if unit.at.province not in yards or variant.kinds[unit.kind].layer != GROUND:
            continue
        province = position.board.provinces[unit.at.province]
        ledger = {key: n for key, n in ledger.items() if (key.purse, key.subject) != (HOLDS, province.code)}
        if unit.power != province.home:
            ledger |= {LedgerKey(HOLDS, unit.power, province.code): 1}
    return ledger


FULL = 2
"""Half points that a centre produces, and that an ordinary unit costs."""
BOMBED = "bombed"
"""The purse of turns in which bombs lowered a centre's production."""
HINDERED = "hindered"
"""The purse of turns in which bombs lowered only what a centre gives for building."""


def production_left(position: Position, code: str, more: int = 0) -> int:
    """Half points that a centre still produces this year, after `more` bombings."""
    turns = sum(position.ledger.get(LedgerKey(purse, "", code), 0) for purse in (BOMBED, HINDERED))
    return max(0, FULL - turns - more)


def produced(position: Position, power: str, purse: str = BOMBED) -> int:
    """Half points produced by all centres of a power."""
    if not position.ledger:
        return FULL * len(position.centres_of(power))
    return sum(max(0, FULL - position.ledger.get(LedgerKey(purse, "", code), 0)) for code in position.centres_of(power))


def upkeep(position: Position, variant: Variant, power: str) -> int:
    kinds = variant.kinds
    return sum([kinds[unit.kind].cost for unit in position.units_of(power)])


def balance(position: Position, variant: Variant, power: str) -> int:
    """Half points for building, or by which units exceed production (negative)."""
    spare = produced(position, power) - upkeep(position, variant, power)
    if spare <= 0 or not position.ledger:
        return spare
    hindered = FULL * len(position.centres_of(power)) - produced(position, power, HINDERED)
    return max(0, spare - hindered)


def without_bombings(position: Position) -> Mapping[LedgerKey, int]:
    """The ledger of a new year, without bombings."""
    if not position.ledger or not any(key.purse in (BOMBED, HINDERED) for key in position.ledger):
        return position.ledger
    return {key: amount for key, amount in position.ledger.items() if key.purse not in (BOMBED, HINDERED)}
