"""How values are written to the database. Without SQLAlchemy, for `gm.store.sqlite_file`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import msgspec.json

NOTHING = "[]"
TWO_DIGITS = tuple(f"{number:02}" for number in range(100))
_in_ascii = json.JSONEncoder(separators=(",", ":")).encode
_as_it_is = msgspec.json.Encoder().encode


def dump(value: list[Any]) -> str:
    """Compact JSON in ASCII."""
    try:
        written = _as_it_is(value)
    except UnicodeEncodeError:  # a lone surrogate
        return _in_ascii(value)
    return written.decode("ascii") if written.isascii() else _in_ascii(value)


def utc(value: datetime | None) -> datetime | None:
    if value is not None and value.tzinfo is None:
        raise ValueError(f"{value} names no zone")
    return None if value is None else value.astimezone(UTC)


def sqlite_instant(value: datetime | None) -> str | None:
    """As SQLAlchemy writes instants in SQLite: UTC without zone, always with microseconds.

    `isoformat` takes three times as long.
    """
    at = value if value is None or value.tzinfo is UTC else utc(value)
    if at is None:
        return None
    two, micro = TWO_DIGITS, at.microsecond
    day = f"{two[at.year // 100]}{two[at.year % 100]}-{two[at.month]}-{two[at.day]}"
    fraction = f"{two[micro // 10_000]}{two[micro // 100 % 100]}{two[micro % 100]}"
    return f"{day} {two[at.hour]}:{two[at.minute]}:{two[at.second]}.{fraction}"


def clean_text(value: str | None) -> str | None:
    """Text from outside, made fit for PostgreSQL: without NUL and lone surrogates."""
    if value is None or (value.isascii() and "\0" not in value):
        return value
    with suppress(UnicodeEncodeError):
        value.encode("utf-16-le")  # fails as UTF-8 does, and is cheaper
        if "\0" not in value:
            return value
    return value.replace("\0", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "replace").decode()


def clean_texts(values: tuple[str | None, ...]) -> tuple[str | None, ...]:
    """As `clean_text` for each of them. Mostly all are ASCII: that is seen at once."""
    together = "".join(filter(None, values))
    return values if together.isascii() and "\0" not in together else tuple(map(clean_text, values))


def strings(value: Iterable[str] | None) -> str:
    return dump(list(value)) if value else NOTHING
