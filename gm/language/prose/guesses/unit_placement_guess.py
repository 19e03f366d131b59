"""The kinds of units at the start in words: "armies everywhere except Odessa", "only in Trieste a fleet"."""

from __future__ import annotations

from gm.judge.model.orders import Build
from gm.judge.steps.unit_placement import homes
from gm.language.orders.parsing.lexer import Token
from gm.language.prose.guesses.clause import Clause
from gm.language.prose.guesses.guess import Guess
from gm.language.prose.guesses.unit_lists import listed_units


def guess_unit_placement(clause: Clause) -> Guess | None:
    listed = listed_units(clause)
    if listed is None or any(token.value != clause.context.power for token in clause.of("NATION")):
        return None
    if listed.others and clause.memory.is_doubted:
        return None
    lines = [_line(kind, place) for kind, place in listed.units]
    if listed.others:
        named = {code for _, place in listed.units for code in place.value.provinces}
        named |= {code for place in listed.excepted for code in place.value.provinces}
        named |= {order.unit.at.province for order in clause.written(Build)}
        left = [code for code in homes(clause.context.position, clause.context.power) if code not in named]
        if listed.unnamed not in (0, len(left)):
            return None
        lines += [f"{listed.others} {code}" for code in left]
        lines += [line for place in listed.excepted if (line := _other(clause, listed.others, place))]
    elif listed.excepted:
        return None
    elif all(kind for kind, _ in listed.units):
        return clause.guess_partly([(_line(*unit), unit[1]) for unit in listed.units], certain=listed.is_sure)
    return clause.guess(lines, certain=listed.is_sure)


def _line(kind: str, place: Token) -> str:
    return f"{kind} {place.value.text}"


def _other(clause: Clause, kind: str, place: Token) -> str:
    """The unit of an excepted centre, where only one other is possible there."""
    lines = [_line(code, place) for code in clause.context.variant.kinds if code != kind]
    possible = [line for line in lines if clause.legal(line)]
    return possible[0] if len(possible) == 1 else ""
