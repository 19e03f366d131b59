"""The part of an answer that speaks of the letter, and whether it names something.

What stands in an answer whatever the letter said names nothing: the sheet, the units without an order, an example.
Where a caret stands below a line of the letter, the answer speaks of the marked clause, and names no other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from string import Formatter

from gm.language.i18n.catalogue import FALLBACK, entries
from gm.resources import folder

HEADINGS = re.compile(r"sheet\.title.*")
"""Keys of the headings of sheets."""
SENTENCES = re.compile(r"lacking\.(?!units)\w+|task\.\w+\.lacking|sheet\.removals-left|answer\.nothing-found.*")
"""Keys of sentences that name units, places or orders without regard to the letter."""
VALUE = "[^.]+?"
"""Any value of a sentence, which stays within it."""
BORDER = re.compile(r"[,;.!?/] | (?:and|then|while|und|dann) ")
"""What stands between two clauses."""
CARET = re.compile(r" +(\^+)")
WORD = re.compile(r"[\w&]+")
ROW = 3
"""Words in a row that stand for a whole clause."""


def own_words(answer: str, language: str) -> str:
    """The answer in one line, without its sheets and what else names units in any answer."""
    heading = _joined(tuple(_patterns(HEADINGS, language)))
    kept: list[str] = []
    in_sheet = False
    for line in answer.splitlines():
        if _is_heading(line):
            in_sheet = bool(heading.fullmatch(line.casefold()))
        if in_sheet:
            continue
        caret = CARET.fullmatch(line)
        if caret and kept:
            kept[-1] = _marked_clause(kept[-1], *caret.span(1))
        else:
            kept.append(line)
    return " ".join(_without_sentences(paragraph, language) for paragraph in "\n".join(kept).split("\n\n"))


@lru_cache(maxsize=4096)
def _without_sentences(paragraph: str, language: str) -> str:
    """In one line, without such sentences. Cached only for speed: most paragraphs stand in many answers."""
    line = " ".join(paragraph.split())
    low = line.lower()
    there = tuple(pattern for pattern, words in _patterns(SENTENCES, language).items() if words in low)
    return _joined(there).sub(" ", line) if there else line


def names(words: str, mention: str) -> bool:
    """Whether the words name it. "~…": three words of this clause in a row, or all where it has fewer."""
    if not mention.startswith("~"):
        return bool(re.search(rf"(?<!\w){re.escape(' '.join(mention.split()))}(?!\w)", words, re.IGNORECASE))
    clause, there = (WORD.findall(text.casefold()) for text in (mention, words))
    rows = [clause[at : at + ROW] for at in range(max(1, len(clause) - ROW + 1))]
    return any(there[at : at + len(row)] == row for row in rows for at in range(len(there)))


def _marked_clause(line: str, start: int, end: int) -> str:
    borders = [border.span() for border in BORDER.finditer(line)]
    first = max((after for _, after in borders if after <= start), default=0)
    last = min((before for before, _ in borders if before >= end - 1), default=len(line))
    return line[first:last]


def _is_heading(line: str) -> bool:
    return line == line.upper() and line[:1].isalnum() and any(map(str.isalpha, line))


@lru_cache
def _patterns(keys: re.Pattern[str], language: str) -> Mapping[str, str]:
    """What these sentences look like in an answer, in English and the language; with the longest words in lower case
    that stand in each, by which it is found quickly.
    """
    forms = {form for name in (FALLBACK, language) for form in _forms(keys, name)}
    if not forms:
        raise LookupError(f"no sentence has a key like {keys.pattern}")
    words = {_pattern(form): max((text.lower() for text, *_ in Formatter().parse(form)), key=len) for form in forms}
    return {pattern: words[pattern] for pattern in sorted(words, key=len, reverse=True)}


@lru_cache(maxsize=1024)
def _joined(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


def _forms(keys: re.Pattern[str], language: str) -> Iterator[str]:
    for file in (folder("templates") / "sentences" / language).glob("*.toml"):
        for key, entry in entries(file).items():
            if keys.fullmatch(key):
                yield from (entry,) if isinstance(entry, str) else entry.values()


def _pattern(form: str) -> str:
    return "".join(
        re.escape(text) + (VALUE if name is not None else "") for text, name, _, _ in Formatter().parse(form)
    )
