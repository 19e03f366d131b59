"""Second stage of reading for events on the map and the placing of fleets: a sketch -> the statement, if it can be.

The map is known, so an event that is not applicable or has two meanings is refused at once, with what there is instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

from gm.judge.board.planar_board import PlanarBoard
from gm.judge.mechanics.moving_borders.border_orders import Event, NoEvent, Placement, Release, Separation
from gm.judge.model.orders import Statement
from gm.judge.model.position import Unit
from gm.judge.model.sheets import Problem
from gm.language.orders.parsing import parse_tree as sketches
from gm.language.orders.parsing.lexer import WrittenPlace
from gm.language.orders.parsing.order_context import OrderContext, OrderError, OrderWarning, flaw

MOST_READINGS = 64
PLACES = ("here", "there", "third", "fourth")
"""What sentences call the provinces that a refusal speaks of."""


def upheaval(bench: OrderContext, sketch: sketches.UpheavalNode) -> Iterator[Statement]:
    names = [name for pair in sketch.pairs for name in pair.names]
    unclear = next((name for name in names if len(name.provinces) > 1), None)
    yield _chosen(bench, _events(bench, sketch), _span(sketch), unclear)


def placement(bench: OrderContext, sketch: sketches.PlacementNode) -> Iterator[Statement]:
    bench.fleeting = True
    given = list(_events(bench, sketch.given)) if sketch.given else [None]
    fleet = OrderContext.ref(_fleet(bench, sketch.unit))
    coasts = tuple(_only(bench, name) for name in sketch.coasts)
    start, end = sketch.coasts[0].start, sketch.coasts[-1].end
    yield _chosen(bench, (Placement(fleet, coasts, one) for one in given), (start, end))


def no_event(bench: OrderContext, sketch: sketches.NoEventNode) -> Iterator[Statement]:
    yield NoEvent()


# ---- which event

Span = tuple[int, int]


def _span(sketch: sketches.UpheavalNode) -> Span:
    names = [name for pair in sketch.pairs for name in pair.names]
    return min(name.start for name in names), max(name.end for name in names)


def _events(bench: OrderContext, sketch: sketches.UpheavalNode) -> Iterator[Event]:
    """What the words may mean, one event; a flaw where they are half of one, or several."""
    bench.fleeting = True
    apart = [pair for pair in sketch.pairs if pair.apart]
    joined = [pair for pair in sketch.pairs if not pair.apart]
    if len(apart) > 1 or len(joined) > 1:
        raise flaw("two-events", _span(sketch))
    if not joined:
        raise _half(bench, apart[0], _span(sketch))
    number = next((int(pair.number[:4]) for pair in sketch.pairs if pair.number), 0)
    near = next((pair.near for pair in sketch.pairs if pair.near), None)
    names = [name for pair in (*apart, *joined) for name in pair.names]
    choices = [name.provinces for name in (*names, *((near,) if near else ()))]
    for codes in islice(product(*choices), MOST_READINGS):
        beside = codes[len(names)] if near else ""
        if apart:
            yield Separation((codes[0], codes[1]), (codes[2], codes[3]), number, beside)
        else:
            yield Release((codes[0], codes[1]), number, beside)


def _half(bench: OrderContext, pair: sketches.PairNode, span: Span) -> OrderError:
    """Two provinces part: what their borders would join."""
    one, two = (name.provinces[0] for name in pair.names)
    board = bench.position.board
    found = board.numbered(one, two) if isinstance(board, PlanarBoard) and one != two else ()
    if not found:
        return flaw("no-common-border", span, here=one, there=two)
    ends = [board.rotation.ends(one, it.stretch) for it in found] if isinstance(board, PlanarBoard) else []
    lines = [bench.line(Separation((one, two), joined)) for joined in ends if joined is not None]
    first = next((f"{joined[0]} & {joined[1]}" for joined in ends if joined is not None), f"{one} & {two}")
    return flaw("half-event", span, suggestions=lines, example=first)


def _chosen(
    bench: OrderContext, readings: Iterator[Statement], span: Span, open_name: WrittenPlace | None = None
) -> Statement:
    """The only reading there is, or the only one that the step does not refuse. `open_name` fits several provinces."""
    found = list(readings)
    if len(found) == 1 and bench.any_unit:
        return found[0]
    step, position, variant = bench.variant.step(bench.position), bench.position, bench.variant
    refusals = [(one, step.check(position, variant, bench.power, (one,))) for one in found]
    possible = [one for one, problems in refusals if not problems]
    if len(possible) == 1:
        return possible[0]
    if possible:
        raise flaw("two-meanings", span, suggestions=[bench.line(one) for one in possible])
    said, problems = refusals[0]
    if open_name is not None and len({problem.key for _, found in refusals for problem in found}) > 1:
        raise flaw("which-place", open_name, word=open_name.text, places=" ".join(open_name.provinces))
    raise _refused(bench, problems[0], said, span)


def _refused(bench: OrderContext, problem: Problem, said: Statement, span: Span) -> OrderError:
    fields = tuple(zip(PLACES, problem.places, strict=False))
    borders = (("borders", " ".join(problem.reach)),) if problem.reach else ()
    lines: list[str] = []
    if problem.key.startswith("ambiguous") and isinstance(said, Separation | Release):
        lines = [f"{bench.line(said)} #{one.partition(':')[0]}" for one in problem.reach]
    return OrderError(OrderWarning(problem.key, *span, (*fields, *borders), tuple(lines)))


# ---- whose fleet, which coast


def _fleet(bench: OrderContext, written: sketches.UnitNode) -> Unit:
    """The writer's own; else one that is not there yet, of which the step may know more."""
    mine = [unit for unit in bench.units_at(written.name, whose=True) if unit.power == bench.power]
    fleets = [unit for unit in mine if not bench.variant.kinds[unit.kind].convoyed]
    if fleets:
        return fleets[0]
    coastal = bench.position.board.coasts if isinstance(bench.position.board, PlanarBoard) else {}
    if len(written.name.provinces) == 1 and (bench.any_unit or coastal.get(written.name.provinces[0])):
        return bench.imagined(written)
    raise flaw("no-fleet-there", written.name, here=written.name.provinces[0])


def _only(bench: OrderContext, name: WrittenPlace) -> str:
    if len(name.provinces) > 1:
        raise flaw("which-place", name, word=name.text, places=" ".join(name.provinces))
    return name.provinces[0]
