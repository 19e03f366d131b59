"""A variant in one line, for `gm check`: what its files came to once nothing in them was wrong."""

from __future__ import annotations

from gm.judge.board.board import LAND, Use
from gm.judge.model.variant import Variant


def summary(variant: Variant) -> str:
    board = variant.start.board
    playable = [p for p in board.provinces.values() if p.slots]
    walked = [b for b in board.borders if Use.MOVE in b.uses]
    on_foot = sum(b.start.slot == LAND for b in walked) // 2
    centres = sum(p.centre for p in playable)
    awake = sum(not minor.dormant for minor in variant.minors)
    minors = f" and {awake} minor ones" if awake else ""
    return (
        f"{variant.id}: clean. {variant.title}: "
        f"{len(variant.powers)} powers{minors}, {len(variant.start.units)} units; "
        f"{len(playable)} provinces and {len(board.provinces) - len(playable)} impassable, {centres} supply centres; "
        f"{on_foot} borders for armies, {len(walked) // 2 - on_foot} for fleets; {variant.victory} centres win."
    )
