"""Reads tables of phrases, and makes patterns of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gm import resources
from gm.language.i18n.kept_patterns import compiled
from gm.language.i18n.normalize import clean
from gm.language.i18n.vocabulary import ENGLISH

NOTHING = re.compile(r"(?!)")


def phrase_tables(language: str, *folders: str) -> list[Mapping[str, Any]]:
    """The English phrases and those of the language, from a folder below grammars/prose."""
    folder = resources.folder("grammars").joinpath("prose", *folders)
    files = (folder / f"{known}.toml" for known in dict.fromkeys((ENGLISH, language)) if known.isalpha())
    return [resources.read_table(file) for file in files if file.is_file()]


NOT = re.compile(r"\(\?<[!=][^()]*\)|(?<!ca)n't")


def entries_at(table: Mapping[str, Any], path: Sequence[str]) -> Sequence[str]:
    content: Any = table
    for name in path:
        content = content.get(name, {} if name != path[-1] else ())
    return [_without_apostrophes(clean(entry).text) for entry in content]


def _without_apostrophes(entry: str) -> str:
    """Phones write "dont" for "don't"; behind (?<! a pattern must have one length."""
    return NOT.sub(lambda match: "n'?t" if match[0] == "n't" else match[0], entry)


def fits_any(text: str, patterns: Iterable[re.Pattern[str]], start: int = 0) -> bool:
    return any(pattern.search(text, start) for pattern in patterns)


def whole_words(entries: Sequence[str]) -> re.Pattern[str]:
    """Any of these phrases: the first in the list that matches, not the longest. No entries match nothing."""
    every = "|".join(f"(?:{entry})" for entry in entries)
    return compiled(rf"(?<![\w'])(?:{every})(?!\w|'s\b)") if entries else NOTHING


def label_pattern(entries: Sequence[str]) -> re.Pattern[str]:
    every = "|".join(f"(?:{entry})" for entry in entries if ".*" not in entry)
    return compiled(rf"(?<![\w'])(?:{every})\s*:") if every else NOTHING


def whole_line(entries: Sequence[str]) -> re.Pattern[str]:
    every = "|".join(f"(?:{entry})" for entry in entries)
    return compiled(rf"\W*(?:{every})\W*") if entries else NOTHING
