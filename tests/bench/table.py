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
        return median(of(one) for one in self.taken)


def _both(one: Round) -> float:
    return float(one["peer"]["orders"] + one["peer"]["process"])


RACES: tuple[tuple[str, Figure, str, Figure], ...] = (
    ("adjudicate(contest)", lambda r: r["judge"]["all"], "process()", lambda r: r["peer"]["process"]),
    ("gm adjudicate, every line new", lambda r: r["pipeline"]["cold"], "set_orders + process()", _both),
    ("gm adjudicate, lines seen before", lambda r: r["pipeline"]["warm"], "set_orders + process()", _both),
    ("the command, by the clock", lambda r: r["command"]["clock"], "set_orders + process()", _both),
    ("reading orders, every line new", lambda r: r["reader"]["cold"], "set_orders", lambda r: r["peer"]["orders"]),
    ("reading orders, lines seen before", lambda r: r["reader"]["warm"], "set_orders", lambda r: r["peer"]["orders"]),
)


def rows(rounds: Rounds, peer: bool) -> Iterator[str]:
    yield f"{'phases a second':36} {'gm':>8}" + (f" {'diplomacy':>34}    ratio (all rounds)" if peer else "")
    for name, mine, other, theirs in RACES:
        row = f"  {name:34} {rounds.phases / rounds.middle(mine):8,.0f}"
        if peer:
            ratios = sorted(theirs(one) / mine(one) for one in rounds.taken)
            row += f" {other:>25} {rounds.phases / rounds.middle(theirs):8,.0f}"
            row += f"   {median(ratios):5.1f} × ({ratios[0]:.1f} to {ratios[-1]:.1f})"
        yield row
    memory = f"  {'most memory, MB':34} {rounds.middle(lambda r: r['pipeline']['megabytes']):8,.0f}"
    yield memory + (f" {'':25} {rounds.middle(lambda r: r['peer']['megabytes']):8,.0f}" if peer else "")
