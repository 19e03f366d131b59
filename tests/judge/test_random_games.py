"""Whole games by dice: every position is sound, every text form gives it back, every order is accounted for."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.scripted_players import game

from gm.judge.model.events import OrderResult, Outcome
from gm.judge.model.position import Position
from gm.judge.model.sheets import ResolvedStep, Submissions
from gm.judge.model.variant import Variant
from gm.language.formats import json_position as exchange
from gm.language.formats import stored_values as codec
from gm.language.rendering import order_text as write


@pytest.mark.parametrize("seed", range(8))
def test_a_game_runs_for_years(standard: Variant, seed: int) -> None:
    phases = 0
    for position, book, legs in game(standard, seed, 150):
        phases += 1
        sound(position, standard)
        accounted(position, book, legs)
    assert phases == 150 or legs[-1].turn.position.ended


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32))
def test_text_forms_give_everything_back(standard: Variant, seed: int) -> None:
    for position, book, legs in game(standard, seed, 12):
        assert codec.position_from_text(codec.position_to_text(position, standard), standard) == position
        assert codec.book_from_text(codec.book_to_text(book)) == book
        events = tuple((leg.phase, leg.turn.events) for leg in legs)
        assert codec.events_from_text(codec.events_to_text(legs)) == events
        again = exchange.position_from_json(standard, exchange.position_to_json(standard, position))
        assert sorted(again.units) == sorted(position.units)
        assert again.centres == position.centres
        assert sorted(again.dislodged) == sorted(position.dislodged)
        assert standard.phase_name(again) == standard.phase_name(position)


def sound(position: Position, variant: Variant) -> None:
    standing = [u.at.province for u in position.units]
    assert len(set(standing)) == len(standing)
    for unit in position.units:
        assert variant.kinds[unit.kind].stands(unit.at.slot)
    for driven in position.dislodged:
        assert driven.retreats
        assert all(at.province not in standing for at in driven.retreats)
    if variant.step(position).letter == "M":
        for power in variant.powers:
            assert len(position.units_of(power.name)) <= len(position.centres_of(power.name)) or position.year == 1901


def accounted(position: Position, book: Submissions, legs: tuple[ResolvedStep, ...]) -> None:
    """Every line is answered once, every unit has a fate, and nobody appears or vanishes without an order."""
    results = [e for e in legs[0].turn.events if isinstance(e, OrderResult)]
    lines = [entry.statement for power in book.sheets for entry in book.sheets[power]]
    given_back = [r.order for r in results if r.given]
    assert sorted(map(write.statement, lines)) == sorted(map(write.statement, given_back))
    if legs[0].phase.endswith("M"):
        assert {r.unit for r in results} == set(position.units)
        after = legs[0].turn.position
        lost = [r for r in results if r.dislodged_by]
        assert len(after.units) == len(position.units) - len(lost)
        moved = {r.unit for r in results if r.outcome is Outcome.SUCCEEDS and not r.dislodged_by}
        assert all(u in after.units or u in moved for u in position.units if u not in {r.unit for r in lost})
