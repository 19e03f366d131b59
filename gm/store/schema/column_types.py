"""Column types: convert the records' values to what both databases store.

Values with several parts are compact ASCII JSON: lists of strings, and lists of lists for sheet lines, decrees and
letter parts (content in base64). Instants are UTC: text that sorts in SQLite, timestamptz in PostgreSQL. NUL and lone
surrogates, which PostgreSQL refuses, are replaced.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, TypeVar

from sqlalchemy import DateTime, Dialect, String, Text
from sqlalchemy.types import TypeDecorator, TypeEngine

from gm.game.model.records import DecreeRecord, LetterPart, SheetLine
from gm.store.stored_values import NOTHING, clean_text, dump, sqlite_instant, strings, utc

WITHOUT_ZONE = "2026-11-29 12:00:00.000000"
T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)


class ConvertedColumn(TypeDecorator[T]):
    """Converts by `put` and `got` alone, without SQLAlchemy's own steps: they run some hundred times per letter."""

    cache_ok = True
    impl: TypeEngine[Any] | type[TypeEngine[Any]] = Text

    @staticmethod
    def put(value: Any) -> object:
        """From a record's value to the driver's."""
        return value

    @staticmethod
    def got(value: Any) -> Any:
        """From the driver's value to a record's."""
        return value

    def bind_processor(self, dialect: Dialect) -> Callable[[Any], object] | None:
        return self.put

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], T | None] | None:
        return self.got


class InstantColumn(ConvertedColumn[datetime]):
    impl = DateTime(timezone=True)
    cache_ok = True

    put = staticmethod(utc)

    @staticmethod
    def got(value: datetime | None) -> datetime | None:
        return None if value is None else value.astimezone(UTC)

    def bind_processor(self, dialect: Dialect) -> Callable[[Any], object]:
        return sqlite_instant if dialect.name == "sqlite" else self.put

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], datetime | None]:
        return _read if dialect.name == "sqlite" else self.got


def _read(value: str | None) -> datetime | None:
    """Rows filled by a migration have a zone."""
    if value is None:
        return None
    if len(value) == len(WITHOUT_ZONE):  # fast path
        return datetime.fromisoformat(f"{value}+00:00")
    instant = datetime.fromisoformat(value)
    return instant.replace(tzinfo=UTC) if instant.tzinfo is None else instant.astimezone(UTC)


class TextColumn(ConvertedColumn[str]):
    """Text from outside, made fit for PostgreSQL."""

    cache_ok = True

    put = staticmethod(clean_text)

    def result_processor(self, dialect: Dialect, coltype: object) -> None:
        """No conversion."""


class RenderedColumn(TextColumn):
    """Text of our templates, which is printable: NUL and surrogates need not be looked for in it."""

    cache_ok = True

    def bind_processor(self, dialect: Dialect) -> None:
        """No conversion."""


class UniqueTextColumn(ConvertedColumn[str]):
    """Text that is unique unless empty: "" is stored as NULL."""

    cache_ok = True

    @staticmethod
    def put(value: str | None) -> str | None:
        return clean_text(value) or None

    @staticmethod
    def got(value: str | None) -> str:
        return value or ""


class ChoiceColumn(ConvertedColumn[E]):
    """A StrEnum, stored by its value."""

    impl = String(16)
    cache_ok = True

    def __init__(self, kind: type[E]) -> None:
        super().__init__()
        self.kind = kind

    @staticmethod
    def put(value: E | None) -> str | None:
        return None if value is None else str.__str__(value)  # `value.value` asks Python's own code

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], E | None]:
        kinds = {choice.value: choice for choice in self.kind}
        return lambda value: None if value is None else kinds[value]


class StringsColumn(ConvertedColumn[tuple[str, ...]]):
    cache_ok = True

    put = staticmethod(strings)

    @staticmethod
    def got(value: str | None) -> tuple[str, ...]:
        return tuple(json.loads(value)) if value and value != NOTHING else ()


class SheetLinesColumn(ConvertedColumn[tuple[SheetLine, ...]]):
    """[[kind of slot, slot, text, forced, lent to], …]; the last field only where it is set."""

    cache_ok = True

    @staticmethod
    def put(value: tuple[SheetLine, ...] | None) -> str:
        return dump([[*line.slot, line.text, line.forced, *filter(None, [line.lent])] for line in value or ()])

    @staticmethod
    def got(value: str | None) -> tuple[SheetLine, ...]:
        return tuple(SheetLine((kind, slot), *fields) for kind, slot, *fields in json.loads(value or NOTHING))


class DecreesColumn(ConvertedColumn[tuple[DecreeRecord, ...]]):
    """[[unit, outcome, reason], …]"""

    cache_ok = True

    @staticmethod
    def put(value: tuple[DecreeRecord, ...] | None) -> str:
        return dump([[decree.unit, decree.outcome, decree.reason] for decree in value or ()])

    @staticmethod
    def got(value: str | None) -> tuple[DecreeRecord, ...]:
        return tuple(DecreeRecord(*load) for load in json.loads(value or NOTHING))


class PartsColumn(ConvertedColumn[tuple[LetterPart, ...]]):
    """[[MIME type, name, content in base64, Content-ID], …]"""

    cache_ok = True

    @staticmethod
    def put(value: tuple[LetterPart, ...] | None) -> str:
        if not value:
            return NOTHING
        return dump([[part.mime, part.name, base64.b64encode(part.content).decode(), part.cid] for part in value])

    @staticmethod
    def got(value: str | None) -> tuple[LetterPart, ...]:
        parts = json.loads(value) if value and value != NOTHING else ()
        return tuple(LetterPart(mime, name, base64.b64decode(content), cid) for mime, name, content, cid in parts)
