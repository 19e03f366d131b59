"""Second stage of reading for adjustment sheets. Whether a line could be carried out is asked of the step itself."""

from __future__ import annotations

from collections.abc import Iterator

from gm.judge.board.board import Place, locations
from gm.judge.model.orders import Build, Disband, Statement, UnitRef, Waive
from gm.judge.model.sheets import Problem, ProblemEffect
from gm.language.orders.parsing import parse_tree as sketches
from gm.language.orders.parsing.lexer import WrittenPlace
from gm.language.orders.parsing.order_context import OrderContext, flaw

HARMLESS = frozenset({ProblemEffect.WARN})
LATER = "removal-first"
"""What another line of the sheet may make good."""


def build(bench: OrderContext, sketch: sketches.BuildNode) -> Iterator[Statement]:
    for written in sketch.units:
        yield _built(bench, written)


def disband(bench: OrderContext, sketch: sketches.DisbandNode) -> Iterator[Statement]:
    if sketch.minus and _owed(bench)[0]:
        yield from build(bench, sketches.BuildNode(sketch.units))
        return
    for written in sketch.units:
        yield _removed(bench, written)


def alone(bench: OrderContext, sketch: sketches.AloneNode) -> Iterator[Statement]:
    builds, removals = _owed(bench)
    if removals and not builds:
        written = sketch.units[0]
        line = bench.line(_removed(bench, written))
        raise flaw("remove-or-keep", written.name, suggestions=(line,), word=written.name.text)
    built = list(build(bench, sketches.BuildNode(sketch.units)))
    bare = next((written for written in sketch.units if not written.kind), None)
    if bare is not None and not bench.any_unit:
        lines = [bench.line(statement) for statement in built]
        raise flaw("bare-place", bare.name, suggestions=lines, word=bare.name.text)
    yield from built


def keep(bench: OrderContext, sketch: sketches.KeepNode) -> Iterator[Statement]:
    for written in sketch.units:
        bench.own(written)
        bench.remark("keep", written.name, word=written.name.text)
    return iter(())


def waive(bench: OrderContext, sketch: sketches.WaiveNode) -> Iterator[Statement]:
    yield Waive(sketch.count)


def _owed(bench: OrderContext) -> tuple[int, int]:
    step = bench.variant.step(bench.position)
    owed = step.missing(bench.position, bench.variant, bench.power, ())
    return owed.builds, owed.removals


def _removed(bench: OrderContext, written: sketches.UnitNode) -> Statement:
    found = bench.own(written)
    if len(found) > 1:
        lines = [bench.line(Disband(bench.ref(unit))) for unit in found]
        bench.one_place(written.name, found, lines)
        places = " ".join(written.name.provinces)
        raise flaw("which-place", written.name, suggestions=lines, word=written.name.text, places=places)
    statement = Disband(bench.ref(found[0]))
    _refuse(bench, _problem(bench, statement), statement, written.name)
    return statement


def _built(bench: OrderContext, written: sketches.UnitNode) -> Statement:
    if written.nation and written.nation != bench.power:
        raise flaw("other-power", written.name, power=written.nation, word=written.name.text)
    readings = tuple(_readings(bench, written))
    if not readings:
        place, kind = bench.name(written.name.provinces[0]), _kind_name(bench, written)
        key = "wrong-ground" if kind else "impassable"
        raise flaw(key, written.name, place=place, kind=kind, word=written.name.text, reach="")
    problems = {statement: _problem(bench, statement) for statement in readings}
    possible = [statement for statement, problem in problems.items() if problem is None]
    if len(possible) == 1:
        return possible[0]
    if possible:
        raise _which(bench, written, possible)
    first = readings[0]
    if len(readings) > 1 and not bench.any_unit and len({s.unit.at.province for s in readings}) > 1:
        places = " ".join(written.name.provinces)
        raise flaw("which-place", written.name, word=written.name.text, places=places)
    _refuse(bench, problems[first], first, written.name)
    return first


def _kind_name(bench: OrderContext, written: sketches.UnitNode) -> str:
    kind = bench.variant.kinds.get(written.kind)
    return kind.name if kind else ""


def _which(bench: OrderContext, written: sketches.UnitNode, possible: list[Build]) -> Exception:
    """Two or more meanings: of coasts, of kinds or of places."""
    provinces = sorted({s.unit.at.province for s in possible})
    kinds = {s.unit.kind for s in possible}
    if len(provinces) > 1:
        key = "which-place"
    elif len(kinds) > 1:
        key = "which-kind"
    else:
        key = "which-coast-build"
    return flaw(
        key,
        written.name,
        suggestions=[bench.line(statement) for statement in possible],
        word=written.name.text,
        place=bench.name(provinces[0]),
        places=" ".join(provinces),
    )


def _readings(bench: OrderContext, written: sketches.UnitNode) -> Iterator[Build]:
    kinds = bench.variant.kinds
    board = bench.position.board
    for place in bench.places(written.name):
        for code in (written.kind,) if written.kind else _kinds(bench, place):
            found = locations(board, kinds[code], place.province)
            exact = [at for at in found if at.slot == place.coast]
            for at in exact or found:
                yield Build(UnitRef(code, at.place), kinds[code].layer)
            if not found and bench.any_unit and written.kind:
                yield Build(UnitRef(code, Place(place.province)), kinds[code].layer)


def _kinds(bench: OrderContext, place: Place) -> tuple[str, ...]:
    """What may be meant where no kind is written: those that lie at the coast, where one is named (DATC 4.C.3)."""
    kinds, board = bench.variant.kinds, bench.position.board
    ashore = [
        code
        for code, kind in kinds.items()
        if any(at.slot == place.coast for at in locations(board, kind, place.province))
    ]
    return tuple(ashore or kinds)


def _problem(bench: OrderContext, statement: Statement) -> Problem | None:
    """What the step finds wrong with this line alone."""
    step = bench.variant.step(bench.position)
    found = step.check(bench.position, bench.variant, bench.power, (statement,))
    return next((one for one in found if one.effect not in HARMLESS and one.key != LATER), None)


def _refuse(bench: OrderContext, problem: Problem | None, statement: Statement, at: WrittenPlace) -> None:
    if problem is None or bench.any_unit:
        return
    raise flaw(
        problem.key,
        at,
        unit=str(getattr(statement, "unit", "")),
        word=at.text,
        place=bench.name(at.provinces[0]),
        reach=" ".join(problem.reach),
        places=" ".join(problem.places),
    )
