"""`gm survey`: draws a board from sites.yaml, checks it against the map, renders a preview."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from gm.maps.drawing.geometry import Geometry
from gm.maps.making.geometry import GEOMETRY_FILE, SurveyError, geometry_to_text, read_geometry
from gm.maps.making.map_facts import MapFacts, read_facts
from gm.resources import folder

SITES = "sites.yaml"
Report = Callable[[str], None]


def survey(name: str, atlas: str, preview: Path | None, check_only: bool, report: Report) -> int:
    """Returns the number of faults in the board of a variant: an id, or a folder with the map's files."""
    home = _find_folder(name)
    if not check_only:
        geometry = _make_geometry(home, atlas, report)
        (home / GEOMETRY_FILE).write_text(geometry_to_text(geometry), encoding="utf-8")
        report(f"{home / GEOMETRY_FILE}: {(home / GEOMETRY_FILE).stat().st_size // 1000} kB")
    geometry = read_geometry(home / GEOMETRY_FILE)
    facts = read_facts(home, geometry.source.get("map", ["map.toml"]))
    if preview is not None:
        _write_preview(geometry, facts, preview)
        report(f"{preview}: the picture")
    from gm.maps.making.check import find_faults

    faults = find_faults(geometry, facts)
    for fault in faults:
        report(str(fault))
    word = "fault" if len(faults) == 1 else "faults"
    report(f"{len(faults)} {word} in {len(facts.pairs)} borders and {len(geometry.anchors)} places")
    return len(faults)


def _find_folder(name: str) -> Path:
    for home in (Path(name), folder("variants") / name):
        if (home / SITES).is_file() or (home / GEOMETRY_FILE).is_file():
            return home
    raise SurveyError(f"{name}: there is no folder with {SITES}, and no variant of this name has one")


def _make_geometry(home: Path, atlas: str, report: Report) -> Geometry:
    try:
        from gm.maps.making.label_placement import WantedLabels
        from gm.maps.making.make_map import make_map
        from gm.maps.making.natural_earth import NaturalEarth
        from gm.maps.making.sites import read_sites_and_map
    except ImportError as error:
        raise SurveyError(f"drawing needs {error.name}: pip install 'gm-by-mail[maps]'") from None
    sites, facts = read_sites_and_map(home / SITES)
    closed = frozenset(code for code, province in facts.provinces.items() if not province.slots)
    wanted = WantedLabels(facts.centres, facts.waters, closed)
    return make_map(sites, NaturalEarth(_read_package(atlas)), wanted, report)


def _read_package(atlas: str) -> bytes:
    """`atlas` is a file, an address, or empty for the npm registry."""
    from gm.maps.making.natural_earth import URL, check_hash, fetch_package

    if not atlas or "://" in atlas:
        return fetch_package(atlas or URL)
    try:
        return check_hash(Path(atlas).read_bytes(), atlas)
    except OSError as error:
        raise SurveyError(f"{atlas}: cannot be read ({error.strerror})") from None


def _write_preview(geometry: Geometry, facts: MapFacts, file: Path) -> None:
    try:
        from gm.maps.making.preview import render_preview
    except ImportError as error:
        raise SurveyError(f"a picture needs {error.name}: pip install 'gm-by-mail[maps]'") from None
    try:
        file.write_bytes(render_preview(geometry, frozenset(facts.provinces)))
    except OSError as error:
        raise SurveyError(f"{file}: cannot be written ({error.strerror})") from None
