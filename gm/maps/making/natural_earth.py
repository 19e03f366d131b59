"""Natural Earth's coastlines and borders (public domain), from the npm package world-atlas (TopoJSON).

The package is pinned by its hash, so that a board is drawn the same everywhere.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import tarfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import shapely
from shapely.affinity import translate
from shapely.geometry import Polygon, box
from shapely.geometry.base import BaseGeometry

from gm.maps.making.geometry import SurveyError
from gm.maps.making.sites import Coastline

URL = "https://registry.npmjs.org/world-atlas/-/world-atlas-2.0.2.tgz"
SHA256 = "032e7765f2ce00edaeafec23ff22bc3b77e42987c257da944cc585b452c05b97"

Line = npt.NDArray[np.float64]
"""Longitude and latitude, one row per point."""


def fetch_package(url: str = URL, cache: Path | None = None) -> bytes:
    """Returns the package from the cache, or downloads it into the cache."""
    cached = (cache or _cache()) / f"world-atlas-{SHA256[:12]}.tgz"
    if cached.is_file():
        return check_hash(cached.read_bytes(), str(cached))
    try:
        with urllib.request.urlopen(url, timeout=60) as answer:
            raw: bytes = answer.read()
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise SurveyError(f"{url}: cannot be fetched ({reason}); give the file with --atlas") from None
    check_hash(raw, url)
    cached.parent.mkdir(parents=True, exist_ok=True)
    cached.write_bytes(raw)
    return raw


def check_hash(raw: bytes, name: str) -> bytes:
    digest = hashlib.sha256(raw).hexdigest()
    if digest != SHA256:
        raise SurveyError(f"{name}: is not world-atlas 2.0.2 (sha256 {digest[:12]}…, expected {SHA256[:12]}…)")
    return raw


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gm"


class NaturalEarth:
    """Reads the package: land by scale ("10m", "50m"), and borders between modern countries."""

    def __init__(self, raw: bytes) -> None:
        self._raw = raw

    def land(self, coastlines: tuple[Coastline, ...], turns: tuple[float, ...]) -> Iterator[BaseGeometry]:
        """Yields the land inside the boxes, earlier coastlines first. `turns` repeats it round the world."""
        taken = Polygon()
        for coast in coastlines:
            area = box(*coast.box).difference(taken)
            taken = taken.union(area)
            for land in self._polygons(coast.scale):
                for turn in turns:
                    moved = translate(land, turn) if turn else land
                    piece = moved.intersection(area) if moved.intersects(area) else None
                    if piece is not None and not piece.is_empty:
                        yield piece

    def borders(self) -> Iterator[tuple[tuple[int, int], Line]]:
        """Yields each border between two countries, with their ISO 3166 numbers, the lower first."""
        topology = self._topology("countries-10m")
        arcs = _decode_arcs(topology)
        sides: dict[int, set[int]] = {}
        for country in topology["objects"]["countries"]["geometries"]:
            for index in _flatten(country.get("arcs", [])):
                sides.setdefault(index if index >= 0 else ~index, set()).add(int(country.get("id") or -1))
        for index, countries in sides.items():
            if len(countries) == 2:
                low, high = sorted(countries)
                yield (low, high), arcs[index]

    def _polygons(self, scale: str) -> list[BaseGeometry]:
        topology = self._topology(f"land-{scale}")
        arcs = _decode_arcs(topology)
        polygons: list[BaseGeometry] = []
        for land in topology["objects"]["land"]["geometries"]:
            for rings in land["arcs"] if land["type"] == "MultiPolygon" else [land["arcs"]]:
                closed = [
                    ring for ring in (_unwrap_ring(_join_arcs(arcs, indices)) for indices in rings) if len(ring) >= 4
                ]
                if closed:
                    polygon = Polygon(closed[0], closed[1:])
                    polygons.append(polygon if polygon.is_valid else shapely.make_valid(polygon))
        return polygons

    def _topology(self, name: str) -> Any:
        try:
            return json.loads(self._files[f"package/{name}.json"])
        except KeyError:
            raise SurveyError(f"the atlas holds no {name}.json") from None

    @cached_property
    def _files(self) -> dict[str, bytes]:
        try:
            with tarfile.open(fileobj=io.BytesIO(self._raw)) as archive:
                files = ((member.name, archive.extractfile(member)) for member in archive.getmembers())
                return {name: file.read() for name, file in files if file is not None}
        except tarfile.TarError as error:
            raise SurveyError(f"the atlas cannot be unpacked ({error})") from None


def _decode_arcs(topology: Any) -> list[Line]:
    scale, shift = topology["transform"]["scale"], topology["transform"]["translate"]
    return [np.cumsum(np.array(arc, float), axis=0) * scale + shift for arc in topology["arcs"]]


def _flatten(nested: Any) -> Iterator[int]:
    for item in nested:
        if isinstance(item, list):
            yield from _flatten(item)
        else:
            yield item


def _join_arcs(arcs: list[Line], indices: list[int]) -> Line:
    pieces = [arcs[i] if i >= 0 else arcs[~i][::-1] for i in indices]
    return np.concatenate([pieces[0], *(piece[1:] for piece in pieces[1:])])


def _unwrap_ring(ring: Line) -> Line:
    """Returns a ring over the 180th meridian in one piece, its middle between 120° west and 240° east."""
    ring = ring.copy()
    ring[1:, 0] -= np.cumsum(np.round(np.diff(ring[:, 0]) / 360) * 360)
    middle = (ring[:, 0].min() + ring[:, 0].max()) / 2
    ring[:, 0] -= 360 * np.round((middle - 60) / 360)
    return ring
