"""The shelf of variants: finds their folders, reads variant.toml and map.toml, and composes Variant values.

What the two files hold is told in variants/README.md. Every mistake in them is a VariantError whose text is one line:
the file, the line where it can be told, the key, and what is wrong.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from gm.judge.model.variant import Variant
from gm.resources import folder
from gm.variant_files.compose import load
from gm.variant_files.drawing_files import drawn
from gm.variant_files.house_rules import HOUSE_RULES, ruled
from gm.variant_files.setting_choices import chosen, every_choice
from gm.variant_files.toml_source import VariantError
from gm.variant_files.translations import check_tongues

NO_OPTIONS: Mapping[str, str] = MappingProxyType({})
LAST = 1000
MOST_KEPT = 64
"""Variants, each with the options it was asked for: a running server has a few in use, `gm adjudicate` may see any."""

__all__ = ["Library", "VariantError", "load", "ours"]


def ours(*more: Path) -> Library:
    """Our own variants, and those of further folders."""
    return Library((folder("variants"), *more))


class Library:
    """Variants by id, which is the name of their folder. Loaded when first asked for; those asked for last are kept."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._homes: dict[str, Path] = {}
        for shelf in folders:
            for home in sorted(shelf.glob("*/variant.toml")):
                self._homes.setdefault(home.parent.name, home.parent)
        self._known: dict[tuple[str, tuple[tuple[str, str], ...]], Variant] = {}
        self._ids: tuple[str, ...] | None = None

    def __contains__(self, name: object) -> bool:
        """Whether this is an id, without a look into the files."""
        return isinstance(name, str) and name in self._homes

    def ids(self) -> tuple[str, ...]:
        """By `rank`, then by name. A broken file stands last: it is told when it is asked for."""
        if self._ids is None:
            self._ids = tuple(sorted(self._homes, key=lambda name: (_rank(self._homes[name]), name)))
        return self._ids

    def variant(self, name: str, options: Mapping[str, str] = NO_OPTIONS) -> Variant:
        """KeyError for an unknown id, VariantError for a broken file."""
        key = name, tuple(sorted(options.items()))
        found = self._known.pop(key, None) or self._composed(name, options)
        self._known[key] = found
        while len(self._known) > MOST_KEPT:
            self._known.pop(next(iter(self._known)), None)
        return found

    def _composed(self, name: str, options: Mapping[str, str]) -> Variant:
        own = {key: value for key, value in options.items() if key not in HOUSE_RULES}
        if len(own) == len(options):
            return load(self._homes[name], own)
        plain = self.variant(name, own)
        rules = {key: value for key, value in options.items() if key in HOUSE_RULES}
        return ruled(plain, chosen(name, plain.settings, rules))

    def home(self, name: str) -> Path:
        """Its folder. KeyError for an unknown id."""
        return self._homes[name]

    def drawn(self, name: str) -> tuple[Any, dict[str, Any]]:
        """Its drawn board and its colours, as their files hold them. KeyError and VariantError as for `variant`."""
        return drawn(self._homes[name])

    def checked(self, name: str) -> Variant:
        """The variant, once it has been composed with every choice of its settings, and all that looked over."""
        from gm.variant_files.checks import scrutinise

        plain = self.variant(name)
        variants = [plain, *(self.variant(name, one) for one in every_choice(plain.settings))]
        scrutinise(self._homes[name], variants)
        check_tongues(self._homes[name], variants)
        return plain


def _rank(home: Path) -> int:
    try:
        rank = tomllib.loads((home / "variant.toml").read_text(encoding="utf-8")).get("rank", LAST)
    except (OSError, ValueError, RecursionError):
        return LAST
    return rank if isinstance(rank, int) else LAST
