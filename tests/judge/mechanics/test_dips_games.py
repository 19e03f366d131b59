"""Whole games with oceans, a choice of units and dips, by dice: they reach the last year, and every sum is right."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.scripted_players import game

from gm.judge.mechanics.dips.dip_orders import DipOrder, DipSupport
from gm.judge.mechanics.dips.dips import HOLDS, MOVES, balance
from gm.judge.mechanics.dips.usage_windows import turn_of
from gm.judge.model.events import DipsCounted, OrderResult, Outcome, visible
from gm.judge.model.orders import Move
from gm.judge.model.position import Position
from gm.judge.model.sheets import ResolvedStep, Submissions
from gm.judge.model.variant import Variant
from gm.judge.movement.adjudicate import adjudicate
from gm.judge.movement.battle import Intent
from gm.judge.movement.legality import LegalityChecker
from gm.judge.movement.movement_step import MovementStep
from gm.language.formats import json_position as exchange
from gm.language.formats import stored_values as codec

TURNS = 42


@pytest.mark.parametrize("seed", range(3))
def test_a_game_reaches_the_last_year(fin_de_siecle: Variant, seed: int) -> None:
    variant = fin_de_siecle
    phases: list[str] = []
    bought: Counter[tuple[str, str, int]] = Counter()
    for position, book, legs in game(variant, seed, 400):
        phases.append(variant.phase_name(position))
        sound(position, variant)
        if phases[-1].endswith("M"):
            open_water(position, variant, legs)
            paid(position, variant, book, legs, bought)
    ended = legs[-1].turn.position.ended
    assert ended is not None
    assert phases[0] == "W1879U"
    turns = [phase for phase in phases if phase.endswith("M")]
    assert ended.why == "solo" or (ended.why, len(turns), turns[-1]) == ("time-up", TURNS, "F1900M")


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 2**32))
def test_text_forms_give_everything_back(fin_de_siecle: Variant, seed: int) -> None:
    variant = fin_de_siecle
    for position, book, legs in game(variant, seed, 10):
        assert codec.position_from_text(codec.position_to_text(position, variant), variant) == position
        assert codec.book_from_text(codec.book_to_text(book)) == book
        events = tuple((leg.phase, leg.turn.events) for leg in legs)
        assert codec.events_from_text(codec.events_to_text(legs)) == events
        again = exchange.position_from_json(variant, exchange.position_to_json(variant, position))
        assert sorted(again.units) == sorted(position.units)
        assert (again.centres, again.ledger) == (position.centres, position.ledger)


@pytest.mark.parametrize("seed", range(3, 6))
def test_the_shortcut_finds_what_the_equations_find(fin_de_siecle: Variant, seed: int) -> None:
    for position, book, _ in game(fin_de_siecle, seed, 30):
        step = fin_de_siecle.step(position)
        if isinstance(step, MovementStep):
            battle, _, _ = step.prepare_battle(position, fin_de_siecle, book)
            assert adjudicate(battle) == adjudicate(battle, shortcut=False)


def sound(position: Position, variant: Variant) -> None:
    """One unit in a province that is not shared; in one that is, fleets with the numbers from 1, each once."""
    shared = LegalityChecker(position.board, variant.kinds, ()).adjacency.shared
    alone = [unit.at.province for unit in position.units if unit.at.province not in shared]
    assert len(set(alone)) == len(alone)
    assert len(set(position.units)) == len(position.units)
    crowds: dict[tuple[str, str, str], list[int]] = {}
    for unit in position.units:
        crowds.setdefault((unit.power, unit.kind, unit.at.province), []).append(unit.number)
        assert variant.kinds[unit.kind].stands(unit.at.slot)
    for numbers in crowds.values():
        assert sorted(numbers) == ([0] if len(numbers) == 1 else list(range(1, len(numbers) + 1)))


def open_water(position: Position, variant: Variant, legs: tuple[ResolvedStep, ...]) -> None:
    """Nobody fights in an ocean, and nobody vanishes who was not driven out."""
    checker = LegalityChecker(position.board, variant.kinds, position.units, variant.rulebook)
    after = legs[0].turn.position
    results = [e for e in legs[0].turn.events if isinstance(e, OrderResult) and e.unit and e.outcome != "superseded"]
    assert Counter(r.unit for r in results if r.unit in position.units) == Counter(position.units)
    driven = [r for r in results if r.dislodged_by is not None]
    assert len(after.units) + len(driven) == len(position.units)
    for result in results:
        assert result.unit is not None
        if result.unit.at.province in checker.adjacency.shared:
            assert result.dislodged_by is None
            assert result.outcome is not Outcome.CUT
        if isinstance(result.order, Move) and result.order.to.province in checker.adjacency.shared:
            possible = isinstance(checker.intent(result.unit, result.order), Intent)
            assert (result.outcome is Outcome.SUCCEEDS) == (possible and result.dislodged_by is None)


def paid(
    position: Position,
    variant: Variant,
    book: Submissions,
    legs: tuple[ResolvedStep, ...],
    bought: Counter[tuple[str, str, int]],
) -> None:
    """Dips are never overspent nor kept; at most 5 holds and 2 moves in 5 turns; others see none of it."""
    now = turn_of(variant, position.year, position.at)
    events = legs[0].turn.events
    for power in (country.name for country in variant.powers):
        lines = [e for e in events if isinstance(e, OrderResult) and e.power == power and isinstance(e.order, DipOrder)]
        written = [entry.statement for entry in book.entries(power) if isinstance(entry.statement, DipOrder)]
        assert [line.order for line in lines] == written
        taken = [line.order for line in lines if line.outcome in (Outcome.SUCCEEDS, Outcome.VOID)]
        spent = sum(order.cost for order in taken if isinstance(order, DipOrder))
        (count,) = [e for e in events if isinstance(e, DipsCounted) and e.power == power]
        assert (count.spent, count.left, count.had) == (spent, count.had - spent, 6 if major(variant, power) else 4)
        assert balance(position, variant, power, tuple(taken)) == count.left
        for order in taken:
            if isinstance(order, DipSupport):
                bought[power, HOLDS if order.to is None else MOVES, now] += 1
        for purse, most in ((HOLDS, 5), (MOVES, 2)):
            assert sum(bought[power, purse, turn] for turn in range(now - 4, now + 1)) <= most
        for other in (None, *(country.name for country in variant.powers if country.name != power)):
            seen = visible(events, other)
            assert not any(isinstance(e, OrderResult) and e in lines for e in seen)
            assert count not in seen


def major(variant: Variant, power: str) -> bool:
    return next(country.major for country in variant.powers if country.name == power)
