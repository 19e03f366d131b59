"""Our side of the benchmark. Figures are CPU seconds of one core for all phases of a file, each taken in a process of
its own; the gain by several processes is taken by the clock.

`cold` is the first pass of a fresh process, where every line of orders is new to it; `warm` the second.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from support.paths import ROOT

from gm.cli.adjudicate import Adjudicator
from gm.judge.model.orders import Entry
from gm.judge.model.position import Position
from gm.judge.model.sheets import Submissions
from gm.judge.model.variant import Variant
from gm.judge.movement.adjudicate import adjudicate
from gm.judge.movement.battle import Battle
from gm.judge.movement.movement_step import MovementStep
from gm.language.formats.json_position import position_from_json
from gm.language.orders.sheet_reader import KnownOrdersReader
from gm.language.orders.sheets.all_sheets import sheet_grammar
from gm.variant_files.library import Library

Clock = Callable[[], float]


def library() -> Library:
    return Library([ROOT / "variants"])


def standard(of: Library) -> Variant:
    return of.variant("standard")


def timed(work: Callable[[], object], clock: Clock) -> float:
    begin = clock()
    work()
    return clock() - begin


def pipeline(lines: Sequence[str], clock: Clock = time.process_time) -> dict[str, float]:
    """`gm adjudicate`: a JSON line in, a JSON line out. Maps and grammars are loaded, as theirs are."""
    ours = library()
    standard(ours)
    sheet_grammar("moves")

    def work() -> None:
        for _ in Adjudicator(ours).answers(lines):
            pass

    return {"cold": timed(work, clock), "warm": timed(work, clock)}


def command(file: str) -> dict[str, float]:
    """`gm adjudicate < file` as a shell runs it, from its start to its end: `cpu` on one core, `clock` by the clock on
    one core, `all` by the clock on `cores`.
    """
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    before = _children_seconds()
    clock = timed(lambda: _adjudicate(file), time.perf_counter)
    cpu = _children_seconds() - before
    os.sched_setaffinity(0, cores)
    return {"cpu": cpu, "clock": clock, "all": timed(lambda: _adjudicate(file), time.perf_counter), "cores": len(cores)}


def _adjudicate(file: str) -> None:
    with Path(file).open("rb") as phases:
        subprocess.run([sys.executable, "-m", "gm", "adjudicate"], stdin=phases, stdout=subprocess.DEVNULL, check=True)


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def reader(lines: Sequence[str], clock: Clock = time.process_time) -> dict[str, float]:
    """The orders alone: text -> statements."""
    variant = standard(library())
    sheet_grammar("moves")
    sheets: list[tuple[Position, dict[str, list[str]]]] = []
    for line in lines:
        phase = json.loads(line)
        sheets.append((position_from_json(variant, phase["position"]), phase["orders"]))

    def work() -> None:
        for position, orders in sheets:
            sheet_reader = KnownOrdersReader(variant, position)
            for power, texts in orders.items():
                sheet_reader.orders(power, texts)

    return {"cold": timed(work, clock), "warm": timed(work, clock)}


def judge(lines: Sequence[str], clock: Clock = time.process_time) -> dict[str, float]:
    """adjudicate(contest), values in, values with causes out; each contest once."""
    variant = standard(library())
    battles = [contest_of(line, variant) for line in lines]
    return {"all": timed(lambda: _all(battles), clock)}


def _all(battles: Iterable[Battle]) -> None:
    for battle in battles:
        adjudicate(battle)


def contest_of(line: str, variant: Variant) -> Battle:
    phase = json.loads(line)
    position = position_from_json(variant, phase["position"])
    sheets: dict[tuple[str, str], tuple[Entry, ...]] = {}
    for power, texts in phase["orders"].items():
        read: Any = KnownOrdersReader(variant, position).orders(power, texts)
        sheets[power, power] = tuple(Entry(order) for order in read)
    step = variant.step(position)
    assert isinstance(step, MovementStep)
    battle, _, _ = step.prepare_battle(position, variant, Submissions(sheets))
    return battle


def after(line: str, variants: Library) -> dict[str, Any]:
    """What the phase came to: see `bench.agree`."""
    (answer,) = Adjudicator(variants).answers([line])
    position = json.loads(answer)["position"]
    return {
        "phase": position["phase"],
        "units": sorted(f"{power} {unit}".upper() for power, units in position["units"].items() for unit in units),
        "centres": sorted(f"{power} {code}".upper() for power, codes in position["centers"].items() for code in codes),
        "retreats": {
            f"{power} {dislodged['unit']}".upper(): sorted(place.upper() for place in dislodged["retreats"])
            for power, driven in position["dislodged"].items()
            for dislodged in driven
        },
    }
