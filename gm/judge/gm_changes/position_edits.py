"""Edits of a position by the game master, and checks of the resulting position.

Edits are applied in their order; only the resulting position must be valid, so that two units may change places.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from typing import NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from gm.judge.board.board import Location, Space, locations
from gm.judge.gm_changes.dislodge_edits import (
    DislodgeUnit,
    EditProblem,
    TakeUnit,
    dislodge,
    dislodge_problems,
    matching_units,
)
from gm.judge.model.events import PositionEdited
from gm.judge.model.position import Dislodged, LedgerKey, Position, Unit
from gm.judge.model.sheets import Turn
from gm.judge.model.unit_numbers import arriving, numbered
from gm.judge.model.variant import Variant


class PutUnit(NamedTuple):
    power: str
    kind: str
    at: Location


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
    edits: tuple[Edit, ...]

    def problems(self, position: Position, variant: Variant) -> tuple[EditProblem, ...]:
        idle = (
            EditProblem("nobody-there", (take.province,))
            for take in self._takes()
            if not matching_units(position, take)
        )
        unclear = (
            EditProblem(
                "several-fleets", (take.province, f"{unit.kind} {take.province}#{unit.number or 1} {unit.power}")
            )
            for take in self._takes()
            if position.board.provinces[take.province].shared and not take.power
            for unit in matching_units(position, take)[1:][-1:]
        )
        dislodging = tuple(self._dislodge_problems(position, variant))
        left = () if dislodging else position_problems(self.edited(position, variant), variant)
        return (*idle, *unclear, *dislodging, *left)

    def edited(self, position: Position, variant: Variant) -> Position:
        after = reduce(_edit, self.edits, position)
        after = replace(after, units=numbered(after.board, after.units))
        after = reduce(lambda now, edit: dislodge(now, variant, edit), self._dislodging(), after)
        return replace(after, dislodged=_open_retreats(after, variant))

    def _dislodging(self) -> tuple[DislodgeUnit, ...]:
        return tuple(edit for edit in self.edits if isinstance(edit, DislodgeUnit))

    def _dislodge_problems(self, position: Position, variant: Variant) -> Iterator[EditProblem]:
        """Problems of the units to dislodge, after all other edits."""
        after = reduce(_edit, self.edits, position)
        for edit in self._dislodging():
            yield from dislodge_problems(after, variant, edit)

    def apply(self, position: Position, variant: Variant) -> Turn:
        return Turn(self.edited(position, variant), (PositionEdited(),))

    def _takes(self) -> Iterator[TakeUnit]:
        """The edits that must match units of the original position: not those for units put by an earlier edit."""
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
            gone = matching_units(position, edit)
            return replace(
                position,
                units=tuple(unit for unit in position.units if unit not in gone),
                dislodged=tuple(d for d in position.dislodged if d.unit not in gone),
            )
        case DislodgeUnit():
            return position  # applied after all other edits, since it depends on which units stand where
        case GiveCentre(centre, owner):
            return _give_centre(position, centre, owner)
        case SetAccount(account, amount):
            left = {key: held for key, held in position.ledger.items() if key != account}
            return replace(position, ledger=left | ({account: amount} if amount else {}))
        case OpenPhase(year, at):
            return replace(position, year=year, at=at)


def _give_centre(position: Position, centre: str, owner: str) -> Position:
    """Also corrects the last census, unless the centre has changed hands since; so it does not count as a gain."""
    before = dict(position.before)
    settled = before.get(centre) == position.centres.get(centre)
    centres = {code: held for code, held in position.centres.items() if code != centre}
    if settled:
        before.pop(centre, None)
    if owner:
        centres[centre] = owner
        before |= {centre: owner} if settled else {}
    return replace(position, centres={code: centres[code] for code in sorted(centres)}, before=before)


def _open_retreats(position: Position, variant: Variant) -> tuple[Dislodged, ...]:
    """The dislodged units without retreats to occupied spaces."""
    provinces, kinds = position.board.provinces, variant.kinds
    standing = {
        (unit.at.province, kinds[unit.kind].layer) for unit in position.units if not provinces[unit.at.province].shared
    }

    def free(unit: Unit, at: Location) -> bool:
        return (at.province, kinds[unit.kind].layer) not in standing

    return tuple(replace(d, retreats=tuple(at for at in d.retreats if free(d.unit, at))) for d in position.dislodged)


def position_problems(position: Position, variant: Variant) -> tuple[EditProblem, ...]:
    """What makes a position unplayable: units where they cannot stand, wrong owners, nothing due."""
    return (
        *_crowded_spaces(position, variant),
        *_misplaced_units(position, variant),
        *_wrong_owners(position, variant),
        *_due_problems(position, variant),
    )


def _crowded_spaces(position: Position, variant: Variant) -> Iterator[EditProblem]:
    taken: dict[Space, Unit] = {}
    for unit in position.units:
        space = Space(unit.at.province, variant.kinds[unit.kind].layer)
        if space in taken and not position.board.provinces[space.province].shared:
            yield EditProblem("two-units", (space.province,))
        taken[space] = unit


def _misplaced_units(position: Position, variant: Variant) -> Iterator[EditProblem]:
    homes = {minor.name: minor.home for minor in variant.minors if not minor.homes}
    for unit in position.units:
        if unit.at not in locations(position.board, variant.kinds[unit.kind], unit.at.province):
            yield EditProblem("cannot-stand", (unit.at.province,))
        if homes.get(unit.power, unit.at.province) != unit.at.province:
            yield EditProblem("minor-astray", (unit.power, homes[unit.power]))


def _wrong_owners(position: Position, variant: Variant) -> Iterator[EditProblem]:
    for code, owner in position.centres.items():
        if not position.board.provinces[code].centre:
            yield EditProblem("no-centre", (code,))
        if owner not in variant.owners:
            yield EditProblem("owns-nothing", (owner, code))


def _due_problems(position: Position, variant: Variant) -> Iterable[EditProblem]:
    """Orders must be due in the phase, and for every dislodged unit."""
    step = variant.step(position)
    due = step.due(position, variant) if step.letter else {}
    phase = variant.phase_name(position)
    lost = next((d.unit for d in position.dislodged if not d.retreats), None)
    if lost is not None:
        return (EditProblem("nowhere-to-go", (lost.at.province,)),)
    if position.dislodged and not any(d.unit in due[power].units for power in due for d in position.dislodged):
        return (EditProblem("must-retreat", (phase, position.dislodged[0].unit.at.province)),)
    return () if due else (EditProblem("nothing-due", (phase,)),)
