"""Where powers build: in home centres, or elsewhere by another rule; and build centres.

Build centres are places that are no supply centre, where the power that starts with one may build while it holds it.

It holds one from the start, until another power's unit stands there when centres are counted; then that power holds it,
until it is counted for another. The ledger remembers holders other than the first.
"""

from __future__ import annotations

from collections.abc import Mapping

from gm.judge.board.board import GROUND
from gm.judge.model.position import LedgerKey, Position
from gm.judge.model.rulebooks import BuildRule
from gm.judge.model.variant import Variant


def at_home(position: Position, power: str) -> tuple[str, ...]:
    """Home centres, and build centres."""
    return position.board.adjacency.homes.get(power, ())


def in_any(position: Position, power: str) -> tuple[str, ...]:
    """All centres that it owns but colonial ones, and the build centres that it holds."""
    provinces = position.board.provinces
    yards = {code for code in at_home(position, power) if holder(position, code) == power}
    return tuple(sorted(yards | {code for code in position.centres_of(power) if not provinces[code].colony}))


def with_a_home(position: Position, power: str) -> tuple[str, ...]:
    """The same, while one of its home centres is its own."""
    still = any(position.centres.get(code) == power for code in at_home(position, power))
    return in_any(position, power) if still else ()


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
"""The purse of (holder, build centre) for those held by another than the power that may build there."""


def holder(position: Position, code: str) -> str | None:
    """Who holds a build centre; None where the province is none."""
    province = position.board.provinces[code]
    if not province.yard:
        return None
    return next((key.power for key in position.ledger if key.purse == HOLDS and key.subject == code), province.home)


def counted_yards(position: Position, variant: Variant) -> Mapping[LedgerKey, int]:
    """The ledger after the units in build centres were counted."""
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
BOMBED = "bombed"
"""The purse of turns that lower what a centre produces."""
HINDERED = "hindered"
"""The purse of turns that lower what it gives for building, but never cost a unit."""


def left_of(position: Position, code: str, more: int = 0) -> int:
    """What a centre produces yet, after `more` such turns."""
    turns = sum(position.ledger.get(LedgerKey(purse, "", code), 0) for purse in (BOMBED, HINDERED))
    return max(0, FULL - turns - more)


def produced(position: Position, power: str, purse: str = BOMBED) -> int:
    """By all centres of a power."""
    if not position.ledger:
        return FULL * len(position.centres_of(power))
    return sum(max(0, FULL - position.ledger.get(LedgerKey(purse, "", code), 0)) for code in position.centres_of(power))


def upkeep(position: Position, variant: Variant, power: str) -> int:
    kinds = variant.kinds
    return sum([kinds[unit.kind].cost for unit in position.units_of(power)])


def balance(position: Position, variant: Variant, power: str) -> int:
    """Half points for building, or (negative) that units take too much."""
    spare = produced(position, power) - upkeep(position, variant, power)
    if spare <= 0:
        return spare
    hindered = FULL * len(position.centres_of(power)) - produced(position, power, HINDERED)
    return max(0, spare - hindered)


def restored(position: Position) -> Mapping[LedgerKey, int]:
    """The ledger of a new year."""
    if not position.ledger or not any(key.purse in (BOMBED, HINDERED) for key in position.ledger):
        return position.ledger
    return {key: amount for key, amount in position.ledger.items() if key.purse not in (BOMBED, HINDERED)}
