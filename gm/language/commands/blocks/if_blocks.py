"""Splits IF … ELSE IF … ELSE … END IF into branches: their conditions and lines.

IF French army in Ruh            IF Bur empty THEN A Par - Bur
A Kie - Ruh                      ELSE A Par - Pic
ELSE IF Ruh empty
A Mun - Ruh
END IF
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct

from gm.language.i18n.vocabulary import PLAIN, Vocabulary
from gm.language.lines.blocks import NumberedLine
from gm.language.lines.lines import read_line

MOST_LINES = 60
"""Most lines between IF and END IF."""
POLITE = r"(?!\s+(?:you\b|you'd|i may|it pleases|possible|need be|allowed|legal))"
OPENS = re.compile(rf"\s*if\b{POLITE}\s*(?P<words>.*)$", re.IGNORECASE)
AGAIN = re.compile(r"\s*(?:(?:else|otherwise)\s*,?\s*if|elsif|elif)\b\s*(?P<words>.*)$", re.IGNORECASE)
ELSE = re.compile(r"\s*(?:else|otherwise)\b[\s:,]*(?P<words>.*)$", re.IGNORECASE)
CLOSES = re.compile(r"\s*end\s*-?\s*if\b", re.IGNORECASE)
FIRST = frozenset({"if", "el", "ot", "en"})
"""First letters of lines that may begin or end a branch."""
THEN = re.compile(r"\s*(?:,?\s*\bthen\b\s*[:,]?|:)\s*", re.IGNORECASE)
SENTENCE_END = re.compile(r"(?<=\w)[.!]\s+(?=[A-Z(])")
OTHERWISE = re.compile(r"\s*[,;.]?\s*\b(?:else|otherwise)\b\s*[:,]?\s*", re.IGNORECASE)


class IfBranch(Struct, frozen=True):
    """`asks` is None for ELSE."""

    asks: str | None
    lines: tuple[NumberedLine, ...]


class IfBlock(Struct, frozen=True):
    """`end` is the index of the line to continue from. Not `closed`: END IF is missing. `beyond`: sentences on the line
    of a one-line IF that do not depend on it.
    """

    branches: tuple[IfBranch, ...]
    end: int
    closed: bool
    beyond: tuple[NumberedLine, ...] = ()


def find_block_ends(lines: Sequence[NumberedLine], vocabulary: Vocabulary = PLAIN) -> Mapping[int, int]:
    """Index of each closed IF -> index of its END IF."""
    ends: dict[int, int] = {}
    opened: list[int] = []
    for at, (_, text) in enumerate(lines):
        if body := _body(text, vocabulary):
            if CLOSES.match(body):
                if opened:
                    ends[opened.pop()] = at
            elif (words := OPENS.match(body)) and not _parted(words["words"])[1]:
                opened.append(at)
    return ends


def read_if_block(
    lines: Sequence[NumberedLine], start: int, closed: Mapping[int, int], vocabulary: Vocabulary = PLAIN
) -> IfBlock:
    """The block whose IF is line `start`; `closed` comes from `find_block_ends`."""
    opening = OPENS.match(_body(lines[start][1], vocabulary))
    asks, orders = _parted(opening["words"] if opening else "")
    if orders:
        return _short(lines, start, asks, orders, vocabulary)
    end = closed.get(start, -1)
    if not start < end <= start + MOST_LINES:
        return IfBlock((IfBranch(asks, ()),), _paragraph(lines, start), closed=False)
    return _long(lines, start, end, asks, vocabulary)


def _body(text: str, vocabulary: Vocabulary) -> str:
    """The line without its comment, with the words of branches in English; "" for a line without them."""
    if vocabulary is PLAIN:
        return read_line(0, text).body if _branches(text) else ""
    body = vocabulary.english(read_line(0, text).body)
    return body if _branches(body) else ""


def _branches(text: str) -> bool:
    """Whether a line may begin or end a branch, by its first letters; only for speed."""
    return text.lstrip()[:2].lower() in FIRST


def _parted(words: str) -> tuple[str, str]:
    """The condition, and the text behind THEN or a colon on the same line."""
    match = THEN.search(words)
    return (words[: match.start()], words[match.end() :].strip()) if match else (words, "")


def _short(lines: Sequence[NumberedLine], start: int, asks: str, orders: str, vocabulary: Vocabulary) -> IfBlock:
    """A one-line IF: ELSE may follow the orders or begin the next line; END IF may follow."""
    number = lines[start][0]
    branches: list[IfBranch] = []
    *before, last = OTHERWISE.split(orders, maxsplit=1)
    last, *further = SENTENCE_END.split(last, maxsplit=1)
    first = [*before, last]
    branches.append(IfBranch(asks, ((number, first[0]),)))
    at = start + 1
    if len(first) > 1:
        branches.append(IfBranch(None, ((number, first[1]),)))
    while at < len(lines) and branches[-1].asks is not None:
        body, number = _body(lines[at][1], vocabulary), lines[at][0]
        again, other = AGAIN.match(body), ELSE.match(body)
        if again:
            asks, orders = _parted(again["words"])
            branches.append(IfBranch(asks, ((number, orders),)))
        elif other and other["words"]:
            branches.append(IfBranch(None, ((number, other["words"]),)))
        else:
            break
        at += 1
    if at < len(lines) and CLOSES.match(_body(lines[at][1], vocabulary)):
        at += 1
    return IfBlock(tuple(branches), at, closed=True, beyond=tuple((lines[start][0], words) for words in further))


def _long(lines: Sequence[NumberedLine], start: int, end: int, asks: str, vocabulary: Vocabulary) -> IfBlock:
    branches: list[IfBranch] = []
    held: list[NumberedLine] = []
    now: str | None = asks
    depth = 0
    for line in lines[start + 1 : end]:
        body = _body(line[1], vocabulary)
        again, other = AGAIN.match(body), ELSE.match(body)
        if not depth and (again or other):
            branches.append(IfBranch(now, tuple(held)))
            now, orders = _parted(again["words"]) if again else (None, other["words"] if other else "")
            held = [(line[0], orders)] if orders else []
            continue
        opened = OPENS.match(body)
        depth += bool(opened and not _parted(opened["words"])[1]) - bool(CLOSES.match(body))
        held.append(line)
    branches.append(IfBranch(now, tuple(held)))
    return IfBlock(tuple(branches), end + 1, closed=True)


def _paragraph(lines: Sequence[NumberedLine], start: int) -> int:
    """The next empty line, if it is near."""
    last = min(len(lines), start + MOST_LINES)
    return next((at for at in range(start, last) if not lines[at][1].strip()), last)
