"""The variants, boards and templates that ship with `gm`: frozen values, read once for all tests of a process."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from support.paths import VARIANTS

from gm.cli.map import MapDrawer
from gm.language.rendering.site_pages import SiteTemplates
from gm.language.rendering.templates import LetterTemplates
from gm.maps.drawing.geometry import Geometry
from gm.resources import folder
from gm.variant_files.library import Library

LIBRARY = Library((VARIANTS,))


@cache
def letter_templates() -> LetterTemplates:
    return LetterTemplates(folder("templates"))


@cache
def site_templates(address: str = "") -> SiteTemplates:
    return SiteTemplates(folder("templates"), address)


@cache
def map_drawer() -> MapDrawer:
    return MapDrawer(LIBRARY)


def drawn_board(name: str) -> tuple[Geometry, Mapping[str, Any]]:
    """The board of a variant, with what was drawn of it in memory, and its pinned colours."""
    return map_drawer().board(LIBRARY.variant(name))
