"""Second stage of reading for dips: a sketch -> what they are set aside for. Whether they may be, the step says."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from gm.judge.board.board import Location, Place
from gm.judge.mechanics.dips.dip_orders import DipSupport, InterceptMail, NoDips, Protect
from gm.judge.model.orders import Statement
from gm.judge.model.position import Unit
from gm.language.orders.parsing import parse_tree as sketches
from gm.language.orders.parsing.order_context import OrderContext, flaw
from gm.language.orders.sheets.moves import of_use

TWO = 2


def dip_support(bench: OrderContext, sketch: sketches.DipSupportNode) -> Iterator[Statement]:
    bench.owners = True
    if not (sketch.dips.isdigit() and len(sketch.dips) <= TWO):
        raise flaw("dips-number", sketch.at)
    goal = sketch.path[-1] if sketch.path else None
    readings: dict[DipSupport, Unit] = {}
    for unit in bench.others(sketch.target):
        ref = replace(bench.ref(unit), power="" if unit.power == bench.power else unit.power)
        for place in bench.places(goal) if goal else (None,):
            readings[DipSupport(int(sketch.dips), ref, of_use(bench.ground, unit, place))] = unit
    possible = [line for line, unit in readings.items() if _can(bench, unit, line.to)]
    chosen = possible or list(readings)
    if len(chosen) > 1:
        at = goal if goal and len(goal.provinces) > 1 else sketch.target.name
        lines = [bench.line(line) for line in chosen]
        raise flaw("which-place", at, suggestions=lines, word=at.text, places=" ".join(at.provinces))
    bench.local = False
    yield chosen[0]


def _can(bench: OrderContext, unit: Unit, to: Place | None) -> bool:
    return to is None or isinstance(bench.ground.theatre.destination(unit, to), Location)


def intercept_mail(bench: OrderContext, sketch: sketches.InterceptMailNode) -> Iterator[Statement]:
    names = _countries(bench, sketch.countries)
    if len(names) != TWO or names[0] == names[1]:
        raise flaw("dips-two-countries", sketch.at)
    yield InterceptMail(*sorted(names))


def protect(bench: OrderContext, sketch: sketches.ProtectNode) -> Iterator[Statement]:
    names = _countries(bench, sketch.countries)
    if not names:
        raise flaw("dips-against-whom", sketch.at)
    for name in dict.fromkeys(names):
        yield Protect(name)


def _countries(bench: OrderContext, written: tuple[sketches.CountryNode, ...]) -> list[str]:
    for one in written:
        if not one.power:
            known = " ".join(power.name.replace(" ", "_") for power in bench.variant.powers)
            raise flaw("no-country", (one.start, one.end), units=known, word=one.text)
    return [one.power for one in written]


def no_dips(bench: OrderContext, sketch: sketches.NoDipsNode) -> Iterator[Statement]:
    yield NoDips()
