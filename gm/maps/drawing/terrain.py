"""Layers of the ground: seas with their water lines, land, its owners' colours, borders and coast."""

from __future__ import annotations

from functools import lru_cache

from gm.judge.board.board import LAND as ON_FOOT
from gm.judge.board.board import SEA
from gm.maps.drawing import outline as lines
from gm.maps.drawing.colours import mixed
from gm.maps.drawing.edge_lines import beside
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
WATER_LINES = ((120, 0.13), (65, 0.17), (30, 0.24))
"""How far from the coast, in tenths of a unit, and how strong: each lies on those before it."""
BAND = ((65, 0.22), (35, 0.30))
"""How far inside an owner's outline, and how strong."""
MINOR_BAND = ((60, 0.36), (32, 0.50))


def definitions(geometry: Geometry) -> str:
    turned = f'patternUnits="userSpaceOnUse" patternTransform="rotate(45) scale({1 / geometry.scale:g})"'
    return (
        f'<pattern id="closed" width="7" height="7" {turned}>'
        '<path d="M0 3.5H7" stroke="#b9ae98" stroke-width="1.1"/></pattern>'
        f'<pattern id="closed-sea" width="8" height="8" {turned}>'
        '<path d="M0 4H8" stroke="#90a9b5" stroke-width="1.1"/></pattern>'
        f'<path id="coast" d="{lines.outline(geometry, lines.mainland(geometry))}"/>'
    )


def arc_units(geometry: Geometry, drawn: str) -> str:
    """What is drawn in whole units of the arcs."""
    return f'<g transform="scale({geometry.scale:g})" stroke-linejoin="round" fill-rule="evenodd">{drawn}</g>'


@lru_cache(maxsize=32)
def sea(geometry: Geometry) -> str:
    """All that lies under every picture of this board: it refers to nothing outside of it."""
    deep = frozenset(face for face in geometry.faces if geometry.ground(face) == DEEP)
    drawn = f'<path d="{lines.outline(geometry, deep)}" fill="{OCEAN}"/>' if deep else ""
    glow = _water_lines(geometry, plain=not deep)
    borders = lines.lines(geometry, lambda arc: lines.is_sea_border(geometry, arc))
    shelf = lines.lines(geometry, lambda arc: lines.is_shelf(geometry, arc))
    return f'<rect width="{num(geometry.width)}" height="{num(geometry.height)}" fill="{SEA_BLUE}"/>' + arc_units(
        geometry,
        f"{drawn}{glow}"
        f'<path d="{borders}" fill="none" stroke="{SEA_BORDER}" stroke-width="13" stroke-dasharray="50 32"/>'
        f'<path d="{shelf}" fill="none" stroke="#3f7590" stroke-width="15"/>',
    )


def _water_lines(geometry: Geometry, *, plain: bool) -> str:
    """Where all water has one colour they are mixed with it beforehand: that is painted faster."""
    coast = lines.mainland(geometry)
    found, under = "", SEA_BLUE
    for off, strength in WATER_LINES:
        under = mixed(under, FOAM, strength)
        fill = f'fill="{under}"' if plain else f'fill="{FOAM}" fill-opacity="{strength}"'
        found += f'<path d="{beside(geometry, coast, off)}" {fill}/>'
    return found


def land(scene: MapScene) -> str:
    """All land as if it were nobody's; hatching on what nobody enters. The same in every picture of a board."""
    nobodys = arc_units(scene.geometry, f'<use href="#coast" fill="{NEUTRAL}"/>')
    return nobodys + _closed(scene) + _shallows(scene)


def realms(scene: MapScene) -> str:
    """Tints of owners, each with a darker band inside its outline."""
    geometry = scene.geometry
    found: dict[str, list[str]] = {}
    for face in geometry.faces:
        if geometry.ground(face) == LAND and scene.passable(geometry.name(face)):
            owner = scene.owner(geometry.name(face))
            if owner:
                found.setdefault(owner, []).append(face)
    return arc_units(geometry, "".join(_realm(scene, owner, frozenset(faces)) for owner, faces in found.items()))


def _realm(scene: MapScene, owner: str, faces: frozenset[str]) -> str:
    """The whole in the colour of the outermost band, then smaller and paler areas upon it."""
    ink = scene.palette.ink(owner)
    fills = [ink.tint]
    for _, strength in (bands := MINOR_BAND if ink.minor else BAND):
        fills.append(mixed(fills[-1], ink.band, strength))
    areas = [beside(scene.geometry, faces, -off) for off, _ in bands]
    drawn = (lines.outline(scene.geometry, faces), *reversed(areas))
    return "".join(f'<path d="{d}" fill="{fill}"/>' for d, fill in zip(drawn, reversed(fills), strict=True) if d)


def _closed(scene: MapScene) -> str:
    """Land that nobody enters, and named seas that nobody enters."""
    geometry = scene.geometry
    shut = [face for face in geometry.faces if not scene.passable(geometry.name(face))]
    ground = frozenset(face for face in shut if geometry.ground(face) == LAND)
    seas = frozenset(
        face for face in shut if geometry.ground(face) == WATER and geometry.anchor(geometry.name(face)).label
    )
    found = ""
    for faces, tint, hatch in ((ground, SCENERY, "closed"), (seas, "#c9d5da", "closed-sea")):
        if faces:
            d = lines.outline(geometry, faces)
            found += (
                f'<defs><path id="all-{hatch}" d="{d}"/></defs><use href="#all-{hatch}" fill="{tint}"/>'
                f'<use href="#all-{hatch}" fill="url(#{hatch})"/>'
            )
    return arc_units(geometry, found)


def _shallows(scene: MapScene) -> str:
    """Seas with land in them, where armies stand too."""
    board, geometry = scene.position.board, scene.geometry
    isles = frozenset(
        face
        for face in geometry.faces
        if (known := board.provinces.get(geometry.name(face)))
        and geometry.ground(face) != LAND
        and {ON_FOOT, SEA} <= set(known.slots)
    )
    if not isles:
        return ""
    d = lines.outline(geometry, isles)
    return arc_units(
        geometry,
        f'<path d="{d}" fill="{SHALLOWS}" fill-opacity=".85" stroke="{SEA_BORDER}" stroke-width="13" '
        f'stroke-dasharray="50 32"/>',
    )


@lru_cache(maxsize=32)
def _borders(geometry: Geometry, scenery: frozenset[str]) -> str:
    def inner(arc: Arc) -> bool:
        return lines.is_border(geometry, arc) and not {geometry.name(arc.left), geometry.name(arc.right)} <= scenery

    return lines.lines(geometry, inner)


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
