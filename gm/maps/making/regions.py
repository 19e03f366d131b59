"""Turns grown labels into the finished grid: every cell of the fine grid gets a name, islets and lakes too."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field
from scipy import ndimage

from gm.maps.making.projection import Projection
from gm.maps.making.province_growth import Labels
from gm.maps.making.raster import FINE, Mask
from gm.maps.making.sites import LAND, WATER, Sites, Spot

ISLET, LAKE = "Islet", "Lake"
SPREAD = {LAND: 2.5, WATER: 2.0}
"""Units that a label spreads into cells that the coarse grid missed."""
OWN_SHORE = 3.0
"""Units: an islet nearer to a province than this is its satellite."""
SEEK = 12
EIGHT = np.ones((3, 3))
MARGIN = 200

Cells = npt.NDArray[np.int64]


class LabelNames(Struct, dict=True):
    """Names by label; label 0 is nobody's."""

    names: list[str] = field(default_factory=lambda: ["-"])
    grounds: list[str] = field(default_factory=lambda: [""])

    def label(self, name: str, ground: str) -> int:
        if name not in self.names:
            self.names.append(name)
            self.grounds.append(ground)
        return self.names.index(name)

    def is_land(self) -> Mask:
        return np.array([ground == LAND for ground in self.grounds])


def compose_grid(
    sites: Sites, projection: Projection, mask: Mask, grown: tuple[Labels, Labels], register: LabelNames
) -> Labels:
    """Returns the grid of labels. `grown` are the labels of land and water on the coarse grid."""
    wraps = projection.wraps
    mask, land = _label_land(sites, mask, grown[0], register, wraps)
    _adopt_islets(sites, projection, land, register)
    water = _spread(grown[1], ~mask, SPREAD[WATER], wraps)
    _fill_lakes(sites, land, (~mask) & (water == 0), register)
    return np.where(land > 0, land, water).astype(np.int16)


def connected_pieces(mask: Mask, wraps: bool, eight: bool = True) -> tuple[Cells, int]:
    """Numbers connected pieces from 1, also across the edge of a round-the-world board."""
    pieces, count = ndimage.label(mask, structure=EIGHT if eight else None)
    if wraps:
        for left, right in zip(pieces[:, 0].tolist(), pieces[:, -1].tolist(), strict=True):
            if left and right and left != right:
                pieces[pieces == max(left, right)] = min(left, right)
    return pieces.astype(np.int64), count


def _spread(labels: Labels, mask: Mask, reach: float, wraps: bool) -> Labels:
    """Returns coarse labels on the fine grid, spread by up to `reach` units."""
    fine = np.kron(labels, np.ones((FINE, FINE), labels.dtype))
    fine[~mask] = 0
    margin = MARGIN if wraps else 0
    padded = np.pad(fine, ((0, 0), (margin, margin)), mode="wrap") if wraps else fine
    away, (iy, ix) = ndimage.distance_transform_edt(padded == 0, return_indices=True)
    inner = slice(margin, padded.shape[1] - margin)
    near = padded[iy, ix][:, inner]
    return np.where(mask & ((fine > 0) | (away[:, inner] <= reach * FINE)), near, 0).astype(np.int16)


def _label_land(sites: Sites, mask: Mask, grown: Labels, register: LabelNames, wraps: bool) -> tuple[Mask, Labels]:
    """Labels the land; islands without a site become islets or vanish."""
    pieces, count = connected_pieces(mask, wraps)
    sizes = np.bincount(pieces.ravel(), minlength=count + 1)
    settled = np.zeros(count + 1, bool)
    settled[np.unique(pieces[(np.kron(grown, np.ones((FINE, FINE), grown.dtype)) > 0) & mask])] = True
    gone = (sizes < sites.growth.islet * FINE * FINE) & ~settled
    gone[0] = False
    mask = mask & ~gone[pieces]
    land = _spread(grown, mask, SPREAD[LAND], wraps)
    land[~settled[pieces]] = 0
    land[mask & (land == 0)] = register.label(ISLET, LAND)
    return mask, land


def _adopt_islets(sites: Sites, projection: Projection, land: Labels, register: LabelNames) -> None:
    """Turns islets near a province, or named by the map maker, into satellites ("X*")."""
    islet = register.label(ISLET, LAND)
    pieces, _ = connected_pieces(land == islet, projection.wraps)
    away, (iy, ix) = ndimage.distance_transform_edt((land == 0) | (land == islet), return_indices=True)
    chosen = {
        piece: name
        for name, spots in sites.satellites.items()
        for spot in (spots if isinstance(spots, tuple) else ())
        if (piece := _piece_at(pieces, projection, spot))
    }
    for piece, where in enumerate(ndimage.find_objects(pieces), 1):
        if where is None:
            continue
        inside = pieces[where] == piece
        off = np.where(inside, away[where], np.inf)
        best = np.unravel_index(int(off.argmin()), off.shape)
        near = register.names[int(land[iy[where][best], ix[where][best]])]
        name = chosen.get(piece, near if off[best] <= _reach(sites, projection, near) * FINE else "")
        if name and name not in sites.scenery:
            land[where][inside] = register.label(f"{name}*", LAND)


def _reach(sites: Sites, projection: Projection, name: str) -> float:
    """Returns the distance in units within which a province takes islets."""
    km = sites.satellites.get(name)
    own = km * projection.per_km(sites.spots[name][0]) if isinstance(km, float) else 0.0
    return max(OWN_SHORE, own)


def _piece_at(pieces: Cells, projection: Projection, spot: Spot) -> int:
    """Returns the island at a place, or the nearest within reach; 0 for none."""
    x, y = (int(v * FINE) for v in projection.spot(spot))
    top, left = max(0, y - SEEK * FINE), max(0, x - SEEK * FINE)
    window = pieces[top : y + SEEK * FINE + 1, left : x + SEEK * FINE + 1]
    ys, xs = np.nonzero(window)
    if not len(ys):
        return 0
    best = int(np.argmin((ys + top - y) ** 2 + (xs + left - x) ** 2))
    return int(window[ys[best], xs[best]])


def _fill_lakes(sites: Sites, land: Labels, unnamed: Mask, register: LabelNames) -> None:
    """Turns water that no site reaches into lakes, or land if it is small."""
    lake = register.label(LAKE, WATER)
    pieces, _ = ndimage.label(unnamed)
    _, (iy, ix) = ndimage.distance_transform_edt(land == 0, return_indices=True)
    for piece, where in enumerate(ndimage.find_objects(pieces), 1):
        inside = pieces[where] == piece
        small = inside.sum() < sites.growth.lake * FINE * FINE
        land[where][inside] = land[iy[where], ix[where]][inside] if small else lake
