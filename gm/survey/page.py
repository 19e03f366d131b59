"""One YAML file, read with getters that know their types and complain in one line: the file, the line, the key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from gm.survey.faults import SurveyError


@dataclass(frozen=True)
class Page:
    """Keys are dotted paths; `lines` tells where each stands."""

    path: Path
    table: dict[str, Any]
    lines: dict[str, int]

    @classmethod
    def open(cls, path: Path) -> Page:
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise SurveyError(f"{path}: cannot be read ({error.strerror})") from None
        except UnicodeDecodeError:
            raise SurveyError(f"{path}: is not UTF-8 text") from None
        try:
            node = yaml.compose(text, Loader=yaml.SafeLoader)
            table = yaml.safe_load(text)
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            where = f":{mark.line + 1}" if mark else ""
            raise SurveyError(f"{path}{where}: not valid YAML: {getattr(error, 'problem', None) or error}") from None
        if not isinstance(table, dict):
            raise SurveyError(f"{path}: must hold keys and values")
        lines: dict[str, int] = {}
        page = cls(path, table, lines)
        for key, line in _keys(node):
            if key in lines:
                raise page.wrong(key, f"stands twice, in lines {lines[key]} and {line}")
            lines[key] = line
        return page

    def wrong(self, key: str, what: str) -> SurveyError:
        line = self.lines.get(key)
        return SurveyError(f"{self.path}{f':{line}' if line else ''}: {key}: {what}")

    def get(self, key: str) -> Any:
        """The value at a dotted path, None where there is none."""
        found: Any = self.table
        for part in key.split("."):
            if not isinstance(found, dict):
                return None
            found = found.get(part)
        return found

    def only(self, keys: Iterable[str], at: str = "") -> None:
        """Complain of keys nobody knows: most are misspelt."""
        known = tuple(keys)
        for name in self.names(at) if at else self.table:
            if name not in known:
                where = f"{at}.{name}" if at else str(name)
                raise self.wrong(where, f"is not known here; known are {', '.join(sorted(known))}")

    def names(self, key: str) -> tuple[str, ...]:
        """The keys of a table, in the order of the file."""
        found = self.get(key)
        if found is None:
            return ()
        if not isinstance(found, dict):
            raise self.wrong(key, "must be a table of names")
        for name in found:
            if not isinstance(name, str):
                raise self.wrong(key, f"{name!r} is no name; write it in quotation marks")
        return tuple(found)

    def rows(self, key: str) -> list[Any]:
        found = self.get(key)
        if found is None:
            return []
        if not isinstance(found, list):
            raise self.wrong(key, "must be a list")
        return found

    def number(self, key: str, default: float | None = None) -> float:
        found = self.get(key)
        if found is None and default is not None:
            return default
        if isinstance(found, bool) or not isinstance(found, int | float):
            raise self.wrong(key, "is missing" if found is None else "must be a number")
        return float(found)

    def numbers(self, key: str, count: int, value: Any = None) -> tuple[float, ...]:
        """`count` numbers in a list; `value` is the list itself where it is part of a greater one."""
        found = self.get(key) if value is None else value
        if not isinstance(found, list) or len(found) != count or not all(_numeric(one) for one in found):
            raise self.wrong(key, f"must be a list of {count} numbers" + ("" if value is None else f", not {value}"))
        return tuple(float(one) for one in found)

    def text(self, key: str, default: str | None = None) -> str:
        found = self.get(key)
        if found is None and default is not None:
            return default
        if not isinstance(found, str) or not found:
            raise self.wrong(key, "is missing" if found is None else "must be a text")
        return found

    def texts(self, key: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        rows = self.rows(key)
        if not all(isinstance(one, str) for one in rows):
            raise self.wrong(key, "must be a list of names")
        return tuple(rows) or default


def _numeric(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _keys(node: yaml.Node | None, at: str = "") -> Iterator[tuple[str, int]]:
    """Every key of the file as a dotted path, and its line."""
    if isinstance(node, yaml.MappingNode):
        for name, value in node.value:
            key = f"{at}.{name.value}" if at else str(name.value)
            yield key, name.start_mark.line + 1
            yield from _keys(value, key)
