"""As `functools.cached_property`, but without the lock that it takes before Python 3.12. Only for speed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Self, TypeVar, overload

H = TypeVar("H")
A = TypeVar("A")


class kept_property(Generic[H, A]):  # noqa: N801  # it is used as a decorator
    """Keeps its answer in the holder's own dictionary, where Python finds it before it asks again."""

    def __init__(self, read: Callable[[H], A]) -> None:
        self._read = read
        self.__doc__ = read.__doc__

    def __set_name__(self, _: type[H], name: str) -> None:
        self._name = name

    @overload
    def __get__(self, holder: None, kind: type[H]) -> Self: ...

    @overload
    def __get__(self, holder: H, kind: type[H]) -> A: ...

    def __get__(self, holder: H | None, kind: type[H]) -> Self | A:
        if holder is None:
            return self
        answer: A = self._read(holder)
        holder.__dict__[self._name] = answer
        return answer
