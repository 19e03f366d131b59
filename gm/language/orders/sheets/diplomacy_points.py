"""Second stage of reading for points put on minor powers' orders: a sketch -> one line that counts.

A line that names no minor power, or asks for more than a hold or a support, is refused. One that cannot be carried
out (its unit is gone, the place out of reach) is kept: it counts among the points spent, and the step says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gm.judge.board.board import Board, Place
from gm.judge.mechanics.minor_powers import garrison, minor_at, minor_named, recognised, unit_of
from gm.judge.model.orders import Allocate, Hold, NoPoints, Statement, Support, UnitRef
from gm.judge.model.position import Unit
from gm.judge.model.sheets import Budget
from gm.judge.model.variant import Minor, Variant
from gm.judge.movement.battle import Intent
from gm.language.i18n.place_names import PlaceNames
from gm.language.orders.parsing import parse_tree as sketches
from gm.language.orders.parsing.lexer import GrammarWords, RawToken, Scanner, Token, WrittenPlace
from gm.language.orders.parsing.order_context import OrderContext, OrderError, flaw
from gm.language.orders.sheets import moves as reading_moves

Spot = tuple[int, int]


def allocate(bench: OrderContext, sketch: sketches.AllocateNode) -> Iterator[Statement]:
    bench.fleeting = True
    points = _points(bench, sketch)
    minor = _minor(bench, sketch)
    if not isinstance(sketch.order, sketches.HoldNode | sketches.SupportNode):
        raise flaw("points-hold-or-support", sketch.at)
    yield Allocate(points, minor.name, _order(bench, sketch, minor))


def no_points(bench: OrderContext, sketch: sketches.NoPointsNode) -> Iterator[Statement]:
    yield NoPoints()


def points(bench: OrderContext, sketch: sketches.PointsNode) -> Iterator[Statement]:
    """A question, answered with the sheet."""
    return iter(())


def _purse(bench: OrderContext) -> Budget:
    budgets = bench.variant.step(bench.position).budgets(bench.position, bench.variant, bench.power)
    return next(iter(budgets), Budget("", 0, 0))


def _points(bench: OrderContext, sketch: sketches.AllocateNode) -> int:
    purse = _purse(bench)
    whole = sketch.points.isdigit() and len(sketch.points) < 4
    if whole and (bench.any_unit or 1 <= int(sketch.points) <= purse.most):
        return int(sketch.points)
    numbers = " ".join(str(number) for number in range(1, purse.most + 1))
    raise flaw("points-number", sketch.at, purse=purse.name, places=numbers)


# ---- whose unit


def _minor(bench: OrderContext, sketch: sketches.AllocateNode) -> Minor:
    """The one minor power that the line may mean, by its name in front and by the unit ordered."""
    units = sketch.order.units
    if len(units) > 1:
        raise flaw("points-one-unit", units[1].name, purse=_purse(bench).name)
    named = [sketch.whom] if sketch.whom is not None else []
    spots = [_spot(sketch, one) for one in (*named, *units)]
    found = [_minors(bench, one, spot) for one, spot in zip((*named, *units), spots, strict=True)]
    for one, spot in zip(found, spots, strict=True):
        if not one:
            raise _no_minor(bench, sketch, spot)
    common = [minor for minor in found[0] if all(minor in others for others in found)]
    if not common:
        raise flaw("points-two-units", spots[-1], unit=found[0][0].name, place=found[-1][0].name)
    if len(common) > 1:
        raise flaw(
            "which-place",
            spots[-1],
            word=units[0].name.text if units else "",
            places=" ".join(minor.home for minor in common),
        )
    return common[0]


def _spot(sketch: sketches.AllocateNode, one: sketches.UnitNode | str) -> Spot:
    return sketch.at if isinstance(one, str) else (one.name.start, one.name.end)


def _minors(bench: OrderContext, one: sketches.UnitNode | str, spot: Spot) -> tuple[Minor, ...]:
    variant = bench.variant
    named = minor_named(variant, one if isinstance(one, str) else one.nation)
    at = () if isinstance(one, str) else one.name.provinces
    found = [named] if isinstance(one, str) else [minor_at(variant, code) for code in at]
    return tuple(
        minor for minor in found if minor and recognised(bench.position, minor) and (not named or named is minor)
    )


def _no_minor(bench: OrderContext, sketch: sketches.AllocateNode, spot: Spot) -> OrderError:
    """Who it is instead: a great power, or the writer himself, who needs no points for his own unit."""
    if isinstance(sketch.whom, str) and spot == sketch.at:
        return flaw("points-not-minor", spot, power=sketch.whom)
    units = [sketch.whom] if isinstance(sketch.whom, sketches.UnitNode) else list(sketch.order.units)
    name = next((unit.name for unit in units if (unit.name.start, unit.name.end) == spot), units[0].name)
    there = bench.units_at(name, whose=True)
    if any(unit.power == bench.power for unit in there) and sketch.order.units:
        return flaw("points-own-unit", spot, suggestions=_own_lines(bench, sketch), purse=_purse(bench).name)
    whose = there[0].power if there else bench.position.centres.get(name.provinces[0], bench.name(name.provinces[0]))
    return flaw("points-not-minor", spot, power=whose)


def _own_lines(bench: OrderContext, sketch: sketches.AllocateNode) -> tuple[str, ...]:
    """The order without its points, where it would be obeyed."""
    again = OrderContext(bench.ground, bench.power)
    try:
        match sketch.order:
            case sketches.HoldNode():
                found = tuple(reading_moves.hold(again, sketch.order))
            case sketches.MoveNode():
                found = tuple(reading_moves.move(again, sketch.order))
            case sketches.SupportNode():
                found = tuple(reading_moves.support(again, sketch.order))
            case _:
                found = ()
    except OrderError:
        return ()
    return tuple(bench.line(one) for one in found)


# ---- what it shall do


def _order(bench: OrderContext, sketch: sketches.AllocateNode, minor: Minor) -> Statement:
    unit = unit_of(bench.position, minor.name) or garrison(bench.position, bench.variant, minor)
    ref = OrderContext.ref(unit) if unit else UnitRef(minor.kind, Place(minor.home))
    for written in sketch.order.units:
        if written.kind and written.kind != ref.kind:
            kind = bench.variant.kinds[ref.kind].name
            bench.remark("wrong-kind", written.name, unit=str(ref), kind=kind)
    if not isinstance(sketch.order, sketches.SupportNode):
        return Hold(ref)
    return _support(bench, sketch.order, unit, ref)


def _support(bench: OrderContext, order: sketches.SupportNode, unit: Unit | None, ref: UnitRef) -> Support:
    """Coasts are left out: with and without them it is the same order."""
    goal: WrittenPlace | None = order.path[-1] if order.path else None
    places = dict.fromkeys(Place(place.province) for place in bench.places(goal)) if goal else {None: None}
    readings = [Support(ref, OrderContext.ref(target), to) for target in bench.others(order.target) for to in places]
    checker = bench.ground.checker
    standing = unit is not None and unit in bench.position.units
    possible = [
        reading for reading in readings if standing and unit and isinstance(checker.intent(unit, reading), Intent)
    ]
    chosen = possible or readings
    if len(chosen) > 1:
        at = goal if goal and len(goal.provinces) > 1 else order.target.name
        raise flaw("which-place", at, word=at.text, places=" ".join(at.provinces))
    return chosen[0]


POINTS = "POINTS"
HEAD = frozenset({"NUMBER", POINTS, "PLACE", "NATION", "KIND", "OF", "TO", "FOR", "COLON", "WORD"})
LISTING = frozenset({"INTERCEPT", "PROTECT"})
STAKE = frozenset({"NUMBER", POINTS})
GLUED = re.compile(r"(?P<number>\d+)(?P<word>[^\W\d_]+)|(?P<first>[^\W\d_]+)(?P<second>\d+)")


class PointsScanner(Scanner):
    """Knows the colon behind points, numbers glued to a word for them, fractions, and minor powers' names."""

    def __init__(self, variant: Variant, board: Board, names: PlaceNames, vocabulary: GrammarWords) -> None:
        super().__init__(variant, board, names, vocabulary)
        minors = {
            name.lower(): minor.name
            for minor in variant.minors
            for name in (minor.name, minor.adjective, *minor.aliases)
        }
        self.powers = {**minors, **self.powers}

    def _next(self, text: str, raws: list[RawToken], at: int, tokens: list[Token]) -> int:
        raw = raws[at]
        if raw.text == ":" and _is_head(tokens):
            tokens.append(Token("COLON", ":", raw.start, raw.end))
            return at + 1
        if raw.text == "?":
            tokens.append(Token("ASK", "?", raw.start, raw.end))
            return at + 1
        if raw.kind == "word" and raw.text[:1].isdigit() and (past := self._fraction(raws, at, tokens)):
            return past
        if raw.kind == "word" and (parts := self._apart(raw)):
            tokens.extend(parts)
            return at + 1
        return super()._next(text, raws, at, tokens)

    def _fraction(self, raws: list[RawToken], at: int, tokens: list[Token]) -> int:
        """ "1.5" and "1,5" are one number; nobody may give so many, and he is to read that."""
        if at + 2 >= len(raws):
            return 0
        one, mark, two = raws[at : at + 3]
        whole = one.text.isdigit() and mark.text in (".", ",") and two.text.isdigit()
        if not whole or one.end != mark.start or mark.end != two.start:
            return 0
        tokens.append(Token("NUMBER", f"{one.text}.{two.text}", one.start, two.end))
        return at + 3

    def _apart(self, raw: RawToken) -> tuple[Token, ...]:
        """ "1x", "2dp", "DP2"."""
        found = GLUED.fullmatch(raw.text)
        if not found:
            return ()
        word = (found["word"] or found["first"]).lower()
        if self.words.meaning.get(word, ("", ""))[0] != POINTS:
            return ()
        middle = raw.start + len(found["number"] or found["first"])
        one = (found["number"] or word, raw.start, middle)
        two = (word if found["number"] else found["second"], middle, raw.end)
        return tuple(Token("NUMBER" if part[0].isdigit() else POINTS, *part) for part in (one, two))


def _is_head(tokens: Sequence[Token]) -> bool:
    """Whether the tokens behind the last separator are points, and at most for whom."""
    head: list[str] = []
    for token in reversed(tokens):
        if token.type == "SEP":
            break
        head.append(token.type)
    return bool(head) and head[-1] in STAKE and HEAD.issuperset(head)


def staked(tokens: Sequence[Token]) -> bool:
    """Whether a line that no grammar takes was meant for points: it begins with them, and says for whom or what. Or it
    bids to do what points are spent on (LISTING), and names a country.
    """
    kinds = {token.type for token in tokens}
    first = {token.type for token in tokens[:2]}
    if kinds & LISTING and "NATION" in kinds and "TALK" not in kinds:
        return True
    if first == STAKE and {"KIND", "SUPPORT"} <= kinds:
        return True
    return first == STAKE and bool({"PLACE", "NATION"} & kinds or ({"COLON"} < kinds and {"HOLD", "SUPPORT"} & kinds))


def together(parts: list[list[Token]]) -> list[list[Token]]:
    """Points between separators go with the order beside them: "F Swe H, 2 DP"."""
    found: list[list[Token]] = []
    for part in parts:
        alone = {token.type for token in part} == STAKE
        waiting = bool(found) and {token.type for token in found[-1]} == STAKE
        if found and (waiting or (alone and not STAKE & {token.type for token in found[-1]})):
            found[-1] = [*found[-1], *part]
        else:
            found.append(part)
    return found
