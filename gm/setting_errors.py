"""Says in one line which setting is wrong and what is expected of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from difflib import get_close_matches

from msgspec import Struct, ValidationError, inspect

PLACE = re.compile(r" - at `\$\.?(.*)`$")
MISSING = re.compile(r"Object missing required field `(.*)`$")
UNKNOWN = re.compile(r"Object contains unknown field `(.*)`$")
LIKENESS = 0.83
"""Of a mistyped name to the right one: two letters of six exchanged, or one of `listen` missing."""
LIKENESS_IN_FILE = 0.8
"""A file holds no names of others: two letters of five exchanged are enough."""


class WrongSetting(ValueError):
    """`key` is wrong in its section; "": what is set in the section does not go together."""

    def __init__(self, key: str, fault: str) -> None:
        super().__init__(fault)
        self.key = key


def describe_error(error: ValidationError, kind: type[Struct]) -> tuple[str, str]:
    """Returns the key, with its section ("imap.port"), and what is wrong with its value."""
    place = PLACE.search(str(error))
    path = [part.partition("[")[0] for part in place[1].split(".")] if place else []
    reason = str(error)[: place.start()] if place else str(error)
    if isinstance(error.__cause__, WrongSetting):
        return ".".join(filter(None, [*path, error.__cause__.key])), reason
    if name := MISSING.match(reason):
        return ".".join([*path, name[1]]), "is missing"
    expected = inspect.type_info(kind)
    for key in path:
        expected = next(field.type for field in _section(expected).fields if field.name == key)
    if name := UNKNOWN.match(reason):
        top = _section(inspect.type_info(kind))
        return ".".join([*path, name[1]]), "is not a known setting" + _advice(name[1], _section(expected), top)
    return ".".join(path), f"should be {_describe_type(expected)}"


def _advice(name: str, section: inspect.StructType, top: inspect.StructType) -> str:
    """What is most likely meant by a name that is unknown in its section: another one there, or the same elsewhere."""
    if meant := near_name(name, [field.name for field in section.fields], LIKENESS_IN_FILE):
        return f"; do you mean {meant}?"
    if name in {field.name for field in top.fields}:
        return f" of a section: write `{name}` above the first [section]"
    parts = ((field.name, _options(field.type)[0]) for field in top.fields)
    within = [f"[{of}]" for of, part in parts if isinstance(part, inspect.StructType) and _has(part, name)]
    return f" outside of a section: write `{name}` below {' or '.join(within)}" if within and section == top else ""


def _has(section: inspect.StructType, name: str) -> bool:
    return any(field.name == name for field in section.fields)


def near_name(name: str, known: Iterable[str], likeness: float = LIKENESS) -> str:
    """The known name that somebody has mistyped; "" if none is near."""
    return next(iter(get_close_matches(name.lower(), list(known), 1, likeness)), "")


def _section(kind: inspect.Type) -> inspect.StructType:
    return next(option for option in _options(kind) if isinstance(option, inspect.StructType))


def _options(kind: inspect.Type) -> tuple[inspect.Type, ...]:
    return kind.types if isinstance(kind, inspect.UnionType) else (kind,)


def _describe_type(kind: inspect.Type) -> str:
    match _options(kind)[0]:
        case inspect.Metadata(extra_json_schema={"description": words}):
            return str(words)
        case inspect.IntType(ge=least, le=most):
            return f"a whole number from {least} to {most}"
        case inspect.FloatType(gt=None, ge=least, le=most):
            return f"a number from {least} to {most}"
        case inspect.FloatType(gt=floor, le=most):
            return f"a number above {floor} and at most {most}"
        case inspect.BoolType():
            return "true or false"
        case inspect.LiteralType(values=(*others, last)):
            return ", ".join(map(json.dumps, others)) + f" or {json.dumps(last)}"
        case inspect.StructType():
            return "a section with keys of its own"
    return "a text that is not empty" if kind == inspect.StrType(min_length=1) else "a text"
