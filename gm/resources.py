"""Where the data folders lie: inside the package in a wheel, beside it in a checkout."""

from __future__ import annotations

import sys
from importlib.util import cache_from_source
from pathlib import Path


def folder(name: str) -> Path:
    """`name` is variants, grammars, templates or migrations."""
    package = Path(__file__).parent
    inside = package / name
    return inside if inside.is_dir() else package.parent / name


def cache_file(file: Path) -> str:
    """Where what was worked out from a data file may be kept: beside it, as Python keeps its own; "" for nowhere.

    Who may write there may change our code as well, so that it is trusted as much.
    """
    if sys.dont_write_bytecode:
        return ""
    kept = Path(cache_from_source(str(file))).with_suffix(file.suffix)
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
    except OSError:
        return ""
    return str(kept)
