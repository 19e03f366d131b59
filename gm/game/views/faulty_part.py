"""What a step found wrong with a sheet, in words."""

from __future__ import annotations

from gm.game.model.recipient import Recipient
from gm.game.model.settings import takes_illegal
from gm.judge.mechanics.dips.usage_windows import TURN
from gm.judge.model.orders import Allocate, UnitOrder
from gm.judge.model.sheets import Problem, ProblemEffect
from gm.language.rendering import order_text as write
from gm.language.rendering.views import LineErrorView


def stays(reader: Recipient, problem: Problem) -> bool:
    """Whether it is an impossible order that the game takes as it is, so that nobody need write again."""
    order = problem.effect is ProblemEffect.VOID_LINE and isinstance(problem.statement, UnitOrder)
    return order and reader.game.phase[-1:] == TURN and takes_illegal(reader.game)


def fault(reader: Recipient, number: int, problem: Problem) -> LineErrorView:
    """Something the step found on a sheet: said by the catalogue under `problem.<key>`."""
    letter = reader.game.phase[-1:]
    text = write.statement(problem.statement, letter=letter) if problem.statement is not None else ""
    board = reader.variant.start.board.provinces
    one, two, three = (board[code].name if code in board else code for code in (*problem.places, "", "", "")[:3])
    places, reach = reader.every(problem.places), reader.every(problem.reach)
    said = {"order": text, "places": places, "reach": reach, "one": one, "two": two, "three": three}
    bought = isinstance(problem.statement, Allocate) and f"problem.points-{problem.key}" in reader.catalogue
    if f"problem.{problem.key}" in reader.catalogue or bought:
        sentence = reader.choose("problem", f"points-{problem.key}" if bought else problem.key, **said)
    else:
        sentence = write.cause_sentence(reader.catalogue, problem, reader.variant)
    own = problem.key if f"effect.{problem.key}" in reader.catalogue else problem.effect.name
    held = stays(reader, problem)
    effect = reader.choose("effect", "held" if held else own.lower().replace("_", "-"))
    title = reader.say("fault.held" if held else f"fault.{problem.effect.name.lower().replace('_', '-')}")
    return LineErrorView(number, title, text, 0, 0, f"{sentence} {effect}".strip())
