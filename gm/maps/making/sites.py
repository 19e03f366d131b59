"""Reads sites.yaml: what a map maker writes about a board. variants/README.md describes the keys."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct

from gm.maps.making.geometry import SurveyError
from gm.maps.making.map_facts import MapFacts, read_facts
from gm.maps.making.yaml_source import YamlSource

LAND, WATER, DEEP = "land", "water", "deep"
GROUPS = {"land": LAND, "water": WATER, "scenery": LAND, "closed": WATER}
KEYS = (
    "map", "width", "token", "text", "projection", "warp", "bell", "coastline", "growth", *GROUPS, "deep", "parts",
    "beyond", "shores", "satellites", "fill", "cut", "barriers", "cities", "anchors", "second", "air", "boxes", "lines",
    "marks",
)  # fmt: skip
PIECES = ("unit", "label", "sc", "air")
MARKS = ("corner", "bridge", "ferry")
EDGES = ("top", "right", "bottom", "left")


class Spot(NamedTuple):
    """A place on the earth (latitude, longitude), or if `framed` fractions of the picture's width and height.

    `bonus` is the head start of a site, in km.
    """

    first: float
    second: float
    bonus: float = 0.0
    framed: bool = False


class Stroke(NamedTuple):
    spots: tuple[Spot, ...]
    km: float


class Focus(NamedTuple):
    """A place drawn larger: points near it move away by `strength` times their distance."""

    at: Spot
    strength: float
    across: float
    down: float


class Coastline(NamedTuple):
    """Which coastline of the atlas to take where. `box` is west, south, east, north."""

    scale: str
    box: tuple[float, float, float, float]


class ProjectionPlan(Struct, frozen=True):
    """The projection. Azimuthal: `centre`, x and y of the frame in km. Cylindrical: `latitude` (knots, or empty for
    Miller's), `longitude` (weights at knots, or empty), x and y in degrees of longitude, after the warp. `cut` is the
    meridian where a round-the-world board is cut.
    """

    kind: str
    x: tuple[float, float]
    y: tuple[float, float]
    centre: tuple[float, float] = (0.0, 0.0)
    latitude: tuple[tuple[float, ...], ...] = ()
    longitude: tuple[tuple[float, ...], ...] = ()
    stretch: float = 1.0
    cut: float | None = None


class Growth(Struct, frozen=True):
    """`noise` makes inner borders meander; `islet` and `lake` are the least areas drawn, in square units."""

    seed: int
    noise: float
    islet: float
    lake: float


class Sites(Struct, frozen=True):
    digest: str
    map: tuple[str, ...]
    width: int
    token: float
    text: float
    plan: ProjectionPlan
    warp: tuple[Focus, ...]
    bell: str
    coastlines: tuple[Coastline, ...]
    growth: Growth
    spots: Mapping[str, tuple[Spot, ...]]
    grounds: Mapping[str, str]
    scenery: frozenset[str]
    parts: Mapping[str, str]
    beyond: Mapping[str, str]
    shores: tuple[str, ...]
    satellites: Mapping[str, float | tuple[Spot, ...]]
    fill: tuple[Stroke, ...]
    cut: tuple[Stroke, ...]
    barriers: frozenset[tuple[int, int]]
    cities: Mapping[str, Spot]
    anchors: Mapping[str, Mapping[str, Spot]]
    second: tuple[str, ...]
    air: bool
    boxes: Mapping[str, Mapping[str, Any]]
    lines: tuple[Any, ...]
    marks: tuple[tuple[str, tuple[str, ...], tuple[Spot, ...]], ...]


def read_sites(path: Path) -> Sites:
    page = YamlSource.open(path)
    page.check_keys(KEYS)
    spots, grounds, scenery = _groups(page)
    known = {*spots, *page.names("boxes")}
    return Sites(
        digest=hashlib.sha256(path.read_bytes()).hexdigest(),
        map=page.strings("map") or ("map.toml",),
        width=page.number("width"),
        token=page.real("token"),
        text=page.real("text"),
        plan=_plan(page),
        warp=tuple(_focus(page, row) for row in page.rows("warp")),
        bell=_choice(page, "bell", page.text("bell", "gauss"), ("gauss", "lorentz")),
        coastlines=_coastlines(page),
        growth=_growth(page),
        spots=spots,
        grounds=grounds,
        scenery=scenery,
        parts={
            name: page.text(f"parts.{name}")
            for name in page.names("parts")
            if _check_listed(page, "parts", name, spots)
        },
        beyond={edge: page.text(f"beyond.{edge}", "Out") for edge in EDGES},
        shores=tuple(name for name in page.strings("shores") if _check_listed(page, "shores", name, spots)),
        satellites=_satellites(page, spots),
        fill=tuple(_stroke(page, "fill", row) for row in page.rows("fill")),
        cut=tuple(_stroke(page, "cut", row) for row in page.rows("cut")),
        barriers=frozenset(_barrier(page, row) for row in page.rows("barriers")),
        cities={n: _spot(page, f"cities.{n}") for n in page.names("cities") if _check_listed(page, "cities", n, known)},
        anchors=_anchors(page, known),
        second=tuple(name for name in page.strings("second") if _check_listed(page, "second", name, spots)),
        air=bool(page.get("air")),
        boxes={name: _box(page, f"boxes.{name}") for name in page.names("boxes")},
        lines=tuple([list(page.numbers("lines", 2, at)) for at in line] for line in page.rows("lines")),
        marks=tuple(_mark(page, row) for row in page.rows("marks")),
    )


def read_sites_and_map(path: Path) -> tuple[Sites, MapFacts]:
    """Reads sites.yaml and its map. Every province that units may enter needs points or a box."""
    sites = read_sites(path)
    facts = read_facts(path.parent, sites.map)
    for code, province in facts.provinces.items():
        if province.slots and code not in sites.spots and code not in sites.boxes:
            raise SurveyError(f"{path}: {code} of the map has no points here")
    return sites, facts


def _groups(page: YamlSource) -> tuple[dict[str, tuple[Spot, ...]], dict[str, str], frozenset[str]]:
    spots: dict[str, tuple[Spot, ...]] = {}
    grounds: dict[str, str] = {}
    for group, ground in GROUPS.items():
        for name in page.names(group):
            key = f"{group}.{name}"
            if name in spots:
                raise page.wrong(key, "stands in two tables")
            rows = page.rows(key)
            if not rows:
                raise page.wrong(key, "needs a point at least")
            spots[name] = tuple(_spot(page, key, row) for row in rows)
            grounds[name] = ground
    if not spots:
        raise page.wrong("land", "the board has no points")
    for name in page.strings("deep"):
        _check_listed(page, "deep", name, spots)
        grounds[name] = DEEP
    return spots, grounds, frozenset(page.names("scenery"))


def _check_listed(page: YamlSource, key: str, name: str, known: Any) -> bool:
    """Returns True; raises VariantError for a name without points."""
    if name.split("/")[0].split("#")[0] not in known:
        raise page.wrong(f"{key}.{name}" if page.get(f"{key}.{name}") is not None else key, f"{name} has no points")
    return True


def _choice(page: YamlSource, key: str, value: str, choices: tuple[str, ...]) -> str:
    if value not in choices:
        raise page.wrong(key, f"must be one of {', '.join(choices)}, not {' '.join(value.split())}")
    return value


def _spot(page: YamlSource, key: str, value: Any = None) -> Spot:
    """Reads [latitude, longitude], [latitude, longitude, bonus in km], or {frame: [u, v]}."""
    value = page.get(key) if value is None else value
    if isinstance(value, dict) and set(value) == {"frame"}:
        across, down = page.numbers(key, 2, value["frame"])
        return Spot(across, down, framed=True)
    if not isinstance(value, list) or len(value) not in (2, 3):
        raise page.wrong(key, f"must be [latitude, longitude], not {value!r}")
    lat, lon, *bonus = page.numbers(key, len(value), value)
    spot = Spot(lat, lon, bonus[0] if bonus else 0.0)
    if not -90 < spot.first < 90 or not -360 <= spot.second <= 360:
        raise page.wrong(key, f"{value!r} is no place on the earth: latitude comes first")
    return spot


def _stroke(page: YamlSource, key: str, row: Any) -> Stroke:
    if not isinstance(row, dict) or set(row) != {"pts", "km"} or not isinstance(row["pts"], list):
        raise page.wrong(key, f"a stroke is {{pts: [[latitude, longitude], ...], km: width}}, not {row!r}")
    return Stroke(tuple(_spot(page, key, point) for point in row["pts"]), page.numbers(key, 1, [row["km"]])[0])


def _focus(page: YamlSource, row: Any) -> Focus:
    if not isinstance(row, list) or len(row) not in (4, 5):
        raise page.wrong("warp", f"a focus is [latitude, longitude, strength, radius] or with two radii, not {row!r}")
    lat, lon, strength, across, *down = page.numbers("warp", len(row), row)
    return Focus(Spot(lat, lon), strength, across, *(down or (across,)))


def _barrier(page: YamlSource, row: Any) -> tuple[int, int]:
    low, high = sorted(int(number) for number in page.numbers("barriers", 2, row))
    return low, high


def _pairs(page: YamlSource, key: str) -> tuple[tuple[float, ...], ...]:
    return tuple(page.numbers(key, 2, row) for row in page.rows(key))


def _plan(page: YamlSource) -> ProjectionPlan:
    key = "projection"
    page.check_keys(("kind", "x", "y", "centre", "latitude", "longitude", "stretch", "cut"), key)
    kind = _choice(page, f"{key}.kind", page.text(f"{key}.kind"), ("azimuthal", "cylinder"))
    x, y = page.numbers(f"{key}.x", 2), page.numbers(f"{key}.y", 2)
    if x[0] >= x[1] or y[0] >= y[1]:
        raise page.wrong(f"{key}.x", "the frame must run from the lower number to the higher, in x and y")
    centre = page.numbers(f"{key}.centre", 2) if kind == "azimuthal" else (0.0, 0.0)
    cut = page.real(f"{key}.cut") if page.get(f"{key}.cut") is not None else None
    return ProjectionPlan(
        kind,
        (x[0], x[1]),
        (y[0], y[1]),
        (centre[0], centre[1]),
        _pairs(page, f"{key}.latitude"),
        _pairs(page, f"{key}.longitude"),
        page.real(f"{key}.stretch", 1.0),
        cut,
    )


def _coastlines(page: YamlSource) -> tuple[Coastline, ...]:
    coastlines = []
    for row in page.rows("coastline"):
        if not isinstance(row, dict) or set(row) != {"scale", "box"}:
            raise page.wrong(
                "coastline", f"each is {{scale: 10m or 50m, box: [west, south, east, north]}}, not {row!r}"
            )
        west, south, east, north = page.numbers("coastline", 4, row["box"])
        scale = _choice(page, "coastline", str(row["scale"]), ("10m", "50m"))
        coastlines.append(Coastline(scale, (west, south, east, north)))
    if not coastlines:
        raise page.wrong("coastline", "is missing")
    return tuple(coastlines)


def _growth(page: YamlSource) -> Growth:
    page.check_keys(("seed", "noise", "islet", "lake"), "growth")
    return Growth(
        page.number("growth.seed"),
        page.real("growth.noise", 0.42),
        page.real("growth.islet", 3.5),
        page.real("growth.lake", 55),
    )


def _satellites(page: YamlSource, spots: Mapping[str, Any]) -> dict[str, float | tuple[Spot, ...]]:
    satellites: dict[str, float | tuple[Spot, ...]] = {}
    for name in page.names("satellites"):
        key = f"satellites.{name}"
        _check_listed(page, "satellites", name, spots)
        value = page.get(key)
        satellites[name] = (
            tuple(_spot(page, key, spot) for spot in value) if isinstance(value, list) else page.real(key)
        )
    return satellites


def _anchors(page: YamlSource, known: Any) -> dict[str, dict[str, Spot]]:
    anchors = {}
    for name in page.names("anchors"):
        _check_listed(page, "anchors", name, known)
        page.check_keys(PIECES, f"anchors.{name}")
        anchors[name] = {piece: _spot(page, f"anchors.{name}.{piece}") for piece in page.names(f"anchors.{name}")}
    return anchors


def _box(page: YamlSource, key: str) -> dict[str, Any]:
    page.check_keys(("text", "rect", "near", "links", "arrow"), key)
    box: dict[str, Any] = {
        "text": page.text(f"{key}.text"),
        "rect": list(page.numbers(f"{key}.rect", 4)),
        "near": page.text(f"{key}.near"),
        "links": list(page.strings(f"{key}.links")),
    }
    arrow = [list(page.numbers(f"{key}.arrow", 2, at)) for at in page.rows(f"{key}.arrow")]
    return box | ({"arrow": arrow} if arrow else {})


def _mark(page: YamlSource, row: Any) -> tuple[str, tuple[str, ...], tuple[Spot, ...]]:
    if not isinstance(row, dict) or set(row) != {"kind", "names", "points"}:
        raise page.wrong("marks", f"a mark is {{kind, names, points}}, not {row!r}")
    kind = _choice(page, "marks", str(row["kind"]), MARKS)
    return kind, tuple(str(name) for name in row["names"]), tuple(_spot(page, "marks", at) for at in row["points"])
