"""Orders written as players write them, adjudicated, as the scene that a picture of them shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from support.shipped import LIBRARY, map_drawer

from gm.cli.adjudicate import Adjudicator
from gm.judge.model.calendar import resolve_phase
from gm.language.formats.json_position import position_from_json
from gm.maps.drawing.scene import MapScene

Lines = Mapping[str, Sequence[str]]


def drawn_orders(name: str, phase: str, units: Lines, orders: Lines, **options: str) -> MapScene:
    """`units` and `orders` by power. `options` of the variant."""
    variant = LIBRARY.variant(name, options)
    document = {"variant": name, "phase": phase, "units": dict(units), "centres": {}, "options": options}
    position = position_from_json(variant, document)
    book = Adjudicator(LIBRARY).read_submissions(variant, position, dict(orders))
    events = resolve_phase(variant, position, book)[0].turn.events
    return map_drawer().scene(variant, position, events)
