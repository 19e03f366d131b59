"""The sentences for people, by key: templates/sentences/<language>/*.toml.

A file holds `key = "sentence with {fields}"`. A sentence that counts has a table instead, chosen by the field `n`:

    orders-stored = { one = "One order is stored.", other = "{n} orders are stored." }

A field that is the name of a province, a power or a kind of unit, or a list of these, is translated into the reader's
language. Fields in WRITTEN hold what somebody wrote and stay as they are.

Tables make dotted keys: `[outcome]` `bounced = …` is "outcome.bounced". A missing field is a programming error and
raises; a key that a language lacks is taken from English.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from string import Formatter
from typing import Any

from gm import resources

FALLBACK = "en"
WRITTEN = frozenset({"word", "line", "text", "words", "subject", "name", "value", "topic", "order", "orders", "unit"})

POWERS = "powers"
"""The field that lists powers, and whoever else reads press: "Turkey, somebody"."""
SLOT = "\0"
"""A placeholder for a value that is put in later; no text can hold it."""
LISTS = re.compile(r", |: |\[| \(")
PART = re.compile(r"(\[?)([^\[\]()]+?)(\]?(?: \([^()]*\))?)")
"""One of "England, [France, Germany]" and of "Austria (A), England (E)"."""


class Catalogue:
    """The sentences of one language."""

    __slots__ = ("_entries", "_fields", "_names", "language")

    def __init__(
        self, language: str, entries: Mapping[str, str | Mapping[str, str]], names: Mapping[str, str] | None = None
    ) -> None:
        """`names`: English names of a board -> those of the language."""
        self.language = language
        self._entries = entries
        self._fields: dict[str, tuple[str, ...]] = {}
        self._names = names or {}

    def naming(self, names: Mapping[str, str]) -> Catalogue:
        """The same sentences with the names of a board."""
        return Catalogue(self.language, self._entries, names)

    def called(self, name: str) -> str:
        """The local name of a province, power or kind of unit, or of each in a list; other words stay as they are."""
        called = self._names.get(name)
        if called is None and self._names and LISTS.search(name):
            groups = [self._listed(*group.rpartition(": ")) for group in name.split("; ")]
            return "; ".join(groups) if all(groups) else name
        return called or name

    def _listed(self, label: str, colon: str, text: str) -> str:
        """ "yes: France, Italy"; "" where it lists anything else."""
        parts = [PART.fullmatch(part) for part in text.split(", ")]
        names = [part[1] + self._names[part[2]] + part[3] for part in parts if part and part[2] in self._names]
        return f"{label}{colon}{', '.join(names)}" if len(names) == len(parts) else ""

    def __contains__(self, key: str) -> bool:
        return key in self._entries

    def fields(self, key: str) -> tuple[str, ...]:
        """The names of the fields that the sentence uses; `n` where it counts."""
        fields = self._fields.get(key)
        if fields is None:
            entry = self._entries[key]
            forms = (entry,) if isinstance(entry, str) else tuple(entry.values())
            names = [name for form in forms for _, name, _, _ in Formatter().parse(form) if name]
            fields = tuple(dict.fromkeys(names if isinstance(entry, str) else [*names, "n"]))
            self._fields[key] = fields
        return fields

    def say(self, key: str, /, **fields: object) -> str:
        """KeyError for an unknown key or a missing field. `n`, or else `one`, is the number that plurals go by."""
        entry = self._entries[key]
        if not isinstance(entry, str):
            entry = entry["one" if str(fields.get("n", fields.get("one"))) == "1" else "other"]
        if self._names:
            fields = {key: self._said(key, value) for key, value in fields.items()}
        return entry.format_map(fields)

    def choose(self, key: str, choice: str, **fields: object) -> str:
        """The sentence for a choice (`key.choice`), or the one for all others (`key.else`)."""
        chosen = f"{key}.{choice}"
        return self.say(chosen if chosen in self else f"{key}.else", **fields)

    def season(self, name: str) -> str:
        """The season of a step; one that the language has no word for keeps its name."""
        key = f"season.{name}"
        return self.say(key) if key in self else name

    def every(self, items: Iterable[str]) -> str:
        """ "A Bul, A Ser and A Ukr"."""
        return self._enumeration("list.and", items)

    def either(self, items: Iterable[str]) -> str:
        return self._enumeration("list.or", items)

    def _enumeration(self, key: str, items: Iterable[str]) -> str:
        *first, last = [self.called(item) for item in items] or [""]
        return self.say(key, some=", ".join(first), last=last) if first else last

    def around(self, key: str, /, field: str, **fields: object) -> tuple[str, str]:
        """The parts of a sentence before and behind this field, which it must hold once."""
        before, after = self.say(key, **fields, **{field: SLOT}).split(SLOT)
        return before, after

    def _said(self, key: str, value: object) -> object:
        if not isinstance(value, str) or key in WRITTEN:
            return value
        return ", ".join(map(self.called, value.split(", "))) if key == POWERS else self.called(value)


@lru_cache(maxsize=8)
def languages(folder: Path | None = None) -> tuple[str, ...]:
    """The languages of letters; `folder` is templates/sentences."""
    return tuple(
        sorted(
            subfolder.name
            for subfolder in (folder or resources.folder("templates") / "sentences").iterdir()
            if subfolder.is_dir()
        )
    )


def language_named(words: str) -> str:
    """The code of a language of letters by its code or name; "" for none."""
    folder, wanted = resources.folder("templates") / "sentences", words.strip().lower()
    names = load(folder, FALLBACK)
    for code in languages():
        key = f"language.names.{code}"
        if wanted in (code, *(names.say(key).lower().split(", ") if key in names else ())):
            return code
    return ""


class SentenceFile(dict[str, str | Mapping[str, str]]):
    """The sentences of one file. The other files beside it are opened when a key is asked for that it does not have."""

    def __init__(self, file: Path) -> None:
        super().__init__(entries(file))
        self._unopened: Path | None = file.parent

    def __missing__(self, key: str) -> str | Mapping[str, str]:
        if key not in self:
            raise KeyError(key)
        return self[key]

    def __contains__(self, key: object) -> bool:
        if self._unopened is not None and not super().__contains__(key):
            self.update(_entries(self._unopened))
            self._unopened = None
        return super().__contains__(key)


def outcomes(folder: Path) -> Catalogue:
    """As `load` in English. Only for speed: for programs that need little more than outcomes of orders."""
    return Catalogue(FALLBACK, SentenceFile(folder / FALLBACK / "order_outcomes.toml"))


@lru_cache(maxsize=8)
def load(folder: Path, language: str) -> Catalogue:
    """`folder` is templates/sentences; it is read once. Unknown languages give English."""
    entries = _entries(folder / FALLBACK)
    if language != FALLBACK and (folder / language).is_dir():
        entries |= _entries(folder / language)
    return Catalogue(language, entries)


def _entries(folder: Path) -> dict[str, str | Mapping[str, str]]:
    merged: dict[str, str | Mapping[str, str]] = {}
    for file in sorted(folder.glob("*.toml")):
        merged |= entries(file)
    return merged


@lru_cache(maxsize=256)
def entries(file: Path) -> Mapping[str, str | Mapping[str, str]]:
    """The sentences of one file, by dotted key. Cached only for speed."""
    flat: dict[str, str | Mapping[str, str]] = {}
    _flatten(resources.read_table(file), "", flat)
    return flat


def _flatten(table: Mapping[str, Any], prefix: str, into: dict[str, str | Mapping[str, str]]) -> None:
    for key, value in table.items():
        if isinstance(value, str) or "other" in value:
            into[prefix + key] = value
        else:
            _flatten(value, f"{prefix}{key}.", into)
