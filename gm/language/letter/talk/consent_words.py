"""Words beside a YES that only agree, and words that refuse what was proposed.

grammars/plain_questions/<language>.toml has them, in the table `consent`: patterns in small letters without accents.
`agrees` may stand beside YES. `refuses` say no, or take back what was asked for; `besides` may stand around them.
`thanks` acknowledge an answer; `joins` lead from a YES to other words. `affirms` stand for YES, where they say nothing
else to what was just proposed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from gm.language.commands.in_words.plain_questions import tables_of
from gm.language.i18n.normalize import clean

LONGEST = 200
"""Characters of words that are searched."""
NO_WORD = re.compile(r"[\W_]+")
WORD = re.compile(r"\w+")
NAME = re.compile(r"[A-Z][a-z]+\b")
"""May be the name of somebody who is spoken to."""
SENTENCE = re.compile(r"[^.!?]*(?:[.!?]+\s*|$)")


class ConsentWords(Struct, frozen=True):
    agrees: tuple[re.Pattern[str], ...]
    refuses: tuple[re.Pattern[str], ...]
    besides: tuple[re.Pattern[str], ...]
    thanks: tuple[re.Pattern[str], ...]
    joins: tuple[re.Pattern[str], ...]
    affirms: tuple[re.Pattern[str], ...]


def gives_thanks(words: str, languages: Iterable[str]) -> bool:
    """Whether words begin with thanks."""
    text = clean(words).text
    return any(pattern.match(text) for language in languages for pattern in consent_words(language).thanks)


def affirmation(words: str, languages: Iterable[str]) -> int:
    """How many characters of a line stand for YES, from its beginning, where the others only agree; else 0."""
    known, cleaned = tuple(languages), clean(words)
    matches = (each.match(cleaned.text) for language in known for each in consent_words(language).affirms)
    past = cleaned.column(max((match.end() for match in matches if match), default=0))
    behind = words[past:]
    return past if only_agrees(behind, known) and not gives_thanks(NO_WORD.sub(" ", behind).strip(), known) else 0


def without_joints(words: str, languages: Iterable[str]) -> str:
    """Words behind a YES without those that lead to them: "and", "also,"."""
    cleaned = clean(words)
    patterns = [pattern for language in languages for pattern in consent_words(language).joins]
    other = next((at for at, end in _consumed(cleaned.text, patterns) if end == at), len(cleaned.text))
    return words[cleaned.column(other) :]


def only_agrees(words: str, languages: Iterable[str]) -> bool:
    """Whether words beside a YES say nothing else. One of them may be a name."""
    text = clean(words.strip()).text
    if len(text) > LONGEST:
        return False
    return any(_is_agreement(text, consent_words(language).agrees) for language in languages)


def without_agreement(words: str, languages: Iterable[str]) -> str:
    """The words that do more than to agree."""
    text = clean(words).text
    patterns = [pattern for language in languages for pattern in consent_words(language).agrees]
    return " ".join(WORD.findall(text, at)[0] for at, end in _consumed(text, patterns) if end == at)


@lru_cache(maxsize=1024)
def refusal(words: str, languages: tuple[str, ...]) -> int:
    """How many characters of a line are sentences that refuse, from its beginning; 0 if the first does not.

    Cached only for speed: letters begin with the same orders.
    """
    cleaned = clean(words)
    past = max((_refused(cleaned.text[:LONGEST], consent_words(language)) for language in languages), default=0)
    return cleaned.column(past)


def _is_agreement(text: str, agrees: Sequence[re.Pattern[str]]) -> bool:
    names = 0
    for at, end in _consumed(text, agrees):
        name = NAME.match(text, at) if end == at else None
        names += name is not None
        if end == at and (name is None or names > 1):
            return False
    return True


def _refused(text: str, words: ConsentWords) -> int:
    past = 0
    for sentence in SENTENCE.finditer(text):
        if not any(pattern.search(sentence[0]) for pattern in words.refuses):  # fast path
            break
        parts = list(_consumed(sentence[0].rstrip(" .!?"), (*words.refuses, *words.besides)))
        refuses = any(pattern.match(sentence[0], at) for at, _ in parts for pattern in words.refuses)
        if not refuses or any(end == at for at, end in parts):
            break
        past = sentence.end()
    return past


def _consumed(text: str, patterns: Sequence[re.Pattern[str]]) -> Iterator[tuple[int, int]]:
    """The stretches that the patterns cover one after the other; a word that none covers has the length 0."""
    at = 0
    while at < len(text):
        if (gap := NO_WORD.match(text, at)) is not None:
            at = gap.end()
            continue
        end = max((match.end() for pattern in patterns if (match := pattern.match(text, at))), default=at)
        yield at, end
        word = WORD.match(text, at)
        at = end if end > at or word is None else word.end()


@lru_cache(maxsize=16)
def consent_words(language: str) -> ConsentWords:
    """The words of a language, and of English."""
    tables = tables_of("consent", language)
    return ConsentWords(
        *(
            tuple(re.compile(rf"(?:{word})(?!\w)", re.IGNORECASE) for table in tables for word in table[key])
            for key in ConsentWords.__struct_fields__
        )
    )
