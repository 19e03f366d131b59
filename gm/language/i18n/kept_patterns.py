"""Only for speed: keeps compiled regular expressions on disk, because to compile those of a language takes 0.3 s.

Python itself keeps none. What is kept is what `re.compile` computes: the code for Python's own matching engine, by the
pattern's text and for one version of the engine. Where anything is missing or different, the pattern is compiled.
"""

from __future__ import annotations

import atexit
import re
import zlib
from array import array
from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from gm import resources
from gm.language.i18n.needed_words import MOST_PATTERNS, PARSER, learn_words, words_in

ENGINE, COMPILER = import_module("_sre"), import_module("re._compiler")
FILE = "patterns.re"
NUMBERS = "I"
"""The type of the code's numbers, of `_sre.CODESIZE` bytes."""
AT_ONCE = 100
"""So many new patterns are written at once; fewer, when the process ends."""
MOST_BYTES = 16_000_000
"""Each process reads all that is kept. All variants in two languages need 10 MB; the rest are of older releases."""


class Kept(NamedTuple):
    """The arguments of the engine, the code compressed; and the pattern's needed words."""

    flags: int
    code: bytes
    groups: int
    group_index: dict[str, int]
    index_group: tuple[str | None, ...]
    words: tuple[str, ...]


_new: dict[str, Kept] = {}


@lru_cache(maxsize=MOST_PATTERNS)
def compiled(pattern: str) -> re.Pattern[str]:
    """As `re.compile`, which remembers fewer: all variants have most of a language's patterns in common."""
    kept = _kept().get(pattern)
    if kept is not None:
        try:
            return _pattern(pattern, Kept(*kept))
        except (TypeError, ValueError, RuntimeError, zlib.error):
            pass  # another engine's
    new = _compile(pattern)
    if new is None:
        return re.compile(pattern)
    _keep(pattern, new)
    return _pattern(pattern, new)


def _pattern(pattern: str, kept: Kept) -> re.Pattern[str]:
    code = array(NUMBERS, zlib.decompress(kept.code)).tolist()
    learn_words(pattern, kept.words)
    make: Callable[..., re.Pattern[str]] = ENGINE.compile
    return make(pattern, kept.flags, code, kept.groups, kept.group_index, kept.index_group)


def _compile(pattern: str) -> Kept | None:
    """As `re.compile` does in Python 3.11 to 3.14; None where this Python does otherwise."""
    parsed = PARSER.parse(pattern)
    try:
        code = array(NUMBERS, COMPILER._code(parsed, 0))
        state = parsed.state
        index_group: list[str | None] = [None] * state.groups
    except (AttributeError, TypeError, OverflowError):
        return None
    if code.itemsize != ENGINE.CODESIZE:
        return None
    for name, number in state.groupdict.items():
        index_group[number] = name
    words, flags, groups = words_in(parsed), int(state.flags), state.groups - 1
    return Kept(flags, zlib.compress(code.tobytes(), 1), groups, dict(state.groupdict), tuple(index_group), words)


def _file() -> Path:
    return Path(resources.cache_file(resources.folder("grammars") / FILE))


@lru_cache(maxsize=1)
def _kept() -> dict[str, Any]:
    """Those of the file, if it is of this engine."""
    content = resources.read_kept(_file())
    magic, patterns = content if isinstance(content, tuple) and len(content) == 2 else (None, {})
    return patterns if magic == ENGINE.MAGIC and isinstance(patterns, dict) else {}


def _keep(pattern: str, new: Kept) -> None:
    if not _new:
        atexit.register(_write)
    _new[pattern] = new
    if len(_new) >= AT_ONCE:
        _write()


def _write() -> None:
    """Adds the new ones to those that other processes have written meanwhile."""
    atexit.unregister(_write)
    new = {pattern: tuple(kept) for pattern, kept in tuple(_new.items())}
    _new.clear()
    _kept.cache_clear()
    every = new if _is_full() else {**_kept(), **new}
    resources.keep(_file(), (ENGINE.MAGIC, every if len(every) <= MOST_PATTERNS else new))
    _kept.cache_clear()


def _is_full() -> bool:
    """Then those that are still asked for are compiled once more."""
    try:
        return _file().stat().st_size > MOST_BYTES
    except OSError:
        return False
