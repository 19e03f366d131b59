"""What a guesser gives: the orders that the words of a clause mean, and how sure that is."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from msgspec import Struct

from gm.judge.model.orders import Slot

Legal = Callable[[str], tuple[str, ...]]
"""A line -> the canonical lines of its orders; () unless all of it would be obeyed."""


class Flaw(NamedTuple):
    """A line that is not legal, and the columns of the words that stand for it in the clause."""

    line: str
    start: int
    end: int


class Guess(Struct, frozen=True):
    """Canonical lines that are legal. `certain`: every word of the clause is known. `cancels` are provinces whose
    orders on file they void, `withdrawn` slots of the letter that they empty. `whole`: the clauses of the sentence
    count together or not at all. `flaws`: what else the words say that is asked about.
    """

    lines: tuple[str, ...]
    certain: bool
    cancels: tuple[str, ...] = ()
    whole: bool = False
    withdrawn: tuple[Slot, ...] = ()
    flaws: tuple[Flaw, ...] = ()


REFUSED = Guess((), certain=False, whole=True)
"""Of a sentence whose clauses must not be read by themselves."""
