"""How long events on the map take: random phases of seven players, and one event after many others.

    python -m bench.quakes [--phases 1000] [--seed 1]

A phase is a step as the game master runs it: seven orders read as statements, weighed, carried out, fleets placed, the
board made and checked.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from random import Random

from support import random_border_orders as upheavals

from bench import ours
from gm.judge.board.planar_board import PlanarBoard
from gm.judge.mechanics.moving_borders.apply_changes import apply_changes
from gm.judge.mechanics.moving_borders.border_step import BorderStep
from gm.judge.model.orders import Entry
from gm.judge.model.position import Position
from gm.judge.model.sheets import Submissions
from gm.judge.model.variant import Variant

BUCKETS = 5


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.quakes")
    parser.add_argument("--phases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    library = ours.library()
    movable = [v for v in map(library.variant, library.ids()) if isinstance(v.start.board, PlanarBoard)]
    for variant in movable:
        print(*phases(variant, options.phases, options.seed), sep="\n")
        print(*events(variant, options.phases, options.seed), sep="\n")


def phases(variant: Variant, count: int, seed: int) -> Iterator[str]:
    dice = Random(seed)
    at, step = next((at, step) for at, step in enumerate(variant.calendar) if isinstance(step, BorderStep))
    board, spent = variant.start.board, 0.0
    for _ in range(count):
        position = Position(variant.start.year, at, board, variant.start.units[:0], variant.start.centres)
        sheets = {p.name: tuple(map(Entry, upheavals.sheet(position, p.name, dice))) for p in variant.powers}
        book = Submissions({(power, power): sheet for power, sheet in sheets.items()})
        begin = time.process_time()
        board = step.resolve(position, variant, book).position.board
        spent += time.process_time() - begin
    yield f"{variant.title}: {count} phases of {len(variant.powers)} events each in {spent:.2f} s"


def events(variant: Variant, count: int, seed: int) -> Iterator[str]:
    """One event at a time: µs each in the first fifth of them, the second …"""
    dice = Random(seed)
    board = variant.start.board
    assert isinstance(board, PlanarBoard)
    spent = [0.0] * BUCKETS
    for at in range(count):
        deed = upheavals.meaning(board, upheavals.event(board, dice))
        if deed is None:
            continue
        begin = time.process_time()
        board = apply_changes(board, [deed], {}).board
        spent[at * BUCKETS // count] += time.process_time() - begin
    each = ", ".join(f"{seconds / count * BUCKETS * 1e6:.0f}" for seconds in spent)
    yield f"  one event, by fifths of {count} one after the other: {each} µs"


if __name__ == "__main__":
    main()
