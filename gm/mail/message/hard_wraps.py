"""Joins the lines of paragraphs that a mail program broke at a fixed width.

A program breaks a line where the next word does not fit any more, so each line of its paragraph but the last is full.
What a person wrote line by line (orders, commands, tables, addresses) is not joined.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

from gm.mail.message.mail_program_words import PhrasePattern, any_of

NumberedLine: TypeAlias = tuple[int, str]

WIDTHS = (50, 55, 60, 64, 65, 66, 68, 70, 72, 74, 76, 78, 80)
"""Columns at which mail programs break lines."""
USUAL = 60
"""Narrower lines are joined only where a sentence goes on without a doubt."""
LIKELY = 64
"""One line that is full by itself tells little where it is narrower."""
MANY = 4
"""Words that are more than most commands."""
NARROWEST = 46
"""Letters with shorter lines are written line by line."""
TABLE = re.compile(r"\t|\S {3,}\S|\|")
ITEM = re.compile(r"\s*(?:[-*+•·–>#|=_]|\d{1,2}[.):]\s|[A-Za-z][.)]\s)")
"""The beginning of an item of a list, a quoted line or a ruler."""
DASH = re.compile(r"\s*-+>? +\S")
"""A dash between two words, or the mark of an item."""
HEADED = re.compile(r"[A-Za-zÀ-ž]+(?: [A-Za-zÀ-ž]+){0,3}:(?:\s|$)")
"""The beginning of a line that is headed by a few words: "Vienna: holds", "press to Germany: …"."""
UNIT = re.compile(r"[A-Z]\s+[A-Z]")
"""The beginning of an order: "A Par", "F MAO"."""
SENTENCE_END = re.compile(r"(?<!\b[Ss]t)[.!?][\"')\]”“]*$")
LABEL = re.compile(r"[.!?;] \w+(?: \d+)?:$")
"""The beginning of a sentence at the end of a line: "… holds. Fall:"."""
WORD = re.compile(r"[^\W_]|[(\"“„'‘][^\W_]")
UNFINISHED = PhrasePattern(rf"\b{any_of('paragraphs', 'unfinished')}$|,$")
"""The end of a line behind which a sentence goes on."""


def join_hard_wraps(lines: Sequence[NumberedLine]) -> list[NumberedLine]:
    """The lines, each joined one with the number of its first."""
    width = _width(text for _, text in lines)
    if not width:
        return list(lines)
    paragraphs = list(_paragraphs(lines))
    pairs = [(before, after) for paragraph in paragraphs for (_, before), (_, after) in pairwise(paragraph)]
    full = [(before, after) for before, after in pairs if _is_full(before, after, width)]
    if len(full) == 1 and not _is_tail(*full[0], likely=width >= LIKELY):
        return list(lines)
    sure = any(_is_amid_sentence(before, after) for before, after in full)
    return [line for paragraph in paragraphs for line in _join(paragraph, width, sure=sure)]


def _is_tail(before: str, after: str, *, likely: bool) -> bool:
    """Whether the only line that goes on looks like the end of a sentence, and not like a command: "ready"."""
    ends, words = after.endswith((".", "!", "?")), len(after.split())
    goes_on = ends and words >= MANY and before[-1:].isalnum() and after[:1].islower()
    return UNFINISHED.search(before) is not None or goes_on or (likely and (ends or words >= MANY))


def _width(texts: Iterable[str]) -> int:
    """The width at which the letter was broken; 0 where no program did."""
    longest = max((len(text) for text in texts if " " in text.strip()), default=0)
    return WIDTHS[bisect_left(WIDTHS, longest)] if NARROWEST <= longest <= WIDTHS[-1] else 0


def _paragraphs(lines: Sequence[NumberedLine]) -> Iterator[list[NumberedLine]]:
    """Runs of lines that stand directly below each other, and blank lines by themselves."""
    run: list[NumberedLine] = []
    for number, text in lines:
        if run and (not text.strip() or not run[-1][1].strip() or number != run[-1][0] + 1):
            yield run
            run = []
        run.append((number, text))
    if run:
        yield run


def _join(paragraph: list[NumberedLine], width: int, *, sure: bool) -> Iterator[NumberedLine]:
    """`sure`: a line of the letter begins in the middle of a sentence."""
    pairs = [(before, after) for (_, before), (_, after) in pairwise(paragraph)]
    full = [_is_full(before, after, width) for before, after in pairs]
    running = width >= USUAL and all(fits or _ends_early(before) for fits, (before, _) in zip(full, pairs, strict=True))
    dashed = running and sum(ITEM.match(text) is not None for _, text in paragraph) == 1
    number, text = paragraph[0]
    for at, ((before, after), (own, _)) in enumerate(zip(pairs, paragraph[1:], strict=True)):
        goes_on = _is_amid_sentence(before, after) or _may_go_on(before, after, sure=sure, running=running)
        goes_on |= dashed and DASH.match(after) is not None and before[-1:].isalnum()
        behind = pairs[at + 1][1] if at + 1 < len(pairs) else ""
        if full[at] and goes_on and (not behind or full[at + 1] or _ends_a_sentence(after, behind)):
            text = f"{text.rstrip()} {after.lstrip()}"
            continue
        yield number, text
        number, text = own, after
    yield number, text


def _ends_a_sentence(line: str, behind: str) -> bool:
    """Whether a line that is not full may be the last of what the program broke, though another one stands below it."""
    return line.endswith((".", "!", "?", ")", ":")) or any(mark.match(behind) for mark in (ITEM, UNIT, HEADED))


def _ends_early(line: str) -> bool:
    """Whether a person may have ended a line of running text."""
    return len(line) < NARROWEST or SENTENCE_END.search(line) is not None


def _is_full(before: str, after: str, width: int) -> bool:
    """Whether the first word of the line below did not fit any more."""
    first = next(iter(after.split()), "")
    apart = before.endswith(">") or TABLE.search(before) or TABLE.search(after)
    return len(before.rstrip()) + 1 + len(first) > width and not apart


def _is_amid_sentence(before: str, after: str) -> bool:
    """Whether the line below begins in the middle of a sentence: with a small letter or a digit."""
    start = after.lstrip()
    goes_on = WORD.match(start) is not None and not start.lstrip("(\"“„'‘")[:1].isupper()
    begins = ITEM.match(after) or HEADED.match(start)  # "retreats: 48 h" below a long setting
    return goes_on and not begins and not SENTENCE_END.search(before) and not before.endswith(":")


def _may_go_on(before: str, after: str, *, sure: bool, running: bool) -> bool:
    """Whether a line that begins with a capital letter goes on with the full one above it. `running`: the lines of the
    paragraph are full but for those that end a sentence.
    """
    start = after.lstrip()
    first = start.split(maxsplit=1)[0]
    shouts = len(first) > 2 and first.isupper() and not before.isupper()
    if not WORD.match(start) or ITEM.match(after) or UNIT.match(start) or HEADED.match(start) or shouts:
        return False
    if before.endswith(":"):
        return LABEL.search(before) is not None
    return sure or UNFINISHED.search(before) is not None or (running and not SENTENCE_END.search(before))
