"""Whole games in which everybody moves borders: the map stays a map, no fleet is lost, text forms give it back."""

from __future__ import annotations

from random import Random

import pytest
from support.scripted_players import game

from gm.judge.board.board import STRANDED
from gm.judge.board.planar_board import PlanarBoard
from gm.judge.mechanics.moving_borders.border_events import FleetMoved
from gm.judge.mechanics.moving_borders.border_orders import Placement, Release, Separation
from gm.judge.mechanics.moving_borders.border_step import BorderStep
from gm.judge.model.calendar import resolve_phase
from gm.judge.model.events import OrderResult, Outcome, visible
from gm.judge.model.orders import Entry, Move, Support
from gm.judge.model.position import Position
from gm.judge.model.sheets import ResolvedStep, Submissions
from gm.judge.model.variant import Variant
from gm.language.formats import json_position as exchange
from gm.language.formats import stored_values as codec
from gm.language.orders.sheet_reader import KnownOrdersReader
from gm.language.rendering import order_text as write
from gm.variant_files.library import Library


@pytest.fixture(scope="module")
def seismic(shelf: Library) -> Variant:
    return shelf.variant("seismic")


@pytest.mark.parametrize("seed", range(3))
def test_a_game_keeps_its_map_and_its_fleets(seismic: Variant, seed: int) -> None:
    shaken = 0
    for position, book, legs in game(seismic, seed, 160):
        sound(position)
        if legs[0].phase.endswith("S"):
            shaken += accounted(seismic, position, book, legs)
    assert shaken > 40


def sound(position: Position) -> None:
    board = position.board
    assert isinstance(board, PlanarBoard)
    board.rotation.check()
    for unit in position.units:
        assert unit.at in board.provinces[unit.at.province].locations
        assert unit.at.slot != STRANDED or not board.coasts[unit.at.province]


def accounted(variant: Variant, position: Position, book: Submissions, legs: tuple[ResolvedStep, ...]) -> int:
    """Every line has a result, everybody's units are where they were; how many events took place."""
    after = legs[0].turn.position
    assert [(u.power, u.kind, u.at.province) for u in after.units] == [
        (u.power, u.kind, u.at.province) for u in position.units
    ]
    events = legs[0].turn.events
    results = [event for event in events if isinstance(event, OrderResult)]
    assert len(results) == sum(map(len, book.sheets.values()))
    moved = {event.before: event.after for event in events if isinstance(event, FleetMoved)}
    assert all(now == moved.get(before, before) for before, now in zip(position.units, after.units, strict=True))
    for reader in (None, *(power.name for power in variant.powers)):
        seen = [event for event in visible(events, reader) if isinstance(event, OrderResult)]
        assert all(event.power == reader for event in seen if isinstance(event.order, Placement))
    taken = {
        result.order
        for result in results
        if result.outcome is Outcome.SUCCEEDS and not isinstance(result.order, Placement)
    }
    if any(isinstance(statement, Separation) for statement in taken):
        assert after.board != position.board
    return len(taken)


def test_text_forms_give_everything_back(seismic: Variant) -> None:
    for position, book, legs in game(seismic, 7, 60):
        again = codec.position_from_text(codec.position_to_text(position, seismic), seismic)
        assert again == position
        assert again.board is codec.position_from_text(codec.position_to_text(position, seismic), seismic).board
        assert codec.book_from_text(codec.book_to_text(book)) == book
        assert codec.events_from_text(codec.events_to_text(legs)) == tuple((g.phase, g.turn.events) for g in legs)
        document = exchange.position_to_json(seismic, position)
        restored = exchange.position_from_json(seismic, document)
        assert sorted(restored.units) == sorted(position.units)
        assert isinstance(restored.board, PlanarBoard)
        assert isinstance(position.board, PlanarBoard)
        assert restored.board.lists == position.board.lists
        assert exchange.position_to_json(seismic, restored)["borders"] == document["borders"]


def test_lines_are_read_again_as_they_are_written(seismic: Variant) -> None:
    for position, book, legs in game(seismic, 11, 60):
        letter = legs[0].phase[-1]
        reader = KnownOrdersReader(seismic, position, any_unit=True)
        for (power, _), entries in book.sheets.items():
            sheet = [entry.statement for entry in entries]
            if letter == "R":
                continue
            read = reader.orders(power, [write.statement(order, letter) for order in sheet])
            for order, again in zip(sheet, read, strict=True):
                assert again == order or isinstance(order, Move | Support), (write.statement(order, letter), again)


def test_examples_could_be_written(seismic: Variant) -> None:
    kinds: set[type] = set()
    for position, _, _ in game(seismic, 5, 60):
        step = seismic.step(position)
        if not isinstance(step, BorderStep):
            continue
        reader = KnownOrdersReader(seismic, position)
        for power in (country.name for country in seismic.powers):
            examples = step.examples(position, seismic, power)
            assert step.check(position, seismic, power, examples) == ()
            assert reader.orders(power, [write.statement(example, "S") for example in examples]) == list(examples)
            assert bool(examples) == step.plays(position, power)
            kinds |= {type(example) for example in examples}
    assert kinds == {Separation, Release, Placement}


def test_a_draw_by_lot_is_drawn_again_the_same(seismic: Variant) -> None:
    for position, book, legs in game(seismic, 3, 30):
        assert resolve_phase(seismic, position, book)[-1].turn.position == legs[-1].turn.position


def test_the_events_of_one_phase_need_no_others(seismic: Variant) -> None:
    """A step that nobody writes for changes nothing, and owes something to everybody who is still there."""
    position = next(p for p, _, _ in game(seismic, 1, 40) if seismic.phase_name(p).endswith("S"))
    step = seismic.step(position)
    assert set(step.due(position, seismic)) == {p.name for p in seismic.powers}
    assert resolve_phase(seismic, position, Submissions())[0].turn.position.board is position.board
    dice = Random(1)
    event = Separation(("Por", "Spa"), ("MAO", "MAO"))
    power = dice.choice(seismic.powers).name
    assert not step.missing(position, seismic, power, (event,))
    assert step.missing(position, seismic, power, ()).task
    assert Submissions({(power, power): (Entry(event),)}).entries(power)
