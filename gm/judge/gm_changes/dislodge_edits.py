"""Which units an edit names; and units that a game master marks as dislodged: by which unit, and where they may go."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from gm.judge.board.board import AIR, Location, Place, Use, locate, locations
from gm.judge.model.position import Dislodged, Position, Unit
from gm.judge.model.variant import Variant


class EditProblem(NamedTuple):
    """Why an edited position is invalid: a key of the sentences `edit.fault`, and its arguments."""

    key: str
    places: tuple[str, ...] = ()


class DislodgeUnit(NamedTuple):
    """A unit that must retreat, dislodged by the unit in its province after all edits.

    `source` is where the attacker came from. `to` is where the unit may retreat; None: all neighbours but `source`.
    """

    province: str
    source: Place
    power: str = ""
    kind: str = ""
    to: tuple[Place, ...] | None = None
    number: int = 0


class TakeUnit(NamedTuple):
    """Every matching unit, dislodged or not; "" in `power` or `kind` matches any.

    `number` selects one of several fleets in a shared sea.
    """

    province: str
    power: str = ""
    kind: str = ""
    number: int = 0


def matching_units(position: Position, edit: DislodgeUnit | TakeUnit) -> tuple[Unit, ...]:
    """The units an edit means. Dislodged units come first: if one and its attacker match, the attacker stays."""
    dislodged = tuple(d.unit for d in position.dislodged if _matches(d.unit, edit))
    return dislodged or tuple(unit for unit in position.units if _matches(unit, edit))


def _matches(unit: Unit, edit: DislodgeUnit | TakeUnit) -> bool:
    here = unit.at.province == edit.province and edit.number in (0, max(unit.number, 1))
    return here and edit.power in ("", unit.power) and edit.kind in ("", unit.kind)


def dislodge_problems(position: Position, variant: Variant, edit: DislodgeUnit) -> Iterator[EditProblem]:
    units = matching_units(position, edit)
    if len(units) != 1:
        yield EditProblem("several-there" if units else "nobody-to-drive", (edit.province,))
        return
    attacker = _attacker(position, variant, units[0])
    if attacker is None:
        yield EditProblem("no-attacker", (edit.province, str(edit.source)))
    elif _attacker_before(position, variant, attacker, edit) is None:
        yield EditProblem("cannot-come", (str(edit.source), edit.province))
    near = {at.province for at in _near(position, variant, units[0])}
    for place in edit.to or ():
        if place.province not in near:
            yield EditProblem("too-far", (edit.province, place.province))


def _attacker(position: Position, variant: Variant, dislodged: Unit) -> Unit | None:
    layer = variant.kinds[dislodged.kind].layer
    others = (unit for unit in position.units if unit.at.province == dislodged.at.province and unit != dislodged)
    return next((unit for unit in others if variant.kinds[unit.kind].layer == layer), None)


def _attacker_before(position: Position, variant: Variant, attacker: Unit, edit: DislodgeUnit) -> Unit | None:
    """As it stood before its attack."""
    kind, place = variant.kinds[attacker.kind], edit.source
    at = locate(position.board, kind, place) or next(iter(locations(position.board, kind, place.province)), None)
    return replace(attacker, at=at, number=0) if at is not None else None


def _near(position: Position, variant: Variant, unit: Unit) -> tuple[Location, ...]:
    kind = variant.kinds[unit.kind]
    ends = position.board.neighbours(unit.at, Use.MOVE)
    return tuple(sorted((at for at in ends if kind.stands(at.slot)), key=lambda at: str(at.place)))


def dislodge(position: Position, variant: Variant, edit: DislodgeUnit) -> Position:
    units = matching_units(position, edit)
    attacker = _attacker(position, variant, units[0]) if len(units) == 1 else None
    by = _attacker_before(position, variant, attacker, edit) if attacker is not None else None
    if by is None:
        return position
    unit = units[0]
    others = tuple(d for d in position.dislodged if d.unit != unit)
    free = tuple(at for at in _near(position, variant, unit) if _may_retreat(variant, unit, at, edit))
    left = tuple(other for other in position.units if other != unit)
    return replace(position, units=left, dislodged=(*others, Dislodged(unit, by, free)))


def _may_retreat(variant: Variant, unit: Unit, at: Location, edit: DislodgeUnit) -> bool:
    """Wings retreat only to bases that the edit names: it is not known which bases were open."""
    if edit.to is not None:
        return any(place.province == at.province and place.coast in ("", at.place.coast) for place in edit.to)
    return at.province != edit.source.province and variant.kinds[unit.kind].layer != AIR
