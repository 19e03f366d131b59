"""How fast pictures are drawn: random phases of every variant, SVG and PNG, CPU seconds of one core.

    python -m bench.pictures [--count 12] [--width 1400]

The first picture of a board is told apart from the later ones: it reads the board and moves its coasts.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from statistics import median
from typing import TypeVar

from bench import ours, phases
from gm.cli.map import MapDrawer
from gm.judge.model.calendar import resolve_phase
from gm.judge.model.events import Event
from gm.judge.model.position import Position
from gm.judge.model.variant import Variant
from gm.maps.drawing.png import svg_to_png
from gm.variant_files.library import Library


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.pictures")
    parser.add_argument("--count", type=int, default=12)
    parser.add_argument("--width", type=int, default=1400)
    options = parser.parse_args()
    library = ours.library()
    print(f"{options.count} movement phases of each variant, PNG of {options.width} pixels; CPU seconds of one core")
    for name in library.ids():
        print(row(library, name, options.count, options.width))


def row(library: Library, name: str, count: int, width: int) -> str:
    variant = library.variant(name)
    drawer = MapDrawer(library)

    def draw(position: Position, events: tuple[Event, ...]) -> str:
        return drawer.draw(drawer.scene(variant, position, events))

    drawn, svgs = zip(*(timed(partial(draw, *phase)) for phase in fought(variant, count)), strict=True)
    painted, pngs = zip(*(timed(partial(svg_to_png, svg, width)) for svg in svgs), strict=True)
    later = drawn[1:] or drawn
    return (
        f"  {variant.title:26} SVG first {drawn[0]:.2f}, then {median(later):.3f} (most {max(later):.3f}), "
        f"{max(map(len, svgs)) / 1e3:.0f} kB; PNG {median(painted):.2f} (most {max(painted):.2f}), "
        f"{max(map(len, pngs)) / 1e3:.0f} kB; {1 / (median(later) + median(painted)):.1f} pictures a second"
    )


def fought(variant: Variant, count: int) -> Iterator[tuple[Position, tuple[Event, ...]]]:
    """Positions with what came of their orders."""
    game = 0
    while count:
        for position, orders in phases.movements(variant, Random(f"pictures/{game}")):
            if not count:
                return
            count -= 1
            yield position, resolve_phase(variant, position, phases.as_book(orders))[0].turn.events
        game += 1


Made = TypeVar("Made")


def timed(work: Callable[[], Made]) -> tuple[float, Made]:
    begin = time.process_time()
    made = work()
    return time.process_time() - begin, made


if __name__ == "__main__":
    main()
