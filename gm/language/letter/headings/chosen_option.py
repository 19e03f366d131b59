"""Which option of several in a letter counts: "One: Munich to Burgundy. Two: Munich to Ruhr. I go with One"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from gm.language.i18n.joining_words import AND, BUT
from gm.language.i18n.normalize import clean
from gm.language.lines.blocks import NumberedLine
from gm.language.lines.lines import LetterLine, read_line
from gm.language.prose.clauses import SENTENCE_END, sentence_start
from gm.language.prose.phrases.phrase_tables import fits_any
from gm.language.prose.phrases.prose_phrases import ProsePhrases

CLAUSE_START = re.compile(rf"(?:^|(?<=[.!?;,:–-])\s|\b(?:{AND}|{BUT}|so)\s|\s-\s)\s*[(\[]?")
BETWEEN = " .,;!([]"
"""What stands around the words of a heading or a sentence."""
MARKS = r"[.,;!)\]\s]*"
LONGEST = 120
"""Characters of a sentence that chooses an option."""
MOST_LINES = 200
NAME = re.compile(
    r"[\s*]*(?P<heading>(?P<name>[^\W\d_][\w'’ ]{0,24}?)(?: (?P<kind>\w+))?(?: *\([^()]{1,60}\))? *:)(?P<orders>.*)"
)
"""A heading with a name at the beginning of a line: "Franz's idea: Vie - Gal"."""
PIECE = re.compile(r"\s*(?:(?:army|armee|fleet|flotte|[af]|the|die) )*([^\W\d_]+)")
MARK = re.compile(r"[.,;!]|$")
LEAST_SHARED = 2
"""Units that two options order at least."""
LAST = -1
"""The number of the last option, however many there are."""


class NamedOption(Struct, frozen=True):
    """`names`: the words that may choose it. `units`: the first word of each of its orders."""

    heading: str
    names: frozenset[str]
    units: frozenset[str]


class OptionChoice(Struct, frozen=True):
    """`headings`: the words of each option's heading -> what it says of the lines below: "" that they count, "old" that
    they do not, "alternative" where none is chosen. `sentences`: the words that choose. All in lower case.
    """

    headings: Mapping[str, str]
    sentences: frozenset[str]

    def pieces(self, line: LetterLine) -> Iterator[LetterLine]:
        """A line cut at the headings of options and at the words that choose one."""
        low = line.plain.lower()
        starts = _clause_starts(low)
        cuts = sorted(
            at
            for words in (*self.headings, *self.sentences)
            for match in re.finditer(re.escape(words) + MARKS, low)
            for at in match.span()
            if match.start() in starts
        )
        if not cuts:
            yield line
            return
        for start, past in pairwise(sorted({0, len(low), *cuts})):
            columns = (line.columns[start], line.columns[past]) if line.columns else (start, past)
            yield read_line(line.number, line.text[slice(*columns)])

    def stance_of(self, low: str) -> str | None:
        """What a piece says of the lines below it, as in `headings`; None for other words."""
        words = low.strip(BETWEEN)
        return "" if words in self.sentences else self.headings.get(words)


def read_choice(lines: Sequence[NumberedLine], phrases: ProsePhrases) -> OptionChoice | None:
    """The option that a letter chooses among those it names; None if it chooses none, or it is not clear which. Of
    options with names, "Plan Lemon:", "Plan Orange:", none counts.
    """
    lows = (clean(text).text.lower() for _, text in lines[:MOST_LINES])
    texts = {low: _clause_starts(low) for low in lows}
    headings = _with_numbers(phrases.option_heading, texts, phrases)
    numbers = sorted({*headings.values()})
    named = {low.strip(BETWEEN) for low in texts if phrases.option_name.fullmatch(low.strip())}
    if not numbers and len(named) > 1:
        return OptionChoice(dict.fromkeys(named, "alternative"), frozenset())
    if not numbers and (by_name := _choice_by_name(texts, phrases)):
        return by_name
    if len(numbers) < 2 or numbers != [*range(1, len(numbers) + 1)]:
        return None
    sentences = _with_numbers(phrases.chosen_option, texts, phrases)
    if any(_is_doubted(words, low, phrases) for words in sentences for low in texts):
        return None
    chosen = {len(numbers) if number == LAST else number for number in sentences.values()}
    if len(chosen) != 1 or not chosen <= {*numbers}:
        return None
    stances = {words: "" if number in chosen else "old" for words, number in headings.items()}
    return OptionChoice(stances, frozenset(sentences))


def _choice_by_name(texts: Mapping[str, frozenset[int]], phrases: ProsePhrases) -> OptionChoice | None:
    """ "My son's: …", "My wife's: …", "We play my son's": the option that a sentence names, where others order the same
    units.
    """
    options = _named_options(texts, phrases)
    for low, starts in texts.items() if len(options) > 1 else ():
        for begin in sorted(starts):
            verb = phrases.option_verb.match(low, begin)
            end = MARK.search(low, verb.end()) if verb is not None else None
            if verb is None or end is None:
                continue
            words = low[begin : end.start()].strip(BETWEEN)
            name = phrases.option_past.sub("", low[verb.end() : end.start()]).strip(BETWEEN)
            chosen = next((each for each in options if name in each.names), None)
            rivals = [each for each in options if chosen and len(each.units & chosen.units) >= LEAST_SHARED]
            if len(rivals) > 1 and _is_doubted(words, low, phrases):
                return OptionChoice({each.heading: "alternative" for each in rivals}, frozenset())
            if len(rivals) > 1:
                stances = {each.heading: "" if each == chosen else "old" for each in rivals}
                return OptionChoice(stances, frozenset({words}))
    return None


def _named_options(lows: Iterable[str], phrases: ProsePhrases) -> list[NamedOption]:
    """The orders below each heading with a name, and behind it, up to an empty line."""
    options: list[NamedOption] = []
    is_open = False
    for low in lows:
        match = NAME.match(low)
        if match is not None:
            heading = match["heading"]
            is_kind = phrases.option_kind.fullmatch(match["kind"] or "") is not None
            whole = heading.partition("(")[0].rstrip(" :")
            names = {whole, match["name"]} if is_kind else {whole}
            options.append(NamedOption(heading, frozenset(names), frozenset()))
        is_open = bool(low.strip()) and (is_open or match is not None)
        pieces = re.split(r"[,;]", match["orders"] if match is not None else low)[:MOST_LINES]
        begun = {piece[1] for piece in map(PIECE.match, pieces) if piece is not None}
        if is_open:
            options[-1] = replace(options[-1], units=options[-1].units | begun)
    return options


def _with_numbers(
    pattern: re.Pattern[str], texts: Mapping[str, frozenset[int]], phrases: ProsePhrases
) -> dict[str, int]:
    """The words at beginnings of clauses that a pattern fits, each with the number of the option it speaks of. `texts`:
    each line with the columns where its clauses begin.
    """
    numbered: dict[str, int] = {}
    for low, starts in texts.items():
        matches = (pattern.match(low[: begin + LONGEST], begin) for begin in sorted(starts))
        for words in (match.group().strip(BETWEEN) for match in matches if match is not None):
            if number := _number(words, phrases):
                numbered[words] = number
    return numbered


def _is_doubted(words: str, low: str, phrases: ProsePhrases) -> bool:
    """Whether the sentence with these words says that they may not count: "if Italy moves, I go with B"."""
    at = low.find(words)
    if at < 0:
        return False
    start = sentence_start(low, at)
    end = SENTENCE_END.search(low, at + len(words))
    past = end.end() if end is not None else len(low)
    around = f"{low[start:at]} {low[at + len(words) : past]}"
    doubting = (phrases.condition, phrases.limits, phrases.hedge, phrases.later, phrases.reported)
    return "?" in around or fits_any(around, doubting)


def _clause_starts(low: str) -> frozenset[int]:
    return frozenset(match.end() for match in CLAUSE_START.finditer(low))


def _number(words: str, phrases: ProsePhrases) -> int:
    """The number that the first such word has: "the second one" is 2; 0 where there is none."""
    matches = ((pattern.search(words), number) for number, pattern in phrases.option_numbers)
    first = min(((match.start(), number) for match, number in matches if match is not None), default=(0, 0))
    return first[1]
