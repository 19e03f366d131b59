"""One TOML file of a variant, with getters that know their types and say what is wrong in one line.

`variants/x/map.toml:31: army.Alb: no province 'Grr' on the map` is how every complaint reads.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from gm.errors import GmError

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
LONG_NUMBER = re.compile(r"\d[\d_]{4000}")
"""Python reads whole numbers of up to 4,300 digits."""

Value: TypeAlias = "str | int | float | bool | list[Value] | dict[str, Value]"


class VariantError(GmError):
    """A variant's files cannot be used. The text names the file, the line, the key and the fault."""


class TomlSource(Struct, frozen=True, dict=True):
    """`laid` are the paths of those tables of the file that were laid over it, the last one on top."""

    path: Path
    lines: tuple[str, ...]
    table: dict[str, Value]
    laid: tuple[str, ...] = ()

    @classmethod
    def open(cls, path: Path) -> TomlSource:
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise VariantError(f"{path}: cannot be read ({error.strerror})") from None
        except UnicodeDecodeError:
            raise VariantError(f"{path}: is not UTF-8 text") from None
        try:
            return cls(path, tuple(text.splitlines()), tomllib.loads(text))
        except tomllib.TOMLDecodeError as error:
            raise VariantError(f"{path}: not valid TOML: {error}") from None
        except ValueError:
            line = next((at for at, one in enumerate(text.splitlines(), 1) if LONG_NUMBER.search(one)), 0)
            raise VariantError(f"{path}{f':{line}' if line else ''}: a number has too many digits") from None
        except RecursionError:
            raise VariantError(f"{path}: brackets are nested too deep") from None

    def laid_over(self, key: str, star: str) -> TomlSource:
        """This file with one of its own tables laid over it. In the texts of that table "*" stands for `star`."""
        piece = _starred(self.get(key) or {}, star)
        merged = _merged(self.table, piece) if isinstance(piece, dict) else self.table
        return replace(self, table=merged, laid=(*self.laid, key))

    def over(self, below: TomlSource, without: tuple[str, ...]) -> TomlSource:
        """This file laid over another, of which some keys are left out. Complaints name this one."""
        kept = {key: value for key, value in below.table.items() if key not in without}
        return replace(self, table=_merged(kept, self.table))

    def wrong(self, key: str, what: str, value: str = "") -> VariantError:
        """The error to raise. `value` helps to find the line of a list that runs over several."""
        over = (at for at in reversed(self.laid) if self.get(f"{at}.{key}") is not None)
        at = next(over, "")
        shown = CONTROL.sub(lambda found: repr(found[0])[1:-1], key)
        line = self._line(f"{at}.{shown}" if at else shown, value)
        return VariantError(f"{self.path}{f':{line}' if line else ''}: {shown}: {what}")

    def get(self, key: str) -> Value | None:
        """The value at a dotted path; parts hold no dots themselves."""
        found: Value | None = self.table
        for part in key.split("."):
            if not isinstance(found, dict):
                return None
            found = found.get(part)
        return found

    def only(self, keys: Iterable[str], at: str = "") -> None:
        """Complain of keys nobody knows: most are misspelt."""
        known = set(keys)
        for name in self.names(at) if at else self.table:
            if name not in known:
                raise self.wrong(
                    f"{at}.{name}" if at else name, f"is not known here; known are {', '.join(sorted(known))}"
                )

    def names(self, key: str) -> tuple[str, ...]:
        """The keys of a table, in the order of the file; none where there is no table."""
        found = self.get(key)
        if found is None:
            return ()
        if not isinstance(found, dict):
            raise self.wrong(key, "must be a table")
        return tuple(found)

    def text(self, key: str, default: str | None = None) -> str:
        found = self.get(key)
        if found is None and default is not None:
            return default
        if not isinstance(found, str) or not found.strip():
            raise self.wrong(key, "is missing" if found is None else "must be a text in quotation marks")
        return found

    def number(self, key: str, default: int | None = None) -> int:
        found = self.get(key)
        if found is None and default is not None:
            return default
        if isinstance(found, bool) or not isinstance(found, int):
            raise self.wrong(key, "is missing" if found is None else "must be a whole number")
        return found

    def flag(self, key: str) -> bool:
        found = self.get(key)
        if found is None:
            return False
        if not isinstance(found, bool):
            raise self.wrong(key, "must be true or false")
        return found

    def strings(self, key: str) -> tuple[str, ...]:
        """A list of texts; empty where the key is missing."""
        found = self.get(key)
        if found is None:
            return ()
        if not isinstance(found, list):
            raise self.wrong(key, "must be a list of texts")
        texts: list[str] = []
        for one in found:
            if not isinstance(one, str):
                raise self.wrong(key, "must be a list of texts")
            texts.append(one)
        return tuple(texts)

    def texts(self, key: str) -> tuple[str, ...]:
        """One text or a list of them."""
        return (self.text(key),) if isinstance(self.get(key), str) else self.strings(key)

    def tables(self, key: str) -> tuple[dict[str, Value], ...]:
        """A list of tables ([[key]]); empty where it is missing."""
        found = self.get(key)
        if found is None:
            return ()
        if not isinstance(found, list):
            raise self.wrong(key, f"must be written as [[{key}]]")
        tables: list[dict[str, Value]] = []
        for one in found:
            if not isinstance(one, dict):
                raise self.wrong(key, f"must be written as [[{key}]]")
            tables.append(one)
        return tuple(tables)

    def _line(self, key: str, value: str) -> int:
        """Where the key stands, as well as it can be told without a second parser; 0 where it cannot."""
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


def _merged(below: dict[str, Value], above: dict[str, Value]) -> dict[str, Value]:
    found = dict(below)
    for key, value in above.items():
        under = found.get(key)
        found[key] = _merged(under, value) if isinstance(under, dict) and isinstance(value, dict) else value
    return found


def _starred(value: Value, star: str) -> Value:
    if isinstance(value, dict):
        return {key: _starred(one, star) for key, one in value.items()}
    if isinstance(value, list):
        return [_starred(one, star) for one in value]
    if value == "*" and star.lstrip("-").isdigit():
        return int(star)
    return value.replace("*", star) if isinstance(value, str) else value
