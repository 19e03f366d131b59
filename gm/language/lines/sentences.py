"""The sentences of a letter."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

MONTHS = "Jan|Feb|Mär|Maer|Mar|Apr|Mai|May|Jun|Jul|Aug|Sep|Okt|Oct|Nov|Dez|Dec"
SENTENCE = re.compile(rf"(?<![.\s]\w)(?<!\b[Ss]t)(?<!\b[DM]r)(?!(?<=\d)\. (?:{MONTHS}|bis\b))[.!?]+[\"')\]]*(?=\s)")
"""The end of a sentence inside a line; no abbreviation such as "St.", no "10. bis 12. Dezember"."""
SENTENCE_BREAK = re.compile(r"(?<=[.!?;])\s+")
"""The blanks behind any full stop, where a sentence too many does no harm."""
BEHIND_QUESTION = " !\"')]"
"""What may stand behind a question mark."""
ENDS = ".!?"
"""Only for speed: a sentence ends at one of these."""
WRAPPED = 50
"""A line of so many characters may be broken by a mail program, and go on in the next."""
PARAGRAPHS = re.compile(r"\n{3,}")


def sentences_of(words: str) -> tuple[str, ...]:
    """The sentences of a letter with the blanks and line ends behind them: together they are the letter."""
    if words.isprintable() and not any(map(words[:-1].__contains__, ENDS)):  # fast path: one line without an end inside
        return (words,) if words else ()
    pieces = [""]
    for line in words.splitlines(keepends=True):
        if pieces[-1] and not _goes_on(pieces[-1], line):
            pieces.append("")
        at = 0
        for end in SENTENCE.finditer(line) if any(map(line.__contains__, ENDS)) else ():
            pieces[-1] += line[at : end.end()]
            pieces.append("")
            at = end.end()
        pieces[-1] += line[at:]
    return tuple(_blanks_behind(pieces))


def sentence_at(line: str, at: int) -> str:
    """The sentence with the letter at a column."""
    past = 0
    for sentence in sentences_of(line):
        past += len(sentence)
        if past > at:
            return sentence
    return line


def question_behind(text: str) -> int:
    """The column at which the first question behind other sentences of a line begins; 0 for none."""
    at = 0
    for sentence in sentences_of(text) if "?" in text else ():
        if at and sentence.rstrip(BEHIND_QUESTION).endswith("?"):
            return at
        at += len(sentence)
    return 0


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


def without(sentences: Sequence[str], numbers: Collection[int]) -> str:
    """The other sentences, as they stand, in their paragraphs."""
    kept = (_line_ends(text) if at in numbers else text for at, text in enumerate(sentences))
    return PARAGRAPHS.sub("\n\n", "".join(kept)).strip()


def _line_ends(sentence: str) -> str:
    return "\n" * sentence[len(sentence.rstrip()) :].count("\n")
