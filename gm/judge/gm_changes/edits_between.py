"""Another position told as edits of this one, so that what comes from a file is echoed, compared and asked about like
lines that a game master writes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from gm.judge.board.board import Place
from gm.judge.gm_changes.dislodge_edits import DislodgeUnit
from gm.judge.gm_changes.position_edits import Edit, GiveCentre, OpenPhase, PositionEdit, PutUnit, SetAccount, TakeUnit
from gm.judge.model.position import Dislodged, Position, Unit
from gm.judge.model.variant import Variant


def between(before: Position, after: Position, variant: Variant) -> tuple[Edit, ...] | None:
    """What makes one of the other, as far as the board and the points go; None where edits cannot (borders that move,
    lines that wait for a later step, a wing without a base).
    """
    gone = [one for one in before.dislodged if one not in after.dislodged]
    come = [one for one in after.dislodged if one not in before.dislodged]
    found: tuple[Edit, ...] = (
        *(_taken(one.unit) for one in gone),
        *_units(before.units, after.units),
        *(edit for one in come for edit in _driven(one)),
        *_centres(before, after),
        *(
            SetAccount(key, after.ledger.get(key, 0))
            for key in sorted({*before.ledger, *after.ledger})
            if before.ledger.get(key, 0) != after.ledger.get(key, 0)
        ),
        *((OpenPhase(after.year, after.at),) if (before.year, before.at) != (after.year, after.at) else ()),
    )
    made = PositionEdit(found).edited(before, variant)
    return found if _alike(made, after) else None


def _taken(unit: Unit) -> TakeUnit:
    return TakeUnit(unit.at.province, unit.power, unit.kind)


def _units(before: Iterable[Unit], after: Iterable[Unit]) -> Iterator[Edit]:
    """All of a power and a kind in a province are taken and put together: a place may hold several."""
    was, now = (Counter((unit.power, unit.kind, unit.at) for unit in units) for units in (before, after))
    changed = {(power, kind, at.province) for power, kind, at in (was - now) + (now - was)}
    ordered = sorted(changed)
    for power, kind, province in ordered:
        if any((one[0], one[1], one[2].province) == (power, kind, province) for one in was):
            yield TakeUnit(province, power, kind)
    for power, kind, province in ordered:
        for (whose, what, at), count in now.items():
            if (whose, what, at.province) == (power, kind, province):
                yield from (PutUnit(power, kind, at) for _ in range(count))


def _driven(one: Dislodged) -> Iterator[Edit]:
    unit, by, retreats = one.unit, one.by, one.retreats
    yield PutUnit(unit.power, unit.kind, unit.at)
    to: tuple[Place, ...] = tuple(at.place for at in retreats)
    yield DislodgeUnit(unit.at.province, by.at.place, unit.power, unit.kind, to)


def _centres(before: Position, after: Position) -> Iterator[GiveCentre]:
    for code in sorted({*before.centres, *after.centres}):
        if before.centres.get(code) != after.centres.get(code):
            yield GiveCentre(code, after.centres.get(code, ""))


def _alike(one: Position, other: Position) -> bool:
    """The same to play on from; what was owned before, and what lots are drawn from, stays the game's own."""
    return _told(one) == _told(other) and one.board.borders == other.board.borders


def _told(position: Position) -> tuple[object, ...]:
    return (
        (position.year, position.at),
        sorted(position.units),
        sorted((one.unit, one.by, sorted(one.retreats)) for one in position.dislodged),
        dict(position.centres),
        {key: amount for key, amount in position.ledger.items() if amount},
        dict(position.ahead),
    )
