"""Strategies that choose one of some values, each made once: hypothesis examines every new one."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from functools import lru_cache
from typing import TypeVar

from hypothesis import strategies as st

Value = TypeVar("Value", bound=Hashable)


def choice(values: Iterable[Value]) -> st.SearchStrategy[Value]:
    return _choice(tuple(values))


@lru_cache(maxsize=1024)
def _choice(values: tuple[Value, ...]) -> st.SearchStrategy[Value]:
    return st.sampled_from(values)
