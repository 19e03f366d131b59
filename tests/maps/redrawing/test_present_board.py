"""Border moves of a game (Seismic), from its events or its position to the picture."""

from __future__ import annotations

import json
import re

import pytest
from msgspec.structs import replace
from support.shipped import LIBRARY, map_drawer

from gm.game.views.maps import MapDocuments, MapForm
from gm.judge.mechanics.moving_borders.border_orders import Separation
from gm.judge.model.calendar import resolve_phase
from gm.judge.model.orders import Entry
from gm.judge.model.position import Position
from gm.judge.model.sheets import Submissions
from gm.language.formats import stored_values
from gm.language.formats.json_position import position_to_json
from gm.maps.redrawing import redraw

VARIANT = LIBRARY.variant("seismic")
DRAWER = map_drawer()
ISLAND = Separation(("Por", "Spa"), ("MAO", "MAO"))
NOTE = "The map shows the borders of the start."


def play_changes(orders: dict[str, Separation]) -> tuple[Position, str, str]:
    """Returns the position in which the orders are given, the position after it, and the events."""
    at = next(number for number, step in enumerate(VARIANT.calendar) if step.letter == "S")
    here = replace(VARIANT.start, at=at)
    legs = resolve_phase(
        VARIANT, here, Submissions({(power, power): (Entry(order),) for power, order in orders.items()})
    )
    return here, stored_values.position_to_text(legs[-1].turn.position, VARIANT), stored_values.events_to_text(legs)


def documents(here: Position, after: str, events: str) -> MapDocuments:
    before = stored_values.position_to_text(here, VARIANT)
    return MapDocuments(VARIANT.id, (), "ostend", MapForm(), before, events, after)


def test_results_show_the_board_after_the_changes() -> None:
    """Two players give the same order: there is one channel."""
    here, after, events = play_changes({"England": ISLAND, "France": Separation(("Spa", "Por"), ("MAO", "MAO"))})
    svg = DRAWER.render(documents(here, after, events))
    assert NOTE not in svg
    later = DRAWER.render(MapDocuments(VARIANT.id, (), "ostend", MapForm(turn=False), after, past=(events,)))
    assert NOTE not in later
    opening = stored_values.position_to_text(here, VARIANT)
    assert later != DRAWER.render(MapDocuments(VARIANT.id, (), "ostend", MapForm(turn=False), opening))


def test_a_position_without_a_history_shows_its_own_borders() -> None:
    _, after, events = play_changes({"England": ISLAND, "Turkey": Separation(("Bul", "Gre"), ("Ser", "AEG"))})
    known = DRAWER.render(MapDocuments(VARIANT.id, (), "ostend", MapForm(turn=False), after, past=(events,)))
    assert DRAWER.render(MapDocuments(VARIANT.id, (), "ostend", MapForm(turn=False), after)) == known


def test_gm_map_draws_the_borders_of_a_position() -> None:
    _, after, _ = play_changes({"England": ISLAND})
    position = stored_values.position_from_text(after, VARIANT)
    line = json.dumps(position_to_json(VARIANT, position))
    assert DRAWER.line(line) == DRAWER.draw(DRAWER.scene(VARIANT, position))
    assert NOTE not in DRAWER.line(line)
    assert DRAWER.line(line) != DRAWER.draw(DRAWER.scene(VARIANT, replace(position, board=VARIANT.start.board)))


def test_gm_map_draws_the_borders_that_orders_move() -> None:
    here, after, _ = play_changes({"England": ISLAND})
    line = {
        "position": position_to_json(VARIANT, here),
        "orders": {"England": ["Por & Spa separate, MAO & MAO connect"]},
    }
    shown = DRAWER.line(json.dumps(line))
    assert coast(shown) == coast(DRAWER.draw(DRAWER.scene(VARIANT, stored_values.position_from_text(after, VARIANT))))
    assert coast(shown) != coast(DRAWER.draw(DRAWER.scene(VARIANT, here)))


def coast(svg: str) -> str:
    match = re.search('<path id="coast"[^>]*>', svg)
    assert match
    return match[0]


def test_a_history_that_does_not_fit_the_position_is_not_drawn() -> None:
    here, _, events = play_changes({"England": ISLAND})
    start = stored_values.position_to_text(here, VARIANT)
    with_history = DRAWER.render(MapDocuments(VARIANT.id, (), "ostend", MapForm(turn=False), start, past=(events,)))
    assert with_history == DRAWER.render(MapDocuments(VARIANT.id, (), "ostend", MapForm(turn=False), start))


def test_borders_that_cannot_be_drawn_are_notes(monkeypatch: pytest.MonkeyPatch) -> None:
    _, after, _ = play_changes({"England": ISLAND})
    still = MapDocuments(VARIANT.id, (), "ostend", MapForm(turn=False), after)
    monkeypatch.setattr(redraw, "find_picture_faults", lambda *_: iter(["a fault"]))
    redraw.redraw_board.cache_clear()
    svg = DRAWER.render(still)
    assert NOTE in svg
    assert "Por and Spa separated, MAO and MAO connected" in svg
    monkeypatch.setattr(redraw, "find_moves", lambda *_: None)
    svg = DRAWER.render(still)
    assert NOTE in svg
    assert "Por and Spa no longer touch" in svg
    redraw.redraw_board.cache_clear()
