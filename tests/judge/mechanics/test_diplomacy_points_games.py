"""Whole games of seven powers and their minor neighbours, with points by dice, until somebody wins."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from support.scripted_players import game, orders

from gm.judge.model.calendar import resolve_phase
from gm.judge.model.events import Allocated, Event, OrderResult, PointsOutcome, visible
from gm.judge.model.orders import Allocate, Hold, Support
from gm.judge.model.position import Position
from gm.judge.model.sheets import ResolvedStep, Submissions
from gm.judge.model.variant import Variant
from gm.language.formats import json_position as exchange
from gm.language.formats import stored_values as codec


@pytest.mark.parametrize("seed", range(6))
def test_a_game_reaches_an_end(locarno: Variant, seed: int) -> None:
    for position, book, legs in game(locarno, seed, 800):
        sound(position, locarno)
        accounted(locarno, position, book, legs)
    ended = legs[-1].turn.position.ended
    assert ended is not None
    assert ended.winners[0] in {power.name for power in locarno.powers}


def test_a_game_in_which_powers_are_given_up(locarno: Variant) -> None:
    dice = Random(3)
    position = locarno.start
    for phase in range(300):
        if phase in (7, 20, 33, 46):
            power = dice.choice([p.name for p in locarno.powers if not position.collapsed(p.name)])
            position = locarno.gm_changes["civil disorder"].apply(position, locarno, power).position
            assert not position.units_of(power)
        sound(position, locarno)
        position = resolve_phase(locarno, position, orders(locarno, position, dice))[-1].turn.position
        if position.ended:
            break
    lost = [power.name for power in locarno.powers if position.collapsed(power.name)]
    assert len(lost) == 4
    assert not any(position.units_of(power) or position.centres_of(power) for power in lost)


def test_text_forms_give_everything_back(locarno: Variant) -> None:
    for position, book, legs in game(locarno, 5, 40):
        assert codec.position_from_text(codec.position_to_text(position, locarno), locarno) == position
        assert codec.book_from_text(codec.book_to_text(book)) == book
        events = tuple((leg.phase, leg.turn.events) for leg in legs)
        assert codec.events_from_text(codec.events_to_text(legs)) == events
        given_up = locarno.gm_changes["civil disorder"].apply(position, locarno, "Turkey").position
        for original in (position, given_up):
            again = exchange.position_from_json(locarno, exchange.position_to_json(locarno, original))
            assert sorted(again.units) == sorted(original.units)
            assert again.centres == original.centres
            assert again.ledger == original.ledger
            assert codec.position_from_text(codec.position_to_text(original, locarno), locarno) == original


def sound(position: Position, variant: Variant) -> None:
    """Minor powers have one unit, at home, in a centre that is nobody's; and own nothing."""
    standing = [u.at.province for u in position.units]
    assert len(set(standing)) == len(standing)
    seats = {power.name for power in variant.powers}
    assert set(position.centres.values()) <= seats
    for minor in variant.minors:
        units = position.units_of(minor.name)
        assert len(units) <= 1
        assert all(u.at.province == minor.home and minor.home not in position.centres for u in units)
        if variant.step(position).letter == "M" and position.at == 0 and position.year > variant.start.year:
            taken = minor.home in position.centres or minor.home in standing or minor.dormant
            assert units or taken
    assert not any(d.unit.power not in seats for d in position.dislodged)


def accounted(variant: Variant, position: Position, book: Submissions, legs: tuple[ResolvedStep, ...]) -> None:
    if not legs[0].phase.endswith("M"):
        return
    seats = {power.name for power in variant.powers}
    results = [e for e in legs[0].turn.events if isinstance(e, OrderResult)]
    assert {r.unit for r in results} >= set(position.units)
    minors = [r for r in results if r.power not in seats]
    assert all(r.given and isinstance(r.order, Hold | Support) and not r.forced for r in minors)
    lines = sum(isinstance(e.statement, Allocate) for sheet in book.sheets.values() for e in sheet)
    allocated = [e for leg in legs for e in leg.turn.events if isinstance(e, Allocated)]
    assert len(allocated) == lines
    assert not any(isinstance(e, Allocated) for power in (None, *seats) for e in visible(legs[0].turn.events, power))
    outcomes_are_public(position, legs[0].turn.events, allocated)


def outcomes_are_public(position: Position, events: Sequence[Event], paid: Sequence[Allocated]) -> None:
    """A payer reads of their own lines alone, and, of those that counted, nothing that the published order hides."""
    published = {
        result.power: (type(result.order), getattr(result.order, "target", None), getattr(result.order, "to", None))
        for result in visible(events, None)
        if isinstance(result, OrderResult)
    }
    outcomes = [event for event in events if isinstance(event, PointsOutcome)]
    assert len(outcomes) == len(paid)
    for outcome, line in zip(outcomes, paid, strict=True):
        assert outcome.audience == {line.power} == {outcome.power}
        assert (outcome.order, outcome.points) == (line.order, line.points)
        assert outcome.why == ("" if line.why in ("", "outbid", "tied") else line.why)
        kind, target, to = published.get(line.minor, (None, None, None))
        same = type(outcome.order) is kind
        if same and isinstance(outcome.order, Support):
            at = outcome.order.target.at.province
            same = target is not None and target.at.province == at
            same = same and getattr(outcome.order.to, "province", "") == getattr(to, "province", "")
        assert outcome.followed == (same and not outcome.why)
