"""Every sentence for people, by key: templates/sentences/<language>/*.toml.

A file holds `key = "sentence with {fields}"`; a sentence that counts has a table instead, chosen by the field `n`:

    orders-stored = { one = "One order is stored.", other = "{n} orders are stored." }

Tables make dotted keys: `[outcome]` `bounced = …` is "outcome.bounced". A field that is missing is a programming
error and raises; a key that a language lacks is taken from English.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from string import Formatter
from typing import Any

FALLBACK = "en"


class Catalogue:
    """The sentences of one language."""

    __slots__ = ("_entries", "_fields", "language")

    def __init__(self, language: str, entries: Mapping[str, str | Mapping[str, str]]) -> None:
        self.language = language
        self._entries = entries
        self._fields: dict[str, tuple[str, ...]] = {}

    def __contains__(self, key: str) -> bool:
        return key in self._entries

    def fields(self, key: str) -> tuple[str, ...]:
        """The names of the fields that the sentence uses; `n` where it counts."""
        found = self._fields.get(key)
        if found is None:
            entry = self._entries[key]
            forms = (entry,) if isinstance(entry, str) else tuple(entry.values())
            names = [name for form in forms for _, name, _, _ in Formatter().parse(form) if name]
            found = tuple(dict.fromkeys(names if isinstance(entry, str) else [*names, "n"]))
            self._fields[key] = found
        return found

    def say(self, key: str, /, **fields: object) -> str:
        """KeyError for an unknown key or a missing field. `n`, or else `one`, is the number that plurals go by."""
        entry = self._entries[key]
        if not isinstance(entry, str):
            entry = entry["one" if str(fields.get("n", fields.get("one"))) == "1" else "other"]
        return entry.format(**fields)


def load(folder: Path, language: str) -> Catalogue:
    """`folder` is templates/sentences. Unknown languages give English."""
    entries = _entries(folder / FALLBACK)
    if language != FALLBACK and (folder / language).is_dir():
        entries |= _entries(folder / language)
    return Catalogue(language, entries)


def _entries(folder: Path) -> dict[str, str | Mapping[str, str]]:
    found: dict[str, str | Mapping[str, str]] = {}
    for file in sorted(folder.glob("*.toml")):
        _flatten(tomllib.loads(file.read_text(encoding="utf-8")), "", found)
    return found


def _flatten(table: Mapping[str, Any], prefix: str, into: dict[str, str | Mapping[str, str]]) -> None:
    for key, value in table.items():
        if isinstance(value, str) or "other" in value:
            into[prefix + key] = value
        else:
            _flatten(value, f"{prefix}{key}.", into)
