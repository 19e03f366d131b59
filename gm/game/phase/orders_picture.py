"""The picture of a sheet as it stands: the writer's own orders only, on the position that everybody knows.

It shows orders for units of the writer's own power. Orders for a minor power that they control are not drawn, so that
the picture tells nothing about control, also when it is passed on. No other sheet is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256

from gm.errors import GmError
from gm.game.model.map_attachment import ORDERS
from gm.game.model.ports import Store
from gm.game.model.records import Picture, Sheet
from gm.judge.board.board import locate
from gm.judge.model.events import OrderResult, Outcome
from gm.judge.model.orders import Build, Statement, UnitOrder
from gm.judge.model.position import Position, Unit
from gm.judge.model.sheets import ProblemEffect
from gm.judge.model.variant import Variant
from gm.language.lines.letter_contents import LineError
from gm.language.orders.sheet_reader import KnownOrdersReader


def order_lines(sheet: Sheet) -> tuple[str, ...]:
    return tuple(line.text for line in sheet.lines if not line.lent)


def lines_of_picture(store: Store, game: int, picture: Picture) -> tuple[str, ...]:
    """The lines that a picture was asked for. Raises GmError if the sheet has changed since."""
    sheet = store.turns.sheet(game, picture.snapshot, picture.audience, picture.audience)
    texts = order_lines(sheet) if sheet is not None else ()
    if picture.form != orders_form(texts):
        raise GmError("the orders have changed before their picture was drawn")
    return texts


def orders_form(texts: Iterable[str]) -> str:
    """The form of the picture of these lines: the same for the same lines."""
    return ORDERS + sha256("\n".join(texts).encode()).hexdigest()[:24]


def own_results(variant: Variant, position: Position, power: str, texts: tuple[str, ...]) -> Iterator[OrderResult]:
    """Yields the orders of a sheet that a picture shows, as if nothing came in their way; impossible ones as such."""
    read = KnownOrdersReader(variant, position, any_unit=True).orders(power, texts)
    orders: list[Statement] = [order for order in read if not isinstance(order, LineError)]
    problems = variant.step(position).check(position, variant, power, tuple(orders))
    void = [problem.statement for problem in problems if problem.effect is ProblemEffect.VOID_LINE]
    for order in orders:
        outcome = Outcome.ILLEGAL if order in void else Outcome.SUCCEEDS
        if isinstance(order, Build):
            kind = variant.kinds.get(order.unit.kind)
            if kind is not None and locate(position.board, kind, order.unit.at) is not None:
                yield OrderResult(power, order, outcome)
        elif isinstance(order, UnitOrder) and (unit := _own_unit(position, power, order)) is not None:
            yield OrderResult(power, order, outcome, unit=unit)


def _own_unit(position: Position, power: str, order: UnitOrder) -> Unit | None:
    """The ordered unit; a dislodged one first, since nothing else is ordered while it waits."""
    named = order.unit
    units = (*(dislodged.unit for dislodged in position.dislodged), *position.units)
    own = (unit for unit in units if unit.power == power and unit.kind == named.kind)
    here = (unit for unit in own if unit.at.province == named.at.province and named.number in (0, unit.number))
    return next(here, None)
