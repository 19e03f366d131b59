"""The whole way from sites.yaml to a Geometry."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec import Struct

from gm.maps.drawing.geometry import Arc, BorderSign, Geometry, read_anchor, read_box
from gm.maps.making.arcs import OUTSIDE, GridArc, draw_arcs
from gm.maps.making.grid_repairs import repair_grid
from gm.maps.making.label_placement import WantedLabels, place_labels
from gm.maps.making.natural_earth import SHA256, NaturalEarth
from gm.maps.making.projection import Projection
from gm.maps.making.province_growth import BARRIER_COST, GrowthSeed, Labels, grow_provinces, noise_factors
from gm.maps.making.raster import Mask, barrier_mask, land_mask, to_coarse_grid
from gm.maps.making.regions import LabelNames, compose_grid
from gm.maps.making.sites import LAND, Sites

FORM = 1
"""Version of the file format and of the drawing method."""

Report = Callable[[str], None]


class DrawnFaces(Struct, frozen=True, dict=True):
    """The grid of faces and the lines between them, before anything is placed."""

    projection: Projection
    register: LabelNames
    grid: Labels
    arcs: list[GridArc]


def make_map(sites: Sites, atlas: NaturalEarth, wanted: WantedLabels, report: Report) -> Geometry:
    """Draws the board. `report` receives progress, and sites on the wrong ground."""
    drawn = draw_faces(sites, atlas, report)
    return add_places(sites, drawn, wanted)


def draw_faces(sites: Sites, atlas: NaturalEarth, report: Report) -> DrawnFaces:
    projection = Projection(sites)
    mask = land_mask(sites, projection, atlas)
    report(f"land: {mask.mean():.0%} of {projection.width} x {projection.height} units")
    register = LabelNames()
    grown = _grow_ground(sites, projection, atlas, mask, register, report)
    grid = repair_grid(compose_grid(sites, projection, mask, grown, register), register, projection.wraps)
    report(f"faces: {len(np.unique(grid))} names")
    arcs = draw_arcs(grid, register, barrier_mask(sites, projection, atlas, 3), projection.wraps)
    report(f"lines: {len(arcs)} arcs, {sum(len(arc.line) for arc in arcs)} points")
    return DrawnFaces(projection, register, grid, arcs)


def _grow_ground(
    sites: Sites, projection: Projection, atlas: NaturalEarth, mask: Mask, register: LabelNames, report: Report
) -> tuple[Labels, Labels]:
    land = to_coarse_grid(mask)
    barrier = barrier_mask(sites, projection, atlas, 2)
    rough = noise_factors(land.shape, sites.growth.noise, sites.growth.seed, projection.wraps)
    grown = []
    for ground, cells, cost in (
        (True, land, np.where(barrier, BARRIER_COST, 1.0) * rough),
        (False, ~land, np.ones(land.shape)),
    ):
        places = [
            GrowthSeed(
                register.label(name, LAND if ground else "water"),
                name,
                *projection.spot(s),
                s.bonus * projection.per_km(s),
            )
            for name, spots in sites.spots.items()
            if (sites.grounds[name] == LAND) == ground
            for s in spots
        ]
        labels, remarks = grow_provinces(cells, places, cost, projection.wraps)
        grown.append(labels)
        for remark in remarks:
            report(remark)
    return grown[0], grown[1]


def add_places(sites: Sites, drawn: DrawnFaces, wanted: WantedLabels) -> Geometry:
    """Adds a place for every unit, label and centre."""
    projection, register = drawn.projection, drawn.register

    def name(label: int) -> str:
        return "" if label == OUTSIDE else register.names[label]

    arcs = tuple(
        Arc(name(arc.left), name(arc.right), tuple((int(x), int(y)) for x, y in arc.line.tolist()))
        for arc in drawn.arcs
    )
    used = {face for arc in arcs for face in (arc.left, arc.right)}
    grounds = {
        face: sites.grounds.get(face, register.grounds[label])
        for label, face in enumerate(register.names)
        if face in used
    }
    satellites = {ground: ground[:-1] for ground in grounds if ground.endswith("*")}
    signs = tuple(
        BorderSign(kind, tuple((round(x, 1), round(y, 1)) for x, y in map(projection.spot, spots)), names)
        for kind, names, spots in sites.marks
    )
    places = place_labels(sites, projection, drawn.grid, register, wanted)
    return Geometry(
        width=projection.width,
        height=projection.height,
        wrap=projection.wraps,
        token=sites.token,
        text=sites.text,
        grounds=grounds,
        parts=dict(sites.parts) | satellites,
        beyond=dict(sites.beyond),
        shores=sites.shores,
        arcs=arcs,
        anchors={name: read_anchor(pieces) for name, pieces in places.items()},
        boxes={name: read_box(box) for name, box in sites.boxes.items()},
        lines=sites.lines,
        signs=signs,
        source={
            "map": list(sites.map),
            "seed": sites.growth.seed,
            "sites": sites.digest,
            "atlas": SHA256,
            "form": FORM,
        },
    )
