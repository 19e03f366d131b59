"""What a step found wrong with a sheet, in words."""

from __future__ import annotations

from gm.desk.reader import Reader
from gm.judge.statements import Allocate
from gm.judge.steps import Problem
from gm.text import write
from gm.text.views import Fault


def fault(reader: Reader, number: int, problem: Problem) -> Fault:
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
    effect = reader.choose("effect", own.lower().replace("_", "-"))
    title = reader.say(f"fault.{problem.effect.name.lower().replace('_', '-')}")
    return Fault(number, title, text, 0, 0, f"{sentence} {effect}".strip())
