"""How many orders each power may choose from at the start, by the rules' own judge of what is legal."""

from __future__ import annotations

from collections import Counter

from gm.judge.board.board import Place
from gm.judge.model.orders import Hold, Move, Statement, Support, UnitRef
from gm.judge.model.variant import Variant
from gm.judge.movement.legality import IllegalOrder, LegalityChecker


def count_legal(variant: Variant) -> Counter[str]:
    """Holds, moves by where they end, and supports."""
    start = variant.start
    checker = LegalityChecker(start.board, variant.kinds, start.units)
    counts: Counter[str] = Counter()
    for unit in start.units:
        ref = UnitRef(unit.kind, unit.at.place)
        orders: set[Statement] = {Hold(ref)}
        orders |= {Move(ref, at.place) for at in checker.adjacency.moves}
        for other in start.units:
            target = UnitRef(other.kind, other.at.place)
            orders.add(Support(ref, target))
            orders |= {Support(ref, target, Place(code)) for code in start.board.provinces}
        legal = [o for o in orders if not isinstance(checker.intent(unit, o), IllegalOrder)]
        moves = {
            i.to for o in legal if isinstance(o, Move) and not isinstance(i := checker.intent(unit, o), IllegalOrder)
        }
        counts[unit.power] += len(moves) + sum(not isinstance(o, Move) for o in legal)
    return counts
