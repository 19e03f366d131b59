"""What `gm survey` does: draw a board from its sites.yaml, check it against the map, paint it for its maker."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from gm.maps.making.check import faults
from gm.maps.making.errors import SurveyError
from gm.maps.making.geometry import FILE, DrawnGeometry, read_geometry, written
from gm.maps.making.map_facts import MapFacts, read_facts
from gm.resources import folder

SITES = "sites.yaml"
Tell = Callable[[str], None]


def survey(name: str, atlas: str, preview: Path | None, check_only: bool, tell: Tell) -> int:
    """The number of faults in the board of this variant: an id, or a folder with sites.yaml and the map's files."""
    home = _home(name)
    if not check_only:
        geometry = _drawn(home, atlas, tell)
        (home / FILE).write_text(written(geometry), encoding="utf-8")
        tell(f"{home / FILE}: {(home / FILE).stat().st_size // 1000} kB")
    geometry = read_geometry(home / FILE)
    facts = read_facts(home, geometry.source.get("map", ["map.toml"]))
    if preview is not None:
        _paint(geometry, facts, preview)
        tell(f"{preview}: the picture")
    found = faults(geometry, facts)
    for fault in found:
        tell(str(fault))
    word = "fault" if len(found) == 1 else "faults"
    tell(f"{len(found)} {word} in {len(facts.pairs)} borders and {len(geometry.anchors)} places")
    return len(found)


def _home(name: str) -> Path:
    for home in (Path(name), folder("variants") / name):
        if (home / SITES).is_file() or (home / FILE).is_file():
            return home
    raise SurveyError(f"{name}: no folder with {SITES}, and no variant of ours that has one")


def _drawn(home: Path, atlas: str, tell: Tell) -> DrawnGeometry:
    try:
        from gm.maps.making import make_map as surveys
        from gm.maps.making import natural_earth as atlases
        from gm.maps.making.label_placement import WantedLabels
        from gm.maps.making.sites import read_placed
    except ImportError as error:
        raise SurveyError(f"drawing needs {error.name}: pip install 'gm-by-mail[maps]'") from None
    sites, facts = read_placed(home / SITES)
    closed = frozenset(code for code, province in facts.provinces.items() if not province.slots)
    wanted = WantedLabels(facts.centres, facts.waters, closed)
    return surveys.survey(sites, atlases.NaturalEarth(_package(atlas)), wanted, tell)


def _package(atlas: str) -> bytes:
    """`atlas` is a file, an address, or empty for the registry's."""
    from gm.maps.making.natural_earth import URL, fetch, pinned

    if not atlas or "://" in atlas:
        return fetch(atlas or URL)
    try:
        return pinned(Path(atlas).read_bytes(), atlas)
    except OSError as error:
        raise SurveyError(f"{atlas}: cannot be read ({error.strerror})") from None


def _paint(geometry: DrawnGeometry, facts: MapFacts, file: Path) -> None:
    try:
        from gm.maps.making.preview import preview
    except ImportError as error:
        raise SurveyError(f"a picture needs {error.name}: pip install 'gm-by-mail[maps]'") from None
    try:
        file.write_bytes(preview(geometry, frozenset(facts.provinces)))
    except OSError as error:
        raise SurveyError(f"{file}: cannot be written ({error.strerror})") from None
