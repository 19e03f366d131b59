"""Finds the data folders: inside the package in a wheel, beside it in a checkout."""

from __future__ import annotations

import marshal
import os
import stat
import sys
import threading
import zlib
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

SUM = 4
"""Bytes of a checksum in front of a cached table."""


def folder(name: str) -> Path:
    """`name` is variants, grammars, templates or migrations."""
    package = Path(__file__).parent
    inside = package / name
    return inside if inside.is_dir() else package.parent / name


def read_table(file: Path) -> dict[str, Any]:
    """What a TOML file of ours holds. Only for speed, it is kept parsed beside its text until the file changes.

    Raises OSError and ValueError.
    """
    raw = file.read_bytes()
    cached = Path(cache_file(file))
    with suppress(ValueError, TypeError):
        text, table = read_kept(cached)
        if text == raw and isinstance(table, dict):
            return table
    import tomllib  # a cached table does without it

    parsed = tomllib.loads(raw.decode())
    keep(cached, (raw, parsed))
    return parsed


def read_kept(cached: Path) -> Any:
    """What `keep` has written there; None where nothing is, or it is damaged."""
    with suppress(OSError, EOFError, ValueError, TypeError):
        content = cached.read_bytes()
        if zlib.crc32(content[SUM:]) == int.from_bytes(content[:SUM]):
            return marshal.loads(content[SUM:])
    return None


def keep(cached: Path, value: Any) -> None:
    """Writes a value of plain types to a `cache_file`, if there is one."""
    if cached.name:
        with suppress(OSError, ValueError):
            content = marshal.dumps(value)
            _write_whole(cached, zlib.crc32(content).to_bytes(SUM) + content)


def _write_whole(file: Path, content: bytes) -> None:
    """Another process never reads a part of it."""
    part = file.with_name(f"{file.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        part.write_bytes(content)
        part.replace(file)
    except OSError:
        part.unlink(missing_ok=True)
        raise


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
