"""Types of columns: the desk's values <-> what both databases can keep.

Values of several parts are JSON text, ASCII only, compact: lists of strings, and lists of lists for lines of a sheet,
decrees and a letter's parts (their content in base64). Instants are UTC: SQLite keeps them as text that sorts,
PostgreSQL as timestamptz. PostgreSQL keeps no NUL in text and neither keeps half a surrogate pair: both are replaced.
"""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime
from enum import StrEnum
from typing import TypeVar

from sqlalchemy import DateTime, Dialect, String, Text
from sqlalchemy.types import TypeDecorator

from gm.desk.records import Decreed, Line, Part

E = TypeVar("E", bound=StrEnum)


class Instant(TypeDecorator[datetime]):
    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is not None and value.tzinfo is None:
            raise ValueError(f"{value} names no zone")
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Words(TypeDecorator[str]):
    """Text from outside."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        if value is None or (value.isascii() and "\0" not in value):
            return value
        return value.replace("\0", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "replace").decode()


class OneOf(Words):
    """Text that is unique unless empty: "" is kept as NULL, of which there may be many."""

    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return super().process_bind_param(value, dialect) or None

    def process_result_value(self, value: str | None, dialect: Dialect) -> str:
        return value or ""


class Choice(TypeDecorator[E]):
    """A StrEnum by its value, which is what stands in the database."""

    impl = String(16)
    cache_ok = True

    def __init__(self, kind: type[E]) -> None:
        super().__init__()
        self.kind = kind

    def process_bind_param(self, value: E | None, dialect: Dialect) -> str | None:
        return None if value is None else value.value

    def process_result_value(self, value: str | None, dialect: Dialect) -> E | None:
        return None if value is None else self.kind(value)


class Strings(TypeDecorator[tuple[str, ...]]):
    impl = Text
    cache_ok = True

    def process_bind_param(self, value: tuple[str, ...] | None, dialect: Dialect) -> str:
        return _dump(list(value or ()))

    def process_result_value(self, value: str | None, dialect: Dialect) -> tuple[str, ...]:
        return tuple(json.loads(value or "[]"))


class Lines(TypeDecorator[tuple[Line, ...]]):
    """[[kind of slot, slot, text, forced, lent to], …]; the last only where it is."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: tuple[Line, ...] | None, dialect: Dialect) -> str:
        return _dump([[*line.slot, line.text, line.forced, *filter(None, [line.lent])] for line in value or ()])

    def process_result_value(self, value: str | None, dialect: Dialect) -> tuple[Line, ...]:
        return tuple(Line((kind, slot), *said) for kind, slot, *said in json.loads(value or "[]"))


class Decrees(TypeDecorator[tuple[Decreed, ...]]):
    """[[unit, outcome, reason], …]"""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: tuple[Decreed, ...] | None, dialect: Dialect) -> str:
        return _dump([[one.unit, one.outcome, one.reason] for one in value or ()])

    def process_result_value(self, value: str | None, dialect: Dialect) -> tuple[Decreed, ...]:
        return tuple(Decreed(*one) for one in json.loads(value or "[]"))


class Parts(TypeDecorator[tuple[Part, ...]]):
    """[[MIME type, name, content in base64, Content-ID], …]"""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: tuple[Part, ...] | None, dialect: Dialect) -> str:
        return _dump([[one.mime, one.name, base64.b64encode(one.content).decode(), one.cid] for one in value or ()])

    def process_result_value(self, value: str | None, dialect: Dialect) -> tuple[Part, ...]:
        return tuple(
            Part(mime, name, base64.b64decode(content), cid) for mime, name, content, cid in json.loads(value or "[]")
        )


def _dump(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))
