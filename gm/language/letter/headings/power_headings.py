"""Divides a letter of somebody with several powers at the words that name one: "As England: Lon-Nth. Now France:"."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from gm.language.commands.in_words.plain_questions import joined_patterns
from gm.language.i18n.normalize import clean
from gm.language.letter.headings.game_headings import LONGEST_LINE, MOST_LINES
from gm.language.lines.blocks import NumberedLine


class PowerPart(Struct, frozen=True):
    """Lines for one seat of the writer. `seat`: its number, None for words before the first heading. `heading`: the
    words that name its power, in front of the first line.
    """

    seat: int | None
    lines: tuple[NumberedLine, ...]
    heading: str = ""

    @property
    def with_heading(self) -> tuple[NumberedLine, ...]:
        (number, text), *below = self.lines
        return ((number, self.heading + text), *below)


class PowerHeadings(Struct, frozen=True):
    """`seats`: those that the writer holds, by the names of their powers in lower case."""

    seats: Mapping[str, int]
    languages: tuple[str, ...]

    def divide(self, lines: Sequence[NumberedLine], kept: Collection[int]) -> tuple[PowerPart, ...]:
        """The parts in their order. `kept`: numbers of lines that are not divided."""
        parts: list[PowerPart] = []
        seat: int | None = None
        heading, held = "", list[NumberedLine]()
        for at, (number, text) in enumerate(lines):
            past = 0
            for start, end, named in self._headings(text) if at < MOST_LINES and number not in kept else ():
                held.append((number, text[past:start]))
                parts.append(PowerPart(seat, tuple(held), heading))
                seat, heading, held, past = named, text[start:end], [], end
            held.append((number, text[past:]))
        return (*parts, PowerPart(seat, tuple(held), heading))

    def _headings(self, text: str) -> Iterator[tuple[int, int, int]]:
        made = clean(text[:LONGEST_LINE])
        low = made.text.lower()
        for match in _pattern(tuple(self.seats), self.languages).finditer(low):
            alone = match.start() == 0 and match.end() == len(low)
            if match["as"] or match["mark"] or alone:
                yield made.column(match.start("words")), made.column(match.end()), self.seats[match["name"]]


@lru_cache(maxsize=64)
def _pattern(names: tuple[str, ...], languages: tuple[str, ...]) -> re.Pattern[str]:
    """Kept only for speed."""
    words = joined_patterns("several_powers", *languages)
    named = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    return re.compile(
        rf"(?:^|[.!?;,] )[^\w(\[]{{0,10}}(?P<words>[(\[]?(?:(?:{words['front']})[ ,:]+)*(?P<as>(?:{words['as']}) )?"
        rf"(?P<name>{named})\b(?:'?s\b)?(?: (?:{words['orders']}))?)"
        rf"(?P<mark>\s*(?:[:)\]*_]|-+(?=\s|>))+)?(?:\s+|$|(?<=:)|(?=,))"
    )
