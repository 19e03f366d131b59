"""Reads a YAML file with the getters of TomlSource and some for numbers. Errors name file, line and key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import yaml
from msgspec import Meta, ValidationError, convert, field

from gm.variant_files.toml_source import TomlSource, VariantError

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The one in C takes a tenth of the time, where PyYAML has it. It crashes over some thousand levels."""
LEVELS_MOST = 100


class YamlSource(TomlSource, frozen=True, dict=True):
    """`places` maps every key, a dotted path, to its line."""

    places: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def open(cls, path: Path) -> YamlSource:
        try:
            text = path.read_text(encoding="utf-8")
            if _levels(text) > LEVELS_MOST:
                raise VariantError(f"{path}: brackets are nested too deep")
            loader = LOADER(text)
            node = loader.get_single_node()
            keys = tuple(_keys(node))
            table = loader.construct_document(node) if node is not None else None
        except OSError as error:
            raise VariantError(f"{path}: cannot be read ({error.strerror})") from None
        except UnicodeDecodeError:
            raise VariantError(f"{path}: is not UTF-8 text") from None
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            line = f":{mark.line + 1}" if mark else ""
            raise VariantError(f"{path}{line}: not valid YAML: {getattr(error, 'problem', None) or error}") from None
        except ValueError as error:
            raise VariantError(f"{path}: not valid YAML: {error}") from None
        if not isinstance(table, dict):
            raise VariantError(f"{path}: must hold keys and values")
        places: dict[str, int] = {}
        page = cls(path, tuple(text.splitlines()), table, places=places)
        for key, number in keys:
            if key in places:
                raise page.wrong(key, f"stands twice, in lines {places[key]} and {number}")
            places[key] = number
        return page

    def names(self, key: str) -> tuple[str, ...]:
        names = super().names(key)
        for name in names:
            if not isinstance(name, str):
                raise self.wrong(key, f"{name!r} is no name; write it in quotation marks")
        return names

    def rows(self, key: str) -> list[Any]:
        """A list of anything; empty if the key is missing."""
        return list(self.checked(key, lambda value: isinstance(value, list), "must be a list", ()))

    def real(self, key: str, default: float | None = None) -> float:
        return float(self.checked(key, lambda value: type(value) in (int, float), "must be a number", default))

    def numbers(self, key: str, count: int, value: Any = None) -> tuple[float, ...]:
        """Returns `count` numbers; `value` is the list itself if it is part of a larger one."""
        try:
            kind = Annotated[tuple[float, ...], Meta(min_length=count, max_length=count)]
            return convert(self.get(key) if value is None else value, kind)
        except ValidationError:
            what = f"must be a list of {count} numbers" + ("" if value is None else f", not {value!r}")
            raise self.wrong(key, what) from None

    def _line(self, key: str, value: str) -> int:
        return self.places.get(key, 0)


def _levels(text: str) -> int:
    """How deep lists and tables are nested, counted to just above the most."""
    level = deepest = 0
    for event in yaml.parse(text, Loader=LOADER):
        level += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        deepest = max(deepest, level)
        if deepest > LEVELS_MOST:
            break
    return deepest


def _keys(node: yaml.Node | None, at: str = "") -> Iterator[tuple[str, int]]:
    """Yields every key of the file as a dotted path, with its line."""
    if isinstance(node, yaml.MappingNode):
        for name, value in node.value:
            key = f"{at}.{name.value}" if at else str(name.value)
            yield key, name.start_mark.line + 1
            yield from _keys(value, key)
