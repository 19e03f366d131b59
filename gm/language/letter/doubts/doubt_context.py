"""What the doubts about orders look at, and what they give."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence

from msgspec import Struct

from gm.judge.model.orders import Statement
from gm.language.letter.unread_words import WordsOfLine
from gm.language.lines.letter_contents import LineError, OrderLine
from gm.language.lines.spans import LetterSpan
from gm.language.prose.phrases.prose_phrases import ProsePhrases


class DoubtContext(Struct, frozen=True):
    """`stays`: whether words say that a unit stays. `names`: the province of the first unit of the writer's that words
    name, those of units that they call by their kind, and powers; other places where they name no unit. `places`: all
    provinces and powers that words name. `may_name`: all provinces that they name, and those of all units where they
    call one by its kind. `coasts`: those that words name, "sc". `kinds`: those of units that they name in
    full. `on_file`: the sheet before the letter, of which no order needs a YES. `words`: those that an order
    was read from. `heard`: all orders read, also those that words have taken back. `shared`: words that several were
    read from, also where one of them stands once more behind. `spans`: all words of the letter. `units`: the provinces
    of the writer's units. `points`: what they may spend on the open sheet; `builds`: how many are due.
    """

    phrases: ProsePhrases
    written: Callable[[Statement], str]
    stays: Callable[[str], bool]
    names: Callable[[str], set[str]]
    places: Callable[[str], set[str]]
    may_name: Callable[[str], set[str]]
    coasts: Callable[[str], set[str]]
    kinds: Callable[[str], set[str]]
    on_file: Sequence[Statement]
    words: Callable[[OrderLine], WordsOfLine | None]
    heard: Iterable[OrderLine]
    shared: Container[WordsOfLine]
    spans: Sequence[LetterSpan]
    units: frozenset[str]
    points: int
    builds: int


class Doubts(Struct, frozen=True):
    """What is left of the letter's orders, and its errors, of which some propose the others."""

    orders: list[OrderLine]
    troubles: list[LineError]
