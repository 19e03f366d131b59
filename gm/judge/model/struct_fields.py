"""The fields of a value's class, whatever it is made with: a `Struct`, a named tuple, or a dataclass of somebody's own
variant.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, is_dataclass
from dataclasses import fields as dataclass_fields

from msgspec import Struct

NONE = object()
"""The default of a field that has none, or a new one each time."""


def defaults(kind: type) -> Mapping[str, object]:
    """By the names of the fields, in their order; empty for a class of another make."""
    if issubclass(kind, Struct):
        names = kind.__struct_fields__
        given = zip(reversed(names), reversed(kind.__struct_defaults__), strict=False)
        return dict.fromkeys(names, NONE) | dict(given)
    if is_dataclass(kind):
        return {field.name: NONE if field.default is MISSING else field.default for field in dataclass_fields(kind)}
    known: Mapping[str, object] = getattr(kind, "_field_defaults", {})
    return {name: known.get(name, NONE) for name in getattr(kind, "_fields", ())}


def contents(value: object) -> Mapping[str, object]:
    """What stands in the fields of a value; empty for one of another make."""
    return {name: getattr(value, name) for name in defaults(type(value))}
