"""The rounds of a run as the lines of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from statistics import median
from typing import Any, NamedTuple

Round = dict[str, dict[str, Any]]
Figure = Callable[[Round], float]


class Rounds(NamedTuple):
    phases: int
    taken: list[Round]

    def middle(self, of: Figure) -> float:
        return median(of(bench_round) for bench_round in self.taken)


def _both(bench_round: Round) -> float:
    return float(bench_round["peer"]["orders"] + bench_round["peer"]["process"])


def _orders(bench_round: Round) -> float:
    return float(bench_round["peer"]["orders"])


BOTH = "set_orders + process()"
RACES: tuple[tuple[str, Figure, str, Figure], ...] = (
    ("adjudicate(contest)", lambda r: r["judge"]["all"], "process()", lambda r: r["peer"]["process"]),
    ("text to JSON, capitals, new lines", lambda r: r["pipeline"]["cold"], BOTH, _both),
    ("text to JSON, own spelling, new lines", lambda r: r["pipeline own"]["cold"], BOTH, _both),
    ("text to JSON, capitals, seen before", lambda r: r["pipeline"]["warm"], BOTH, _both),
    ("the same with start-up, new lines", lambda r: r["command"]["cpu"], BOTH, _both),
    ("reading, capitals, new lines", lambda r: r["reader"]["cold"], "set_orders", _orders),
    ("reading, own spelling, new lines", lambda r: r["reader own"]["cold"], "set_orders", _orders),
    ("reading, capitals, seen before", lambda r: r["reader"]["warm"], "set_orders", _orders),
)


def rows(rounds: Rounds, peer: bool) -> Iterator[str]:
    yield f"{'phases a second, one core, CPU time':40} {'gm':>8}" + (
        f" {'diplomacy':>34}    ratio (all)" if peer else ""
    )
    for name, mine, other, theirs in RACES:
        row = f"  {name:38} {rounds.phases / rounds.middle(mine):8,.0f}"
        if peer:
            ratios = sorted(theirs(bench_round) / mine(bench_round) for bench_round in rounds.taken)
            row += f" {other:>25} {rounds.phases / rounds.middle(theirs):8,.0f}"
            row += f"   {median(ratios):5.1f} × ({ratios[0]:.1f} to {ratios[-1]:.1f})"
        yield row
    yield _several(rounds)
    memory = f"  {'most memory, MB':38} {rounds.middle(lambda r: r['pipeline']['megabytes']):8,.0f}"
    yield memory + (f" {'':25} {rounds.middle(lambda r: r['peer']['megabytes']):8,.0f}" if peer else "")


def _several(rounds: Rounds) -> str:
    """What `gm adjudicate` gains by a process for each core, by the clock, start-up included."""
    cores = rounds.taken[0]["command"]["cores"]
    gain = rounds.middle(lambda r: r["command"]["clock"] / r["command"]["all"])
    speed = rounds.phases / rounds.middle(lambda r: r["command"]["all"])
    return f"  {f'gm adjudicate on {cores} cores, by the clock':38} {speed:8,.0f}   {gain:.1f} × one core"
