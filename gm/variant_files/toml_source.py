"""A TOML file of a variant, with typed getters that raise VariantError.

Every error reads like `variants/x/map.toml:31: army.Alb: no province 'Grr' on the map`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from gm.errors import GmError

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
LONG_NUMBER = re.compile(r"\d[\d_]{4000}")
"""Python reads whole numbers of up to 4,300 digits."""
TABLES_KEPT = 32

Value: TypeAlias = "str | int | float | bool | list[Value] | dict[str, Value]"


class VariantError(GmError):
    """A variant's files cannot be used. The text names the file, the line, the key and what is wrong."""


class TomlSource(Struct, frozen=True, dict=True):
    """`laid_tables` are the keys of the file's own tables that were merged over it, the last one on top."""

    path: Path
    lines: tuple[str, ...]
    table: dict[str, Value]
    laid_tables: tuple[str, ...] = ()

    @classmethod
    def open(cls, path: Path) -> TomlSource:
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise VariantError(f"{path}: cannot be read ({error.strerror})") from None
        except UnicodeDecodeError:
            raise VariantError(f"{path}: is not UTF-8 text") from None
        try:
            return cls(path, tuple(text.splitlines()), _parsed(text))
        except tomllib.TOMLDecodeError as error:
            raise VariantError(f"{path}: not valid TOML: {error}") from None
        except ValueError:
            line = next((at for at, content in enumerate(text.splitlines(), 1) if LONG_NUMBER.search(content)), 0)
            raise VariantError(f"{path}{f':{line}' if line else ''}: a number has too many digits") from None
        except RecursionError:
            raise VariantError(f"{path}: brackets are nested too deep") from None

    def with_table(self, key: str, star: str) -> TomlSource:
        """This file with one of its own tables merged over it. `star` replaces "*" in the texts of that table."""
        piece = _starred(self.get(key) or {}, star)
        merged = _merged(self.table, piece) if isinstance(piece, dict) else self.table
        return replace(self, table=merged, laid_tables=(*self.laid_tables, key))

    def over(self, below: TomlSource, without: tuple[str, ...]) -> TomlSource:
        """This file merged over another, some keys of which are left out. Errors name this file."""
        kept = {key: value for key, value in below.table.items() if key not in without}
        return replace(self, table=_merged(kept, self.table))

    def wrong(self, key: str, what: str, value: str = "") -> VariantError:
        """The error to raise. `value` helps to find the line within a list of several lines."""
        over = (at for at in reversed(self.laid_tables) if self.get(f"{at}.{key}") is not None)
        at = next(over, "")
        shown = CONTROL.sub(lambda match: repr(match[0])[1:-1], key)
        line = self._line(f"{at}.{shown}" if at else shown, value)
        return VariantError(f"{self.path}{f':{line}' if line else ''}: {shown}: {what}")

    def get(self, key: str) -> Value | None:
        """The value at a dotted path, or None."""
        value: Value | None = self.table
        for part in key.split("."):
            if not isinstance(value, dict):
                return None
            value = value.get(part)
        return value

    def check_keys(self, keys: Iterable[str], at: str = "") -> None:
        """VariantError for an unknown key, most likely misspelt."""
        known = set(keys)
        for name in self.names(at) if at else self.table:
            if name not in known:
                raise self.wrong(
                    f"{at}.{name}" if at else name, f"is not known here; known are {', '.join(sorted(known))}"
                )

    def names(self, key: str) -> tuple[str, ...]:
        """The keys of a table, in the order of the file; none where there is no table."""
        return tuple(self.checked(key, lambda value: isinstance(value, dict), "must be a table", ()))

    def text(self, key: str, default: str | None = None) -> str:
        return str(self.checked(key, _is_text, "must be a text in quotation marks", default))

    def number(self, key: str, default: int | None = None) -> int:
        return int(self.checked(key, lambda value: type(value) is int, "must be a whole number", default))

    def flag(self, key: str) -> bool:
        return bool(self.checked(key, lambda value: type(value) is bool, "must be true or false", False))

    def strings(self, key: str) -> tuple[str, ...]:
        """A list of texts; empty where the key is missing."""
        return tuple(self.checked(key, partial(_is_list_of, str), "must be a list of texts", ()))

    def texts(self, key: str) -> tuple[str, ...]:
        """One text or a list of them."""
        return (self.text(key),) if isinstance(self.get(key), str) else self.strings(key)

    def tables(self, key: str) -> tuple[dict[str, Value], ...]:
        """A list of tables ([[key]]); empty where it is missing."""
        return tuple(self.checked(key, partial(_is_list_of, dict), f"must be written as [[{key}]]", ()))

    def checked(self, key: str, is_right: Callable[[Any], bool], what: str, default: Any = None) -> Any:
        """The value of a key. VariantError where it is missing without a default, and with `what` where it is wrong."""
        value = self.get(key)
        if value is None and default is not None:
            return default
        if not is_right(value):
            raise self.wrong(key, "is missing" if value is None else what)
        return value

    def _line(self, key: str, value: str) -> int:
        """The line of the key, as far as a search by text can tell; else 0."""
        head, _, last = key.rpartition(".")
        inside = not head
        best = 0
        for number, line in enumerate(self.lines, 1):
            header = re.fullmatch(r"\s*\[+\s*([^\]]+?)\s*\]+\s*(#.*)?", line)
            if header:
                name = header[1].replace('"', "")
                inside = name in (head, key)
                best = best or (number if f"{name}.".startswith(f"{key}.") else 0)
            elif inside and re.match(rf'\s*"?{re.escape(last)}"?\s*=', line):
                best = number
            if best and number >= best and value and value in line:
                return number
            if best and not value:
                return best
        if not best and head:
            return self._line(head, value)
        return best


@lru_cache(maxsize=TABLES_KEPT)
def _parsed(text: str) -> dict[str, Value]:
    """Every choice of settings composes a variant from the same files. Nobody changes a table."""
    return tomllib.loads(text)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_list_of(kind: type, value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, kind) for item in value)


def _merged(below: dict[str, Value], above: dict[str, Value]) -> dict[str, Value]:
    merged = dict(below)
    for key, value in above.items():
        under = merged.get(key)
        merged[key] = _merged(under, value) if isinstance(under, dict) and isinstance(value, dict) else value
    return merged


def _starred(value: Value, star: str) -> Value:
    if isinstance(value, dict):
        return {key: _starred(item, star) for key, item in value.items()}
    if isinstance(value, list):
        return [_starred(item, star) for item in value]
    if value == "*" and star.lstrip("-").isdigit():
        return int(star)
    return value.replace("*", star) if isinstance(value, str) else value
