"""The opening of a board whose borders can be moved: the map files' clockwise lists, and [planar] of variant.toml.

[planar.straits]
Con = "BLA AEG"          the province's coasts on these two seas are one
"""

from __future__ import annotations

from gm.judge.board.board import AIR, LAND, SEA, Location
from gm.judge.board.planar_board import PlanarBoard, opening_board
from gm.judge.board.rotation import InvalidMap
from gm.variant_files.map import MapFileContents
from gm.variant_files.toml_source import TomlSource


def planar_board(source: TomlSource, drawing: MapFileContents) -> PlanarBoard:
    """VariantError where the lists make no map."""
    source.only(("straits",), "planar")
    straits: dict[str, frozenset[str]] = {}
    for code in source.names("planar.straits"):
        seas = frozenset(source.text(f"planar.straits.{code}").split())
        if code not in drawing.provinces or len(seas) != 2 or not seas <= drawing.provinces.keys():
            raise source.wrong(f"planar.straits.{code}", "must be a province with two seas")
        straits[code] = seas
    for code, area in drawing.provinces.items():
        if AIR in area.slots or {LAND, SEA} <= set(area.slots):
            raise source.wrong("planar", f"{code} is neither land nor sea nor closed")
        if code not in drawing.rings:
            raise source.wrong("planar", f"{code} has no clockwise list in the map's files")
    shores = {
        (code, coast): frozenset(
            b.end.province for b in drawing.borders if b.start == Location(code, coast) and b.end.slot == SEA
        )
        for code, area in drawing.provinces.items()
        for coast in area.coasts
    }
    try:
        return opening_board(
            drawing.provinces, {code: (drawing.rings[code],) for code in drawing.provinces}, straits, shores
        )
    except InvalidMap as error:
        raise source.wrong("planar", str(error)) from None
