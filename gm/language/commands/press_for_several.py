"""Words for others in press that no ENDPRESS closes: another PRESS TO, "And to Turkey: …", a plan of one's own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from gm.judge.model.variant import Variant
from gm.language.commands import addressees, parser
from gm.language.commands.in_words import plain_questions
from gm.language.commands.requests import PressRequest
from gm.language.commands.table import row_of, table
from gm.language.i18n.localized_variant import local_names
from gm.language.i18n.normalize import clean
from gm.language.i18n.vocabulary import vocabulary_of
from gm.language.lines.letter_contents import LetterContext
from gm.language.lines.lines import read_line
from gm.language.lines.sentences import sentences_of

PRESS_SEARCHED = 20_000
"""Characters of press that are searched."""
MOVE = re.compile(r"\b([a-z]{3})(?:/[a-z]{2})? ?-+>? ?([a-z]{3})\b")
"""In words with small letters."""


class _Part(Struct, frozen=True):
    names: str
    words: str


def press_lines(language: str, command: str, words: str, to: str = "") -> str:
    """The form of a row of commands in a language, with these words; `to` are the readers that it names."""
    english = (row.form for row in table().commands if row.name == command)
    form = vocabulary_of(language).forms.get(command) or next(english)
    first, _, rest = form.strip().partition("\n")
    return "\n".join((first.replace("{other}", to), words, rest.rpartition("\n")[2]))


def end_of_press(language: str) -> str:
    """The line that closes press."""
    return press_lines(language, "press", "").rpartition("\n")[2]


def for_each_reader(to: tuple[str, ...], text: str, context: LetterContext) -> str:
    """PRESS for each of the readers that the words below PRESS TO these address; "" where they address no others.

    No names stand for all players.
    """
    parts = [_Part(", ".join(to), "")]
    for sentence in sentences_of(text[:PRESS_SEARCHED]):
        names, rest = _address(sentence, context)
        if names:
            parts.append(_Part(names, rest))
        else:
            last = parts.pop()
            parts.append(_Part(last.names, last.words + sentence))
    several = len({part.names for part in parts}) == len(parts) > 1 and len(text) <= PRESS_SEARCHED
    if not several or not all(part.words.strip() for part in parts):
        return ""
    return "\n".join(_press_to(context.variant, part) for part in parts)


def _press_to(variant: Variant, part: _Part) -> str:
    local = local_names(variant, variant.language)
    names = ", ".join(local.get(name, name) for name in part.names.split(", "))
    return press_lines(variant.language, "press" if names else "press-all", part.words.strip(), names)


def _address(sentence: str, context: LetterContext) -> tuple[str, str]:
    """The names that a sentence begins with as PRESS TO does, or "and to Turkey:", and the words behind them."""
    head, colon, rest = sentence.partition(":")
    asked = parser.read_command(read_line(0, sentence.strip().partition("\n")[0]).body, context.variant)
    opens = asked is not None and row_of(asked.kind).request == PressRequest.__name__
    if asked is not None and opens and asked.kind not in ("message", "tell"):
        names, _, _ = asked.words.partition(":")
        rest = rest if colon else sentence.strip().partition("\n")[2]
    else:
        match = _toward(context.variant.language).match(clean(head).text) if colon else None
        names = match["names"] if match is not None else ""
    to, everyone = addressees.read_addressees(names, context) if names.strip() else ((), False)
    known = bool(to) and not everyone and addressees.are_known_powers(names, context)
    return (", ".join(to), rest) if known else ("", "")


@lru_cache(maxsize=8)
def _toward(language: str) -> re.Pattern[str]:
    words = plain_questions.joined_patterns("addressing", language)
    return re.compile(rf"\s*(?:{words['toward']}) (?P<names>[^:]{{3,80}})$", re.IGNORECASE)


def names_own_moves(text: str, context: LetterContext) -> bool:
    """Whether a paragraph behind the first names a move in the notation of orders that may be the writer's."""
    position, paragraphs = context.position, text.split("\n\n")[1:]
    codes = {code.lower(): code for code in position.board.provinces}
    for start, goal in _moves(paragraphs):
        units = position.standing.get(codes.get(start, ""), ())
        if start in codes and goal in codes and all(unit.power == context.power for unit in units):
            return True
    return False


def _moves(paragraphs: list[str]) -> Iterator[tuple[str, str]]:
    for paragraph in paragraphs:
        for match in MOVE.finditer(clean(paragraph[:PRESS_SEARCHED]).text.lower()):
            yield match[1], match[2]
