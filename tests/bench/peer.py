"""PyPI's `diplomacy` on the phases of `bench.phases`: how fast it is, and what comes out.

Its `Game` is set to the phase without the clock running; timed are `set_orders` for every power and `process()`.
What it is asked is what gm is asked: an army that must go over water is said to go VIA, as its notation demands.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from diplomacy import Game

Line = dict[str, Any]
Clock = Callable[[], float]


class Phase:
    """One line of the file in the other notation."""

    def __init__(self, line: Line) -> None:
        position = line["position"]
        self.name: str = position["phase"]
        self.units = {power.upper(): [unit.upper() for unit in units] for power, units in position["units"].items()}
        self.centres = {power.upper(): [c.upper() for c in codes] for power, codes in position["centers"].items()}
        self.orders = {power.upper(): [text.upper() for text in texts] for power, texts in line["orders"].items()}

    def game(self) -> Game:
        game = Game()
        game.clear_units()
        game.clear_centers()
        game.set_current_phase(self.name)
        for power, codes in self.centres.items():
            game.set_centers(power, codes)
        for power, units in self.units.items():
            game.set_units(power, units)
        self._by_sea(game)
        return game

    def _by_sea(self, game: Game) -> None:
        for texts in self.orders.values():
            for at, text in enumerate(texts):
                words = text.split()
                if len(words) == 4 and words[0] == "A" and words[2] == "-":
                    near = {name[:3].upper() for name in game.map.abut_list(words[1])}
                    texts[at] = text if words[3][:3] in near else f"{text} VIA"


def figures(lines: list[Line], clock: Clock = time.process_time) -> dict[str, float]:
    """Seconds for all phases: `orders` for set_orders, `process` for process()."""
    orders = process = 0.0
    phases = [Phase(line) for line in lines]
    for phase in phases:
        game = phase.game()
        begin = clock()
        for power, texts in phase.orders.items():
            game.set_orders(power, texts)
        between = clock()
        game.process()
        process += clock() - between
        orders += between - begin
    return {"orders": orders, "process": process}


def after(line: Line) -> dict[str, Any]:
    """What the phase came to: see `bench.agree`."""
    phase = Phase(line)
    game = phase.game()
    for power, texts in phase.orders.items():
        game.set_orders(power, texts)
    game.process()
    state = game.get_state()
    return {
        "phase": state["name"],
        "units": sorted(
            f"{power} {unit}" for power, units in state["units"].items() for unit in units if unit[0] != "*"
        ),
        "centres": sorted(f"{power} {code}" for power, codes in state["centers"].items() for code in codes),
        "retreats": {
            f"{power} {unit}": sorted(places)
            for power, units in state["retreats"].items()
            for unit, places in units.items()
            if places
        },
    }
