"""Points on orders of minor powers in words: "2 on Austria supporting Munich into Czechia", "1 DP for Bulgaria to
hold", "Istanbul to Bulgaria supported by Greece's fleet with 2 DPs".
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from gm.judge.board.board import Location, Place
from gm.judge.mechanics.minor_powers import minor_at, minor_named, recognised, unit_of
from gm.judge.model.orders import Allocate
from gm.judge.model.position import Unit
from gm.judge.model.variant import Minor
from gm.language.orders.parsing.lexer import Token
from gm.language.orders.parsing.order_context import UnitsByProvince
from gm.language.prose.clause import Clause
from gm.language.prose.guess import Guess, guess_moves, own_units, without_coast
from gm.language.rendering.order_text import statement

DEEDS = frozenset({"HOLD", "SUPPORT", "SUPPORTED"})
AMOUNTS = frozenset({"NUMBER", "WHOLE"})
NAMES = frozenset({"NATION", "PLACE"})
LONGEST = 4
"""Digits of a number of points, and one more."""
MOVES = frozenset({"CONVOY", "VIA", "NONE"})


def guess_points(clause: Clause) -> Guess | None:
    if clause.is_sentence and (len(_amounts(clause)) != 1 or len(clause.of(*DEEDS)) != 1):
        return None
    if not clause.types & AMOUNTS:
        orders = guess_moves(clause.tokens, clause.context, clause.memory, clause.legal)
        return None if orders is not None and "POINTS" in clause.types else orders
    points = _points(clause)
    deed = next((at for at, token in enumerate(clause.tokens) if token.type in DEEDS), -1)
    if points is None or clause.types & MOVES:
        return None
    names = [token for token in clause.of(*NAMES) if token.value != clause.context.power]
    if deed < 0:
        return _as_before(clause, points, names)
    before = [token for token in names if token.start_pos < clause.tokens[deed].start_pos]
    behind = [token for token in names if token not in before]
    if clause.tokens[deed].type == "SUPPORTED":
        return _supported(clause, points, before, behind)
    if not behind and len(before) > 1 and "EACH" not in clause.types:  # the verb at the end, as in German
        before, behind = before[:1], before[1:]
    payees = before or (behind if clause.tokens[deed].type == "HOLD" else [])
    minors = list(dict.fromkeys(_minor(clause, token) for token in payees))
    if not minors or None in minors or (len(minors) > 1 and "EACH" not in clause.types):
        return None
    deeds = [_deed(clause, deed, behind if before else [], minor) for minor in minors if minor is not None]
    return clause.guess([f"{points} DP {deed}" for deed in deeds]) if all(deeds) else None


def _as_before(clause: Clause, points: int, names: Sequence[Token]) -> Guess | None:
    """ "All three on Hungary, same order": what its unit is to do already. Other orders stay where points are left."""
    before = [line for line in clause.memory.on_file if isinstance(line, Allocate)]
    minors = {_minor(clause, token) for token in names}
    minor = minors.pop() if len(minors) == 1 else None
    own = [line for line in before if minor is not None and line.minor == minor.name]
    if len(own) != 1 or points > clause.purse.amount or any(True for _ in clause.written(Allocate)):
        return None
    others = [line for line in before if line is not own[0]]
    stay = points + sum(line.points for line in others) <= clause.purse.amount
    kept = others if stay else []
    lines = [statement(line) for line in (*kept, replace(own[0], points=points))]
    return clause.guess(lines, certain=not kept)


def _amounts(clause: Clause) -> list[Token]:
    """The numbers written, else words for all that is left."""
    return clause.of("NUMBER") or clause.of("WHOLE")


def _points(clause: Clause) -> int | None:
    amounts = _amounts(clause)
    if len(amounts) != 1:
        return None
    if amounts[0].type == "NUMBER":
        number = str(amounts[0].value)
        return int(number) if number.isdigit() and len(number) < LONGEST else None
    spent = sum(line.points for line in clause.written(Allocate) if isinstance(line, Allocate))
    left = clause.purse.amount - spent
    return left if left > 0 else None


def _minor(clause: Clause, token: Token) -> Minor | None:
    """The minor power that a name means: by itself, or by the place of its unit."""
    variant, position = clause.context.variant, clause.context.position
    if token.type == "NATION":
        named = minor_named(variant, str(token.value))
        return named if named is not None and recognised(position, named) else None
    minors = [minor for code in token.value.provinces if (minor := minor_at(variant, code)) is not None]
    known = [minor for minor in minors if recognised(position, minor)]
    return known[0] if len(known) == 1 else None


def _deed(clause: Clause, deed: int, names: Sequence[Token], minor: Minor) -> str:
    """What the minor power's unit shall do; "" where that is not clear."""
    unit = f"{minor.kind} {minor.home}"
    if clause.tokens[deed].type == "HOLD":
        return f"{unit} H" if not names else ""
    if not names:
        order = clause.memory.order
        return f"{unit} S {without_coast(order)}" if order else ""
    if len(names) == 1:
        target = _standing(clause, names[0])
        return f"{unit} S {target}" if target else ""
    if len(names) != 2:
        return ""
    first, goal = names
    movers = [unit for unit in _units(clause, first) if _reaches(clause, unit, goal)]
    if first.type == "NATION" and not movers:
        movers = [unit for unit in _units(clause, first) if unit.at.province in _provinces(clause, goal)]
        return f"{unit} S {movers[0].kind} {movers[0].at.place}" if len(movers) == 1 else ""
    if len(movers) != 1:
        return ""
    return f"{unit} S {movers[0].kind} {movers[0].at.place} - {_provinces(clause, goal)[0]}"


def _provinces(clause: Clause, token: Token) -> tuple[str, ...]:
    if token.type == "PLACE":
        provinces: tuple[str, ...] = token.value.provinces
        return provinces
    minor = _minor(clause, token)
    return (minor.home,) if minor is not None else ()


def _units(clause: Clause, token: Token) -> list[Unit]:
    """The units that a name means: that of a minor power, those of a great power, or the one at a place."""
    position = clause.context.position
    minor = _minor(clause, token)
    if minor is not None:
        return [unit for unit in (unit_of(position, minor.name),) if unit is not None]
    if token.type == "NATION":
        return list(position.units_of(str(token.value)))
    return [unit for code in token.value.provinces for unit in position.standing.get(code, ())]


def _standing(clause: Clause, token: Token) -> str:
    units = _units(clause, token)
    return f"{units[0].kind} {units[0].at.place}" if len(units) == 1 else ""


def _reaches(clause: Clause, unit: Unit, goal: Token) -> bool:
    checker = UnitsByProvince(clause.context.variant, clause.context.position).checker
    goals = _provinces(clause, goal)
    return len(goals) == 1 and isinstance(checker.destination(unit, Place(goals[0])), Location)


def _supported(clause: Clause, points: int, before: Sequence[Token], behind: Sequence[Token]) -> Guess | None:
    """ "Istanbul to Bulgaria supported by Greece's fleet with 2 DPs": the writer's own move as well."""
    minors = list(dict.fromkeys(_minor(clause, token) for token in behind))
    own = [unit for token in before[:1] for unit in _units(clause, token) if unit in own_units(clause.context)]
    if len(before) != 2 or len(own) != 1 or len(minors) != 1 or minors[0] is None:
        return None
    goals = _provinces(clause, before[1])
    if len(goals) != 1:
        return None
    move = f"{own[0].kind} {own[0].at.place} - {goals[0]}"
    return clause.guess([move, f"{points} DP {minors[0].kind} {minors[0].home} S {move}"])
