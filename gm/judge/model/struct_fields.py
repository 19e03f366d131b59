"""The fields of Structs, named tuples and dataclasses (which somebody's own variant may use)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, is_dataclass
from dataclasses import fields as dataclass_fields

from msgspec import Struct

NONE = object()
"""The default of a field without a constant default."""


def defaults(kind: type) -> Mapping[str, object]:
    """Field names with their defaults, in their order; empty for any other class."""
    if issubclass(kind, Struct):
        names = kind.__struct_fields__
        given = zip(reversed(names), reversed(kind.__struct_defaults__), strict=False)
        return dict.fromkeys(names, NONE) | dict(given)
    if is_dataclass(kind):
        return {field.name: NONE if field.default is MISSING else field.default for field in dataclass_fields(kind)}
    known: Mapping[str, object] = getattr(kind, "_field_defaults", {})
    return {name: known.get(name, NONE) for name in getattr(kind, "_fields", ())}


def contents(value: object) -> Mapping[str, object]:
    """Field names with the values of an object; empty for any other class."""
    return {name: getattr(value, name) for name in defaults(type(value))}
