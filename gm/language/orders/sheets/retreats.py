"""Second stage of reading for retreat sheets: dislodged units go where they still can, or are disbanded."""

from __future__ import annotations

from collections.abc import Iterator

from gm.judge.board.board import Location
from gm.judge.model.orders import Disband, Retreat, Statement, UnitRef
from gm.judge.model.position import Dislodged
from gm.language.orders.parsing import parse_tree as sketches
from gm.language.orders.parsing.order_context import OrderContext, OrderWarning, flaw


def retreat(bench: OrderContext, sketch: sketches.RetreatNode) -> Iterator[Statement]:
    found = _own(bench, sketch.unit)
    possible: dict[Statement, None] = {}
    for out in found:
        ref = bench.ref(out.unit)
        for place in bench.places(sketch.to):
            ends = [at for at in out.retreats if at.province == place.province]
            ends = [at for at in ends if at.place == place] or ends
            possible |= {Retreat(ref, at.place): None for at in ends}
    lines = tuple(bench.line(statement) for statement in possible)
    if len(possible) > 1:
        provinces = {s.to.province for s in possible if isinstance(s, Retreat)}
        key = "which-coast" if len(provinces) == 1 else "which-place"
        fields = {"word": sketch.to.text, "places": " ".join(sorted(provinces))}
        fields["place"] = bench.name(sketch.to.provinces[0])
        fields["start"] = bench.name(found[0].unit.at.province)
        bench.one_place(sketch.unit.name, [out.unit for out in found], lines)
        fields["coasts"] = " ".join(str(s.to) for s in possible if isinstance(s, Retreat))
        raise flaw(key, sketch.to, suggestions=lines, **fields)
    if possible:
        yield next(iter(possible))
        return
    ref = bench.ref(found[0].unit)
    if bench.any_unit and len(sketch.to.provinces) == 1:
        yield Retreat(ref, bench.places(sketch.to)[0])
        return
    if len(sketch.to.provinces) > 1:
        raise flaw("which-place", sketch.to, word=sketch.to.text, places=" ".join(sketch.to.provinces))
    reach = " ".join(str(at.place) for at in found[0].retreats)
    raise flaw(
        "no-retreat-there" if reach else "no-retreat-left",
        sketch.to,
        suggestions=_options(bench, ref, found[0].retreats),
        unit=str(ref),
        place=bench.name(sketch.to.provinces[0]),
        reach=reach,
        word=sketch.to.text,
    )


def disband(bench: OrderContext, sketch: sketches.DisbandNode) -> Iterator[Statement]:
    for written in sketch.units:
        found = _own(bench, written)
        if len(found) > 1:
            lines = [bench.line(Disband(bench.ref(out.unit))) for out in found]
            bench.one_place(written.name, [out.unit for out in found], lines)
            raise flaw(
                "which-place",
                written.name,
                suggestions=lines,
                word=written.name.text,
                places=" ".join(written.name.provinces),
            )
        yield Disband(bench.ref(found[0].unit))


def _options(bench: OrderContext, ref: UnitRef, retreats: tuple[Location, ...]) -> tuple[str, ...]:
    return (*(bench.line(Retreat(ref, at.place)) for at in retreats[:3]), bench.line(Disband(ref)))


def retreats_open(bench: OrderContext) -> tuple[str, ...]:
    """Lines for the first of the writer's units that must leave."""
    out = next((out for out in bench.position.dislodged if out.unit.power == bench.power), None)
    return _options(bench, bench.ref(out.unit), out.retreats) if out is not None else ()


def unfinished_retreat(bench: OrderContext, written: sketches.UnitNode) -> OrderWarning:
    """A unit named without a word on what becomes of it."""
    out = _own(bench, written)[0]
    ref = bench.ref(out.unit)
    reach = " ".join(str(at.place) for at in out.retreats)
    fields = (("unit", str(ref)), ("reach", reach))
    return OrderWarning(
        "unfinished-retreat", written.name.start, written.name.end, fields, _options(bench, ref, out.retreats)
    )


def _own(bench: OrderContext, written: sketches.UnitNode) -> tuple[Dislodged, ...]:
    """The writer's dislodged units the words may mean, at least one."""
    if written.nation and written.nation != bench.power:
        raise flaw("other-power", written.name, power=written.nation, word=written.name.text)
    there = [out for code in written.name.provinces for out in bench.ground.dislodged.get(code, ())]
    mine = [out for out in there if out.unit.power == bench.power and bench.alike(written, out.unit)]
    if mine:
        same = tuple(out for out in mine if not written.kind or out.unit.kind == written.kind)
        if not same and len(mine) == 1:
            kind = bench.variant.kinds[mine[0].unit.kind].name
            bench.remark("wrong-kind", written.name, unit=bench.call(mine[0].unit), kind=kind)
        return same or tuple(mine)
    if bench.any_unit and len(written.name.provinces) == 1:
        standing = bench.units_at(written.name, whose=True)
        own = [unit for unit in standing if unit.power == bench.power and bench.alike(written, unit)]
        others = [*own, *(out.unit for out in there), *standing]
        unit = others[0] if others else bench.imagined(written)
        return (Dislodged(unit, unit, ()),)
    place = bench.name(written.name.provinces[0])
    if there and not any(unit.power == bench.power for unit in bench.units_at(written.name, whose=True)):
        raise flaw("not-yours", written.name, power=there[0].unit.power, unit=bench.call(there[0].unit), place=place)
    due = " ".join(
        bench.call(d.unit).replace(" ", "_") for d in bench.position.dislodged if d.unit.power == bench.power
    )
    key = "not-dislodged" if due else "nothing-dislodged"
    raise flaw(key, written.name, place=place, units=due, word=written.name.text)
