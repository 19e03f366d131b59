"""Where a variant's drawn board and its colours lie.

`geometry.json` lies beside the first file that its `map` names, so that variants on one board share it; `palette.toml`
in the variant's own folder, or else beside the geometry.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from gm.variant_files.compose import map_files, opened
from gm.variant_files.toml_source import TomlSource, VariantError


def drawn(home: Path) -> tuple[Any, dict[str, Any]]:
    """What geometry.json and palette.toml hold (without the latter: empty). VariantError for broken files."""
    board, colours = places(home)
    try:
        geometry = json.loads(board.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise VariantError(f"{home.name}: its board has not been drawn yet; there is no {board}") from None
    except (OSError, ValueError, RecursionError) as error:
        raise VariantError(f"{board}: cannot be read ({error})") from None
    return geometry, TomlSource.open(colours).table if colours.is_file() else {}


def places(home: Path) -> tuple[Path, Path]:
    """Where geometry.json and palette.toml are looked for. VariantError for a broken variant.toml."""
    board = (home / map_files(opened(home))[0]).with_name("geometry.json")
    colours = home / "palette.toml"
    return board, colours if colours.is_file() else board.with_name(colours.name)
