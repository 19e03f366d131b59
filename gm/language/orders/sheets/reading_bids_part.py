"""Second stage of reading for bids, and for leave to cross by a ferry: a sketch -> one line.

A name that is no minor power's, or a number that nobody can give, is refused; what else is wrong with a bid depends on
the writer's affairs, and the step says it.
"""

from __future__ import annotations

from collections.abc import Iterator

from gm.judge.mechanics.influence.bid_orders import Bid, NoBids
from gm.judge.model.orders import Passage, Statement
from gm.judge.model.variant import Minor
from gm.language.orders.parsing import parse_tree as sketches
from gm.language.orders.parsing.lexer import WrittenPlace
from gm.language.orders.parsing.order_context import OrderContext, flaw

LONGEST = 4
"""Digits of a number of points."""


def bid(bench: OrderContext, sketch: sketches.BidNode) -> Iterator[Statement]:
    if not sketch.points.isdigit() or len(sketch.points) > LONGEST:
        raise flaw("bids-number", sketch.at, number=sketch.points[:20])
    yield Bid(_minor(bench, sketch), int(sketch.points), sketch.backs)


def no_bids(bench: OrderContext, sketch: sketches.NoBidsNode) -> Iterator[Statement]:
    yield NoBids()


def _minor(bench: OrderContext, sketch: sketches.BidNode) -> str:
    """By the power's name, or by a place: its own of that name, else one of its homes."""
    minors = [minor for minor in bench.variant.minors if minor.homes]
    names = {minor.name for minor in minors}
    if isinstance(sketch.whom, str):
        if sketch.whom in names or bench.any_unit:
            return sketch.whom
        raise flaw("bids-not-minor", sketch.at, power=sketch.whom, places=_listed(minors))
    found = [minor.name for minor in minors if set(minor.homes) & set(sketch.whom.provinces)]
    if len(found) == 1:
        return found[0]
    called = bench.name(sketch.whom.provinces[0])
    if bench.any_unit:
        return called
    raise flaw("bids-not-minor", sketch.whom, power=called, places=_listed(minors))


def _listed(minors: list[Minor]) -> str:
    return " ".join(minor.name.replace(" ", "_") for minor in minors)


def passage(bench: OrderContext, sketch: sketches.PassageNode) -> Iterator[Statement]:
    if len(sketch.places) > 2:
        raise flaw("passage-places", sketch.places[2])
    places = tuple(_province(name) for name in sketch.places)
    yield Passage(places, sketch.whom)


def _province(name: WrittenPlace) -> str:
    if len(name.provinces) > 1:
        raise flaw("which-place", name, word=name.text, places=" ".join(name.provinces))
    return name.provinces[0]
