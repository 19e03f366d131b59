"""Projects the earth onto the picture; foci enlarge crowded regions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.interpolate import PchipInterpolator

from gm.maps.making.sites import ProjectionPlan, Sites, Spot

EARTH = 6371.0
KM_PER_DEGREE = 111.2

Array = npt.NDArray[np.float64]
Raw = Callable[[Array, Array], tuple[Array, Array]]
BELLS: dict[str, Callable[[Array], Array]] = {"gauss": lambda q: np.exp(-q), "lorentz": lambda q: 1 / (1 + q)}


class Projection:
    """Maps latitude and longitude to picture units, y downwards. `turns`: full turns at which things are drawn."""

    def __init__(self, sites: Sites) -> None:
        plan = sites.plan
        self._raw = _azimuthal(plan) if plan.kind == "azimuthal" else _cylinder(plan)
        self._left, self._top = plan.x[0], plan.y[1]
        self._scale = sites.width / (plan.x[1] - plan.x[0])
        self._bell = BELLS[sites.bell]
        self._in_km = plan.kind == "azimuthal"
        self.width = sites.width
        self.height = round((plan.y[1] - plan.y[0]) * self._scale)
        self.wraps = plan.cut is not None
        self.turns: tuple[float, ...] = (0.0,) if self._in_km else (0.0, 360.0, -360.0)
        self._foci = [(*self._project(f.at), f.strength, f.across, f.down) for f in sites.warp]

    def _project(self, spot: Spot) -> tuple[float, float]:
        x, y = self._raw(np.array([spot.first]), np.array([spot.second]))
        return float(x[0]), float(y[0])

    def __call__(self, lat: Any, lon: Any) -> tuple[Array, Array]:
        x, y = self._raw(np.asarray(lat, float), np.asarray(lon, float))
        moved_x, moved_y = x, y
        for cx, cy, strength, across, down in self._foci:
            for turn in (0.0, 360.0, -360.0) if self.wraps else (0.0,):
                dx, dy = x - cx + turn, y - cy
                pull = strength * self._bell((dx / across) ** 2 + (dy / down) ** 2)
                moved_x, moved_y = moved_x + dx * pull, moved_y + dy * pull
        return (moved_x - self._left) * self._scale, (self._top - moved_y) * self._scale

    def spot(self, spot: Spot) -> tuple[float, float]:
        if spot.framed:
            return spot.first * self.width, spot.second * self.height
        x, y = self([spot.first], [spot.second])
        return (float(x[0]) % self.width if self.wraps else float(x[0])), float(y[0])

    def per_km(self, spot: Spot) -> float:
        """Returns picture units per km: constant in azimuthal maps, local to the spot in cylindrical ones."""
        if self._in_km or spot.framed:
            return self._scale
        lat, lon, step = spot.first, spot.second, 0.2
        x, y = self([lat, lat + step, lat], [lon, lon, lon + step])
        north = np.hypot(x[1] - x[0], y[1] - y[0]) / (step * KM_PER_DEGREE)
        east = np.hypot(x[2] - x[0], y[2] - y[0]) / (step * KM_PER_DEGREE * np.cos(np.radians(lat)))
        return float(north + east) / 2


def _azimuthal(plan: ProjectionPlan) -> Raw:
    """Lambert's azimuthal equal-area projection, in km."""
    lat0, lon0 = np.radians(plan.centre[0]), np.radians(plan.centre[1])

    def raw(lat: Array, lon: Array) -> tuple[Array, Array]:
        la, lo = np.radians(lat), np.radians(lon) - lon0
        c = 1 + np.sin(lat0) * np.sin(la) + np.cos(lat0) * np.cos(la) * np.cos(lo)
        k = EARTH * np.sqrt(2 / np.maximum(c, 1e-6))
        return k * np.cos(la) * np.sin(lo), k * (np.cos(lat0) * np.sin(la) - np.sin(lat0) * np.cos(la) * np.cos(lo))

    return raw


def _cylinder(plan: ProjectionPlan) -> Raw:
    """A cylindrical projection: x from the longitude alone, y from the latitude alone."""
    across = _weighted(plan) if plan.longitude else (lambda lon: lon)
    up: Callable[[Array], Array] = _miller
    if plan.latitude:
        knots = np.array(plan.latitude)
        up = PchipInterpolator(knots[:, 0], knots[:, 1], extrapolate=True)
    return lambda lat, lon: (across(lon), up(lat) * plan.stretch)


def _miller(lat: Array) -> Array:
    bounded = np.clip(lat, -89, 89)
    return np.degrees(1.25 * np.log(np.tan(np.pi / 4 + 0.4 * np.radians(bounded))))


def _weighted(plan: ProjectionPlan) -> Callable[[Array], Array]:
    """Spreads longitudes by weights from the cut round the world; a full turn stays 360."""
    cut = plan.cut or 0.0
    knots = np.array(plan.longitude)
    steps = np.linspace(0, 360, 3601)
    weights = PchipInterpolator(knots[:, 0] - cut, knots[:, 1])(steps)
    sums = np.concatenate([[0], np.cumsum((weights[1:] + weights[:-1]) / 2)])
    sums *= 360 / sums[-1]

    def across(lon: Array) -> Array:
        turn = np.floor((lon - cut) / 360)
        return np.asarray(np.interp(lon - cut - 360 * turn, steps, sums) + 360 * turn)

    return across
