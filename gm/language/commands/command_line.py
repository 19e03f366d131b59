"""One line that asks for something, taken apart: what the makers of requests are given and what they share.

`gm.language.commands.parser` parses a line by grammars/commands.lark; a table from rule name to maker gives its
request.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

from msgspec import Struct, field

from gm.judge.model.variant import Variant
from gm.language.i18n.place_names import powers, words
from gm.language.lines.letter_contents import Request

ADDRESS = re.compile(r"<?([^\s<>,;\"]+@[^\s<>,;\"]+?)>?[.,;]?$")
"""An address at the end of a line, its first group without what surrounds it."""
SEPARATORS = re.compile(r"[,;/&+]|\band\b", re.IGNORECASE)
"""Between the names of several powers."""


class CommandLine(Struct, frozen=True):
    """What a line asks for: a request, the opening of a block, or (`kind` alone) something answered otherwise.

    `kind` is the rule's name; `words` what stands behind the keyword.
    """

    kind: str
    request: Request | None = None
    words: str = ""


class ParsedLine(Struct, frozen=True):
    """One parsed line: tokens by type, and the game it is about."""

    text: str
    tokens: Mapping[str, str]
    variant: Variant
    names: tuple[str, ...] = field(default_factory=tuple)

    def get(self, kind: str) -> str:
        return self.tokens.get(kind, "")


Makers: TypeAlias = Mapping[str, Callable[[ParsedLine], Request | None]]
"""Rule name -> what makes its request; None for talk that only begins like one."""


def shouted(text: str) -> bool:
    """Whether the first word stands in capitals, as a command would."""
    first = text.split(maxsplit=1)[0] if text.split() else ""
    return len(first) > 1 and first.strip(".:,!").isupper()


def as_written(line: str, words: str) -> str:
    """The end of a line that these words are, in the letters it was written in; as they are where none fits."""
    count = len(words.split())
    end = " ".join(line.split()[-count:]) if count else ""
    return end if end and not end.endswith(":") else words


def power_of(line: ParsedLine, text: str) -> str:
    return powers(line.variant.powers).get(" ".join(words(text)), text.strip())


def parties(line: ParsedLine, text: str) -> list[str]:
    """One name of several words, several names with blanks between, or the letters of powers, "EFG"."""
    called = powers(line.variant.powers)
    whole = called.get(" ".join(words(text)))
    if whole:
        return [whole]
    letters = {power.letter.upper(): power.name for power in line.variant.powers}
    found: list[str] = []
    for word in text.split():
        listed = word.isupper() and word.lower() not in called and set(word) <= letters.keys()
        found += [letters[letter] for letter in word] if listed else [called.get(word.lower(), word)]
    return found


def every_party(line: ParsedLine, text: str) -> tuple[str, ...]:
    """All that stand in a list, each once."""
    pieces = SEPARATORS.split(text) if text else []
    return tuple(dict.fromkeys(part for piece in pieces for part in parties(line, piece)))
