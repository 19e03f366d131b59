"""Second stage of reading for what only wings do: to bomb, and to intercept."""

from __future__ import annotations

from collections.abc import Iterator

from gm.judge.mechanics.wings.wing_orders import Bomb, Intercept
from gm.judge.model.orders import Statement
from gm.judge.model.position import Unit
from gm.language.orders.parsing import parse_tree as sketches
from gm.language.orders.parsing.lexer import WrittenPlace
from gm.language.orders.parsing.order_context import OrderContext, flaw
from gm.language.orders.sheets.moves import one_of


def bomb(bench: OrderContext, sketch: sketches.BombNode) -> Iterator[Statement]:
    for written in sketch.units:
        readings: list[tuple[Unit, Statement]] = [
            (unit, Bomb(bench.ref(unit), place.province))
            for unit in bench.own(written)
            for place in bench.places(sketch.target.name)
        ]
        yield one_of(bench, readings, written.name, sketch.target.name)


def intercept(bench: OrderContext, sketch: sketches.InterceptNode) -> Iterator[Statement]:
    for written in sketch.units:
        readings: list[tuple[Unit, Statement]] = [
            (unit, Intercept(bench.ref(unit), _over(bench, unit, sketch.over))) for unit in bench.own(written)
        ]
        yield one_of(bench, readings, written.name, written.name)


def _over(bench: OrderContext, unit: Unit, names: tuple[WrittenPlace, ...]) -> tuple[str, ...]:
    """Each province once. Of several that a word may mean, the one beside the wing is meant."""
    near = {unit.at.province, *bench.ground.theatre.atlas.near.get(unit.at.province, ())}
    found: dict[str, None] = {}
    for name in names:
        codes = [code for code in name.provinces if code in near] or list(name.provinces)
        if len(codes) > 1:
            raise flaw("which-place", name, word=name.text, places=" ".join(codes))
        found[codes[0]] = None
    return tuple(found)
