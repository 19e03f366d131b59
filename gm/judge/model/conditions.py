"""Conditions for orders planned ahead: "French army in Ruh AND NOT Bur empty".

They are about the board when a phase opens, not about other orders of the phase.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from gm.judge.board.board import Place
from gm.judge.model.position import Position


class UnitStands(Struct, frozen=True):
    """A unit stands there. "" in `kind` or `power` fits any; `at` without a coast fits any coast."""

    at: Place
    kind: str = ""
    power: str = ""


class CentreOwned(Struct, frozen=True):
    """A power owns the supply centre; `power` "": nobody does."""

    power: str
    province: str


class NotCondition(Struct, frozen=True):
    part: Condition


class AllConditions(Struct, frozen=True):
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


def all_of(*parts: Condition | None) -> Condition | None:
    """All conditions together; None if there are none."""
    given = tuple(part for part in parts if part is not None)
    return AllConditions(given) if len(given) > 1 else next(iter(given), None)
