"""Expresses an imported position as edits, so that it is shown and confirmed like edits that a game master writes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from gm.judge.board.board import Place
from gm.judge.gm_changes.dislodge_edits import DislodgeUnit, TakeUnit
from gm.judge.gm_changes.position_edits import Edit, GiveCentre, OpenPhase, PositionEdit, PutUnit, SetAccount
from gm.judge.model.position import Dislodged, Position, Unit
from gm.judge.model.variant import Variant


def edits_between(before: Position, after: Position, variant: Variant) -> tuple[Edit, ...] | None:
    """The edits that turn `before` into `after`; None where edits cannot (moved borders, lines for a later step, a wing
    without a base).
    """
    gone = [d for d in before.dislodged if d not in after.dislodged]
    new = [d for d in after.dislodged if d not in before.dislodged]
    edits: tuple[Edit, ...] = (
        *(TakeUnit(d.unit.at.province, d.unit.power, d.unit.kind) for d in gone),
        *_units(before.units, after.units),
        *(edit for dislodged in new for edit in _dislodge(dislodged)),
        *_centres(before, after),
        *(
            SetAccount(key, after.ledger.get(key, 0))
            for key in sorted({*before.ledger, *after.ledger})
            if before.ledger.get(key, 0) != after.ledger.get(key, 0)
        ),
        *((OpenPhase(after.year, after.at),) if (before.year, before.at) != (after.year, after.at) else ()),
    )
    return edits if _is_same(PositionEdit(edits).edited(before, variant), after) else None


def _units(before: Iterable[Unit], after: Iterable[Unit]) -> Iterator[Edit]:
    """All units of a power and kind in a province are taken and put together: a shared province may hold several."""
    was, now = (Counter((unit.power, unit.kind, unit.at) for unit in units) for units in (before, after))
    changed = {(power, kind, at.province) for power, kind, at in (was - now) + (now - was)}
    ordered = sorted(changed)
    taken = {(power, kind, at.province) for power, kind, at in was}
    for power, kind, province in ordered:
        if (power, kind, province) in taken:
            yield TakeUnit(province, power, kind)
    for power, kind, province in ordered:
        for (new_power, new_kind, at), count in now.items():
            if (new_power, new_kind, at.province) == (power, kind, province):
                yield from (PutUnit(power, kind, at) for _ in range(count))


def _dislodge(dislodged: Dislodged) -> Iterator[Edit]:
    unit, by, retreats = dislodged.unit, dislodged.by, dislodged.retreats
    yield PutUnit(unit.power, unit.kind, unit.at)
    to: tuple[Place, ...] = tuple(at.place for at in retreats)
    yield DislodgeUnit(unit.at.province, by.at.place, unit.power, unit.kind, to)


def _centres(before: Position, after: Position) -> Iterator[GiveCentre]:
    for code in sorted({*before.centres, *after.centres}):
        if before.centres.get(code) != after.centres.get(code):
            yield GiveCentre(code, after.centres.get(code, ""))


def _is_same(edited: Position, after: Position) -> bool:
    """Equal except for the owners at the last census and the seed, which stay those of the game."""
    return _content(edited) == _content(after) and edited.board.borders == after.board.borders


def _content(position: Position) -> tuple[object, ...]:
    return (
        (position.year, position.at),
        sorted(position.units),
        sorted((d.unit, d.by, sorted(d.retreats)) for d in position.dislodged),
        dict(position.centres),
        {key: amount for key, amount in position.ledger.items() if amount},
        dict(position.ahead),
    )
