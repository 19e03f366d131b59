"""Points on orders of minor powers in words: "2 on Austria supporting Munich into Czechia", "1 DP for Bulgaria to
hold", "Istanbul to Bulgaria supported by Greece's fleet with 2 DPs".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise

from msgspec.structs import replace

from gm.judge.board.board import Location, Place
from gm.judge.mechanics.minor_powers import minor_at, minor_named, recognised, unit_of_minor
from gm.judge.model.orders import Allocate, WholeSetStatement
from gm.judge.model.position import Unit
from gm.judge.model.variant import Minor
from gm.language.orders.parsing.lexer import Token
from gm.language.orders.parsing.order_context import UnitsByProvince
from gm.language.prose.guesses.clause import AMOUNTS, NAMES, Clause
from gm.language.prose.guesses.guess import Guess
from gm.language.prose.guesses.moves_guess import guess_orders
from gm.language.prose.guesses.named_orders import without_coast
from gm.language.prose.guesses.points_on_file import (
    NO_POINTS,
    lines_on_file,
    named_with_points,
    points_answered,
    points_corrected,
    points_lowered,
    points_moved,
    points_without,
    source_of,
)
from gm.language.prose.guesses.points_shared_anew import points_shared_anew
from gm.language.prose.guesses.shares_of_points import Share, shares_in
from gm.language.prose.memory import goals_of
from gm.language.prose.mentions import TOWARDS, unit_called
from gm.language.rendering.order_text import statement

LEAST_OF_MOVE = 2
"""Names of a move: where from and where to."""
LONGEST = 4
"""Digits of a number of points, and one more."""
BESIDE = re.compile(r"[ :,]{1,4}")
"""Between points and a word that they stay."""
MOVES = frozenset({"CONVOY", "VIA", "NONE"})
BOUGHT = " DP "
"""Stands between the points and the order in a canonical line."""


def guess_points(clause: Clause) -> Guess | None:
    clause = _without_staying_points(clause)
    if again := points_answered(clause) or points_shared_anew(clause, minor_of) or points_corrected(clause, _deed):
        return again
    moves = "FROM" in clause.types or named_with_points(clause)
    if not clause.types & AMOUNTS:
        if moves and "POINTS" in clause.types and (source := source_of(clause, minor_of)):
            return _moved(clause, *source)
        if reordered := _told_otherwise(clause):
            return reordered
        if clause.is_sentence:
            return None
        orders = guess_orders(clause)
        return None if orders is not None and "POINTS" in clause.types else orders
    if clause.types & MOVES:
        return None
    if moves and (source := source_of(clause, minor_of)):
        return _moved(clause, *source)
    if helped := _helped(clause):
        return helped
    shares = shares_in(clause.tokens, clause.context.power, partial(minor_of, clause))
    if not shares or any(share.amount is None for share in shares):
        return None
    if len(shares) == 1 and shares[0].deed is None and share_points(clause, shares[0], 0) == 0:
        return points_without(clause, shares[0].payees, minor_of)
    if len(shares) == 1 and shares[0].deed is None:
        return None if clause.is_sentence else _as_before(clause, shares[0])
    lines: list[str] = []
    spent = 0
    for share in shares:
        points = share_points(clause, share, spent)
        bought = list(_bought(clause, share, points)) if points else []
        if not points or not bought:
            return None
        spent += points * len(bought)
        lines += bought
    guess = _instead_of_added(clause, clause.guess(lines), spent)
    return replace(guess, certain=False) if guess is not None and _may_add(clause, guess.lines) else guess


def _may_add(clause: Clause, lines: Sequence[str]) -> bool:
    """Whether points that one power loses may come on top of those of another, which they would leave as they are:
    "Belgium gets only one, the other one goes to the Swiss as well".
    """
    before = {statement(line).partition(BOUGHT)[2]: line.points for line in lines_on_file(clause)}
    after = {line.partition(BOUGHT)[2]: int(line.split()[0]) for line in lines if BOUGHT in line}
    freed = {before[deed] - points for deed, points in after.items() if before.get(deed, 0) > points}
    return any(points in freed and before.get(deed) == points for deed, points in after.items())


def _without_staying_points(clause: Clause) -> Clause:
    """ "The Austrian points stay, both of them": it is no unit that stays."""
    tokens = [token for token in clause.tokens if token.type != "SEP"]
    stay = [
        hold
        for points, hold in pairwise(tokens)
        if (points.type, hold.type) == ("POINTS", "HOLD")
        and BESIDE.fullmatch(clause.text, points.end_pos, hold.start_pos)
    ]
    named = [token for token in tokens if token.type in NAMES]
    before = {line.minor for line in (*clause.on_file(Allocate), *clause.written(Allocate))}
    minor = minor_of(clause, named[0]) if len(named) == 1 else None
    if not stay or minor is None or minor.name not in before or stay[0].start_pos < named[0].start_pos:
        return clause
    return replace(clause, tokens=[token for token in clause.tokens if token not in stay])


def _instead_of_added(clause: Clause, guess: Guess | None, spent: int) -> Guess | None:
    """Equal lines of a letter add up; where there are no points for that, the sum is told: "so all three are there"."""
    written = clause.written(Allocate)
    fits = spent + sum(line.points for line in written) <= clause.purse.amount
    if guess is None or (fits and not clause.memory.corrects):
        return guess
    bought = {line.partition(BOUGHT)[2] for line in guess.lines}
    again = tuple(line.slot for line in written if statement(line).partition(BOUGHT)[2] in bought)
    return replace(guess, withdrawn=again)


def guess_points_taken_back(clause: Clause) -> Guess | None:
    """ "Drop the point on Sweden", "forget Sweden" where no order goes there: behind words that take something back."""
    named = [token for token in clause.of(*NAMES) if token.value != clause.context.power]
    if clause.types & ({"FROM"} | MOVES):
        return None
    if not clause.types & {"POINTS", "WHOLE"}:
        return None if _goes_to(clause, named) else points_without(clause, named, minor_of)
    numbers = clause.of("NUMBER")
    if numbers and len(named) == 1 and (minor := minor_of(clause, named[0])) is not None:
        return points_lowered(clause, minor, str(numbers[0].value)) if len(numbers) == 1 else None
    if not named:
        return clause.guess([NO_POINTS]) if lines_on_file(clause) else None
    return points_without(clause, named, minor_of)


def _goes_to(clause: Clause, named: Sequence[Token]) -> bool:
    """Whether an order on file or in the letter goes to one of the minor powers named."""
    homes = {minor.home for token in named if (minor := minor_of(clause, token)) is not None}
    orders = (*clause.memory.on_file, *clause.memory.statements)
    return any(homes & goals_of(order) for order in orders)


def _moved(clause: Clause, name: Token, source: Allocate) -> Guess | None:
    """ "The three points come off Austria and go on Greece, to hold"."""
    left = [token for token in clause.tokens if token is not name and token.type != "FROM"]
    shares = shares_in(left, clause.context.power, partial(minor_of, clause))
    if shares is None or len(shares) != 1:
        return None
    share = shares[0]
    parties, objects = _parties(clause, share)
    minors = [minor for minor in parties if minor is None or minor.name != source.minor]
    if not minors:
        gone = share.deed is None and clause.is_sentence and "FROM" in clause.types
        return points_without(clause, [name], minor_of) if gone else None
    if len(minors) != 1 or minors[0] is None:
        return None
    number = share.amount is not None and share.amount.type == "NUMBER"
    points = share_points(clause, share, 0) if number else None
    order = _deed(clause, share.deed, objects, minors[0]) if share.deed is not None else ""
    if share.deed is not None and not order:
        return None
    return points_moved(clause, source, points, minors[0], order)


def _bought(clause: Clause, share: Share, points: int) -> Iterator[str]:
    """The lines of one share; none where it is not clear for whom it is, or for what."""
    deed = share.deed
    if deed is None:
        yield from _as_on_file(clause, points, share)
        return
    if deed.type == "SUPPORTED":
        yield from _supported(clause, points, share)
        return
    own = clause.context.own_units
    payees = share.payees
    if (
        deed.type == "SUPPORT"
        and len(payees) > LEAST_OF_MOVE
        and any(unit in own for unit in _units(clause, payees[0]))
    ):
        if not share.names:
            yield from _supported(clause, points, Share(share.amount, payees[:2], deed, payees[2:]))
            return
        if share.objects[0].type == "SEP":
            return  # "Kiel to Denmark with Sweden helping, Munich holds. 2 points"
        move = _move_of(clause, *payees[:2])  # "Kiel to Denmark. 2 for Sweden to support Edinburgh into Norway"
        bought = list(_bought(clause, Share(share.amount, payees[2:], deed, share.objects, share.is_each), points))
        yield from (move, *bought) if move and bought else ()
        return
    if not payees:
        return
    minors, objects = _parties(clause, share)
    if not minors or None in minors or (len(minors) > 1 and not share.is_each):
        return
    deeds = [_deed(clause, deed, objects, minor) for minor in minors if minor is not None]
    if all(deeds):
        yield from (f"{points} DP {each}" for each in deeds)


def _told_otherwise(clause: Clause) -> Guess | None:
    """ "I'd like Denmark to support Helgoland instead": another order for a power whose points are on file."""
    before = lines_on_file(clause)
    shares = shares_in(clause.tokens, clause.context.power, partial(minor_of, clause)) if before else None
    if not shares or len(shares) != 1 or shares[0].deed is None or shares[0].deed.type == "SUPPORTED":
        return None
    minors = _minors(clause, shares[0].payees)
    own = [line for line in before if len(minors) == 1 and minors[0] is not None and line.minor == minors[0].name]
    if len(own) != 1 or minors[0] is None or _own_units_at(clause, minors[0]):
        return None
    order = _deed(clause, shares[0].deed, shares[0].objects, minors[0])
    lines = [f"{line.points} DP {order}" if line is own[0] else statement(line) for line in before]
    return clause.guess(lines) if order else None


def _own_units_at(clause: Clause, minor: Minor) -> bool:
    return any(unit.at.province == minor.home for unit in clause.context.own_units)


def _helped(clause: Clause) -> Guess | None:
    """ "Slovakia holds with Hungary supporting it for 2 points": the writer's own order as well."""
    at = next((at for at, token in enumerate(clause.tokens) if token.type == "WITH"), 0)
    before, behind = clause.tokens[:at], clause.tokens[at + 1 :]
    if not at or {token.type for token in before} & (AMOUNTS | {"SUPPORT", "SUPPORTED"}):
        return None
    own = guess_orders(replace(clause, tokens=before))
    shares = shares_in(behind, clause.context.power, partial(minor_of, clause))
    if own is None or len(own.lines) != 1 or not shares or len(shares) != 1:
        return None
    share, minors = shares[0], _minors(clause, shares[0].payees)
    supports = share.deed is not None and share.deed.type == "SUPPORT" and not share.names
    points = share_points(clause, share, 0)
    if not (supports and points) or len(minors) != 1 or minors[0] is None:
        return None
    target = without_coast(own.lines[0].removesuffix(" VIA").removesuffix(" H"))
    lines = [own.lines[0], f"{points} DP {minors[0].kind} {minors[0].home} S {target}"]
    return clause.guess(lines, certain=own.certain)


def _as_on_file(clause: Clause, points: int, share: Share) -> Iterator[str]:
    """ "Two on Hungary, one on Denmark": for what their units are to do already. Behind words of correction: for what
    the letter has told them.
    """
    minors = _minors(clause, share.payees)
    before = clause.written(Allocate) if clause.memory.corrects else lines_on_file(clause)
    own = [line for line in before if len(minors) == 1 and minors[0] and line.minor == minors[0].name]
    if len(own) == 1:
        yield statement(replace(own[0], points=points))


def _parties(clause: Clause, share: Share) -> tuple[list[Minor | None], Sequence[Token]]:
    """For whom a share is, and what the deed is about, which stands before the verb at the end, as in German."""
    minors = _minors(clause, share.payees)
    supports = share.deed is not None and share.deed.type == "SUPPORT"
    if supports and share.payees and not share.names and not share.is_each and len(minors) != 1:
        return _minors(clause, share.payees[:1]), _behind_payee(clause, share)
    return minors, share.objects


def _minors(clause: Clause, names: Sequence[Token]) -> list[Minor | None]:
    return list(dict.fromkeys(minor_of(clause, token) for token in names))


def _behind_payee(clause: Clause, share: Share) -> list[Token]:
    """What stands between the last name of the payee and the deed."""
    payee = minor_of(clause, share.payees[0])
    named = [token for token in share.payees if minor_of(clause, token) == payee]
    past = named[-1].end_pos
    end = share.deed.start_pos if share.deed is not None else past
    return [token for token in clause.tokens if past <= token.start_pos < end and token.value != clause.context.power]


def _as_before(clause: Clause, share: Share) -> Guess | None:
    """ "All three on Hungary, same order": what its unit is to do already. Other orders stay where points are left."""
    points = share_points(clause, share, 0)
    minors = _minors(clause, share.payees)
    if not points:
        return None
    before = clause.on_file(Allocate)
    minor = minors.pop() if len(minors) == 1 else None
    own = [line for line in before if minor is not None and line.minor == minor.name]
    again = [line.points for line in clause.written(Allocate) if minor is not None and line.minor == minor.name]
    if again == [points]:
        return Guess((), clause.is_known)
    if (
        len(own) != 1
        or points > clause.purse.amount
        or any(isinstance(line, WholeSetStatement) for line in clause.memory.statements)
    ):
        return None
    others = [line for line in before if line is not own[0]]
    stay = points + sum(line.points for line in others) <= clause.purse.amount
    kept = others if stay else []
    lines = [statement(line) for line in (*kept, replace(own[0], points=points))]
    return clause.guess(lines, certain=not kept)


def share_points(clause: Clause, share: Share, spent: int) -> int | None:
    """`spent` in the shares before it."""
    if share.amount is None:
        return None
    if share.amount.type == "NUMBER":
        number = str(share.amount.value)
        return int(number) if number.isdigit() and len(number) < LONGEST else None
    spent += sum(line.points for line in clause.written(Allocate))
    left = clause.purse.amount - spent
    return left if left > 0 else None


def minor_of(clause: Clause, token: Token) -> Minor | None:
    """The minor power that a name means: by itself, or by the place of its unit. A place where a unit of the writer's
    stands is that unit: "Denmark to Sweden".
    """
    variant, position = clause.context.variant, clause.context.position
    if token.type == "NATION":
        named = minor_named(variant, str(token.value))
        return named if named is not None and recognised(position, named) else None
    minors = [minor for code in token.value.provinces if (minor := minor_at(variant, code)) is not None]
    written = clause.text[token.start_pos : token.end_pos].lower()
    minors = minors or [minor for minor in variant.minors if minor.adjective.lower() == written]  # no "Norwegian Sea"
    known = [minor for minor in minors if recognised(position, minor) and not _own_units_at(clause, minor)]
    return known[0] if len(known) == 1 else None


def _deed(clause: Clause, deed: Token, objects: Sequence[Token], minor: Minor) -> str:
    """What the minor power's unit shall do; "" where that is not clear."""
    unit = f"{minor.kind} {minor.home}"
    if deed.type == "HOLD":
        return f"{unit} H" if not any(token.type in NAMES for token in objects) else ""
    target = _target(clause, objects)
    return f"{unit} S {target}" if target else ""


def _target(clause: Clause, objects: Sequence[Token]) -> str:
    """The order or the unit that is supported, "A Mun - Cze" or "A Mun"; "" where that is not clear."""
    names = [token for token in objects if token.type in NAMES]
    holds = any(token.type == "HOLD" for token in objects)
    if len(names) == LEAST_OF_MOVE + 1 and names[0].type == "NATION" and minor_of(clause, names[0]) is None:
        names = names[1:]  # "the French fleet from Brest to the Channel"
    kind = _kind_alone(objects)
    if not names:
        order = clause.memory.order
        return without_coast(order) if order and kind in ("", order[:1]) else ""
    if len(names) == 1:
        return _standing(clause, names[0]) if holds else _of_one_name(clause, names[0], objects, kind)
    if len(names) != LEAST_OF_MOVE or (holds and names[0].type != "NATION"):
        return ""
    goes = objects[objects.index(names[1]) - 1].type in TOWARDS
    return _unit_of_power(clause, *names) if not goes and names[0].type == "NATION" else _move_of(clause, *names)


def _kind_alone(objects: Sequence[Token]) -> str:
    """The kind of a unit that is named without its place: "the fleet into Denmark"."""
    for at, token in enumerate(objects):
        beside = {other.type for other in (*objects[max(0, at - 1) : at], *objects[at + 1 : at + 2])}
        if token.type == "KIND" and not beside & NAMES:
            return str(token.value)
    return ""


def _of_one_name(clause: Clause, name: Token, objects: Sequence[Token], kind: str) -> str:
    """The only move of the writer's there, or the unit that stands there: with its move, if it has one."""
    moves = {
        unit: line for unit, line in clause.unit_orders.items() if " - " in line and not {"S", "C"} & {*line.split()}
    }
    there = _provinces(clause, name)
    coming = [line for line in moves.values() if line.rpartition(" - ")[2].partition("/")[0].split()[0] in there]
    coming = [line for line in coming if kind in ("", line[:1])]
    at = objects.index(name)
    goes = bool(at) and objects[at - 1].type in TOWARDS
    standing = _standing(clause, name)
    if goes or kind or not standing:
        return without_coast(coming[0].removesuffix(" VIA")) if len(coming) == 1 else ""
    return without_coast(moves[standing].removesuffix(" VIA")) if standing in moves else standing


def _unit_of_power(clause: Clause, power: Token, place: Token) -> str:
    """ "The Polish army in Warsaw"; "Germany in Czechya", where no unit of its own stands, moves there."""
    there = [unit for unit in _units(clause, power) if unit.at.province in _provinces(clause, place)]
    return unit_called(there[0]) if len(there) == 1 else _move_of(clause, power, place)


def _move_of(clause: Clause, first: Token, goal: Token) -> str:
    movers = [unit for unit in _units(clause, first) if _reaches(clause, unit, goal)]
    if len(movers) != 1:
        return ""
    return f"{movers[0].kind} {movers[0].at.place} - {_provinces(clause, goal)[0]}"


def _provinces(clause: Clause, token: Token) -> tuple[str, ...]:
    if token.type == "PLACE":
        provinces: tuple[str, ...] = token.value.provinces
        return provinces
    minor = minor_of(clause, token)
    return (minor.home,) if minor is not None else ()


def _units(clause: Clause, token: Token) -> list[Unit]:
    """The units that a name means: that of a minor power, those of a great power, or the one at a place."""
    position = clause.context.position
    minor = minor_of(clause, token)
    if minor is not None:
        return [unit for unit in (unit_of_minor(position, minor.name),) if unit is not None]
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


def _supported(clause: Clause, points: int, share: Share) -> Iterator[str]:
    """ "Istanbul to Bulgaria supported by Greece's fleet with 2 DPs": the writer's own move as well. "Greece should be
    backed by Bulgaria with 2 DPs": whatever it does.
    """
    before, names = share.payees, share.names
    if not names and len(before) > 1:
        before, names = before[:-1], before[-1:]  # the verb stands last, as in German
    minors = _minors(clause, names)
    own = [unit for token in before[:1] for unit in _units(clause, token) if unit in clause.context.own_units]
    if len(own) != 1 or len(minors) != 1 or minors[0] is None:
        return
    if len(before) == 1 and (target := _of_one_name(clause, before[0], before, "")):
        yield f"{points} DP {minors[0].kind} {minors[0].home} S {target}"
    if len(before) != LEAST_OF_MOVE:
        return
    goals = _provinces(clause, before[1])
    if len(goals) == 1:
        move = f"{own[0].kind} {own[0].at.place} - {goals[0]}"
        yield move
        yield f"{points} DP {minors[0].kind} {minors[0].home} S {move}"
