"""Which sentences of a reply to press are for the game master, and must not be passed on."""

from __future__ import annotations

from collections.abc import Sequence

from gm.language.commands.press_or_orders import looks_like_orders
from gm.language.i18n.normalize import clean
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.blocks import number_lines
from gm.language.lines.letter_contents import LetterContents, LetterContext, LineError
from gm.language.lines.spans import Fate
from gm.language.prose.phrases.prose_phrases import phrases_of

MOST_SENTENCES = 200
"""Beyond these a letter is looked at as a whole."""
TALK = ("question", "not-taken", "named-in-passing", "not-yours")
"""How the keys of errors begin that ask for no order."""


def find_for_master(sentences: Sequence[str], context: LetterContext) -> frozenset[int]:
    """The indices of sentences that order something, or ask the game master for it.

    "I move to Burgundy" and "you take Belgium" are words to players.
    """
    if len(sentences) > MOST_SENTENCES or not context.power:
        return frozenset()
    return frozenset(at for at, sentence in enumerate(sentences) if _is_for_master(sentence, context))


def holds_orders(reading: LetterContents, context: LetterContext) -> bool:
    """Whether a letter read as a whole gives an order in words that speak to no player."""
    if not reading.orders:
        return False
    ordered = [span.text for span in reading.spans if span.fate is Fate.ORDER]
    return any(not _speaks_to_players(text, context) for text in ordered)


def _is_for_master(sentence: str, context: LetterContext) -> bool:
    if phrases_of(context.variant).to_master.search(_low(sentence)):
        return True
    if _speaks_to_players(sentence, context) or sentence.rstrip().endswith("?"):
        return False
    lines = number_lines(sentence)
    if looks_like_orders(lines, context):
        return True
    reading = read_letter(lines, context)
    return bool(reading.orders) or any(map(_is_proposed, reading.troubles))


def _is_proposed(trouble: LineError) -> bool:
    return bool(trouble.suggestions) and not trouble.obeyed and not trouble.key.startswith(TALK)


def _speaks_to_players(words: str, context: LetterContext) -> bool:
    return phrases_of(context.variant).to_players.search(_low(words)) is not None


def _low(words: str) -> str:
    return clean(words).text.lower()
