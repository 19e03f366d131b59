"""Movement sheets with diplomacy points, which are put on orders of minor powers.

A line that names no minor power, or asks for more than a hold or a support, is refused. One that cannot be carried
out (its unit is gone, the place out of reach) is kept: it counts among the points spent, and the step says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import ClassVar

from gm.judge.board.board import Board, Location, Place
from gm.judge.mechanics.minor_powers import garrison, minor_at, minor_named, recognised, unit_of_minor
from gm.judge.model.orders import Allocate, Hold, NoPoints, Statement, Support, UnitRef
from gm.judge.model.position import Unit
from gm.judge.model.sheets import Budget
from gm.judge.model.variant import Minor, Variant
from gm.judge.movement.battle import Intent
from gm.language.i18n.place_names import PlaceNames
from gm.language.orders.parsing.grammar_words import GrammarWords
from gm.language.orders.parsing.lexer import RawToken, Scanner, Token, WrittenPlace
from gm.language.orders.parsing.line_parts import Parts, join_units
from gm.language.orders.parsing.order_context import OrderContext, OrderError, order_error
from gm.language.orders.parsing.parse_tree import OrderNode, UnitNode
from gm.language.orders.parsing.tree_builder import Child, path_in, value_in
from gm.language.orders.sheets import moves
from gm.language.orders.sheets.moves import ConvoyNode, HoldNode, MoveNode, MoveTree, SupportNode
from gm.language.orders.sheets.sheet_kind import Check, SheetKind

Spot = tuple[int, int]


class AllocateNode(OrderNode, frozen=True):
    """`points` as written, standing at `at`. `whom`: the unit or the power named in front; `order` may name no unit."""

    points: str
    at: tuple[int, int]
    whom: UnitNode | str | None
    order: HoldNode | MoveNode | SupportNode | ConvoyNode


class NoPointsNode(OrderNode, frozen=True):
    pass


class PointsNode(OrderNode, frozen=True):
    """ "DP?": how many there are and how they are spent."""

    is_question: ClassVar[bool] = True


class PointsTree(MoveTree):
    def deed_hold(self, children: list[Child]) -> HoldNode:
        return HoldNode(())

    def deed_support(self, children: list[Child]) -> SupportNode:
        return self.support(children)

    def deed_move(self, children: list[Child]) -> MoveNode:
        return MoveNode((), path_in(children))

    def allocate(self, children: list[Child]) -> AllocateNode:
        number = next(c for c in children if isinstance(c, Token) and c.type == "NUMBER")
        nation = value_in(children, "NATION") or None
        whom = next((c for c in children if isinstance(c, UnitNode)), nation)
        order = next(c for c in children if isinstance(c, HoldNode | MoveNode | SupportNode | ConvoyNode))
        return AllocateNode(str(number.value), (number.start_pos, number.end_pos), whom, order)

    def no_points(self, children: list[Child]) -> NoPointsNode:
        return NoPointsNode()

    def points(self, children: list[Child]) -> PointsNode:
        return PointsNode()


# ---- the words of a line

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

    def _meaning(self, word: str, previous: str, after: str) -> tuple[str, object] | None:
        """The code before a colon is that of a minor power, though it is a word as well: "2 DP Aus: A Aus H"."""
        if after == ":" and previous in STAKE and (provinces := self.names.exact(word)):
            return "PLACE", provinces
        return super()._meaning(word, previous, after)

    def _fraction(self, raws: list[RawToken], at: int, tokens: list[Token]) -> int:
        """ "1.5" and "1,5" are one number, which is then refused."""
        if at + 2 >= len(raws):
            return 0
        before, mark, after = raws[at : at + 3]
        whole = before.text.isdigit() and mark.text in (".", ",") and after.text.isdigit()
        if not whole or before.end != mark.start or mark.end != after.start:
            return 0
        tokens.append(Token("NUMBER", f"{before.text}.{after.text}", before.start, after.end))
        return at + 3

    def _apart(self, raw: RawToken) -> tuple[Token, ...]:
        """ "1x", "2dp", "DP2"."""
        match = GLUED.fullmatch(raw.text)
        if not match:
            return ()
        word = (match["word"] or match["first"]).lower()
        if self.words.meaning.get(word, ("", ""))[0] != POINTS:
            return ()
        middle = raw.start + len(match["number"] or match["first"])
        first = (match["number"] or word, raw.start, middle)
        second = (word if match["number"] else match["second"], middle, raw.end)
        return tuple(Token("NUMBER" if part[0].isdigit() else POINTS, *part) for part in (first, second))


def _is_head(tokens: Sequence[Token]) -> bool:
    """Whether the tokens behind the last separator are points, and at most for whom."""
    head: list[str] = []
    for token in reversed(tokens):
        if token.type == "SEP":
            break
        head.append(token.type)
    return bool(head) and head[-1] in STAKE and HEAD.issuperset(head)


def are_points_meant(tokens: Sequence[Token], powers: Iterable[str] = ()) -> bool:
    """Whether a line that no grammar takes was meant for points: it begins with them, and says for whom or what. Or it
    has a verb that points are spent on (LISTING), and names a country. A condition is none.
    """
    kinds = {token.type for token in tokens}
    if "IF" in kinds:
        return False
    first = {token.type for token in tokens[:2]}
    if kinds & LISTING and "NATION" in kinds and "TALK" not in kinds:
        return True
    if first == STAKE and {"KIND", "SUPPORT"} <= kinds:
        return True
    return first == STAKE and bool({"PLACE", "NATION"} & kinds or ({"COLON"} < kinds and {"HOLD", "SUPPORT"} & kinds))


def are_points_named(tokens: Sequence[Token]) -> bool:
    """Whether a mistaken order is explained as a line of points: it begins with a number of them, or names them."""
    return are_points_meant(tokens) or any(token.type == POINTS for token in tokens)


def join_points(parts: Parts) -> Parts:
    """Points between separators go with the order beside them: "F Swe H, 2 DP"."""
    joined: Parts = []
    for part in parts:
        alone = {token.type for token in part} == STAKE
        waiting = bool(joined) and {token.type for token in joined[-1]} == STAKE
        if joined and (waiting or (alone and not STAKE & {token.type for token in joined[-1]})):
            joined[-1] = [*joined[-1], *part]
        else:
            joined.append(part)
    return join_units(joined)


# ---- what a line means


def unclear_examples(context: OrderContext) -> tuple[str, ...]:
    """Lines of points that would be obeyed: a support of the writer's unit, and a hold."""
    minors = {minor.name for minor in context.variant.minors}
    units = [unit for unit in context.position.units if unit.power in minors]
    own = context.position.units_of(context.power)
    pairs = ((unit, Support(OrderContext.ref(unit), OrderContext.ref(mine))) for unit in units for mine in own)
    supports = (
        Allocate(1, unit.power, order)
        for unit, order in pairs
        if isinstance(context.here.checker.intent(unit, order), Intent)
    )
    holds = (Allocate(1, unit.power, Hold(OrderContext.ref(unit))) for unit in units)
    return tuple(context.line(line) for line in (*islice(supports, 1), *islice(holds, 1)))


def _for_points(check: Check) -> Check:
    """The check of an order without points. For a minor power's unit the error says how to write them."""

    def checked(context: OrderContext, node: OrderNode) -> Iterator[Statement]:
        try:
            yield from check(context, node)
        except OrderError as error:
            raise _needs_points(context, node, error) from None

    return checked


def _needs_points(context: OrderContext, node: OrderNode, error: OrderError) -> OrderError:
    warning = error.warning
    power = dict(warning.fields).get("power", "")
    minor = minor_named(context.variant, power) if warning.key == "not-yours" else None
    purse = _purse(context)
    if minor is None or not purse.amount or not isinstance(node, HoldNode | SupportNode | MoveNode | ConvoyNode):
        return error
    at = warning.start, warning.end
    if not isinstance(node, HoldNode | SupportNode):  # no points buy it, and a hold is not what was asked for
        return order_error("points-hold-or-support", at)
    order = node if len(node.units) == 1 else HoldNode(())
    again = OrderContext(context.here, context.power)
    line = AllocateNode("1", (warning.start, warning.end), minor.name, order)
    try:
        lines = tuple(again.line(statement) for statement in allocate(again, line))
    except OrderError:
        lines = ()
    return order_error("points-needed", at, suggestions=lines, power=power, purse=purse.name)


CHECKS: Mapping[type[OrderNode], Check] = {kind: _for_points(check) for kind, check in moves.CHECKS.items()}
"""Of orders without points."""


def allocate(context: OrderContext, node: AllocateNode) -> Iterator[Statement]:
    context.transient = True
    points = _points(context, node)
    minor = _minor(context, node)
    if not isinstance(node.order, HoldNode | SupportNode):
        raise order_error("points-hold-or-support", node.at)
    yield Allocate(points, minor.name, _order(context, node, minor))


def no_points(context: OrderContext, node: NoPointsNode) -> Iterator[Statement]:
    yield NoPoints()


def points(context: OrderContext, node: PointsNode) -> Iterator[Statement]:
    """A question, answered with the sheet."""
    return iter(())


def _purse(context: OrderContext) -> Budget:
    budgets = context.variant.step(context.position).budgets(context.position, context.variant, context.power)
    return next(iter(budgets), Budget("", 0, 0))


def _points(context: OrderContext, node: AllocateNode) -> int:
    purse = _purse(context)
    whole = node.points.isdigit() and len(node.points) < 4
    if whole and (context.any_unit or 1 <= int(node.points) <= purse.most):
        return int(node.points)
    numbers = " ".join(str(number) for number in range(1, purse.most + 1))
    raise order_error("points-number", node.at, purse=purse.name, places=numbers)


# ---- whose unit


def _minor(context: OrderContext, node: AllocateNode) -> Minor:
    """The one minor power that the line may mean, by its name in front and by the unit ordered."""
    units = node.order.units
    if len(units) > 1:
        raise order_error("points-one-unit", units[1].name, purse=_purse(context).name)
    named = [node.whom] if node.whom is not None else []
    spots = [_spot(node, written) for written in (*named, *units)]
    candidates = [_minors(context, written) for written in (*named, *units)]
    for minors, spot in zip(candidates, spots, strict=True):
        if not minors:
            raise _no_minor(context, node, spot)
    common = [minor for minor in candidates[0] if all(minor in others for others in candidates)]
    if not common:
        raise order_error("points-two-units", spots[-1], unit=candidates[0][0].name, place=candidates[-1][0].name)
    if len(common) > 1:
        raise order_error(
            "which-place",
            spots[-1],
            word=units[0].name.text if units else "",
            places=" ".join(minor.home for minor in common),
        )
    return common[0]


def _spot(node: AllocateNode, named: UnitNode | str) -> Spot:
    return node.at if isinstance(named, str) else (named.name.start, named.name.end)


def _minors(context: OrderContext, written: UnitNode | str) -> tuple[Minor, ...]:
    variant = context.variant
    named = minor_named(variant, written if isinstance(written, str) else written.nation)
    at = () if isinstance(written, str) else written.name.provinces
    minors = [named] if isinstance(written, str) else [minor_at(variant, code) for code in at]
    return tuple(
        minor for minor in minors if minor and recognised(context.position, minor) and (not named or named is minor)
    )


def _no_minor(context: OrderContext, node: AllocateNode, spot: Spot) -> OrderError:
    """The error for a unit of a great power, or of the writer, who needs no points for it."""
    if isinstance(node.whom, str) and spot == node.at:
        return order_error("points-not-minor", spot, power=node.whom)
    units = [node.whom] if isinstance(node.whom, UnitNode) else list(node.order.units)
    name = next((unit.name for unit in units if (unit.name.start, unit.name.end) == spot), units[0].name)
    there = context.units_at(name, whose=True)
    if any(unit.power == context.power for unit in there) and node.order.units:
        return order_error("points-own-unit", spot, suggestions=_own_lines(context, node), purse=_purse(context).name)
    whose = (
        there[0].power if there else context.position.centres.get(name.provinces[0], context.name(name.provinces[0]))
    )
    return order_error("points-at-no-minor", spot, word=name.text, power=whose)


def _own_lines(context: OrderContext, node: AllocateNode) -> tuple[str, ...]:
    """The order without its points, where it would be obeyed."""
    again = OrderContext(context.here, context.power)
    try:
        match node.order:
            case HoldNode():
                orders = tuple(moves.hold(again, node.order))
            case MoveNode():
                orders = tuple(moves.move(again, node.order))
            case SupportNode():
                orders = tuple(moves.support(again, node.order))
            case _:
                orders = ()
    except OrderError:
        return ()
    return tuple(context.line(order) for order in orders)


# ---- what it shall do


def _order(context: OrderContext, node: AllocateNode, minor: Minor) -> Statement:
    unit = unit_of_minor(context.position, minor.name) or garrison(context.position, context.variant, minor)
    ref = OrderContext.ref(unit) if unit else UnitRef(minor.kind, Place(minor.home))
    for written in node.order.units:
        if written.kind and written.kind != ref.kind:
            kind = context.variant.kinds[ref.kind].name
            context.warn("wrong-kind", written.name, unit=str(ref), kind=kind)
    if not isinstance(node.order, SupportNode):
        return Hold(ref)
    return _support(context, node.order, unit, ref)


def _support(context: OrderContext, order: SupportNode, unit: Unit | None, ref: UnitRef) -> Support:
    """Coasts are left out: with and without them it is the same order."""
    goal: WrittenPlace | None = order.path[-1] if order.path else None
    places = dict.fromkeys(Place(place.province) for place in context.places(goal)) if goal else {None: None}
    checker = context.here.checker
    movers = _coming(context, order) if goal is None else ()
    readings = [Support(ref, OrderContext.ref(mover), place) for mover, place in movers]
    if not readings:
        readings = [Support(ref, OrderContext.ref(it), to) for it in context.others(order.target) for to in places]
    standing = unit is not None and unit in context.position.units
    possible = [
        reading for reading in readings if standing and unit and isinstance(checker.intent(unit, reading), Intent)
    ]
    chosen = possible or readings
    if len(chosen) > 1:
        at = goal if goal and len(goal.provinces) > 1 else order.target.name
        raise order_error("which-place", at, word=at.text, places=" ".join(at.provinces))
    return chosen[0]


def _coming(context: OrderContext, order: SupportNode) -> tuple[tuple[Unit, Place], ...]:
    """ "Germany in Czechya", where no unit of Germany's stands: those that can move there."""
    nation = order.target.nation
    there = context.units_at(order.target.name, whose=True)
    if not nation or order.target.kind or any(unit.power == nation for unit in there):
        return ()
    places = [Place(place.province) for place in context.places(order.target.name)]
    checker = context.here.checker
    return tuple(
        (unit, place)
        for unit in context.position.units_of(nation)
        for place in places
        if isinstance(checker.destination(unit, place), Location)
    )


SHEET = SheetKind(
    "diplomacy_points",
    PointsTree,
    {**CHECKS, AllocateNode: allocate, NoPointsNode: no_points, PointsNode: points},
    lambda variant, names: PointsScanner,
    join=join_points,
    is_meant=are_points_meant,
    unclear="points-unclear",
    unclear_for=are_points_named,
    examples=unclear_examples,
    holds=True,
    numbers_in_front=True,
)
