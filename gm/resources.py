"""Finds the data folders: inside the package in a wheel, beside it in a checkout."""

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
    """Returns where data derived from a file is cached: beside it, as Python caches bytecode; "" for nowhere.

    Whoever can write there could also change our code, so the cache is trusted as much.
    """
    if sys.dont_write_bytecode:
        return ""
    cached = Path(cache_from_source(str(file))).with_suffix(file.suffix)
    try:
        cached.parent.mkdir(parents=True, exist_ok=True)
    except OSError:
        return ""
    return str(cached)
