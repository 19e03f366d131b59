"""A position mended by the game master's hand, line by line, and what speaks against the position that comes of it.

Edits are made in their order; only the last position must be one that can be played on from, so that two units may
change places. Nothing here looks at why: a lost letter, a judge that erred, a house rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from typing import NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from gm.judge.board.board import Location, Space, locations
from gm.judge.gm_changes.dislodge_edits import DislodgeUnit, EditProblem, drive_faults, driven_out
from gm.judge.model.events import PositionEdited
from gm.judge.model.position import Dislodged, LedgerKey, Position, Unit
from gm.judge.model.sheets import Turn
from gm.judge.model.unit_numbers import arriving, numbered
from gm.judge.model.variant import Variant


class PutUnit(NamedTuple):
    power: str
    kind: str
    at: Location


class TakeUnit(NamedTuple):
    """Every unit that fits, driven out or not: `power` and `kind` "" where they were not written."""

    province: str
    power: str = ""
    kind: str = ""


class GiveCentre(NamedTuple):
    """`owner` "" for nobody."""

    centre: str
    owner: str


class SetAccount(NamedTuple):
    account: LedgerKey
    amount: int


class OpenPhase(NamedTuple):
    """`at` is the index of the step in the variant's calendar."""

    year: int
    at: int


Edit: TypeAlias = PutUnit | TakeUnit | DislodgeUnit | GiveCentre | SetAccount | OpenPhase


class PositionEdit(Struct, frozen=True):
    """An act of the game master's (`gm.judge.gm_changes.civil_disorder.Act`): the edits are its arguments, those by
    name are not needed."""

    edits: tuple[Edit, ...]

    def check(self, position: Position, variant: Variant, args: Mapping[str, str]) -> tuple[str, ...]:
        return tuple(fault.key for fault in self.faults(position, variant))

    def faults(self, position: Position, variant: Variant) -> tuple[EditProblem, ...]:
        idle = (EditProblem("nobody-there", (take.province,)) for take in self._takes() if not _fitting(position, take))
        undriven = tuple(self._undriven(position, variant))
        left = () if undriven else position_faults(self.edited(position, variant), variant)
        return (*idle, *undriven, *left)

    def edited(self, position: Position, variant: Variant) -> Position:
        after = reduce(_edit, self.edits, position)
        after = replace(after, units=numbered(after.board, after.units))
        after = reduce(lambda now, one: driven_out(now, variant, one), self._drives(), after)
        return replace(after, dislodged=_still_open(after, variant))

    def _drives(self) -> tuple[DislodgeUnit, ...]:
        return tuple(edit for edit in self.edits if isinstance(edit, DislodgeUnit))

    def _undriven(self, position: Position, variant: Variant) -> Iterator[EditProblem]:
        """What speaks against the units to be driven out, once all else is done."""
        after = reduce(_edit, self.edits, position)
        for drive in self._drives():
            yield from drive_faults(after, variant, drive)

    def apply(self, position: Position, variant: Variant, args: Mapping[str, str]) -> Turn:
        return Turn(self.edited(position, variant), (PositionEdited(),))

    def _takes(self) -> Iterator[TakeUnit]:
        """Those that must find somebody in the position as it was; a unit put by an edit before may be taken again."""
        put: set[str] = set()
        for edit in self.edits:
            if isinstance(edit, PutUnit):
                put.add(edit.at.province)
            elif isinstance(edit, TakeUnit) and edit.province not in put:
                yield edit


def _edit(position: Position, edit: Edit) -> Position:
    match edit:
        case PutUnit(power, kind, at):
            unit = arriving(position.board.adjacency.shared, Unit(power, kind, at), at)
            return replace(position, units=numbered(position.board, (*position.units, unit)))
        case TakeUnit():
            gone = _fitting(position, edit)
            return replace(
                position,
                units=tuple(unit for unit in position.units if unit not in gone),
                dislodged=tuple(one for one in position.dislodged if one.unit not in gone),
            )
        case DislodgeUnit():
            return position  # when all else is done: it needs to know who stands where
        case GiveCentre(centre, owner):
            return _given(position, centre, owner)
        case SetAccount(account, amount):
            left = {key: held for key, held in position.ledger.items() if key != account}
            return replace(position, ledger=left | ({account: amount} if amount else {}))
        case OpenPhase(year, at):
            return replace(position, year=year, at=at)


def _fitting(position: Position, edit: TakeUnit) -> tuple[Unit, ...]:
    """Who has to retreat goes first: where it and its attacker are meant alike, the attacker stays."""
    driven = tuple(one.unit for one in position.dislodged if _fits(one.unit, edit))
    return driven or tuple(unit for unit in position.units if _fits(unit, edit))


def _fits(unit: Unit, edit: TakeUnit) -> bool:
    return unit.at.province == edit.province and edit.power in ("", unit.power) and edit.kind in ("", unit.kind)


def _given(position: Position, centre: str, owner: str) -> Position:
    """With the last census mended as well, unless the centre has changed hands since: it counts as no gain then."""
    before = dict(position.before)
    settled = before.get(centre) == position.centres.get(centre)
    centres = {code: held for code, held in position.centres.items() if code != centre}
    if settled:
        before.pop(centre, None)
    if owner:
        centres[centre] = owner
        before |= {centre: owner} if settled else {}
    return replace(position, centres={code: centres[code] for code in sorted(centres)}, before=before)


def _still_open(position: Position, variant: Variant) -> tuple[Dislodged, ...]:
    """Nobody retreats to where a unit stands now."""
    provinces, kinds = position.board.provinces, variant.kinds
    standing = {
        (unit.at.province, kinds[unit.kind].layer) for unit in position.units if not provinces[unit.at.province].shared
    }

    def free(unit: Unit, at: Location) -> bool:
        return (at.province, kinds[unit.kind].layer) not in standing

    return tuple(
        replace(one, retreats=tuple(at for at in one.retreats if free(one.unit, at))) for one in position.dislodged
    )


def position_faults(position: Position, variant: Variant) -> tuple[EditProblem, ...]:
    """What no game could go on from. Empty: every unit stands where its kind may, and somebody has something to do."""
    return (
        *_crowds(position, variant),
        *_astray(position, variant),
        *_wrongly_owned(position, variant),
        *_idle(position, variant),
    )


def _crowds(position: Position, variant: Variant) -> Iterator[EditProblem]:
    taken: dict[Space, Unit] = {}
    for unit in position.units:
        space = Space(unit.at.province, variant.kinds[unit.kind].layer)
        if space in taken and not position.board.provinces[space.province].shared:
            yield EditProblem("two-units", (space.province,))
        taken[space] = unit


def _astray(position: Position, variant: Variant) -> Iterator[EditProblem]:
    homes = {minor.name: minor.home for minor in variant.minors if not minor.homes}
    for unit in position.units:
        if unit.at not in locations(position.board, variant.kinds[unit.kind], unit.at.province):
            yield EditProblem("cannot-stand", (unit.at.province,))
        if homes.get(unit.power, unit.at.province) != unit.at.province:
            yield EditProblem("minor-astray", (unit.power, homes[unit.power]))


def _wrongly_owned(position: Position, variant: Variant) -> Iterator[EditProblem]:
    for code, owner in position.centres.items():
        if not position.board.provinces[code].centre:
            yield EditProblem("no-centre", (code,))
        if owner not in variant.owners:
            yield EditProblem("owns-nothing", (owner, code))


def _idle(position: Position, variant: Variant) -> Iterable[EditProblem]:
    """A phase in which nobody owes anything is none; and who must retreat needs a phase for it."""
    step = variant.step(position)
    due = step.due(position, variant) if step.letter else {}
    phase = variant.phase_name(position)
    lost = next((one.unit for one in position.dislodged if not one.retreats), None)
    if lost is not None:
        return (EditProblem("nowhere-to-go", (lost.at.province,)),)
    if position.dislodged and not any(
        unit in due[power].units for power in due for unit in (one.unit for one in position.dislodged)
    ):
        return (EditProblem("must-retreat", (phase, position.dislodged[0].unit.at.province)),)
    return () if due else (EditProblem("nothing-due", (phase,)),)
