"""Conditions about a position, under which lines written ahead count: "French army in Ruh AND NOT Bur empty".

They speak of the board as it stands when a phase opens, never of what others order in it.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from gm.judge.board.board import Place
from gm.judge.model.position import Position


class UnitStands(Struct, frozen=True):
    """Some unit stands there. `kind` "" is any kind, `power` "" anybody's; without a coast in `at`, on any of them."""

    at: Place
    kind: str = ""
    power: str = ""


class CentreOwned(Struct, frozen=True):
    """Whose the supply centre is; `power` "" for nobody's."""

    power: str
    province: str


class NotCondition(Struct, frozen=True):
    part: Condition


class AllConditions(Struct, frozen=True):
    """Two parts or more, as in `Any`."""

    parts: tuple[Condition, ...]


class AnyCondition(Struct, frozen=True):
    parts: tuple[Condition, ...]


Condition: TypeAlias = UnitStands | CentreOwned | NotCondition | AllConditions | AnyCondition


def holds(condition: Condition, position: Position) -> bool:
    match condition:
        case UnitStands(at, kind, power):
            return any(
                kind in ("", unit.kind) and power in ("", unit.power) and at.coast in ("", unit.at.slot)
                for unit in position.standing.get(at.province, ())
            )
        case CentreOwned(power, province):
            return position.centres.get(province, "") == power
        case NotCondition(part):
            return not holds(part, position)
        case AllConditions(parts):
            return all(holds(part, position) for part in parts)
        case AnyCondition(parts):
            return any(holds(part, position) for part in parts)


def together(*parts: Condition | None) -> Condition | None:
    """All of them; None where there are none."""
    given = tuple(part for part in parts if part is not None)
    return AllConditions(given) if len(given) > 1 else next(iter(given), None)
