"""Reads a YAML file with the getters of TomlSource and some for numbers. Errors name file, line and key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml
from msgspec import field

from gm.variant_files.toml_source import TomlSource, VariantError


class YamlSource(TomlSource, frozen=True, dict=True):
    """`places` maps every key, a dotted path, to its line."""

    places: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def open(cls, path: Path) -> YamlSource:
        try:
            text = path.read_text(encoding="utf-8")
            node, table = yaml.compose(text, Loader=yaml.SafeLoader), yaml.safe_load(text)
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
        except RecursionError:
            raise VariantError(f"{path}: brackets are nested too deep") from None
        if not isinstance(table, dict):
            raise VariantError(f"{path}: must hold keys and values")
        places: dict[str, int] = {}
        page = cls(path, tuple(text.splitlines()), table, places=places)
        for key, number in _keys(node):
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
        """Returns a list of anything; empty if the key is missing."""
        rows = self.get(key)
        if rows is None:
            return []
        if not isinstance(rows, list):
            raise self.wrong(key, "must be a list")
        return rows

    def real(self, key: str, default: float | None = None) -> float:
        number = self.get(key)
        if number is None and default is not None:
            return default
        if isinstance(number, bool) or not isinstance(number, int | float):
            raise self.wrong(key, "is missing" if number is None else "must be a number")
        return float(number)

    def numbers(self, key: str, count: int, value: Any = None) -> tuple[float, ...]:
        """Returns `count` numbers; `value` is the list itself if it is part of a larger one."""
        numbers: Any = self.get(key) if value is None else value
        if not isinstance(numbers, list) or len(numbers) != count or not all(_numeric(number) for number in numbers):
            raise self.wrong(key, f"must be a list of {count} numbers" + ("" if value is None else f", not {value!r}"))
        return tuple(float(number) for number in numbers)

    def _line(self, key: str, value: str) -> int:
        return self.places.get(key, 0)


def _numeric(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _keys(node: yaml.Node | None, at: str = "") -> Iterator[tuple[str, int]]:
    """Yields every key of the file as a dotted path, with its line."""
    if isinstance(node, yaml.MappingNode):
        for name, value in node.value:
            key = f"{at}.{name.value}" if at else str(name.value)
            yield key, name.start_mark.line + 1
            yield from _keys(value, key)
