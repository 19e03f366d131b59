"""`gm check`: checks all files of a variant: rules, drawn board, colours, and the points of the board."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gm.errors import GmError
from gm.judge.model.variant import Variant
from gm.maps.drawing.geometry import GeometryError, read_geometry
from gm.maps.drawing.palette import PaletteError, build_palette
from gm.variant_files.checks import find_warnings, summary
from gm.variant_files.library import Library, drawing_paths
from gm.variant_files.toml_source import TomlSource, VariantError

VARIANT, SITES = "variant.toml", "sites.yaml"


def check_variant(known: Library, name: str) -> Iterator[str]:
    """Yields the counts of a variant and remarks on what its author may not have meant.

    `name` is an id or a folder. Raises GmError for the first fault.
    """
    library, name = _find_variant(known, name)
    variant, home = library.checked(name), library.home(name)
    board, colours = drawing_paths(home)
    if board.is_file():
        _check_board(library, variant, board)
    if colours.is_file():
        _check_palette(variant, TomlSource.open(colours))
    sites = board.with_name(SITES)
    unchecked = sites.is_file() and not _check_sites(sites)
    yield summary(variant)
    for remark in find_warnings(home, variant):
        yield f"remark: {remark}"
    if not board.is_file():
        yield f"remark: {board}: is missing, so there are no maps; gm survey draws it"
    if unchecked and library is not known:  # authors of variants draw boards
        yield f"remark: {sites}: is not checked; that needs pip install 'gm-by-mail[maps]'"


def _find_variant(known: Library, name: str) -> tuple[Library, str]:
    folder = Path(name) if Path(name).name not in ("", "..") else Path(name).resolve()
    if (folder / VARIANT).is_file():
        return Library((folder.parent,)), folder.name
    if name in known:
        return known, name
    if folder.is_dir():
        raise GmError(f"{folder / VARIANT}: there is no such file; a variant's folder has one, and map.toml")
    if folder.is_file():
        raise GmError(f"{folder}: is a file; name the variant's folder")
    raise GmError(f"no variant {name!r}; there are {', '.join(known.ids())}")


def _check_board(library: Library, variant: Variant, board: Path) -> None:
    try:
        geometry = read_geometry(library.drawing(variant.id)[0])
    except GeometryError as error:
        raise VariantError(f"{board}: {error}") from None
    for code, province in variant.start.board.provinces.items():
        if province.slots and geometry.anchor(code).unit is None:
            raise VariantError(f"{board}: anchors.{code}: there is no place for a unit")


def _check_palette(variant: Variant, source: TomlSource) -> None:
    try:
        build_palette(variant, source.table)
    except PaletteError as error:
        raise source.wrong(error.key, error.what) from None


def _check_sites(sites: Path) -> bool:
    """Returns False if the package that reads it is missing."""
    try:
        from gm.maps.making.sites import read_sites_and_map
    except ImportError:
        return False
    read_sites_and_map(sites)
    return True
