"""Points for minor powers' orders: who gets his way, what is found before the deadline, and who may know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from support import case_file as casefile

from gm.judge.gm_changes.civil_disorder import CivilDisorderChange
from gm.judge.mechanics.diplomacy_points import DiplomacyPoints
from gm.judge.mechanics.dips.dip_orders import NoDips
from gm.judge.model.events import Allocated, OrderResult, PointsOutcome, visible
from gm.judge.model.orders import Allocate, Entry, NoPoints, Statement, Support
from gm.judge.model.position import Dislodged
from gm.judge.model.sheets import Budget, Problem, ProblemEffect, Submissions
from gm.judge.model.variant import Variant
from gm.judge.movement.movement_step import MovementStep
from gm.variant_files.library import Library

ORDERS = {
    "Austria": ["A Aus H", "A Aus S A Mun", "A Aus S A Mun - Cze", "A Aus S A Swi", "A Aus S A Mun - Bur"],
    "Czechya": ["A Cze H", "A Cze S A Mun", "A Cze S A Aus"],
    "Spain": ["A Spa H", "A Spa S F Por", "A Spa S F Gib"],
}
POWERS = ("Britain", "France", "Germany", "Italy", "Poland", "Soviet Union", "Turkey")
HAVE = 3

LINES_OF = {
    minor: st.tuples(st.integers(1, 3), st.just(minor), st.sampled_from(orders)) for minor, orders in ORDERS.items()
}
"""Made once: hypothesis examines each new strategy."""
LINES = st.sampled_from(sorted(ORDERS)).flatmap(LINES_OF.__getitem__)
Sheets = Mapping[str, list[tuple[int, str, str]]]
SHEETS = st.dictionaries(st.sampled_from(POWERS), st.lists(LINES, max_size=3))


def statement(text: str) -> Statement:
    parsed = casefile.statement(text, "S1926M")
    assert parsed is not None
    return parsed


def allocate(text: str) -> Allocate:
    parsed = statement(text)
    assert isinstance(parsed, Allocate)
    return parsed


def book(sheets: Sheets) -> Submissions:
    return Submissions(
        {(p, p): tuple(Entry(Allocate(n, minor, statement(order))) for n, minor, order in lines)
         for p, lines in sheets.items()}
    )  # fmt: skip


def model(sheets: Sheets) -> dict[str, str]:
    """What each minor power's unit does. A support that cannot be given is void."""
    totals: Counter[tuple[str, str]] = Counter()
    for lines in sheets.values():
        if sum(n for n, _, _ in lines) <= HAVE:
            totals.update({(minor, order): 0 for _, minor, order in lines})
            for n, minor, order in lines:
                totals[minor, order] += 0 if order == "A Aus S A Mun - Bur" else n
    winning = {}
    for minor, orders in ORDERS.items():
        best = max(totals[minor, order] for order in orders)
        leading = [order for order in orders if totals[minor, order] == best > 0]
        winning[minor] = leading[0] if len(leading) == 1 else orders[0]
    return winning


@settings(max_examples=300, deadline=None)
@given(SHEETS)
def test_points_go_by_the_model(locarno: Variant, sheets: Sheets) -> None:
    turn = locarno.step(locarno.start).resolve(locarno.start, locarno, book(sheets))
    results = {e.power: e for e in turn.events if isinstance(e, OrderResult)}
    for minor, order in model(sheets).items():
        assert results[minor].order == statement(order)
        assert results[minor].given
    allocated = [(e.power, e.points, e.minor) for e in turn.events if isinstance(e, Allocated)]
    assert sorted(allocated) == sorted((p, n, minor) for p, lines in sheets.items() for n, minor, _ in lines)


@settings(max_examples=200, deadline=None)
@given(SHEETS, SHEETS)
def test_the_same_effect_looks_the_same(locarno: Variant, sheets: Sheets, other: Sheets) -> None:
    """Whoever reads, a seat or an observer, sees only what the minor units did, and what became of their own lines."""
    if model(sheets) != model(other):
        other = {"Poland": [(1, minor, order) for minor, order in model(sheets).items() if not order.endswith(" H")]}
        if model(sheets) != model(other):
            return
    first, second = (locarno.step(locarno.start).resolve(locarno.start, locarno, book(s)) for s in (sheets, other))
    assert first.position == second.position
    for reader in (None, *POWERS):
        shown = [visible(turn.events, reader) for turn in (first, second)]
        if sorted(sheets.get(reader or "", ())) != sorted(other.get(reader or "", ())):
            shown = [tuple(e for e in events if not isinstance(e, PointsOutcome)) for events in shown]
        assert Counter(shown[0]) == Counter(shown[1])


def problems(variant: Variant, power: str, *lines: str) -> list[tuple[str, ProblemEffect]]:
    return [(problem.key, problem.effect) for problem in checked(variant, power, *lines)]


def checked(variant: Variant, power: str, *lines: str) -> tuple[Problem, ...]:
    return variant.step(variant.start).check(variant.start, variant, power, tuple(map(statement, lines)))


REFUSED = [
    ("1 DP Austria: A Aus - Cze", "points-hold-or-support", ("Austria",)),
    ("1 DP Netherlands: F Net C A Lon - Bel", "points-hold-or-support", ("Netherlands",)),
    ("1 DP Germany: A Mun H", "points-not-minor", ("Germany",)),
    ("1 DP Ankara: A Ank H", "points-not-minor", ("Ankara",)),
    ("1 DP Austria: A Cze H", "points-not-its-unit", ("Austria", "Cze")),
    ("0 DP Austria: A Aus H", "points-number", ("DP", "3")),
]


@pytest.mark.parametrize(("line", "key", "places"), REFUSED)
def test_lines_refused_at_once_are_never_counted(
    locarno: Variant, line: str, key: str, places: tuple[str, ...]
) -> None:
    first, *others = checked(locarno, "Germany", line, "3 DP Austria: A Aus H")
    assert (first.key, first.effect, first.places) == (key, ProblemEffect.REFUSE_LINE, places)
    assert not others


def test_void_lines_are_kept_and_counted(locarno: Variant) -> None:
    void, over = checked(locarno, "Germany", "2 DP Austria: A Aus S A Par - Bur", "2 DP Switzerland: A Swi H")
    assert (void.key, void.effect, void.places) == ("support-reach", ProblemEffect.VOID_LINE, ("Austria", "Bur"))
    assert (over.key, over.effect, over.places) == ("points-over", ProblemEffect.WARN, ("4", "3", "DP"))


def test_a_minor_without_a_unit(locarno: Variant) -> None:
    start = locarno.start
    bare = replace(start, units=tuple(u for u in start.units if u.power != "Czechya"))
    listed = locarno.step(bare).check(bare, locarno, "Germany", (statement("1 DP Czechya: A Cze H"),))
    assert [(problem.key, problem.effect) for problem in listed] == [("points-no-unit", ProblemEffect.VOID_LINE)]
    lines = ("1 DP Czechya: A Cze H", "3 DP Austria: A Aus H")
    for over, key in (("forfeit", "points-over"), ("reject", "points-rejected")):
        rights = DiplomacyPoints("DP", most=3, over=over)
        listed = rights.check(bare, locarno, "Germany", tuple(map(statement, lines)))
        assert [problem.key for problem in listed] == ["points-no-unit", key]


def test_orders_and_points_stand_on_one_sheet(locarno: Variant) -> None:
    assert problems(locarno, "Germany", "A Mun - Cze", "3 DP Austria: A Aus S A Mun - Cze") == []
    assert problems(locarno, "Germany", "A Aus H") == [("not-yours", ProblemEffect.REFUSE_LINE)]
    step = locarno.step(locarno.start)
    assert step.also == ("diplomacy_points",)
    assert step.check(locarno.start, locarno, "Germany", (NoPoints(),)) == ()
    assert step.missing(locarno.start, locarno, "Germany", (allocate("1 DP Austria: A Aus H"),)).units


def test_points_beyond_the_budget_may_be_refused_on_arrival(shelf: Library) -> None:
    strict = shelf.variant("locarno", {"dp_overallocation": "reject"})
    lines = ("2 DP Austria: A Aus H", "2 DP Spain: A Spa H", "1 DP Spain: A Spa S F Por")
    only = checked(strict, "Germany", *lines)
    assert [(problem.key, problem.effect, problem.statement) for problem in only] == [
        ("points-rejected", ProblemEffect.REFUSE_LINE, statement(lines[1]))
    ]
    capped = shelf.variant("locarno", {"dp_max_per_order": "2"})
    assert problems(capped, "Germany", "3 DP Austria: A Aus H") == [("points-number", ProblemEffect.REFUSE_LINE)]
    assert capped.step(capped.start).budgets(capped.start, capped, "Italy") == (Budget("DP", 3, 2),)


@pytest.mark.parametrize(("owned", "points"), [(0, 0), (1, 1), (2, 2), (3, 3), (9, 3)])
def test_a_point_per_centre_up_to_three(locarno: Variant, owned: int, points: int) -> None:
    codes = [p.code for p in locarno.start.board.provinces.values() if p.centre][:owned]
    here = replace(locarno.start, centres=dict.fromkeys(codes, "Italy"))
    for at in (0, 3):
        now = replace(here, at=at)
        assert locarno.step(now).budgets(now, locarno, "Italy") == (Budget("DP", points, 3),)
    assert locarno.calendar[2].budgets(here, locarno, "Italy") == ()


def test_slots_tell_orders_apart_not_their_spelling() -> None:
    first, same = allocate("1 DP Spain: A Spa S F MAO - Por"), allocate("2 DP Spain: A Spa S A MAO - Por")
    assert first.slot == same.slot
    assert first.more(2).points == 3
    others = ["1 DP Spain: A Spa H", "1 DP Spain: A Spa S F MAO", "1 DP Portugal: F Por H"]
    assert len({first.slot, NoPoints().slot, *(allocate(text).slot for text in others)}) == 5
    assert {slot[0] for slot in (first.slot, NoPoints().slot)} == {"points"}


def test_civil_disorder_closes_a_retreat_where_a_minor_stands_up(locarno: Variant) -> None:
    start = locarno.start
    units = {str(u.at.place): u for u in start.units}
    gone = Dislodged(replace(units["Bul"], power="Italy"), units["Gre"], (units["Ist"].at, units["Rum"].at))
    own = Dislodged(units["Izm"], units["Gre"], (units["Ank"].at,))
    here = replace(start, at=2, dislodged=(gone, own))
    action = locarno.gm_changes["civil disorder"]
    assert isinstance(action, CivilDisorderChange)
    assert action.is_allowed(here, locarno, "Turkey")
    after = action.apply(here, locarno, "Turkey").position
    assert [d.retreats for d in after.dislodged] == [(units["Rum"].at,)]
    assert not after.centres_of("Turkey")
    assert not after.units_of("Turkey")
    assert not action.is_allowed(after, locarno, "Turkey")
    assert not action.is_allowed(after, locarno, "Austria")


def test_a_published_order_shows_nobodys_wording(locarno: Variant) -> None:
    start = locarno.start
    fleet = next(u for u in start.units if str(u.at.place) == "Gib")
    line = Allocate(1, "Spain", statement("F Spa S A Gib"))
    turn = locarno.step(start).resolve(start, locarno, Submissions({("Italy", "Italy"): (Entry(line),)}))
    order = next(e.order for e in turn.events if isinstance(e, OrderResult) and e.power == "Spain")
    assert isinstance(order, Support)
    assert (order.unit.kind, order.target.kind) == ("A", fleet.kind)


@pytest.mark.parametrize(("variant_id", "power"), [("locarno", "Turkey"), ("fin-de-siecle", "Japan")])
def test_a_power_without_units_owes_a_line_while_it_has_a_centre(shelf: Library, variant_id: str, power: str) -> None:
    variant = shelf.variant(variant_id)
    at = next(at for at, step in enumerate(variant.calendar) if isinstance(step, MovementStep))
    units = tuple(unit for unit in variant.start.units if unit.power != power)
    bare = variant.start.having(at=at, units=units)
    step = variant.step(bare)
    assert step.due(bare, variant)[power].task == step.missing(bare, variant, power, ()).task == "points"
    assert step.due(bare, variant)[power].optional
    nothing = NoPoints() if variant_id == "locarno" else NoDips()
    assert not step.missing(bare, variant, power, (nothing,))
    gone = bare.having(centres={code: owner for code, owner in bare.centres.items() if owner != power})
    assert power not in step.due(gone, variant)
