"""The whole way from sites.yaml to a Geometry."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec import Struct

from gm.maps.making.arcs import OUTSIDE, draw
from gm.maps.making.arcs import GridArc as Line
from gm.maps.making.geometry import DrawnArc, DrawnGeometry
from gm.maps.making.grid_repairs import tidy
from gm.maps.making.label_placement import WantedLabels, place
from gm.maps.making.natural_earth import SHA256, NaturalEarth
from gm.maps.making.projection import Projection
from gm.maps.making.province_growth import BARRIER_COST, GrowthSeed, Labels, grow, noise
from gm.maps.making.raster import Mask, barrier_mask, coarse, land_mask
from gm.maps.making.regions import LabelNames, compose
from gm.maps.making.sites import LAND, Sites

FORM = 1
"""The number of this form of the file and this way of drawing."""

Tell = Callable[[str], None]


class Drawn(Struct, frozen=True, dict=True):
    """The grid of faces and the lines between them, before anything is placed on it."""

    projection: Projection
    register: LabelNames
    grid: Labels
    arcs: list[Line]


def survey(sites: Sites, atlas: NaturalEarth, wanted: WantedLabels, tell: Tell) -> DrawnGeometry:
    """`tell` is told how it goes, and of sites on the wrong ground."""
    drawn = faces(sites, atlas, tell)
    return furnished(sites, drawn, wanted)


def faces(sites: Sites, atlas: NaturalEarth, tell: Tell) -> Drawn:
    projection = Projection(sites)
    mask = land_mask(sites, projection, atlas)
    tell(f"land: {mask.mean():.0%} of {projection.width} x {projection.height} units")
    register = LabelNames()
    grown = _grown(sites, projection, atlas, mask, register, tell)
    grid = tidy(compose(sites, projection, mask, grown, register), register, projection.wraps)
    tell(f"faces: {len(np.unique(grid))} names")
    arcs = draw(grid, register, barrier_mask(sites, projection, atlas, 3), projection.wraps)
    tell(f"lines: {len(arcs)} arcs, {sum(len(arc.line) for arc in arcs)} points")
    return Drawn(projection, register, grid, arcs)


def _grown(
    sites: Sites, projection: Projection, atlas: NaturalEarth, mask: Mask, register: LabelNames, tell: Tell
) -> tuple[Labels, Labels]:
    land = coarse(mask)
    barrier = barrier_mask(sites, projection, atlas, 2)
    rough = noise(land.shape, sites.growth.noise, sites.growth.seed, projection.wraps)
    found = []
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
        labels, remarks = grow(cells, places, cost, projection.wraps)
        found.append(labels)
        for remark in remarks:
            tell(remark)
    return found[0], found[1]


def furnished(sites: Sites, drawn: Drawn, wanted: WantedLabels) -> DrawnGeometry:
    """The geometry, with a place for every unit, label and centre."""
    projection, register = drawn.projection, drawn.register

    def name(label: int) -> str:
        return "" if label == OUTSIDE else register.names[label]

    arcs = tuple(
        DrawnArc(name(arc.left), name(arc.right), tuple((int(x), int(y)) for x, y in arc.line.tolist()))
        for arc in drawn.arcs
    )
    used = {one for arc in arcs for one in (arc.left, arc.right)}
    grounds = {
        one: sites.grounds.get(one, register.grounds[label]) for label, one in enumerate(register.names) if one in used
    }
    satellites = {ground: ground[:-1] for ground in grounds if ground.endswith("*")}
    marks = [
        {"kind": kind, "names": list(names), "points": [[round(v, 1) for v in projection.spot(s)] for s in spots]}
        for kind, names, spots in sites.marks
    ]
    return DrawnGeometry(
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
        anchors=place(sites, projection, drawn.grid, register, wanted),
        boxes=sites.boxes,
        lines=sites.lines,
        marks=tuple(marks),
        source={
            "map": list(sites.map),
            "seed": sites.growth.seed,
            "sites": sites.digest,
            "atlas": SHA256,
            "form": FORM,
        },
    )
