"""A pattern whose words are missing from a line matches nothing in it."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest
from support.corpus import cases
from support.shipped import LIBRARY

from gm.language.commands.in_words.named_powers import called
from gm.language.commands.in_words.plain_questions import senses
from gm.language.i18n.needed_words import SELDOM, PatternIndex, first_letters, learn_words, may_match, needed_words
from gm.language.prose.phrases.prose_phrases import phrases_of


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("when is", ("when is",)),
        (r"\bwhen\b is\b", ("when is",)),
        ("deadline|clock", ("clock", "deadline")),
        ("(?:my |the )?deadline", ("deadline",)),
        ("(?:to|from) (?P<place>paris|rome)", ("paris", "rome")),
        ("(?:one |no )+(?=army)", ("army",)),
        ("(?!not)now", ("now",)),
        ("(?<=a )fleet", ("fleet",)),
        ("two[xyz]?armies", ("armies",)),
        ("[a-z]+", ()),
        ("now|[0-9]", ()),
        ("(?i:now)", ()),
        ("(?:now)*", ()),
        ("(?:now){2}", ("now",)),
        ("", ()),
    ],
)
def test_words_of_a_pattern(pattern: str, words: tuple[str, ...]) -> None:
    assert needed_words(pattern) == words


@pytest.mark.parametrize(
    ("pattern", "letters"),
    [
        ("now", "n"),
        (r"\b(?:now|Then)", "nt"),
        ("(?:my |the )?orders", "mto"),
        ("(?:my |(?:the)*)?", ""),
        ("(?:a|b*)c", "abc"),
        ("[xyz]?army", ""),
        ("(?:army|.)", ""),
        ("(?!now)(?<=a)n+", "n"),
        ("(?i:Now)|\\(?later", "n(l"),
        ("", ""),
    ],
)
def test_letters_that_begin_a_pattern(pattern: str, letters: str) -> None:
    assert first_letters(pattern) == frozenset(letters)


@pytest.mark.parametrize("flags", [re.NOFLAG, re.IGNORECASE])
def test_a_line_without_the_words_is_passed_over(flags: re.RegexFlag) -> None:
    """Where the pattern heeds the case, and once it has been tried often."""
    pattern = re.compile("army of [xyz]", flags)
    assert all(may_match(pattern, "the army of z") for _ in range(2 * SELDOM))
    assert may_match(pattern, "THE ARMY OF Z") is (flags == re.IGNORECASE)


class Numbered(NamedTuple):
    number: int
    pattern: re.Pattern[str]


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_match_in_the_corpus_is_missed(language: str) -> None:
    variant = LIBRARY.variant("standard")
    phrases = phrases_of(variant)
    patterns = [sense.pattern for sense in senses(language, tuple(called(variant.powers)))]
    patterns += [phrases.speaks_of_orders, *(pattern for pattern, _ in (*phrases.signs, *phrases.phone))]
    patterns += [phrases.quantity, phrases.as_before, phrases.later, phrases.condition, phrases.reported]
    patterns += [phrases.hedge, phrases.alternative, *(pattern for _, pattern in phrases.sections)]
    patterns += [pattern for _, pattern in phrases.labels if pattern.pattern != "(?!)"]
    lines = sorted({line.lower() for case in cases(LIBRARY) for line in (case.written, *case.written.split())})
    matches, index = 0, PatternIndex([Numbered(number, pattern) for number, pattern in enumerate(patterns)])
    tried = {line: {entry.number for entry in index.tried(line)} for line in lines}
    for number, pattern in enumerate(patterns):
        assert needed_words(pattern.pattern), pattern.pattern
        for line in lines:
            if pattern.search(line):
                matches += 1
                assert may_match(pattern, line), (pattern.pattern, line)
                assert number in tried[line], (pattern.pattern, line)
    assert matches > 100


def test_an_index_of_patterns_passes_over_those_without_their_words() -> None:
    known, unknown = re.compile("fleet of [xyz]"), re.compile("[xyz] fleets")
    any_case = re.compile("fleet [xyz]", re.IGNORECASE)
    learn_words(known.pattern, needed_words(known.pattern))
    entries = [Numbered(number, pattern) for number, pattern in enumerate((unknown, known, any_case, known))]
    index = PatternIndex(entries)
    assert index.tried("the fleet of z") == entries
    assert index.tried("no fleet") == [entries[0], entries[2]]
    assert index.fitting("the fleet of z") == (entries[1], entries[3])


def test_a_text_is_rewritten_by_one_entry_after_the_other() -> None:
    """What an entry writes is seen by those behind it, and by none before it."""
    patterns = [re.compile(words) for words in ("fleets? first", "armies", "fleets", "units")]
    for pattern in patterns:
        learn_words(pattern.pattern, needed_words(pattern.pattern))
    index = PatternIndex([Numbered(number, pattern) for number, pattern in enumerate(patterns)])
    written = ("nothing", "Fleets", "Units", "fleets first")
    tried: list[int] = []

    def rewrite(entry: Numbered, text: str) -> str:
        tried.append(entry.number)
        return entry.pattern.sub(written[entry.number], text.lower())

    assert index.rewritten("Our Armies", rewrite) == "our fleets first"
    assert tried == [1, 2, 3]
    assert index.rewritten("Our wings", rewrite) == "Our wings"
