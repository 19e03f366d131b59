"""Finds in a game master's sentences the orders that they enter for players, and changes of the position.

"Austria told me by phone that Vienna goes to Galicia" is FORCE, which is only proposed; "put the Turkish fleet in
Smyrna" is SETUP, which only shows what would change. The words that show that orders are entered are `[entering]` of
grammars/plain_questions/<language>.toml.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from msgspec.structs import replace

from gm.language.commands import plain_questions
from gm.language.commands.game_in_words import settings_in_words
from gm.language.commands.gm import SetupRequest
from gm.language.commands.in_words.edits import edits_in_words
from gm.language.commands.plain_questions import read_table
from gm.language.i18n.normalize import clean
from gm.language.i18n.vocabulary import ENGLISH
from gm.language.lines.blocks import NumberedLine
from gm.language.lines.letter_contents import LetterContents, LetterContext, LineError, RequestLine
from gm.language.rendering.order_text import statement as written

Read = Callable[[Sequence[NumberedLine], LetterContext], LetterContents]
OUTSIDE = "orders-outside-block"
"""Key of the error of orders in a game master's own letter."""
MOST = 5
"""Most paragraphs with such words that are read."""
MOST_LINES = 200


def read_for_master(
    lines: Sequence[NumberedLine], reading: LetterContents, context: LetterContext, read: Read
) -> LetterContents:
    """A game master's letter with proposals of FORCE and SET, and with SETUP, in place of troubles about its lines.

    SETUP by itself changes nothing: its answer shows the position as it would be, and asks for YES.
    """
    settled = {given.line for given in reading.requests} | {
        trouble.line for trouble in reading.troubles if not (_is_vague(trouble) or trouble.key == OUTSIDE)
    }
    taken = 0
    for paragraph in _paragraphs(lines[:MOST_LINES], settled):
        if taken == MOST:
            break
        text, numbers = " ".join(words for _, words in paragraph), {number for number, _ in paragraph}
        orders = () if context.forming else _entered(text, context, read)
        edits = () if orders or context.forming else edits_in_words(text, context)
        hinted = any(trouble.line in numbers for trouble in reading.troubles)
        wanted = () if orders or edits or hinted else _wanted(text, context)
        if not (orders or edits or wanted):
            continue
        taken += 1
        first, whole = paragraph[0]
        kept = tuple(trouble for trouble in reading.troubles if trouble.line not in numbers)
        if orders or wanted:
            fields = (("commands", "force" if orders else "set"), ("power", ""))
            suggestion = ("\n".join(orders or wanted),)
            key = plain_questions.MEANT
            kept = (*kept, LineError(first, whole, 0, len(whole), key, fields, suggestion, obeyed=True))
        asked = (RequestLine(first, whole, SetupRequest(tuple((first, edit) for edit in edits))),) if edits else ()
        reading = replace(reading, troubles=kept, requests=(*reading.requests, *asked))
    troubles = sorted(reading.troubles, key=lambda trouble: trouble.line)
    return replace(reading, troubles=tuple(troubles))


def _is_vague(trouble: LineError) -> bool:
    return trouble.key in plain_questions.HINTS and not trouble.suggestions


def _paragraphs(lines: Sequence[NumberedLine], settled: set[int]) -> Iterator[list[NumberedLine]]:
    """Lines of talk that follow each other."""
    paragraph: list[NumberedLine] = []
    for number, text in lines:
        if text.strip() and number not in settled and not text.lstrip().startswith(">"):
            paragraph.append((number, text.strip()))
        elif paragraph:
            yield paragraph
            paragraph = []
    if paragraph:
        yield paragraph


@lru_cache(maxsize=16)
def _cues(language: str, about: str) -> re.Pattern[str]:
    """The words of a table of grammars/plain_questions."""
    tables = (read_table(known).get(about, {}) for known in dict.fromkeys((language, ENGLISH)))
    lists = (words for table in tables if (words := table.get("said")))
    return re.compile("|".join("|".join(words) if isinstance(words, list) else words for words in lists) or r"(?!)")


def _wanted(text: str, context: LetterContext) -> tuple[str, ...]:
    """Lines of SET for what the text wants the game to be: "no more maps, please"."""
    language = context.variant.language
    if not _cues(language, "wanting").search(clean(text[: plain_questions.LONGEST]).text.lower()):
        return ()
    settings = (line.partition(": ") for line in settings_in_words(text, (language,)))
    return tuple(f"SET {key} {value}" for key, _, value in settings)


def _entered(text: str, context: LetterContext, read: Read) -> tuple[str, ...]:
    """Lines of FORCE for the orders in the text, of the powers that it names, else of the only one that it fits."""
    line = clean(text[: plain_questions.LONGEST]).text.lower()
    if not _cues(context.variant.language, "entering").search(line) or line.rstrip().endswith("?"):
        return ()
    named = plain_questions.powers_named(line, context.variant)
    meant = {power: _orders_of(power, text, context, read) for power in named or context.variant.seated}
    orders = {power: lines for power, lines in meant.items() if lines}
    if not named and len(orders) > 1:
        return ()
    return tuple(f"FORCE {power}: {order}" for power, lines in orders.items() for order in lines)


def _orders_of(power: str, text: str, context: LetterContext, read: Read) -> tuple[str, ...]:
    """The orders of the text if it were this power's letter, those as well that it only reports."""
    own = replace(context, power=power, master=False)
    reading = read(((1, text),), own)
    step = context.variant.step(context.position)
    lines = [written(order.statement, step.letter) for order in reading.orders if not order.power]
    only = [trouble.suggestions[0] for trouble in reading.troubles if len(trouble.suggestions) == 1]
    for suggestion in only:
        proposed = read(tuple(enumerate(suggestion.split("\n"))), own)
        lines += (written(order.statement, step.letter) for order in proposed.orders if not proposed.troubles)
    return tuple(dict.fromkeys(lines))
