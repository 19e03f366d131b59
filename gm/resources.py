"""Where the data folders lie: inside the package in a wheel, beside it in a checkout."""

from __future__ import annotations

from pathlib import Path


def folder(name: str) -> Path:
    """`name` is variants, grammars, templates or migrations."""
    package = Path(__file__).parent
    inside = package / name
    return inside if inside.is_dir() else package.parent / name
