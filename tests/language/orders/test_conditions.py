"""Conditions: how they are written, what they mean on a board, and that canonical words read back."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from support.shipped import LIBRARY

from gm.judge.board.board import NO_COASTS, Location, Place
from gm.judge.model.conditions import (
    AllConditions,
    AnyCondition,
    CentreOwned,
    Condition,
    NotCondition,
    UnitStands,
    holds,
)
from gm.judge.model.position import Position, Unit
from gm.judge.model.variant import Variant
from gm.language.lines.letter_contents import LetterContext
from gm.language.orders import conditions

SHELF = LIBRARY
VARIANTS = [SHELF.variant(name) for name in SHELF.ids()]

SAID = {
    "French army in Ruhr": UnitStands(Place("Ruh"), "A", "France"),
    "there is a French army in Ruhr": UnitStands(Place("Ruh"), "A", "France"),
    "NOT French Army Ruhr": NotCondition(UnitStands(Place("Ruh"), "A", "France")),
    "A Ruh": UnitStands(Place("Ruh"), "A"),
    "fleet in the English Channel": UnitStands(Place("ENG"), "F"),
    "a unit in Bur": UnitStands(Place("Bur")),
    "France has a unit in Bur": UnitStands(Place("Bur"), "", "France"),
    "my A Mun": UnitStands(Place("Mun"), "A", "Germany"),
    "Germany in Mun": UnitStands(Place("Mun"), "", "Germany"),
    "France owns Mun": CentreOwned("France", "Mun"),
    "I own Munich": CentreOwned("Germany", "Mun"),
    "Mun is owned by France": CentreOwned("France", "Mun"),
    "nobody owns Bel": CentreOwned("", "Bel"),
    "Bel is neutral": CentreOwned("", "Bel"),
    "Bur empty": NotCondition(UnitStands(Place("Bur"))),
    "Bur is not empty": NotCondition(NotCondition(UnitStands(Place("Bur")))),
    "Burgundy is occupied": UnitStands(Place("Bur")),
    "Bur is occupied by a French army": UnitStands(Place("Bur"), "A", "France"),
    "F StP/nc": UnitStands(Place("StP", "nc"), "F"),
    "F StP(nc)": UnitStands(Place("StP", "nc"), "F"),
    "A Ruh AND NOT (Bur empty OR France owns Mun)": AllConditions(
        (
            UnitStands(Place("Ruh"), "A"),
            NotCondition(AnyCondition((NotCondition(UnitStands(Place("Bur"))), CentreOwned("France", "Mun")))),
        )
    ),
    "A Ruh or A Bur and A Mun": AnyCondition(
        (UnitStands(Place("Ruh"), "A"), AllConditions((UnitStands(Place("Bur"), "A"), UnitStands(Place("Mun"), "A"))))
    ),
}
UNCLEAR = (
    "England holds",
    "you move to Burgundy",
    "",
    "AND",
    "A Ruh AND",
    "(A Ruh",
    "Zzz empty",
    "(" * 50,
    "A Ruh A Bur",
)


@pytest.mark.parametrize("text", SAID)
def test_conditions_are_read(text: str, standard: Variant) -> None:
    assert conditions.read(text, LetterContext(standard, standard.start, "Germany")) == SAID[text]


@pytest.mark.parametrize("text", UNCLEAR)
def test_other_words_are_no_condition(text: str, standard: Variant) -> None:
    with pytest.raises(conditions.ConditionError):
        conditions.read(text, LetterContext(standard, standard.start, "Germany"))


def test_conditions_at_the_start(standard: Variant) -> None:
    context = LetterContext(standard, standard.start, "Germany")
    true = ("A Mun", "my A Mun", "I own Mun", "Bur empty", "nobody owns Bel", "F StP/sc", "A Par and not A Bur")
    false = ("F Mun", "French A Mun", "France owns Mun", "Mun empty", "F StP/nc", "A Par and A Bur", "A Bur or F Bur")
    assert [text for text in true if not holds(conditions.read(text, context), standard.start)] == []
    assert [text for text in false if holds(conditions.read(text, context), standard.start)] == []


def places(variant: Variant) -> list[Place]:
    board = variant.start.board.provinces
    return [Place(code) for code in board] + [
        Place(code, coast) for code, area in board.items() for coast in area.coasts
    ]


def conditions_of(variant: Variant, somewhere: list[Place]) -> st.SearchStrategy[Condition]:
    powers = st.sampled_from(["", *variant.nations])
    atoms: st.SearchStrategy[Condition] = st.one_of(
        st.builds(UnitStands, st.sampled_from(somewhere), st.sampled_from(["", *variant.kinds]), powers),
        st.builds(CentreOwned, powers, st.sampled_from([at.province for at in somewhere])),
    )

    def more(inner: st.SearchStrategy[Condition]) -> st.SearchStrategy[Condition]:
        some = st.lists(inner, min_size=2, max_size=3).map(tuple)
        return st.one_of(st.builds(NotCondition, inner), st.builds(AllConditions, some), st.builds(AnyCondition, some))

    return st.recursive(atoms, more, max_leaves=5)


ANYWHERE = {variant.id: conditions_of(variant, places(variant)) for variant in VARIANTS}
FEW = [at for at in places(VARIANTS[0]) if at.province in ("Par", "Bre", "StP", "ENG", "Bul")]
NEAR = conditions_of(VARIANTS[0], FEW)
UNITS = st.builds(
    Unit,
    st.sampled_from(VARIANTS[0].nations),
    st.sampled_from(sorted(VARIANTS[0].kinds)),
    st.sampled_from([Location(at.province, at.coast or "coast") for at in FEW]),
)
BOARDS = st.lists(UNITS, max_size=6).map(lambda units: replace(VARIANTS[0].start, units=tuple(units)))
"""Random units on a few provinces, so that conditions about these are often so."""


@given(st.data())
def test_the_canonical_words_mean_the_same_again(data: st.DataObject) -> None:
    variant = data.draw(st.sampled_from(VARIANTS))
    condition = data.draw(ANYWHERE[variant.id])
    written = conditions.write(condition)
    if len(written) <= conditions.CONDITION_LONGEST:
        assert conditions.read(written, LetterContext(variant, variant.start, variant.powers[0].name)) == condition


@given(st.text(max_size=60))
def test_any_words_are_a_condition_or_unclear(words: str) -> None:
    context = LetterContext(VARIANTS[0], VARIANTS[0].start, VARIANTS[0].powers[0].name)
    with suppress(conditions.ConditionError):
        assert conditions.read(conditions.write(conditions.read(words, context)), context)


@given(BOARDS, NEAR, NEAR)
def test_a_condition_holds_by_what_its_parts_do(here: Position, left: Condition, right: Condition) -> None:
    first, second = holds(left, here), holds(right, here)
    assert holds(NotCondition(left), here) is not first
    assert holds(AllConditions((left, right)), here) is (first and second)
    assert holds(AnyCondition((left, right)), here) is (first or second)
    assert holds(NotCondition(AllConditions((left, right))), here) is holds(
        AnyCondition((NotCondition(left), NotCondition(right))), here
    )


@given(BOARDS)
def test_a_province_with_a_unit_is_not_empty(here: Position) -> None:
    for unit in here.units:
        coast = "" if unit.at.slot in NO_COASTS else unit.at.slot
        assert holds(UnitStands(Place(unit.at.province, coast), unit.kind, unit.power), here)
        assert holds(UnitStands(Place(unit.at.province)), here)
