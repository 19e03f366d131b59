"""PyPI's `diplomacy` in a process of its own: it loads saved games, and plays games by dice.

python -W ignore diplomacy_program.py     reads requests, a JSON list on each line: ["load", GAMES], ["replay", GAMES],
                                          ["play", SEED, PHASES]; and prints an answer to each
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Self

GUARD = 300


class DiplomacyProgram:
    """The process, for any number of requests: to start it takes longer than to answer most."""

    def __enter__(self) -> Self:
        command = [sys.executable, "-W", "ignore", str(Path(__file__))]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate(timeout=GUARD)

    def loaded_states(self, games: list[Any]) -> list[dict[str, Any]]:
        """What the program's own loader makes of saved games."""
        return list(self._ask("load", games))

    def replayed_orders(self, games: list[Any]) -> list[tuple[list[str], list[str]]]:
        """For each game the phases of its history after loading, and the orders that the program does not take."""
        return [(phases, refused) for phases, refused in self._ask("replay", games)]

    def played_game(self, seed: int, phases: int) -> tuple[dict[str, Any], dict[str, Any]]:
        """A game saved as the program does, and a dump of it."""
        saved, dump = self._ask("play", seed, phases)
        return saved, dump

    def _ask(self, *request: object) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        hanging = threading.Timer(GUARD, self._process.kill)
        hanging.start()
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
            return json.loads(self._process.stdout.readline())
        finally:
            hanging.cancel()


def _load(saved: list[Any]) -> list[Any]:
    from diplomacy.utils.export import from_saved_game_format

    games = [from_saved_game_format(game) for game in saved]
    return [game.get_state() for game in games]


def _replay(games: list[Any]) -> list[Any]:
    from diplomacy import Game
    from diplomacy.utils.export import from_saved_game_format
    from diplomacy.utils.game_phase_data import GamePhaseData

    answers = []
    for saved in games:
        keys = from_saved_game_format(saved).state_history.keys()
        history = [str(phase) for phase in keys]
        refused = []
        for phase in saved["phases"][:-1]:
            game = Game(map_name=saved["map"], rules=saved["rules"])
            game.set_phase_data(GamePhaseData.from_dict({**phase, "orders": {}}))
            for power, orders in phase["orders"].items():
                for order in orders:
                    game.clear_orders(power)
                    game.set_orders(power, [order])
                    if order not in game.get_orders(power):
                        refused.append(f"{phase['name']} {power} {order}")
        answers.append((history, refused))
    return answers


def _play(seed: int, phases: int) -> Any:
    from diplomacy import Game
    from diplomacy.utils.export import to_saved_game_format

    dice = random.Random(seed)
    game = Game()
    for _ in range(phases):
        possible = game.get_all_possible_orders()
        for power in game.powers:
            ordered = [at for at in game.get_orderable_locations(power) if possible[at]]
            moves = {at: [order for order in possible[at] if " - " in order] or possible[at] for at in ordered}
            game.set_orders(power, [dice.choice(sorted(moves[at])) for at in ordered])
        game.process()
    return to_saved_game_format(game), game.to_dict()


if __name__ == "__main__":
    for line in sys.stdin:
        command, *given = json.loads(line)
        print(json.dumps({"load": _load, "replay": _replay, "play": _play}[command](*given)), flush=True)
