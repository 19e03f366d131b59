"""Adjustment sheets: builds, removals and waives. The step itself says whether a line can be carried out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from gm.judge.board.board import Place, locations
from gm.judge.model.orders import Build, Disband, Statement, UnitRef, Waive
from gm.judge.model.sheets import Problem, ProblemEffect
from gm.language.orders.parsing.lexer import Token, WrittenPlace
from gm.language.orders.parsing.line_parts import Parts, comma_after, only_units
from gm.language.orders.parsing.order_context import OrderContext, order_error
from gm.language.orders.parsing.parse_tree import OrderNode, UnitNode, Units
from gm.language.orders.parsing.tree_builder import Child, TreeBuilder, token_in, units_in, value_in
from gm.language.orders.sheets.sheet_kind import SheetKind

HARMLESS = frozenset({ProblemEffect.WARN})
REMOVAL_FIRST = "removal-first"
"""A problem that another line of the sheet may solve."""
CODE = 3
"""Letters of a province's code."""
DENIED = ["NO", "BUILD"]
BETWEEN_PARTS = frozenset({"SEP", "PLUS", "MINUS"})


class BuildNode(OrderNode, frozen=True):
    units: Units

    def each(self) -> tuple[OrderNode, ...]:
        return tuple(BuildNode((unit,)) for unit in self.units)


class RemovalNode(OrderNode, frozen=True):
    """`minus`: only a dash in front says so, and that may be a list mark as well."""

    units: Units
    minus: bool = False

    def each(self) -> tuple[OrderNode, ...]:
        return tuple(RemovalNode((unit,), self.minus) for unit in self.units)


class AloneNode(OrderNode, frozen=True):
    """Units without a verb."""

    has_verb: ClassVar[bool] = False
    units: Units


class WaiveNode(OrderNode, frozen=True):
    count: int | None


class KeepNode(OrderNode, frozen=True):
    units: Units


class AdjustmentTree(TreeBuilder):
    def disband(self, children: list[Child]) -> RemovalNode:
        return RemovalNode(units_in(children), token_in(children, "MINUS") is not None)

    def removal(self, children: list[Child]) -> RemovalNode:
        return RemovalNode(units_in(children))

    def build(self, children: list[Child]) -> BuildNode:
        return BuildNode(units_in(children))

    def alone(self, children: list[Child]) -> AloneNode:
        return AloneNode(units_in(children))

    def keep(self, children: list[Child]) -> KeepNode:
        return KeepNode(units_in(children))

    def waive(self, children: list[Child]) -> WaiveNode:
        number = value_in(children, "NUMBER")
        return WaiveNode(int(number) if number else None)


def join_lists(parts: Parts) -> Parts:
    """ "Build A Par, F Bre", "Paris and Brest removed": units alone take the verb before them, or the one behind.

    "Berlin: no build" is one part, and no waive.
    """
    joined: Parts = []
    for part in parts:
        denied = [token.type for token in part] == DENIED
        behind = denied or (part[-1].type == "REMOVE" and only_units(part[:-1]))
        if joined and (
            only_units(joined[-1])
            if behind
            else only_units(part) and not only_units(joined[-1]) and joined[-1][-1].type == "PLACE"
        ):
            joined[-1] = [*joined[-1], comma_after(joined[-1][-1]), *part]
        else:
            joined.append(part)
    return joined


def is_unknown_unit(tokens: Sequence[Token], _: Iterable[str] = ()) -> bool:
    """Whether tokens are a kind of unit and a name that is no place's: "A MRA", "XYZ F", "fleet Tangier".

    "A pity" is talk: a long word in small letters behind a single one.
    """
    named = [token for token in tokens if token.type not in BETWEEN_PARTS]
    if sorted(token.type for token in named) != ["KIND", "WORD"] or named[1].start_pos - named[0].end_pos != 1:
        return False
    kind, word = sorted(named, key=lambda token: token.type)
    is_name = word.value != word.value.lower() or len(word.value) == CODE
    return len(word.value) >= CODE and (is_name or kind.end_pos - kind.start_pos > 1)


def build(context: OrderContext, node: BuildNode) -> Iterator[Statement]:
    for written in node.units:
        yield _built(context, written)


def remove(context: OrderContext, node: RemovalNode) -> Iterator[Statement]:
    if node.minus and _owed(context)[0]:
        yield from build(context, BuildNode(node.units))
        return
    for written in node.units:
        yield _removed(context, written)


def alone(context: OrderContext, node: AloneNode) -> Iterator[Statement]:
    builds, removals = _owed(context)
    if removals and not builds:
        written = node.units[0]
        line = context.line(_removed(context, written))
        raise order_error("remove-or-keep", written.name, suggestions=(line,), word=written.name.text)
    built = list(build(context, BuildNode(node.units)))
    bare = next((written for written in node.units if not written.kind), None)
    if bare is not None and not context.any_unit:
        lines = [context.line(statement) for statement in built]
        raise order_error("bare-place", bare.name, suggestions=lines, word=bare.name.text)
    yield from built


def keep(context: OrderContext, node: KeepNode) -> Iterator[Statement]:
    for written in node.units:
        context.own(written)
        context.warn("keep", written.name, word=written.name.text)
    return iter(())


def waive(context: OrderContext, node: WaiveNode) -> Iterator[Statement]:
    yield Waive(node.count)


def _owed(context: OrderContext) -> tuple[int, int]:
    step = context.variant.step(context.position)
    owed = step.missing(context.position, context.variant, context.power, ())
    return owed.builds, owed.removals


def _removed(context: OrderContext, written: UnitNode) -> Statement:
    units = context.own(written)
    if len(units) > 1:
        lines = [context.line(Disband(context.ref(unit))) for unit in units]
        context.one_place(written.name, units, lines)
        places = " ".join(written.name.provinces)
        raise order_error("which-place", written.name, suggestions=lines, word=written.name.text, places=places)
    statement = Disband(context.ref(units[0]))
    _refuse(context, _problem(context, statement), statement, written.name)
    return statement


def _built(context: OrderContext, written: UnitNode) -> Statement:
    if written.nation and written.nation != context.power:
        raise order_error("other-power", written.name, power=written.nation, word=written.name.text)
    readings = tuple(_readings(context, written))
    if not readings:
        place, kind = context.name(written.name.provinces[0]), _kind_name(context, written)
        key = "wrong-ground" if kind else "impassable"
        raise order_error(key, written.name, place=place, kind=kind, word=written.name.text, reach="")
    problems = {statement: _problem(context, statement) for statement in readings}
    possible = [statement for statement, problem in problems.items() if problem is None]
    if len(possible) == 1:
        return possible[0]
    if possible:
        raise _which(context, written, possible)
    first = readings[0]
    if len(readings) > 1 and not context.any_unit and len({s.unit.at.province for s in readings}) > 1:
        places = " ".join(written.name.provinces)
        raise order_error("which-place", written.name, word=written.name.text, places=places)
    _refuse(context, problems[first], first, written.name)
    return first


def _kind_name(context: OrderContext, written: UnitNode) -> str:
    kind = context.variant.kinds.get(written.kind)
    return kind.name if kind else ""


def _which(context: OrderContext, written: UnitNode, possible: list[Build]) -> Exception:
    """Two or more meanings: of coasts, of kinds or of places."""
    provinces = sorted({s.unit.at.province for s in possible})
    kinds = {s.unit.kind for s in possible}
    if len(provinces) > 1:
        key = "which-place"
    elif len(kinds) > 1:
        key = "which-kind"
    else:
        key = "which-coast-build"
    return order_error(
        key,
        written.name,
        suggestions=[context.line(statement) for statement in possible],
        word=written.name.text,
        place=context.name(provinces[0]),
        places=" ".join(provinces),
    )


def _readings(context: OrderContext, written: UnitNode) -> Iterator[Build]:
    kinds = context.variant.kinds
    board = context.position.board
    for place in context.places(written.name):
        for code in (written.kind,) if written.kind else _kinds(context, place):
            spots = locations(board, kinds[code], place.province)
            exact = [at for at in spots if at.slot == place.coast]
            for at in exact or spots:
                yield Build(UnitRef(code, at.place), kinds[code].layer)
            if not spots and context.any_unit and written.kind:
                yield Build(UnitRef(code, Place(place.province)), kinds[code].layer)


def _kinds(context: OrderContext, place: Place) -> tuple[str, ...]:
    """Kinds that a unit without one may be: those of the coast, where one is named (DATC 4.C.3)."""
    kinds, board = context.variant.kinds, context.position.board
    ashore = [
        code
        for code, kind in kinds.items()
        if any(at.slot == place.coast for at in locations(board, kind, place.province))
    ]
    return tuple(ashore or kinds)


def _problem(context: OrderContext, statement: Statement) -> Problem | None:
    """The problem that the step has with this line alone."""
    step = context.variant.step(context.position)
    problems = step.check(context.position, context.variant, context.power, (statement,))
    return next(
        (problem for problem in problems if problem.effect not in HARMLESS and problem.key != REMOVAL_FIRST), None
    )


def _refuse(context: OrderContext, problem: Problem | None, statement: Statement, at: WrittenPlace) -> None:
    if problem is None or context.any_unit:
        return
    raise order_error(
        problem.key,
        at,
        unit=str(getattr(statement, "unit", "")),
        word=at.text,
        place=context.name(at.provinces[0]),
        reach=" ".join(problem.reach),
        places=" ".join(problem.places),
    )


SHEET = SheetKind(
    "adjustments",
    AdjustmentTree,
    {BuildNode: build, RemovalNode: remove, AloneNode: alone, WaiveNode: waive, KeepNode: keep},
    join=join_lists,
    is_meant=is_unknown_unit,
    is_rest=is_unknown_unit,
    unclear="build-unclear",
    minus_removes=True,
    is_cached=False,
    lists_units=True,
)
