"""Finds keys of sentences in texts: no reader may see "support-reach" in place of a sentence."""

from __future__ import annotations

import re
from functools import lru_cache

from gm.language.i18n.catalogue import FALLBACK, entries
from gm.resources import folder

GROUPS = ("cause", "problem", "trouble", "fault", "event-why", "effect")
WORD = re.compile(r"(?<![\w-])[a-z0-9]+(?:-[a-z0-9]+)+(?![\w-])")


@lru_cache(maxsize=1)
def _keys() -> frozenset[str]:
    """Keys of several words: a key of one word may be a word of the sentence."""
    names = (key for file in (folder("templates") / "sentences" / FALLBACK).glob("*.toml") for key in entries(file))
    parts = (name.partition(".") for name in names)
    return frozenset(key for group, _, key in parts if group in GROUPS and "-" in key)


def raw_keys(text: str) -> list[str]:
    return sorted({word for word in WORD.findall(text) if word in _keys()})
