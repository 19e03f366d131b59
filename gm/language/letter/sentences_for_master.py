"""Which sentences of a reply to press are for the game master, and must not be passed on."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from gm.language.commands.press_or_orders import looks_like_orders
from gm.language.i18n.normalize import clean
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.letter_contents import LetterContents, LetterContext, LineError
from gm.language.lines.spans import Fate
from gm.language.prose.phrases import phrases_of

SENTENCE = re.compile(r"(?<![.\s]\w)(?<!\b[Ss]t)(?<!\b[DM]r)[.!?]+[\"')\]]*(?=\s)")
"""The end of a sentence inside a line; no abbreviation such as "St."."""
WRAPPED = 50
"""A line of so many characters may be broken by a mail program, and go on in the next."""
PARAGRAPHS = re.compile(r"\n{3,}")
MOST_SENTENCES = 200
"""Beyond these a letter is looked at as a whole."""
TALK = ("question", "not-taken", "named-in-passing", "not-yours")
"""How the keys of errors begin that ask for no order."""


def sentences_of(words: str) -> tuple[str, ...]:
    """The sentences of a letter with the blanks and line ends behind them: together they are the letter."""
    pieces = [""]
    for line in words.splitlines(keepends=True):
        if pieces[-1] and not _goes_on(pieces[-1], line):
            pieces.append("")
        at = 0
        for end in SENTENCE.finditer(line):
            pieces[-1] += line[at : end.end()]
            pieces.append("")
            at = end.end()
        pieces[-1] += line[at:]
    return tuple(_blanks_behind(pieces))


def _goes_on(piece: str, following: str) -> bool:
    """Whether the sentence of a line goes on in the next one."""
    last = piece.rstrip("\r\n").rpartition("\n")[2].rstrip()
    ended = not last or last[-1] in ".!?:" or len(piece) - len(piece.rstrip()) > len("\r\n")
    return not ended and len(last) >= WRAPPED and bool(following[:1].strip()) and following[:1].isalnum()


def _blanks_behind(pieces: Sequence[str]) -> list[str]:
    """Without pieces of blanks alone, which belong to the sentence before."""
    whole: list[str] = []
    for piece in pieces:
        if whole and not piece.strip():
            whole[-1] += piece
        elif piece:
            whole.append(piece)
    return whole


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
    lines = tuple(enumerate(sentence.split("\n"), 1))
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


def without(sentences: Sequence[str], numbers: Collection[int]) -> str:
    """The other sentences, as they stand, in their paragraphs."""
    kept = (_line_ends(text) if at in numbers else text for at, text in enumerate(sentences))
    return PARAGRAPHS.sub("\n\n", "".join(kept)).strip()


def _line_ends(sentence: str) -> str:
    return "\n" * sentence[len(sentence.rstrip()) :].count("\n")
