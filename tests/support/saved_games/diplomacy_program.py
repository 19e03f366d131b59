"""PyPI's `diplomacy` in a process of its own: it loads saved games, and plays games by dice.

python -W ignore diplomacy_program.py load < saved games as a JSON list     the state of each after loading
python -W ignore diplomacy_program.py play SEED PHASES                      a saved game
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any


def loaded_states(games: list[Any]) -> list[dict[str, Any]]:
    """What the program's own loader makes of saved games."""
    return list(_run("load", text=json.dumps(games)))


def replayed_orders(games: list[Any]) -> list[tuple[list[str], list[str]]]:
    """For each game the phases of its history after loading, and the orders that the program does not take."""
    return [(phases, refused) for phases, refused in _run("replay", text=json.dumps(games))]


def played_game(seed: int, phases: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """A game saved as the program does, and a dump of it."""
    saved, dump = _run("play", str(seed), str(phases))
    return saved, dump


def _run(*words: str, text: str = "") -> Any:
    command = [sys.executable, "-W", "ignore", str(Path(__file__)), *words]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True, timeout=300)
    return json.loads(done.stdout)


def _load() -> list[Any]:
    from diplomacy.utils.export import from_saved_game_format

    games = [from_saved_game_format(game) for game in json.load(sys.stdin)]
    return [game.get_state() for game in games]


def _replay() -> list[Any]:
    from diplomacy import Game
    from diplomacy.utils.export import from_saved_game_format
    from diplomacy.utils.game_phase_data import GamePhaseData

    answers = []
    for saved in json.load(sys.stdin):
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
    command, *numbers = sys.argv[1:]
    answer = {"load": _load, "replay": _replay, "play": _play}[command](*map(int, numbers))
    print(json.dumps(answer))
