"""An order read by the example of another means what it means when it is read in full."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from support.shipped import LIBRARY

from gm.judge.board.board import Place, locations
from gm.judge.model.orders import Convoy, Hold, Move, Statement, Support
from gm.judge.model.position import Position, Unit, ref
from gm.judge.model.variant import Variant
from gm.judge.movement.battle import Intent
from gm.language.orders.line_reader import LineReader
from gm.language.orders.parsing.order_context import UnitsByProvince
from gm.language.rendering import order_text as write

VARIANTS = {name: LIBRARY.variant(name) for name in LIBRARY.ids()}
BY_EXAMPLE = {name: LineReader(variant, variant.start.board, "moves") for name, variant in VARIANTS.items()}
IN_FULL = {name: LineReader(variant, variant.start.board, "moves") for name, variant in VARIANTS.items()}
for _reader in IN_FULL.values():
    _reader._patterns.scan = _reader.scanner.scan  # type: ignore[method-assign]
FORMS = (
    "A {} - {}", "F {} - {}", "A {} S A {} - {}", "A {} S F {} - {}", "F {} S A {}", "F {} S F {}", "F {} C A {} - {}",
    "A {} H", "F {} H", "A {} - {} VIA", "{} - {}", "{} S {} - {}", "F {} S A {} - {}", "W {} - {}", "A {} D",
    "F {} S F {} - {}", "F {} - {} VIA", "A {} C", "F {} S {}", "A {} via {}",
    "A {} - {} - {}", "A {} S A {}, A {} H", "A {} - {} (if dislodged {})",
)  # fmt: skip


def meaning(reader: LineReader, line: str, here: UnitsByProvince, power: str) -> Statement | None:
    """By its example, where it has one."""
    return reader.examples.order(line, here, power) or reader.meaning(line, here, power, True).only


Draw = st.DrawFn
"""Strategies are made once where they can be, and drawn inside another one: hypothesis examines each that is new, and
looks after the dice of each that is drawn by itself.
"""
FORM = st.sampled_from(FORMS)
CASE = st.sampled_from((str, str.upper, str.lower))
SOME_CODES = {
    name: st.lists(st.sampled_from(sorted(variant.start.board.provinces)), min_size=3, max_size=8, unique=True)
    for name, variant in VARIANTS.items()
}
OWNER = {name: st.sampled_from(sorted(variant.owners)[:2]) for name, variant in VARIANTS.items()}
KIND = {name: st.sampled_from(sorted(variant.kinds)) for name, variant in VARIANTS.items()}


@st.composite
def written(draw: Draw, name: str) -> list[tuple[Position, list[tuple[str, str]]]]:
    """Up to three positions with a few provinces, and five lines about these in each, with their writers."""
    board = VARIANTS[name].start.board
    few = st.sampled_from(draw(SOME_CODES[name]))
    coasts = [f"{area.code}/{coast}" for area in board.provinces.values() for coast in area.coasts]
    place = st.one_of(few, st.sampled_from(coasts)) if coasts else few
    standing = st.lists(few, max_size=6, unique=True)
    pages: list[tuple[Position, list[tuple[str, str]]]] = []
    for _ in range(draw(st.integers(1, 3))):
        position, lines = _position(draw, name, standing), []
        for _ in range(5):
            form = draw(FORM)
            line = draw(CASE)(form.format(*(draw(place) for _ in range(form.count("{}")))))
            lines.append((draw(OWNER[name]), line))
        pages.append((position, lines))
    return pages


@pytest.mark.parametrize("name", sorted(VARIANTS))
@given(data=st.data())
def test_by_example_or_in_full(name: str, data: st.DataObject) -> None:
    for position, lines in data.draw(written(name)):
        here = UnitsByProvince(VARIANTS[name], position)
        for power, line in lines:
            quick = meaning(BY_EXAMPLE[name], line, here, power)
            full = IN_FULL[name].meaning(line, here, power, True).only
            assert (type(quick), quick) == (type(full), full), line


def _position(draw: Draw, name: str, standing: st.SearchStrategy[list[str]]) -> Position:
    variant, units = VARIANTS[name], []
    for code in draw(standing):
        kind = variant.kinds[draw(KIND[name])]
        for at in locations(variant.start.board, kind, code)[:1]:
            units.append(Unit(draw(OWNER[name]), kind.code, at))
    return replace(variant.start, units=tuple(units))


def test_another_order_of_the_same_form_is_not_read_in_full() -> None:
    variant = VARIANTS["standard"]
    reader = LineReader(variant, variant.start.board, "moves")
    here = UnitsByProvince(variant, variant.start)
    assert reader.examples.order("A Bud - Tri", here, "Austria") is None
    assert reader.meaning("A Vie - Gal", here, "Austria", True).pieces
    second = reader.examples.order("A Bud - Tri", here, "Austria")
    assert second == reader.meaning("A Bud - Tri", here, "Austria", True).only
    assert reader.examples.order("A Bud - Tri", here, "Austria") is second
    assert reader.examples.order("A Bud - Tri", here, "Italy") is None


def test_a_line_in_capitals_or_small_letters_is_read_by_example() -> None:
    variant = VARIANTS["standard"]
    reader = LineReader(variant, variant.start.board, "moves")
    here = UnitsByProvince(variant, variant.start)
    for first, second in (("A VIE - GAL", "A BUD - TRI"), ("a vie - gal", "a bud - tri")):
        reader.meaning(first, here, "Austria", True)
        assert reader.examples.order(second, here, "Austria") == Move(ref(variant.start.units[0]), Place("Tri"))
    assert reader.examples.order("F STP/SC - BOT", here, "Russia") is None
    reader.meaning("F STP/SC - FIN", here, "Russia", True)
    assert reader.examples.order("F STP/SC - BOT", here, "Russia") is not None


def test_a_coast_is_worked_out_from_where_the_fleet_stands() -> None:
    variant = VARIANTS["standard"]
    reader = LineReader(variant, variant.start.board, "moves")
    here = UnitsByProvince(variant, variant.start)
    reader.meaning("F Nap - TYS", here, "Italy", True)
    move = reader.examples.order("F Sev - Bul", here, "Russia")
    assert isinstance(move, Move)
    assert move.to == Place("Bul")
    by_one_coast = reader.examples.order("F StP - Swe", here, "Russia")
    assert by_one_coast == reader.meaning("F StP/sc - Swe", here, "Russia", True).only


def test_an_army_that_may_have_to_sail_is_read_in_full() -> None:
    """It goes to the land behind a coast if fleets carry it, and is told of the coast if not."""
    variant = VARIANTS["standard"]
    reader = LineReader(variant, variant.start.board, "moves")
    here = UnitsByProvince(variant, variant.start)
    reader.meaning("A Ven - Rom", here, "Italy", True)
    reader.meaning("F Nap - StP/nc", here, "Italy", True)
    assert reader.examples.order("A Lvp - StP/nc", here, "England") is None
    assert reader.meaning("A Lvp - StP/nc", here, "England", True).pieces


def test_a_line_with_blanks_of_its_own_is_no_example() -> None:
    variant = VARIANTS["standard"]
    reader = LineReader(variant, variant.start.board, "moves")
    here = UnitsByProvince(variant, variant.start)
    assert meaning(reader, "A Bud - ___", here, "Austria") is None
    meaning(reader, "A Vie - Gal", here, "Austria")
    assert meaning(reader, "A Bud - ___", here, "Austria") is None
    assert meaning(reader, "A ___ - ___", here, "Austria") is None
    assert reader.examples.order("A Bud - Tri", here, "Austria") is not None


@pytest.mark.parametrize("name", sorted(VARIANTS))
def test_every_legal_order_by_example_or_in_full(name: str) -> None:
    """On a crowded board, with every power's codes: also those that are another power's name, and coasts."""
    variant = VARIANTS[name]
    reader, full = LineReader(variant, variant.start.board, "moves"), IN_FULL[name]
    dice = random.Random(name)
    asked = in_full = 0
    for _ in range(4):
        position = _crowd(variant, dice)
        here = UnitsByProvince(variant, position)
        for unit in position.units:
            for text in _legal(here, unit):
                quick = reader.examples.order(text, here, unit.power)
                read = quick or reader.meaning(text, here, unit.power, True).only
                assert read == full.meaning(text, here, unit.power, True).only, text
                asked, in_full = asked + 1, in_full + (quick is None)
    assert asked > 400
    assert in_full < asked / 3


def _crowd(variant: Variant, dice: random.Random) -> Position:
    """A unit in every third province, up to 30."""
    board, powers, kinds = variant.start.board, sorted(variant.owners)[:3], sorted(variant.kinds)
    codes = dice.sample(sorted(board.provinces), min(30, len(board.provinces) // 3))
    choices = [(kind, locations(board, variant.kinds[kind], code)) for code in codes for kind in [dice.choice(kinds)]]
    units = [Unit(dice.choice(powers), kind, dice.choice(ends)) for kind, ends in choices if ends]
    return replace(variant.start, units=tuple(units))


def _legal(here: UnitsByProvince, unit: Unit) -> Iterator[str]:
    """The canonical lines of what a unit can try; moves with a coast and without, by land and by sea."""
    checker, named = here.checker, ref(unit)
    areas = here.position.board.provinces.values()
    ends = [Place(area.code, coast) for area in areas for coast in ("", *area.coasts)]
    orders: list[Statement] = [Hold(named), *(Move(named, to, via) for to in ends for via in (False, True))]
    for other in here.position.units:
        helped, near = ref(other), {code.partition("/")[0] for code in checker.reach(other)}
        orders += [Support(named, helped), *(Support(named, helped, to) for to in ends if to.province in near)]
        if checker.convoy_steps(unit.at):
            orders += [Convoy(named, helped, Place(area.code)) for area in areas]
    for order in orders:
        if isinstance(checker.intent(unit, order), Intent):
            yield write.statement(order)
