"""Runs both sides on the same phases, in turns, and prints the table.

    python -m bench [--phases 2000] [--rounds 5] [--seed 1] [--no-peer]

Each measurement is a process of its own (`--task`), so that nothing remembers an earlier round; of the rounds' ratios
the middle one counts. Times are CPU times of one core. Orders are written in capitals, as other programs write them,
and in gm's own spelling; `diplomacy` always gets capitals. What more processes on more cores gain is a line of its own,
by the clock. Installing `diplomacy` is what deploy/bench.sh does.
"""

from __future__ import annotations

import argparse
import importlib
import json
import platform
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from os import cpu_count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench import agree, meshes, ours, phases
from bench.table import Rounds, rows
from gm.judge.movement.adjudicate import adjudicate

PEER = "diplomacy"
SIZES = (17, 34, 100, 200, 400)
CROWDS = 20
MESHES = 30
Figures = dict[str, Any]


def main() -> None:
    options = _options()
    if options.task:
        print(json.dumps(TASKS[options.task](options.file)))
        return
    lines = list(phases.lines(ours.standard(ours.library()), options.seed, options.phases))
    capitals = [phases.in_capitals(line) for line in lines]
    print(*_about(lines), sep="\n")
    with TemporaryDirectory() as folder:
        files = _file(folder, "own", lines), _file(folder, "capitals", capitals)
        rounds = Rounds(len(lines), [_round(*files, peer=options.peer) for _ in range(options.rounds)])
    print(*rows(rounds, options.peer), sep="\n")
    print(*_growth(), *_worst(), sep="\n")
    if options.peer:
        print(*_agreement(lines, capitals), sep="\n")


def _file(folder: str, name: str, lines: list[str]) -> Path:
    file = Path(folder) / f"{name}.jsonl"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench")
    parser.add_argument("--phases", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-peer", dest="peer", action="store_false", help="Our side alone.")
    parser.add_argument("--task", default="", help=argparse.SUPPRESS)
    parser.add_argument("file", nargs="?", help=argparse.SUPPRESS)
    return parser.parse_args()


def _about(lines: list[str]) -> Iterator[str]:
    documents = [json.loads(line) for line in lines]
    orders = [text for line in documents for sheet in line["orders"].values() for text in sheet]
    units = sum(len(units) for line in documents for units in line["position"]["units"].values())
    yield (
        f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {cpu_count()} cores, {_processor()}: "
        f"{len(lines)} movement phases of Standard, {units / len(lines):.1f} units and "
        f"{len(orders) / len(lines):.1f} orders each ({len(set(orders))} different lines)"
    )
    for name, sign in (("move", " - "), ("support", " S "), ("convoy", " C ")):
        count = sum(sign in text and (sign != " - " or not {"S", "C"} & set(text.split())) for text in orders)
        yield f"  {count / len(orders):4.0%} {name}"


def _processor() -> str:
    try:
        info = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor()
    return next((line.split(":")[1].strip() for line in info.splitlines() if line.startswith("model name")), "")


def _round(own: Path, capitals: Path, *, peer: bool) -> dict[str, Figures]:
    """Every task once, theirs between ours; those in OWN also on the lines in gm's own spelling."""
    taken: dict[str, Figures] = {}
    for task in TASKS:
        if peer or task != "peer":
            taken[task] = _run(task, capitals)
        if task in OWN:
            taken[f"{task} own"] = _run(task, own)
    return taken


def _run(task: str, file: Path) -> Figures:
    command = [sys.executable, "-m", "bench", "--task", task, str(file)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    figures: Figures = json.loads(done.stdout.splitlines()[-1])
    return figures


# ---- tasks: each in a process of its own


def _lines(file: str) -> list[str]:
    return Path(file).read_text(encoding="utf-8").splitlines()


def _with_memory(work: Callable[[], Figures]) -> Figures:
    return work() | {"megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def _peer_figures(file: str) -> Figures:
    peer = importlib.import_module("bench.peer")
    lines = [json.loads(line) for line in _lines(file)]
    return _with_memory(lambda: peer.figures(lines))


TASKS: dict[str, Callable[[str], Figures]] = {
    "pipeline": lambda file: _with_memory(lambda: ours.pipeline(_lines(file))),
    "peer": _peer_figures,
    "judge": lambda file: ours.judge(_lines(file)),
    "reader": lambda file: ours.reader(_lines(file)),
    "command": ours.command,
}
OWN = frozenset({"pipeline", "reader"})


# ---- growth, worst cases, agreement: once


def _growth() -> Iterator[str]:
    yield "adjudicate(contest), any board: µs a phase, µs an order"
    for size in SIZES:
        crowds = [meshes.crowd(size, seed) for seed in range(CROWDS)]
        took = min(_seconds(lambda crowds=crowds: [adjudicate(crowd) for crowd in crowds]) for _ in range(3)) / CROWDS
        yield f"  {size:4} units {took * 1e6:9.0f} {took * 1e6 / size:7.1f}"


def _worst() -> Iterator[str]:
    yield "the worst: ms to adjudicate, ms to find what is legal"
    for name, make in WORST.items():
        made = [_timed(lambda seed=seed, make=make: make(seed)) for seed in range(MESHES)]
        took = max(_seconds(lambda battle=battle: adjudicate(battle)) for _, battle in made)
        yield f"  {name:44} {took * 1e3:7.2f} {max(seconds for seconds, _ in made) * 1e3:7.2f}"


WORST: dict[str, Callable[[int], Any]] = {
    "40 fleets in one convoy mesh": lambda seed: meshes.convoy_mesh(40, seed),
    "100 fleets in one convoy mesh": lambda seed: meshes.convoy_mesh(100, seed),
    "64 fleets that convoy to the province beside": lambda seed: meshes.coasting(64, seed),
    "225 fleets that convoy to the province beside": lambda seed: meshes.coasting(225, seed),
    "10 convoys in one paradox": lambda seed: meshes.paradoxes(10, ring=True),
    "40 convoys in one paradox": lambda seed: meshes.paradoxes(40, ring=True),
    "40 convoys that each hang on the one before": lambda seed: meshes.paradoxes(40, ring=False),
}


def _seconds(work: Callable[[], object]) -> float:
    return _timed(work)[0]


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    begin = time.process_time()
    made = work()
    return time.process_time() - begin, made


def _agreement(lines: list[str], capitals: list[str]) -> Iterator[str]:
    peer = importlib.import_module("bench.peer")
    phases_read = [json.loads(line) for line in lines]
    library = ours.library()
    positions = [ours.after(line, library) for line in lines]
    if positions != [ours.after(line, library) for line in capitals]:
        yield "gm: lines in capitals come to other positions than the same lines in its own spelling"
    differences = agree.differences(phases_read, positions, [peer.after(line) for line in phases_read])
    differing = sum(differences[why] for why in agree.KNOWN)
    yield f"the same units, centres, retreats and next phase: {len(lines) - differing} of {len(lines)} phases"
    for why, meaning in agree.KNOWN.items():
        if differences[why]:
            yield f"  {differences[why]:4} {PEER}: {meaning}"
    yield from (f"       {key}" for key in differences if key.startswith("id "))


if __name__ == "__main__":
    main()
