"""Who guesses the orders of a clause, by the name of the sheet."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from gm.language.lines.letter_contents import LetterContext
from gm.language.orders.parsing.lexer import Token
from gm.language.prose.guess import Guess, Legal, Memory, guess_moves

Guesser: TypeAlias = Callable[[Sequence[Token], LetterContext, Memory, Legal], Guess | None]

GUESSES: Mapping[str, Guesser] = dict.fromkeys(("moves", "ferries", "wings", "diplomacy_points", "dips"), guess_moves)
