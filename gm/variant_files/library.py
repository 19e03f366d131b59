"""Finds the folders of variants and gives them as `Variant` values, and their drawn boards.

variants/README.md describes the files. Every mistake in them is a VariantError with one line of text: the file, the
line if it can be determined, the key, and what is wrong.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from gm.judge.model.variant import Variant
from gm.resources import folder
from gm.variant_files.compose import compose_variant, map_file_names, open_variant_toml
from gm.variant_files.house_rules import HOUSE_RULES, apply_house_rules
from gm.variant_files.setting_choices import read_options, single_choices
from gm.variant_files.toml_source import TomlSource, VariantError
from gm.variant_files.translations import check_translations

NO_OPTIONS: Mapping[str, str] = MappingProxyType({})
LAST = 1000
MOST_KEPT = 64
"""Cached variants, each with its options: a running server uses a few, `gm adjudicate` may see any."""


def builtin_library(*more: Path) -> Library:
    """The variants of this program, and those of further folders."""
    return Library((folder("variants"), *more))


class Library:
    """Variants by id, the name of their folder. Loads them on demand; the last used ones are cached."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._homes: dict[str, Path] = {}
        for shelf in folders:
            for home in sorted(shelf.glob("*/variant.toml")):
                self._homes.setdefault(home.parent.name, home.parent)
        self._known: dict[tuple[str, tuple[tuple[str, str], ...]], Variant] = {}
        self._ids: tuple[str, ...] | None = None

    def __contains__(self, name: object) -> bool:
        """Whether this is an id; reads no file."""
        return isinstance(name, str) and name in self._homes

    def ids(self) -> tuple[str, ...]:
        """By `rank`, then by name; broken files last."""
        if self._ids is None:
            self._ids = tuple(sorted(self._homes, key=lambda name: (_rank(self._homes[name]), name)))
        return self._ids

    def variant(self, name: str, options: Mapping[str, str] = NO_OPTIONS) -> Variant:
        """KeyError for an unknown id, VariantError for a broken file."""
        key = name, tuple(sorted(options.items()))
        variant = self._known.pop(key, None) or self._compose(name, options)
        self._known[key] = variant
        while len(self._known) > MOST_KEPT:
            self._known.pop(next(iter(self._known)), None)
        return variant

    def _compose(self, name: str, options: Mapping[str, str]) -> Variant:
        own = {key: value for key, value in options.items() if key not in HOUSE_RULES}
        if len(own) == len(options):
            return compose_variant(self._homes[name], own)
        plain = self.variant(name, own)
        rules = {key: value for key, value in options.items() if key in HOUSE_RULES}
        return apply_house_rules(plain, read_options(name, plain.settings, rules))

    def home(self, name: str) -> Path:
        """Its folder. KeyError for an unknown id."""
        return self._homes[name]

    def drawing(self, name: str) -> tuple[Any, dict[str, Any]]:
        """What its geometry.json and palette.toml hold. KeyError and VariantError as for `variant`."""
        return read_drawing(self._homes[name])

    def checked(self, name: str) -> Variant:
        """The variant; VariantError for the first fault with any choice of its settings."""
        from gm.variant_files.checks import check_variant

        plain = self.variant(name)
        variants = [plain, *(self.variant(name, choice) for choice in single_choices(plain.settings))]
        check_variant(self._homes[name], variants)
        check_translations(self._homes[name], variants)
        return plain


def _rank(home: Path) -> int:
    try:
        rank = tomllib.loads((home / "variant.toml").read_text(encoding="utf-8")).get("rank", LAST)
    except (OSError, ValueError, RecursionError):
        return LAST
    return rank if isinstance(rank, int) else LAST


def read_drawing(home: Path) -> tuple[Any, dict[str, Any]]:
    """What geometry.json and palette.toml hold ({} without the latter). VariantError for broken files."""
    board, colours = drawing_paths(home)
    try:
        geometry = json.loads(board.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise VariantError(f"{home.name}: its board has not been drawn yet; there is no {board}") from None
    except (OSError, ValueError, RecursionError) as error:
        raise VariantError(f"{board}: cannot be read ({error})") from None
    return geometry, TomlSource.open(colours).table if colours.is_file() else {}


def drawing_paths(home: Path) -> tuple[Path, Path]:
    """geometry.json, beside the first file that `map` names: variants on one board share it; and palette.toml, in the
    variant's own folder or else beside the geometry. VariantError for a broken variant.toml.
    """
    board = (home / map_file_names(open_variant_toml(home))[0]).with_name("geometry.json")
    colours = home / "palette.toml"
    return board, colours if colours.is_file() else board.with_name(colours.name)
