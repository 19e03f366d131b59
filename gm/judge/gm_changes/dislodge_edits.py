"""Units that a game master marks as driven out: by whom, from where, and where they may go."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from gm.judge.board.board import AIR, Location, Place, Use, locate, locations
from gm.judge.model.position import Dislodged, Position, Unit
from gm.judge.model.variant import Variant


class EditProblem(NamedTuple):
    """Why a position cannot be played on from: a key of the catalogue's `edit.fault`, and what it speaks of."""

    key: str
    places: tuple[str, ...] = ()


class DislodgeUnit(NamedTuple):
    """A unit that must retreat, driven out by whoever stands in its province when all is mended.

    `source` is where that one came from. `to` is where it may go; None: every free place beside it but `source`.
    """

    province: str
    source: Place
    power: str = ""
    kind: str = ""
    to: tuple[Place, ...] | None = None


def fitting(position: Position, edit: DislodgeUnit) -> tuple[Unit, ...]:
    """Whoever it may mean: who must retreat already, so that his attacker can be mended; else who stands there."""
    driven = tuple(one.unit for one in position.dislodged if _fits(one.unit, edit))
    return driven or tuple(unit for unit in position.units if _fits(unit, edit))


def _fits(unit: Unit, edit: DislodgeUnit) -> bool:
    return unit.at.province == edit.province and edit.power in ("", unit.power) and edit.kind in ("", unit.kind)


def drive_faults(position: Position, variant: Variant, edit: DislodgeUnit) -> Iterator[EditProblem]:
    meant = fitting(position, edit)
    if len(meant) != 1:
        yield EditProblem("several-there" if meant else "nobody-to-drive", (edit.province,))
        return
    attacker = _attacker(position, variant, meant[0])
    if attacker is None:
        yield EditProblem("no-attacker", (edit.province, str(edit.source)))
    elif _came_from(position, variant, attacker, edit) is None:
        yield EditProblem("cannot-come", (str(edit.source), edit.province))
    near = {at.province for at in _near(position, variant, meant[0])}
    for place in edit.to or ():
        if place.province not in near:
            yield EditProblem("too-far", (edit.province, place.province))


def _attacker(position: Position, variant: Variant, driven: Unit) -> Unit | None:
    layer = variant.kinds[driven.kind].layer
    others = (unit for unit in position.units if unit.at.province == driven.at.province and unit != driven)
    return next((unit for unit in others if variant.kinds[unit.kind].layer == layer), None)


def _came_from(position: Position, variant: Variant, attacker: Unit, edit: DislodgeUnit) -> Unit | None:
    """As it stood before its attack."""
    kind, place = variant.kinds[attacker.kind], edit.source
    at = locate(position.board, kind, place) or next(iter(locations(position.board, kind, place.province)), None)
    return replace(attacker, at=at, number=0) if at is not None else None


def _near(position: Position, variant: Variant, unit: Unit) -> tuple[Location, ...]:
    kind = variant.kinds[unit.kind]
    found = position.board.neighbours(unit.at, Use.MOVE)
    return tuple(sorted((at for at in found if kind.stands(at.slot)), key=lambda at: str(at.place)))


def driven_out(position: Position, variant: Variant, edit: DislodgeUnit) -> Position:
    meant = fitting(position, edit)
    attacker = _attacker(position, variant, meant[0]) if len(meant) == 1 else None
    by = _came_from(position, variant, attacker, edit) if attacker is not None else None
    if by is None:
        return position
    unit = meant[0]
    others = tuple(one for one in position.dislodged if one.unit != unit)
    free = tuple(at for at in _near(position, variant, unit) if _may_withdraw(position, variant, unit, at, edit))
    units = tuple(one for one in position.units if one != unit)
    return replace(position, units=units, dislodged=(*others, Dislodged(unit, by, free)))


def _may_withdraw(position: Position, variant: Variant, unit: Unit, at: Location, edit: DislodgeUnit) -> bool:
    """To a base in the air only where it was written: which of them were open is not to be seen any more."""
    if edit.to is not None:
        return any(place.province == at.province and place.coast in ("", at.place.coast) for place in edit.to)
    return at.province != edit.source.province and variant.kinds[unit.kind].layer != AIR
