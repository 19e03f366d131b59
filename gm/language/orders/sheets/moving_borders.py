"""Sheets of events that move borders, and of the placing of fleets (Seismic).

The map is known, so an event that is not applicable or has two meanings is refused at once, with what there is instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product
from typing import NamedTuple

from gm.judge.board.planar_board import PlanarBoard
from gm.judge.mechanics.moving_borders.border_orders import Event, NoEvent, Placement, Release, Separation
from gm.judge.model.orders import Statement
from gm.judge.model.position import Unit
from gm.judge.model.sheets import Problem
from gm.language.orders.parsing.board_scanners import CoastScanner
from gm.language.orders.parsing.lexer import RawToken, Token, WrittenPlace
from gm.language.orders.parsing.order_context import OrderContext, OrderError, OrderWarning, only_province, order_error
from gm.language.orders.parsing.parse_tree import OrderNode, Path, UnitNode
from gm.language.orders.parsing.tree_builder import Child, TreeBuilder, places_in, units_in, value_in
from gm.language.orders.sheets.sheet_kind import SheetKind

MOST_READINGS = 64
PLACES = ("here", "there", "third", "fourth")
"""Names of the provinces of a refusal in sentences."""


SEPARATORS = frozenset({"SEP", "ARROW", "MINUS", "PLUS"})
OWN_WORDS = frozenset({"SEPARATE", "CONNECT", "ASHORE"})
"""Terminals that only such sheets have and that make a line an order."""


class PairNode(NamedTuple):
    """Two provinces that part or that come together. `number` and `near`: which of their borders, as written."""

    apart: bool
    names: tuple[WrittenPlace, WrittenPlace]
    number: str = ""
    near: WrittenPlace | None = None


class EventNode(OrderNode, frozen=True):
    pairs: tuple[PairNode, ...]


class PlacementNode(OrderNode, frozen=True):
    unit: UnitNode
    coasts: Path
    given: EventNode | None = None


class NoEventNode(OrderNode, frozen=True):
    pass


class BorderTree(TreeBuilder):
    def apart(self, children: list[Child]) -> PairNode:
        return _pair(children, apart=True)

    def joined(self, children: list[Child]) -> PairNode:
        return _pair(children, apart=False)

    def event(self, children: list[Child]) -> EventNode:
        return EventNode(tuple(child for child in children if isinstance(child, PairNode)))

    condition = event

    def placement(self, children: list[Child]) -> PlacementNode:
        given = next((child for child in children if isinstance(child, EventNode)), None)
        return PlacementNode(units_in(children)[0], places_in(children), given)

    def no_event(self, children: list[Child]) -> NoEventNode:
        return NoEventNode()


def _pair(children: list[Child], *, apart: bool) -> PairNode:
    first, second, *near = places_in(children)
    number = value_in(children, "NUMBER")
    number = number or next((str(name.number) for name in (first, second) if name.number), "")
    return PairNode(apart, (first, second), number, next(iter(near), None))


class BorderOrderScanner(CoastScanner):
    """Knows the # before a number, and words that a grammar gives to a province. Only units lie at a coast: without
    one "Por/Spa" are two provinces.
    """

    def _place(
        self, text: str, raws: list[RawToken], at: int, past: int, provinces: tuple[str, ...], tokens: list[Token]
    ) -> int:
        unit = bool(tokens) and tokens[-1].type == "KIND"
        reading = super()._place if unit else super(CoastScanner, self)._place
        return reading(text, raws, at, past, provinces, tokens)

    def _next(self, text: str, raws: list[RawToken], at: int, tokens: list[Token]) -> int:
        raw = raws[at]
        if raw.text == "#":
            tokens.append(Token("HASH", "#", raw.start, raw.end))
            return at + 1
        return super()._next(text, raws, at, tokens)

    def _meaning(self, word: str, previous: str, after: str) -> tuple[str, object] | None:
        meaning = super()._meaning(word, previous, after)
        if meaning is not None and meaning[0] == "PLACE" and isinstance(meaning[1], str):
            code = self.names.codes.get(meaning[1].lower())
            return ("PLACE", (code,)) if code else None
        return meaning


def is_event_meant(tokens: Sequence[Token], powers: Iterable[str]) -> bool:
    """Whether a line that the grammar does not take was meant for it: a place, and a word that is this sheet's own."""
    kinds = [token.type for token in tokens]
    unknown = sum(kind in ("WORD", "TALK") for kind in kinds)
    return "PLACE" in kinds and bool(OWN_WORDS.intersection(kinds)) and unknown <= len(kinds) - unknown


def is_second_half(tokens: Sequence[Token], following: Sequence[Token]) -> bool:
    """ "Separate: Trieste / Albania" and below it "Connect: Serbia / Adriatic"."""
    first, second = ({token.type for token in line} & OWN_WORDS for line in (tokens, following))
    return first == {"SEPARATE"} and second == {"CONNECT"}


def event(context: OrderContext, node: EventNode) -> Iterator[Statement]:
    names = [name for pair in node.pairs for name in pair.names]
    unclear = next((name for name in names if len(name.provinces) > 1), None)
    yield _chosen(context, _events(context, node), _span(node), unclear)


def placement(context: OrderContext, node: PlacementNode) -> Iterator[Statement]:
    context.transient = True
    given = list(_events(context, node.given)) if node.given else [None]
    fleet = OrderContext.ref(_fleet(context, node.unit))
    coasts = tuple(dict.fromkeys(only_province(name) for name in node.coasts))
    start, end = node.coasts[0].start, node.coasts[-1].end
    yield _chosen(context, (Placement(fleet, coasts, event) for event in given), (start, end))


def no_event(context: OrderContext, node: NoEventNode) -> Iterator[Statement]:
    yield NoEvent()


# ---- which event

Span = tuple[int, int]


def _span(node: EventNode) -> Span:
    names = [name for pair in node.pairs for name in pair.names]
    return min(name.start for name in names), max(name.end for name in names)


def _events(context: OrderContext, node: EventNode) -> Iterator[Event]:
    """The events that the words may mean. Raises OrderError for half an event, or several."""
    context.transient = True
    apart = [pair for pair in node.pairs if pair.apart]
    joined = [pair for pair in node.pairs if not pair.apart]
    if len(apart) > 1 or len(joined) > 1:
        raise order_error("two-events", _span(node))
    if not joined:
        raise _half(context, apart[0], _span(node))
    number = next((int(pair.number[:4]) for pair in node.pairs if pair.number), 0)
    near = next((pair.near for pair in node.pairs if pair.near), None)
    names = [name for pair in (*apart, *joined) for name in pair.names]
    choices = [name.provinces for name in (*names, *((near,) if near else ()))]
    for codes in islice(product(*choices), MOST_READINGS):
        beside = codes[len(names)] if near else ""
        if apart:
            yield Separation((codes[0], codes[1]), (codes[2], codes[3]), number, beside)
        else:
            yield Release((codes[0], codes[1]), number, beside)


def _half(context: OrderContext, pair: PairNode, span: Span) -> OrderError:
    """The error for two provinces that part, without the two that connect."""
    first, second = (name.provinces[0] for name in pair.names)
    board = context.position.board
    borders = board.numbered_borders(first, second) if isinstance(board, PlanarBoard) and first != second else ()
    if not borders:
        return order_error("no-common-border", span, here=first, there=second)
    ends = [board.rotation.ends(first, it.stretch) for it in borders] if isinstance(board, PlanarBoard) else []
    lines = [context.line(Separation((first, second), joined)) for joined in ends if joined is not None]
    example = next((f"{joined[0]} & {joined[1]}" for joined in ends if joined is not None), f"{first} & {second}")
    return order_error("half-event", span, suggestions=lines, example=example)


def _chosen(
    context: OrderContext, readings: Iterator[Statement], span: Span, open_name: WrittenPlace | None = None
) -> Statement:
    """The only reading there is, or the only one that the step does not refuse. `open_name` fits several provinces."""
    statements = list(readings)
    if len(statements) == 1 and context.any_unit:
        return statements[0]
    step, position, variant = context.variant.step(context.position), context.position, context.variant
    refusals = [(each, step.check(position, variant, context.power, (each,))) for each in statements]
    possible = [statement for statement, problems in refusals if not problems]
    if len(possible) == 1:
        return possible[0]
    if possible:
        raise order_error("two-meanings", span, suggestions=[context.line(statement) for statement in possible])
    statement, problems = refusals[0]
    if open_name is not None and len({problem.key for _, refused in refusals for problem in refused}) > 1:
        raise order_error("which-place", open_name, word=open_name.text, places=" ".join(open_name.provinces))
    raise _refused(context, problems[0], statement, span)


def _refused(context: OrderContext, problem: Problem, statement: Statement, span: Span) -> OrderError:
    fields = tuple(zip(PLACES, problem.places, strict=False))
    borders = (("borders", " ".join(problem.reach)),) if problem.reach else ()
    lines: list[str] = []
    if problem.key.startswith("ambiguous") and isinstance(statement, Separation | Release):
        lines = [f"{context.line(statement)} #{choice.partition(':')[0]}" for choice in problem.reach]
    return OrderError(OrderWarning(problem.key, *span, (*fields, *borders), tuple(lines)))


# ---- whose fleet, which coast


def _fleet(context: OrderContext, written: UnitNode) -> Unit:
    """The writer's own; else one that is not there yet, of which the step may know more."""
    mine = [unit for unit in context.units_at(written.name, whose=True) if unit.power == context.power]
    fleets = [unit for unit in mine if not context.variant.kinds[unit.kind].convoyed]
    if fleets:
        return fleets[0]
    coastal = context.position.board.coasts if isinstance(context.position.board, PlanarBoard) else {}
    if len(written.name.provinces) == 1 and (context.any_unit or coastal.get(written.name.provinces[0])):
        return context.imagined(written)
    raise order_error("no-fleet-there", written.name, here=written.name.provinces[0])


SHEET = SheetKind(
    "moving_borders",
    BorderTree,
    {EventNode: event, PlacementNode: placement, NoEventNode: no_event},
    lambda variant, names: BorderOrderScanner,
    line_separators=SEPARATORS,
    goes_on=is_second_half,
    is_meant=is_event_meant,
    own_nodes=(EventNode, PlacementNode, NoEventNode),
)
