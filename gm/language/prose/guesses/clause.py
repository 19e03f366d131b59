"""What a guesser knows of a clause: its tokens, and what they are read for."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from gm.judge.model.orders import Statement, UnitOrder
from gm.judge.model.sheets import Budget, DueOrders
from gm.language.lines.letter_contents import LetterContext
from gm.language.orders.parsing.lexer import Token
from gm.language.prose.guesses.guess import Flaw, Guess, Legal
from gm.language.prose.memory import Memory, unit_of
from gm.language.rendering.order_text import statement

UNKNOWN = frozenset({"WORD", "TALK", "IF"})
"""Types of tokens that make the meaning of a clause uncertain."""
NAMES = frozenset({"NATION", "PLACE"})
AMOUNTS = frozenset({"NUMBER", "WHOLE"})
"""Token types of a number of points, or of all of them."""
MOST_WORDS_OF_MOTION = 3
"""Most words between a unit and where it goes that are not understood: "Munich makes a dash to Berlin"."""

OneKind = TypeVar("OneKind", bound=Statement)


class Clause(Struct, frozen=True):
    """`tokens` are those of `text`; `legal` gives the canonical lines of a line that would be obeyed."""

    tokens: Sequence[Token]
    text: str
    context: LetterContext
    memory: Memory
    legal: Legal
    plural: frozenset[str]
    """Words for several units of one kind."""
    no_motion: re.Pattern[str]
    """Words before "to" that move no unit: "listens to"."""
    mutual: re.Pattern[str]
    """Words for two units of which each supports the other."""
    verb_first: re.Pattern[str]
    """A verb of support before the unit that supports."""
    is_sentence: bool = False
    """All clauses of a sentence together."""
    it: str = ""
    """The unit ("A Vie") that a pronoun of the clause stands for."""
    replaces: bool = False
    """Whether its words say that its order replaces an earlier one: "instead"."""
    amends: bool = False
    """Whether its words name another goal for an order of the letter: "read Rumania"."""
    carries: bool = False
    """Whether its words say that somebody brings the unit of a pronoun somewhere: "ships it over to Denmark"."""
    says_state: bool = False
    """Whether its words seem to take an order back or say how a place is: then they let no unit hold."""

    @property
    def types(self) -> frozenset[str]:
        return frozenset(token.type for token in self.tokens)

    @property
    def is_known(self) -> bool:
        """Whether every word is one of orders."""
        return not self.types & UNKNOWN

    def of(self, *types: str) -> list[Token]:
        return [token for token in self.tokens if token.type in types]

    @property
    def behind_from(self) -> list[Token]:
        """The names directly behind "from"."""
        return [name for before, name in pairwise(self.tokens) if before.type == "FROM" and name.type in NAMES]

    def is_plural(self, token: Token) -> bool:
        return self.text[token.start_pos : token.end_pos].lower() in self.plural

    @property
    def due(self) -> DueOrders:
        return self.context.due

    @property
    def purse(self) -> Budget:
        return self.context.purse

    def built(self, kind: str, province: str, verb: str = "") -> str:
        """The line of a unit in a province: on the coast that the line names elsewhere, where it can stand there."""
        ashore = self.memory.ashore
        on_coast = f"{verb} {kind} {ashore}".strip()
        if ashore.partition("/")[0] == province and self.legal(on_coast):
            return on_coast
        return f"{verb} {kind} {province}".strip()

    def written(self, kind: type[OneKind]) -> list[OneKind]:
        """Orders of that class in the letter so far."""
        return [statement for statement in self.memory.counting if isinstance(statement, kind)]

    def on_file(self, kind: type[OneKind]) -> list[OneKind]:
        """Orders of that class that the writer had sent before."""
        return [statement for statement in self.memory.on_file if isinstance(statement, kind)]

    @property
    def unit_orders(self) -> dict[str, str]:
        """Orders of units by unit: those on file, and those of the letter instead."""
        on_file = (statement(order) for order in self.on_file(UnitOrder))
        return {unit_of(line): line for line in on_file} | self.memory.orders

    def guess(self, texts: Sequence[str], *, certain: bool = True, cancels: tuple[str, ...] = ()) -> Guess | None:
        """The canonical lines of the texts; None where one of them is not legal."""
        lines = [self.legal(text) for text in texts]
        if not lines or not all(lines):
            return None
        return Guess(tuple(line for each in lines for line in each), certain and self.is_known, cancels)

    def guess_partly(
        self, texts: Sequence[tuple[str, Token]], others: Sequence[str] = (), *, certain: bool = True
    ) -> Guess | None:
        """As `guess`, each line with the token that names it: those that are not legal are asked about. `others` are
        lines that no token names.
        """
        good = [text for text, _ in texts if self.legal(text)]
        guess = self.guess([*good, *others], certain=certain)
        flaws = tuple(Flaw(text, *token.span) for text, token in texts if text not in good)
        return replace(guess, flaws=flaws) if guess is not None else None


Guesser = Callable[[Clause], Guess | None]
