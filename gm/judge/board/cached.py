"""What a value works out about itself when it is first asked, and keeps.

`functools.cached_property` takes a lock for every first time, which costs more than what positions work out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class Once(Generic[T]):
    """A property kept in the instance's own dictionary, where it is found before this is asked again."""

    __slots__ = ("_name", "_work")

    def __init__(self, work: Callable[[Any], T]) -> None:
        self._work = work
        self._name = work.__name__

    @overload
    def __get__(self, one: None, owner: type) -> Once[T]: ...
    @overload
    def __get__(self, one: object, owner: type) -> T: ...
    def __get__(self, one: object | None, owner: type) -> Once[T] | T:
        if one is None:
            return self
        found = one.__dict__[self._name] = self._work(one)
        return found
