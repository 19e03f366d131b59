"""Checks for the values of a JSON document: objects, lists and strings, with errors that name them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MOST_QUOTED = 80


class ExchangeError(ValueError):
    """A document that is no position. Its text is one line."""


def clipped(text: str) -> str:
    """Foreign text in quotes, shortened to one line."""
    return repr(text if len(text) <= MOST_QUOTED else text[:MOST_QUOTED] + "…")


def read_object(value: object, what: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ExchangeError(f"{what} must be an object")
    return value


def read_list(value: object, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise ExchangeError(f"{what} must be a list")
    return value


def read_text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise ExchangeError(f"{what} must be a text")
    return value
