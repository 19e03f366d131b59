"""Finds the data folders: inside the package in a wheel, beside it in a checkout."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path


def folder(name: str) -> Path:
    """`name` is variants, grammars, templates or migrations."""
    package = Path(__file__).parent
    inside = package / name
    return inside if inside.is_dir() else package.parent / name


def cache_file(file: Path) -> str:
    """Returns where data derived from a file is cached; "" for nowhere.

    It is beside it, as Python caches bytecode. Whoever can write there could also change our code, so the cache is
    trusted as much. Where we cannot write there, it is in our user's cache folder.
    """
    if sys.dont_write_bytecode:
        return ""
    beside = Path(cache_from_source(str(file))).with_suffix(file.suffix)
    for cached in (beside, *(own.joinpath(*beside.parts[1:]) for own in _own_caches())):
        with suppress(OSError):
            cached.parent.mkdir(parents=True, exist_ok=True)
            if os.access(cached.parent, os.W_OK):
                return str(cached)
    return ""


def _own_caches() -> Iterator[Path]:
    """A folder that nobody else can write to, if there is a home for it."""
    with suppress(OSError, RuntimeError):
        own = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gm"
        own.mkdir(mode=0o700, parents=True, exist_ok=True)
        about = own.lstat()
        if stat.S_ISDIR(about.st_mode) and about.st_uid == os.geteuid() and not about.st_mode & 0o022:
            yield own
