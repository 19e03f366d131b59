"""Second stage of reading for events on the map and the placing of fleets: a sketch -> the statement, if it can be.

The map is known, so an event that is not applicable or has two meanings is refused at once, with what there is instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, product

from gm.judge.board.planar_board import PlanarBoard
from gm.judge.mechanics.moving_borders.border_orders import Event, NoEvent, Placement, Release, Separation
from gm.judge.model.orders import Statement
from gm.judge.model.position import Unit
from gm.judge.model.sheets import Problem
from gm.language.i18n.place_names import words
from gm.language.orders.parsing import parse_tree as sketches
from gm.language.orders.parsing.lexer import RawToken, Scanner, Token, WrittenPlace
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
    found = board.numbered_borders(one, two) if isinstance(board, PlanarBoard) and one != two else ()
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


WHOLE = "WHOLE"
BESIDE = "BESIDE"
"""The terminal whose word is the grammar of lines that may stand on the same sheet."""
SEPARATORS = frozenset({"SEP", "ARROW", "MINUS", "PLUS"})
MARK = re.compile(r"\s*/\s*(?P<slash>[^\W_]+)|\s*[(\[]\s*(?P<box>[^()\[\]/]{1,40}?)\s*[)\]]")
NUMBERED = re.compile(r"c\d{1,2}")


class ShoreScanner(Scanner):
    """Takes what marks a coast together with the place it stands behind."""

    def _place(
        self, text: str, raws: list[RawToken], at: int, past: int, provinces: tuple[str, ...], tokens: list[Token]
    ) -> int:
        past = super()._place(text, raws, at, past, provinces, tokens)
        name: WrittenPlace = tokens[-1].value
        found = MARK.match(text, name.end) if not name.coast else None
        if found is None:
            return past
        mark = self._mark(found, provinces)
        if not mark:
            return past
        end = found.end()
        name = WrittenPlace(text[name.start : end], name.start, end, provinces, mark)
        tokens[-1] = Token("PLACE", name, name.start, end)
        return next((i for i in range(past, len(raws)) if raws[i].start >= end), len(raws))

    def _mark(self, found: re.Match[str], provinces: tuple[str, ...]) -> str:
        """As `Names.coast` knows it; behind a slash any province is meant as one, in brackets a neighbour only."""
        said = (found["slash"] or found["box"]).lower()
        if NUMBERED.fullmatch(said):
            return said
        codes = [code for code in self.names.find(words(said)) if any(code in self.names.marks[p] for p in provinces)]
        if codes:
            return codes[0].lower()
        return said if found["slash"] and self.names.find(words(said)) else ""


class BorderOrderScanner(ShoreScanner):
    """Knows the # before a number, and words that a grammar gives to a province. Only units lie at a coast: without
    one "Por/Spa" are two provinces.
    """

    def _place(
        self, text: str, raws: list[RawToken], at: int, past: int, provinces: tuple[str, ...], tokens: list[Token]
    ) -> int:
        unit = bool(tokens) and tokens[-1].type == "KIND"
        reading = super()._place if unit else super(ShoreScanner, self)._place
        return reading(text, raws, at, past, provinces, tokens)

    def _next(self, text: str, raws: list[RawToken], at: int, tokens: list[Token]) -> int:
        raw = raws[at]
        if raw.text == "#":
            tokens.append(Token("HASH", "#", raw.start, raw.end))
            return at + 1
        return super()._next(text, raws, at, tokens)

    def _meaning(self, word: str, previous: str, after: str) -> tuple[str, object] | None:
        found = super()._meaning(word, previous, after)
        if found is not None and found[0] == "PLACE" and isinstance(found[1], str):
            code = self.names.codes.get(found[1].lower())
            return ("PLACE", (code,)) if code else None
        return found


def telling(tokens: list[Token]) -> list[Token]:
    """The tokens without what merely separates."""
    return [token for token in tokens if token.type not in SEPARATORS]


def meant(tokens: list[Token], own: frozenset[str]) -> bool:
    """Whether a line that the grammar does not take was meant for it: a place, and a word that is this sheet's own."""
    kinds = [token.type for token in tokens]
    unknown = sum(kind in ("WORD", "TALK") for kind in kinds)
    return "PLACE" in kinds and bool(own.intersection(kinds)) and unknown <= len(kinds) - unknown


def own_words(terminals: frozenset[str]) -> Iterator[str]:
    """Terminals that only such sheets have and that make a line an order."""
    yield from terminals & {"SEPARATE", "CONNECT", "ASHORE"}
