"""Layers of the ground: seas with their water lines, land, owners' colours, borders and coast."""

from __future__ import annotations

from functools import lru_cache

from gm.judge.board.board import LAND as ON_FOOT
from gm.judge.board.board import SEA
from gm.maps.drawing import outline
from gm.maps.drawing.colours import mix_colours
from gm.maps.drawing.geometry import DEEP, LAND, WATER, Arc, Geometry
from gm.maps.drawing.scene import MapScene
from gm.maps.drawing.svg import num

PAPER = "#fbf8f0"
NEUTRAL = "#f3ebd8"
SCENERY = "#e2dbcb"
SEA_BLUE = "#bad4e0"
FOAM = "#f4fafc"
OCEAN = "#9cc1d4"
SHALLOWS = "#e4dfbf"
SHORE = "#4f6b78"
BORDER = "#5d5247"
SEA_BORDER = "#5f8ea5"
HATCHING = "#b9ae98"
WATER_LINES = ((120, 0.13), (65, 0.17), (30, 0.24))
"""Distance from the coast in tenths of a unit, and opacity; each lies over those before it."""
BAND = ((65, 0.22), (35, 0.30))
"""Distance inside an owner's outline, and strength."""
MINOR_BAND = ((60, 0.36), (32, 0.50))


def ground_definitions(geometry: Geometry) -> str:
    turned = f'patternUnits="userSpaceOnUse" patternTransform="rotate(45) scale({1 / geometry.scale:g})"'
    return (
        f'<pattern id="closed" width="7" height="7" {turned}>'
        f'<path d="M0 3.5H7" stroke="{HATCHING}" stroke-width="1.1"/></pattern>'
        f'<pattern id="closed-sea" width="8" height="8" {turned}>'
        '<path d="M0 4H8" stroke="#90a9b5" stroke-width="1.1"/></pattern>'
        f'<path id="coast" d="{outline.outline_data(geometry, outline.land_faces(geometry))}"/>'
    )


def arc_units(geometry: Geometry, drawn: str) -> str:
    """Wraps SVG that is drawn in units of the arcs."""
    return f'<g transform="scale({geometry.scale:g})" stroke-linejoin="round" fill-rule="evenodd">{drawn}</g>'


@lru_cache(maxsize=32)
def sea(geometry: Geometry) -> str:
    """Draws what lies below every picture of this board; it refers to nothing outside itself."""
    deep = frozenset(face for face in geometry.faces if geometry.ground(face) == DEEP)
    drawn = f'<path d="{outline.outline_data(geometry, deep)}" fill="{OCEAN}"/>' if deep else ""
    glow = _water_lines(geometry, plain=not deep)
    borders = outline.arc_lines(geometry, lambda arc: outline.is_sea_border(geometry, arc))
    shelf = outline.arc_lines(geometry, lambda arc: outline.is_shelf(geometry, arc))
    return f'<rect width="{num(geometry.width)}" height="{num(geometry.height)}" fill="{SEA_BLUE}"/>' + arc_units(
        geometry,
        f"{drawn}{glow}"
        f'<path d="{borders}" fill="none" stroke="{SEA_BORDER}" stroke-width="13" stroke-dasharray="50 32"/>'
        f'<path d="{shelf}" fill="none" stroke="#3f7590" stroke-width="15"/>',
    )


def _water_lines(geometry: Geometry, *, plain: bool) -> str:
    """Draws water lines, mixed with the water's colour beforehand where it is uniform: that renders faster."""
    coast = outline.land_faces(geometry)
    svg, under = "", SEA_BLUE
    for off, strength in WATER_LINES:
        under = mix_colours(under, FOAM, strength)
        fill = f'fill="{under}"' if plain else f'fill="{FOAM}" fill-opacity="{strength}"'
        svg += f'<path d="{outline.offset_outline(geometry, coast, off)}" {fill}/>'
    return svg


def land(scene: MapScene) -> str:
    """Draws all land as unowned, and hatching where nobody may enter: the same in every picture of a board."""
    nobodys = arc_units(scene.geometry, f'<use href="#coast" fill="{NEUTRAL}"/>')
    return nobodys + _closed(scene) + _shallows(scene)


def realms(scene: MapScene) -> str:
    """Draws the tints of owners, each with a darker band inside its outline."""
    geometry = scene.geometry
    faces_of: dict[str, list[str]] = {}
    for face in geometry.faces:
        if geometry.ground(face) == LAND and scene.passable(geometry.name(face)):
            owner = scene.owner(geometry.name(face))
            if owner:
                faces_of.setdefault(owner, []).append(face)
    return arc_units(geometry, "".join(_realm(scene, owner, frozenset(faces)) for owner, faces in faces_of.items()))


def _realm(scene: MapScene, owner: str, faces: frozenset[str]) -> str:
    """Draws the whole in the colour of the outermost band, then smaller and paler areas over it."""
    ink = scene.palette.ink(owner)
    fills = [ink.tint]
    for _, strength in (bands := MINOR_BAND if ink.minor else BAND):
        fills.append(mix_colours(fills[-1], ink.band, strength))
    areas = [outline.offset_outline(scene.geometry, faces, -off) for off, _ in bands]
    drawn = (outline.outline_data(scene.geometry, faces), *reversed(areas))
    return "".join(f'<path d="{d}" fill="{fill}"/>' for d, fill in zip(drawn, reversed(fills), strict=True) if d)


def _closed(scene: MapScene) -> str:
    """Hatches impassable land and named impassable seas."""
    geometry, svg = scene.geometry, ""
    ground, seas = closed_faces(scene)
    for faces, tint, hatch in ((ground, SCENERY, "closed"), (seas, "#c9d5da", "closed-sea")):
        if faces:
            d = outline.outline_data(geometry, faces)
            svg += (
                f'<defs><path id="all-{hatch}" d="{d}"/></defs><use href="#all-{hatch}" fill="{tint}"/>'
                f'<use href="#all-{hatch}" fill="url(#{hatch})"/>'
            )
    return arc_units(geometry, svg)


def closed_faces(scene: MapScene) -> tuple[frozenset[str], frozenset[str]]:
    """Returns the impassable faces of land, and those of seas with a name."""
    geometry = scene.geometry
    shut = [face for face in geometry.faces if not scene.passable(geometry.name(face))]
    ground = frozenset(face for face in shut if geometry.ground(face) == LAND)
    return ground, frozenset(
        face for face in shut if geometry.ground(face) == WATER and geometry.anchor(geometry.name(face)).label
    )


def _shallows(scene: MapScene) -> str:
    geometry, isles = scene.geometry, shallow_faces(scene)
    if not isles:
        return ""
    d = outline.outline_data(geometry, isles)
    return arc_units(
        geometry,
        f'<path d="{d}" fill="{SHALLOWS}" fill-opacity=".85" stroke="{SEA_BORDER}" stroke-width="13" '
        f'stroke-dasharray="50 32"/>',
    )


def shallow_faces(scene: MapScene) -> frozenset[str]:
    """Returns the seas with land in them, where armies may stand too."""
    board, geometry = scene.position.board, scene.geometry
    return frozenset(
        face
        for face in geometry.faces
        if (known := board.provinces.get(geometry.name(face)))
        and geometry.ground(face) != LAND
        and {ON_FOOT, SEA} <= set(known.slots)
    )


@lru_cache(maxsize=32)
def _borders(geometry: Geometry, scenery: frozenset[str]) -> str:
    def inner(arc: Arc) -> bool:
        return outline.is_border(geometry, arc) and not {geometry.name(arc.left), geometry.name(arc.right)} <= scenery

    return outline.arc_lines(geometry, inner)


def borders(scene: MapScene) -> str:
    geometry = scene.geometry
    scenery = frozenset(name for face in geometry.faces if not scene.passable(name := geometry.name(face)))
    return arc_units(
        geometry,
        f'<defs><path id="borders" d="{_borders(geometry, scenery)}"/></defs>'
        '<use href="#borders" fill="none" stroke="#fff" stroke-opacity=".75" stroke-width="26"/>'
        f'<use href="#borders" fill="none" stroke="{BORDER}" stroke-width="10"/>'
        f'<use href="#coast" fill="none" stroke="{SHORE}" stroke-width="11"/>',
    )
