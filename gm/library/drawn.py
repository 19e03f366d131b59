"""Where a variant's drawn board and its colours lie.

`geometry.json` lies beside the first file that its `map` names, so that variants on one board share it; `palette.toml`
in the variant's own folder, or else beside the geometry.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from gm.library.source import VariantError


def drawn(home: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """What geometry.json and palette.toml hold (without the latter: empty). VariantError for broken files."""
    board = home / "geometry.json"
    try:
        named = tomllib.loads((home / "variant.toml").read_text(encoding="utf-8")).get("map")
        if isinstance(named, list) and named and isinstance(named[0], str):
            board = (home / named[0]).parent / "geometry.json"
        geometry = json.loads(board.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise VariantError(f"{home.name}: its board has not been drawn yet; there is no {board}") from None
    except (OSError, ValueError, RecursionError) as error:
        raise VariantError(f"{board}: cannot be read ({error})") from None
    colours = home / "palette.toml"
    return geometry, _palette(colours if colours.is_file() else board.with_name("palette.toml"))


def _palette(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise VariantError(f"{path}: cannot be read ({error})") from None
