"""Whole games round the world: by dice until somebody has won, by holding until nobody can."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from judge.test_random_games import accounted, sound
from support.scripted_players import game

from gm.judge.model.calendar import resolve_phase
from gm.judge.model.events import DrawOffered, GameEnded, StalemateNears
from gm.judge.model.position import Position
from gm.judge.model.sheets import ResolvedStep, Submissions
from gm.judge.model.variant import Variant
from gm.language.formats import json_position as exchange
from gm.language.formats import stored_values as codec
from gm.variant_files.library import Library

MOST = 1500


def test_games_run_to_their_end_and_through_every_box(youngstown: Variant) -> None:
    boxes: set[str] = set()
    for seed in (0, 1, 3):
        for position, book, legs in game(youngstown, seed, MOST):
            sound(position, youngstown)
            accounted(position, book, legs)
            boxes |= {u.at.province for u in position.units if u.at.province.startswith("Ob")}
        ended = legs[-1].turn.position
        assert ended.ended is not None
        assert ended.ended.why == "solo"
        assert len(ended.centres_of(ended.ended.winners[0])) >= 37
    assert len(boxes) == 12


def holding(variant: Variant, years: int) -> tuple[Position, list[ResolvedStep]]:
    """Nobody orders anything."""
    position, legs = variant.start, []
    while position.ended is None and position.year < 1901 + years:
        legs += resolve_phase(variant, position, Submissions())
        position = legs[-1].turn.position
    return position, legs


def ending_events(legs: list[ResolvedStep]) -> list[object]:
    return [e for leg in legs for e in leg.turn.events if isinstance(e, StalemateNears | DrawOffered | GameEnded)]


def test_a_game_of_holds_ends_in_a_draw(youngstown: Variant) -> None:
    position, legs = holding(youngstown, 10)
    everybody = tuple(sorted(power.name for power in youngstown.powers))
    assert (position.year, position.ended and position.ended.winners) == (1903, everybody)
    assert ending_events(legs) == [StalemateNears(2, 3), GameEnded(everybody, "stalemate")]


def test_a_draw_on_offer_stays_so(shelf: Library) -> None:
    position, legs = holding(shelf.variant("youngstown", {"stalemate_draw": "offer"}), 5)
    assert position.ended is None
    assert [getattr(e, "count", 0) for e in ending_events(legs)] == [2, 3, 4, 5]
    assert sum(isinstance(e, DrawOffered) for e in ending_events(legs)) == 3


def test_nothing_is_counted_when_it_is_off(shelf: Library) -> None:
    position, legs = holding(shelf.variant("youngstown", {"stalemate_draw": "off"}), 5)
    assert position.ended is None
    assert not ending_events(legs)
    assert not position.ledger


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32))
def test_text_forms_give_everything_back(youngstown: Variant, seed: int) -> None:
    for position, book, legs in game(youngstown, seed, 10):
        assert codec.position_from_text(codec.position_to_text(position, youngstown), youngstown) == position
        assert codec.book_from_text(codec.book_to_text(book)) == book
        events = tuple((leg.phase, leg.turn.events) for leg in legs)
        assert codec.events_from_text(codec.events_to_text(legs)) == events
        again = exchange.position_from_json(youngstown, exchange.position_to_json(youngstown, position))
        assert sorted(again.units) == sorted(position.units)
        assert again.ledger == position.ledger


def test_the_count_travels_as_text(youngstown: Variant) -> None:
    position, _ = holding(youngstown, 2)
    assert position.ledger
    assert codec.position_from_text(codec.position_to_text(position, youngstown), youngstown) == position
    assert exchange.position_to_json(youngstown, position)["ledger"] == [{"purse": "still", "amount": 2}]
