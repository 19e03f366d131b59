"""A parsed line that asks for something, and helpers for the functions that make its request."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from gm.judge.model.variant import Variant
from gm.language.commands.table import row_of
from gm.language.i18n.normalize import clean
from gm.language.i18n.place_names import power_key, powers
from gm.language.lines.letter_contents import Request

MASTER = "GM"
"""Whom letters to the game masters name instead of a power."""
ADDRESS = re.compile(r"[<(]?([^\s<>(),;\"]+@[^\s<>(),;\"]+?)[>)]?[.,;]?$")
"""An address at the end of a line, its first group without what surrounds it."""
SEPARATORS = re.compile(r"[,;/&+]|\band\b", re.IGNORECASE)
"""Separators between the names of several powers."""


class CommandLine(Struct, frozen=True):
    """What a line asks for: a request, the opening of a block, or (`kind` alone) something answered otherwise.

    `kind` is the rule's name; `words` what stands behind the keyword.
    """

    kind: str
    request: Request | None = None
    words: str = ""


class ParsedLine(Struct, frozen=True):
    """A line by grammars/commands.lark: its rule, its tokens by type, and the variant of its game."""

    kind: str
    text: str
    tokens: Mapping[str, str]
    variant: Variant
    names: tuple[str, ...] = ()

    def get(self, token: str) -> str:
        return self.tokens.get(token, "")

    @property
    def keyword(self) -> str:
        """As written; only where the row of the command gives the keyword."""
        return self.get(keyword_token(self.kind))

    @property
    def argument(self) -> str:
        """What follows the keyword: a phase, a number or words, without colons around them."""
        return self.get("PHASE").upper() or self.get("COUNT") or self.get("TEXT").strip(" :")


def keyword_token(rule: str) -> str:
    """The terminal of the keyword that a row of grammars/commands gives for its rule."""
    return f"{rule.upper()}_KEYWORD"


SENTENCE = 6
"""Words that are more than most commands."""
INSIDE = re.compile(r"[,.;:!?](?=\s|$)")

RequestReaders: TypeAlias = Mapping[str, Callable[[ParsedLine], Request | None]]
"""Rule -> function that makes its request; None for talk that only begins like a command. For rules of commands
that are more than a class with one argument (`gm.language.commands.parser`)."""


def is_in_capitals(text: str) -> bool:
    """Whether the first word is in capitals, as commands are."""
    first = next(iter(text.split(maxsplit=1)), "")
    return len(first) > 1 and first.strip(".:,!").isupper()


def is_command_like(text: str) -> bool:
    """Whether the first word is in capitals and the line is no sentence in capitals: one that has more words than most
    commands ("PAUSE FROM 10 TO 20"), or marks between them.
    """
    words = [word for word in text.split(maxsplit=2 * SENTENCE) if word[:1].isalpha()] if text.isupper() else []
    shouts = len(words) >= SENTENCE or (len(words) > 2 and INSIDE.search(text) is not None)
    return is_in_capitals(text) and not shouts


def is_exclaimed(asked: CommandLine, words: str, behind: str) -> bool:
    """Whether the words of a command only exclaim, with others behind them: "Wait. What happens if …?"."""
    alone = len(words.split()) == 1 and not is_in_capitals(words)
    return row_of(asked.kind).exclaimed and alone and any(map(str.isalnum, behind))


def words_as_written(line: str, words: str) -> str:
    """These words as the line was written, with its accents; unchanged where they are not the end of the line."""
    count = len(words.split())
    end = " ".join(line.split()[-count:]) if count else ""
    return end if end and not end.endswith(":") else words


def written_words(line: str, words: str) -> str:
    """These words of the cleaned line with the letters that it was written with; unchanged if they are not in it."""
    made = clean(line)
    at = made.text.find(words)
    if at < 0 or not words or made.columns is None:
        return words
    return line[made.columns[at] : made.columns[at + len(words) - 1] + 1]


def keep_letters(line: str, request: Request) -> Request:
    """The request with the letters of the line in its fields of `AS_WRITTEN`."""
    words = {field: getattr(request, source) for field, source in request.AS_WRITTEN.items()}
    kept = {
        field: tuple(_kept(line, each) for each in value) if isinstance(value, tuple) else _kept(line, value)
        for field, value in words.items()
        if value
    }
    return replace(request, **kept) if kept else request


def _kept(line: str, value: str) -> str:
    return written_words(line, value) if value in clean(line).text else _before_translation(line, value)


def _before_translation(line: str, value: str) -> str:
    """The words that a vocabulary has changed in part; unchanged where less than half of them are in the line."""
    written = line.partition(":")[2].strip() or words_as_written(line, value)
    words = value.lower().split()
    same = set(words) & set(clean(written).text.lower().split())
    return written if 2 * len(same) >= len(words) else value


def power_of(line: ParsedLine, text: str) -> str:
    return powers(line.variant.powers).get(power_key(text), text.strip())


def power_or_capitals(line: ParsedLine, text: str) -> str | None:
    """The power of that name; in a line in capitals the name as written where no power has it, else None: talk."""
    name = power_of(line, text)
    known = name in line.variant.seated
    return name if known or is_in_capitals(line.text) else None


def split_powers(line: ParsedLine, text: str) -> list[str]:
    """Powers named in a text: one name, several names with blanks between, or initials ("EFG")."""
    called = powers(line.variant.powers)
    whole = called.get(power_key(text))
    if whole:
        return [whole]
    letters = {power.letter.upper(): power.name for power in line.variant.powers}
    names: list[str] = []
    for word in text.split():
        listed = word.isupper() and word.lower() not in called and set(word) <= letters.keys()
        names += [letters[letter] for letter in word] if listed else [called.get(word.lower(), word)]
    return names


def power_list(line: ParsedLine, text: str) -> tuple[str, ...]:
    """The powers of a list with separators, each once."""
    pieces = SEPARATORS.split(text) if text else []
    return tuple(dict.fromkeys(part for piece in pieces for part in split_powers(line, piece)))
