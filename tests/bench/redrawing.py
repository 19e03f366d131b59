"""Whether moved borders are drawn soundly, and how long it takes: all first separations, then random games.

    python -m bench.redrawing [--games 2000] [--events 20] [--seed 1] [--jobs 1]

A picture is sound if areas built from its lines touch as the board says (`support.pictures.redrawn_pictures`). A
picture that the program refuses to draw falls back to the opening board with a note; a wrong one would be drawn all
the same.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from statistics import median
from typing import NamedTuple

from msgspec.structs import replace
from support.pictures import redrawn_pictures

from gm.judge.board.planar_board import PlanarBoard
from gm.judge.board.rotation import BorderMove
from gm.maps.drawing.draw import draw_map
from gm.maps.drawing.palette import build_palette
from gm.maps.drawing.scene import MapScene
from gm.maps.redrawing.picture import CannotRedraw
from gm.maps.redrawing.redraw import redraw_board

SOUND, FALLBACK, WRONG = "sound", "fallback", "WRONG"


class DrawnGame(NamedTuple):
    """`seconds` are CPU seconds for redrawing all moves and writing the SVG; `why` names the first fault."""

    name: str
    verdict: str
    seconds: float
    why: str = ""


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.redrawing")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--events", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    with ProcessPoolExecutor(options.jobs) as pool:
        count = len(redrawn_pictures.opening().rotation.sides)
        print(report("first separations", pool.map(separation, range(count), chunksize=10)), flush=True)
        seeds = range(options.seed, options.seed + options.games)
        games = pool.map(partial(game, events=options.events), seeds, chunksize=10)
        print(report(f"games of {options.events} events", games))


def report(what: str, drawn: Iterable[DrawnGame]) -> str:
    done: list[DrawnGame] = []
    for each in drawn:
        done.append(each)
        if each.verdict != SOUND:
            print(f"  {each.name}: {each.verdict}, {each.why}", flush=True)
        if len(done) % 50 == 0:
            print(f"  {len(done)} drawn", flush=True)
    verdicts = Counter(each.verdict for each in done)
    seconds = [each.seconds for each in done]
    counts = ", ".join(f"{verdicts[verdict]} {verdict}" for verdict in (SOUND, FALLBACK, WRONG))
    return f"{len(done)} {what}: {counts}; {median(seconds):.2f} CPU seconds a picture, most {max(seconds):.2f}"


def separation(nth: int) -> DrawnGame:
    moves, board = list(redrawn_pictures.separations())[nth]
    return judge(" ".join(moves[0][0]), moves, board)


def game(seed: int, events: int) -> DrawnGame:
    return judge(f"seed {seed}", *redrawn_pictures.game(seed, events))


def judge(name: str, moves: tuple[BorderMove, ...], board: PlanarBoard) -> DrawnGame:
    start = redrawn_pictures.opening()
    redraw_board(redrawn_pictures.GEOMETRY, start, (), start)  # a server reads the opening picture once
    begin = time.process_time()
    try:
        shown = redraw_board(redrawn_pictures.GEOMETRY, start, moves, board)
    except CannotRedraw as error:
        return DrawnGame(name, FALLBACK, time.process_time() - begin, str(error))
    variant = redrawn_pictures.SEISMIC
    draw_map(MapScene(shown, variant, replace(variant.start, units=(), board=board), build_palette(variant, {})))
    spent = time.process_time() - begin
    fault = next(redrawn_pictures.faults(shown, board), "")
    return DrawnGame(name, WRONG if fault else SOUND, spent, fault)


if __name__ == "__main__":
    main()
