"""What players did to borders, from the events of a game to its picture."""

from __future__ import annotations

from msgspec.structs import replace

from gm.cli.map import MapDrawer
from gm.game.views.maps import MapDocuments, MapForm
from gm.judge.mechanics.moving_borders.border_orders import Separation
from gm.judge.model.calendar import walk
from gm.judge.model.orders import Entry
from gm.judge.model.position import Position
from gm.judge.model.sheets import Submissions
from gm.language.formats import stored_values as codec
from gm.resources import folder
from gm.variant_files.library import Library

LIBRARY = Library((folder("variants"),))
VARIANT = LIBRARY.variant("seismic")
CARTOGRAPHER = MapDrawer(LIBRARY)
ISLAND = Separation(("Por", "Spa"), ("MAO", "MAO"))
SEVERAL = "The map is drawn with the borders of the start."


def shaken(orders: dict[str, Separation]) -> tuple[Position, str, str]:
    """The position in which they are given, and what they brought."""
    at = next(number for number, step in enumerate(VARIANT.calendar) if step.letter == "S")
    here = replace(VARIANT.start, at=at)
    legs = walk(VARIANT, here, Submissions({(power, power): (Entry(said),) for power, said in orders.items()}))
    return here, codec.position_to_text(legs[-1].turn.position, VARIANT), codec.events_to_text(legs)


def asked(here: Position, after: str, events: str) -> MapDocuments:
    before = codec.position_to_text(here, VARIANT)
    return MapDocuments(VARIANT.id, (), "ostend", MapForm(), before, events, after)


def test_the_results_show_the_board_as_it_became() -> None:
    """Two players' one order is one channel."""
    here, after, events = shaken({"England": ISLAND, "France": Separation(("Spa", "Por"), ("MAO", "MAO"))})
    svg = CARTOGRAPHER.commissioned(asked(here, after, events))
    assert SEVERAL not in svg
    still = CARTOGRAPHER.commissioned(MapDocuments(VARIANT.id, (), "ostend", MapForm(turn=False), after))
    later = CARTOGRAPHER.commissioned(
        MapDocuments(VARIANT.id, (), "ostend", MapForm(turn=False), after, past=(events,))
    )
    assert SEVERAL not in later
    assert still != later


def test_what_the_picture_cannot_follow_it_tells() -> None:
    """The history is not that of the position: the picture must not show what is not so."""
    here, after, events = shaken({"England": ISLAND})
    start = codec.position_to_text(here, VARIANT)
    svg = CARTOGRAPHER.commissioned(MapDocuments(VARIANT.id, (), "ostend", MapForm(turn=False), start, past=(events,)))
    assert SEVERAL in svg
    assert "MAO and MAO connected" in svg
    assert after != start
