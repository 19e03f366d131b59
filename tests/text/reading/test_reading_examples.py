"""An order read by the example of another means what it means when it is read in full."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from gm.judge.board import locations
from gm.judge.position import Position, Unit
from gm.judge.variant import Variant
from gm.library import Library
from gm.resources import folder
from gm.text.bench import ground
from gm.text.orders import Desk

LIBRARY = Library([folder("variants")])
VARIANTS = {name: LIBRARY.variant(name) for name in LIBRARY.ids()}
BY_EXAMPLE = {name: Desk(one, one.start.board, "moves") for name, one in VARIANTS.items()}
IN_FULL = {name: Desk(one, one.start.board, "moves") for name, one in VARIANTS.items()}
FORMS = (
    "A {} - {}", "F {} - {}", "A {} S A {} - {}", "A {} S F {} - {}", "F {} S A {}", "F {} S F {}", "F {} C A {} - {}",
    "A {} H", "F {} H", "A {} - {} VIA", "{} - {}", "{} S {} - {}", "F {} S A {} - {}", "W {} - {}", "A {} D",
    "A {} - {} - {}", "A {} S A {}, A {} H", "A {} - {} (if dislodged {})",
)  # fmt: skip


@pytest.mark.parametrize("name", sorted(VARIANTS))
@given(data=st.data())
def test_by_example_or_in_full(name: str, data: st.DataObject) -> None:
    variant = VARIANTS[name]
    codes = sorted(variant.start.board.provinces)
    few = st.sampled_from(data.draw(st.lists(st.sampled_from(codes), min_size=3, max_size=8, unique=True)))
    owners = sorted(variant.owners)[:2]
    for _ in range(data.draw(st.integers(1, 3))):
        position = _position(variant, data, owners, few)
        for _ in range(5):
            form = data.draw(st.sampled_from(FORMS))
            line = form.format(*(data.draw(few) for _ in range(form.count("{}"))))
            power, here = data.draw(st.sampled_from(owners)), ground(variant, position)
            quick = BY_EXAMPLE[name].meaning(line, here, power).only
            full = IN_FULL[name].reading(line, here, power, True).only
            assert (type(quick), quick) == (type(full), full), line


def _position(variant: Variant, data: st.DataObject, owners: list[str], few: st.SearchStrategy[str]) -> Position:
    board, units = variant.start.board, []
    for code in data.draw(st.lists(few, max_size=6, unique=True)):
        kind = variant.kinds[data.draw(st.sampled_from(sorted(variant.kinds)))]
        for at in locations(board, kind, code)[:1]:
            units.append(Unit(data.draw(st.sampled_from(owners)), kind.code, at))
    return replace(variant.start, units=tuple(units))


def test_another_order_of_the_same_form_is_not_read_in_full() -> None:
    variant = VARIANTS["standard"]
    desk = Desk(variant, variant.start.board, "moves")
    here = ground(variant, variant.start)
    assert desk.meaning("A Vie - Gal", here, "Austria").findings
    second = desk.meaning("A Bud - Tri", here, "Austria")
    assert second.only is not None
    assert not second.findings


def test_what_depends_on_the_goal_is_read_in_full() -> None:
    """A fleet's coast is worked out from where it stands."""
    variant = VARIANTS["standard"]
    desk = Desk(variant, variant.start.board, "moves")
    here = ground(variant, variant.start)
    desk.meaning("F Nap - TYS", here, "Italy")
    assert desk.meaning("F Sev - Bul", here, "Russia").findings
