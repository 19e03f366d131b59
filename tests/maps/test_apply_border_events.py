"""Border changes of a game (Seismic), from its events to the picture."""

from __future__ import annotations

from msgspec.structs import replace

from gm.cli.map import MapDrawer
from gm.game.views.maps import MapDocuments, MapForm
from gm.judge.mechanics.moving_borders.border_orders import Separation
from gm.judge.model.calendar import resolve_phase
from gm.judge.model.orders import Entry
from gm.judge.model.position import Position
from gm.judge.model.sheets import Submissions
from gm.language.formats import stored_values
from gm.resources import folder
from gm.variant_files.library import Library

LIBRARY = Library((folder("variants"),))
VARIANT = LIBRARY.variant("seismic")
DRAWER = MapDrawer(LIBRARY)
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
    still = DRAWER.render(MapDocuments(VARIANT.id, (), "ostend", MapForm(turn=False), after))
    later = DRAWER.render(MapDocuments(VARIANT.id, (), "ostend", MapForm(turn=False), after, past=(events,)))
    assert NOTE not in later
    assert still != later


def test_changes_that_cannot_be_drawn_are_notes() -> None:
    """The history does not fit the position, so the picture must not show it."""
    here, after, events = play_changes({"England": ISLAND})
    start = stored_values.position_to_text(here, VARIANT)
    svg = DRAWER.render(MapDocuments(VARIANT.id, (), "ostend", MapForm(turn=False), start, past=(events,)))
    assert NOTE in svg
    assert "MAO and MAO connected" in svg
    assert after != start
