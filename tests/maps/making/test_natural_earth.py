"""The world-atlas package: decoded, joined over the 180th meridian, pinned, downloaded once."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from pathlib import Path

import pytest

from gm.maps.making import natural_earth
from gm.maps.making.geometry import SurveyError
from gm.maps.making.natural_earth import NaturalEarth, check_hash, fetch_package
from gm.maps.making.sites import Coastline

EVERYWHERE = (Coastline("10m", (-180, -80, 200, 80)),)


def package(**files: object) -> bytes:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w:gz") as archive:
        for name, table in files.items():
            text = json.dumps(table).encode()
            member = tarfile.TarInfo(f"package/{name.replace('_', '-')}.json")
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text))
    return raw.getvalue()


def topology(arcs: list[list[list[int]]], kind: str, shapes: list[dict[str, object]]) -> dict[str, object]:
    transform = {"scale": [1, 1], "translate": [0, 0]}
    return {"transform": transform, "arcs": arcs, "objects": {kind: {"geometries": shapes}}}


def test_land_is_clipped_to_the_box() -> None:
    square = [[[0, 0], [10, 0], [0, 10], [-10, 0], [0, -10]]]
    shapes: list[dict[str, object]] = [{"type": "Polygon", "arcs": [[0]]}]
    raw = package(land_10m=topology(square, "land", shapes))
    whole, half = (
        next(iter(NaturalEarth(raw).land((Coastline("10m", box),), (0.0,))))
        for box in ((-9, -9, 20, 20), (0, 0, 5, 20))
    )
    assert (whole.area, half.area) == (100, 50)


def test_the_first_coastline_wins() -> None:
    square = [[[0, 0], [10, 0], [0, 10], [-10, 0], [0, -10]]]
    shapes: list[dict[str, object]] = [{"type": "Polygon", "arcs": [[0]]}]
    land = topology(square, "land", shapes)
    both = Coastline("10m", (0, 0, 4, 10)), Coastline("50m", (-9, -9, 20, 20))
    assert [piece.area for piece in NaturalEarth(package(land_10m=land, land_50m=land)).land(both, (0.0,))] == [40, 60]


def test_land_over_the_180th_meridian_is_one_piece() -> None:
    arcs = [[[170, 0], [10, 0], [-350, 0], [0, 10], [350, 0], [-10, 0], [0, -10]]]
    shapes: list[dict[str, object]] = [{"type": "Polygon", "arcs": [[0]]}]
    pieces = list(NaturalEarth(package(land_10m=topology(arcs, "land", shapes))).land(EVERYWHERE, (0.0,)))
    assert [piece.bounds for piece in pieces] == [(170, 0, 190, 10)]


def test_borders_are_shared_by_two_countries() -> None:
    arcs = [[[5, 0], [0, 10]], [[5, 10], [-5, 0], [0, -10], [5, 0]], [[5, 0], [5, 0], [0, 10], [-5, 0]]]
    shapes: list[dict[str, object]] = [
        {"type": "Polygon", "id": "40", "arcs": [[0, 1]]},
        {"type": "Polygon", "id": "8", "arcs": [[2, -1]]},
    ]
    pieces = list(NaturalEarth(package(countries_10m=topology(arcs, "countries", shapes))).borders())
    assert [(pair, line.tolist()) for pair, line in pieces] == [((8, 40), [[5, 0], [5, 10]])]


def test_a_wrong_hash_is_refused() -> None:
    with pytest.raises(SurveyError, match="is not world-atlas 2"):
        check_hash(b"something else", "here.tgz")


def test_a_downloaded_package_is_cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    raw = b"a package"
    (tmp_path / "there.tgz").write_bytes(raw)
    monkeypatch.setattr(natural_earth, "SHA256", hashlib.sha256(raw).hexdigest())
    cache = tmp_path / "cache"
    address = (tmp_path / "there.tgz").as_uri()
    assert fetch_package(address, cache) == raw
    (tmp_path / "there.tgz").unlink()
    assert fetch_package(address, cache) == raw
    with pytest.raises(SurveyError, match="give the file with --atlas"):
        fetch_package(address, tmp_path / "elsewhere")
