"""Words that take or drop proposals by name: "Yes to the pause, no to the substitute", "Forget the letter to Tom".

grammars/plain_questions/<language>.toml has them, in the table `named_answers`: `takes` and `drops` say what is to
become of what is named around them, `between` may stand anywhere, `joins` part two names, `breaks` two clauses, `every`
stands for all that waits, and `names` are words for what a command does, by the first word of its row in
grammars/commands ("order": a proposed order).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from msgspec import Struct

from gm.language.commands.in_words.plain_questions import tables_of
from gm.language.i18n.normalize import clean
from gm.language.lines.sentences import sentences_of

LONGEST = 200
"""Characters of a letter that is searched."""
CLAUSES = r"[.!?;:,–\n]+"
WORD = re.compile(r"\w+(?:['’]\w+)?")


class NamedPart(Struct, frozen=True):
    """Words that name one proposal or several that belong together, and whether they are to be taken."""

    take: bool
    words: tuple[str, ...]


class NamedWords(Struct, frozen=True):
    clauses: re.Pattern[str]
    breaks: re.Pattern[str]
    stances: tuple[tuple[bool, re.Pattern[str]], ...]
    between: re.Pattern[str]
    joins: re.Pattern[str]
    every: re.Pattern[str]
    names: dict[str, re.Pattern[str]]


def named_parts(words: str, languages: tuple[str, ...]) -> tuple[NamedPart, ...]:
    """All that the words take or drop; () where they say neither of something that they name."""
    text = clean(words).text.strip()
    if not text or len(text) > LONGEST:
        return ()
    return next((parts for language in languages if (parts := tuple(_parts(text, named_words(language))))), ())


def takes_rest(words: str, languages: tuple[str, ...]) -> bool:
    """Whether words take all but what they drop by its name: "Yes, but not London"."""
    text = clean(words).text.strip()
    for known in map(named_words, languages):
        parts = tuple(_parts(text, known))
        groups, stances = _read_clause(known.clauses.split(text)[0], known)
        bare = bool(stances) and stances[0] and all(at > 1 for at, _ in groups)
        if bare and parts and not any(part.take for part in parts):
            return True
    return False


def breaks_off(words: str, languages: Iterable[str]) -> bool:
    """Whether words begin by objecting: "but"."""
    text = clean(words).text.strip()
    return any(named_words(language).breaks.match(text) for language in languages)


def without_dropped(words: str, languages: tuple[str, ...], spoken: str, stays: str) -> str:
    """The sentences that do more than to drop something that is `spoken` of and that does not stay."""
    known, stay = set(_lower(spoken)), set(_lower(stays))
    kept = []
    for sentence in sentences_of(words):
        parts = named_parts(sentence, languages)
        named = {word for part in parts for word in part.words}
        dropped = bool(named) and not any(part.take for part in parts) and named <= known - stay
        kept += [] if dropped else [sentence]
    return "".join(kept)


def _lower(text: str) -> list[str]:
    return [word.lower() for word in WORD.findall(clean(text).text)]


def names_of(kind: str, languages: tuple[str, ...]) -> Iterator[re.Pattern[str]]:
    """Words for proposals of a kind: the first word of a row of grammars/commands, or "order"."""
    known = (named_words(language).names.get(kind) for language in languages)
    yield from (pattern for pattern in known if pattern is not None)


def names_all(words: str, languages: tuple[str, ...]) -> bool:
    """Whether words stand for all that was proposed: "both"."""
    return any(named_words(language).every.fullmatch(words) for language in languages)


def _parts(text: str, words: NamedWords) -> Iterator[NamedPart]:
    stance: bool | None = None
    pending: list[tuple[str, ...]] = []
    for clause in words.clauses.split(text):
        groups, stances = _read_clause(clause, words)
        if stances:
            yield from (NamedPart(stances[0], group) for group in pending)
            pending = []
        for at, group in groups:
            own = stances[max(at - 1, 0)] if stances else stance
            if own is None:
                pending.append(group)
            else:
                yield NamedPart(own, group)
        stance = stances[-1] if stances else stance


def _read_clause(clause: str, words: NamedWords) -> tuple[list[tuple[int, tuple[str, ...]]], list[bool]]:
    """Groups of naming words, each with the number of stances before it; and these stances."""
    groups: list[tuple[int, tuple[str, ...]]] = []
    stances: list[bool] = []
    group: list[str] = []
    at = 0
    while (word := WORD.search(clause, at)) is not None:
        at = word.start()
        matches = [(match.end(), take) for take, each in words.stances if (match := each.match(clause, at))]
        parts = bool(matches) or words.joins.match(clause, at)
        if parts and group:
            groups.append((len(stances), tuple(group)))
            group = []
        if matches:
            at, take = max(matches)
            stances.append(take)
        elif (passed := words.joins.match(clause, at) or words.between.match(clause, at)) is not None:
            at = passed.end()
        else:
            group.append(word[0].lower())
            at = word.end()
    return [*groups, *([(len(stances), tuple(group))] if group else [])], stances


@lru_cache(maxsize=16)
def named_words(language: str) -> NamedWords:
    """The words of a language, and of English."""
    tables = tables_of("named_answers", language)

    def pattern(key: str) -> re.Pattern[str]:
        return _whole([word for table in tables for word in table[key]])

    kinds = dict.fromkeys(kind for table in tables for kind in table["names"])
    names = {kind: _whole([word for table in tables for word in table["names"].get(kind, ())]) for kind in kinds}
    breaks = "|".join(word for table in tables for word in table["breaks"])
    stances = (True, pattern("takes")), (False, pattern("drops"))
    return NamedWords(
        re.compile(rf"{CLAUSES}|\b(?:{breaks})\b", re.I),
        pattern("breaks"),
        stances,
        pattern("between"),
        pattern("joins"),
        pattern("every"),
        names,
    )


def _whole(words: list[str]) -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(sorted(words, key=len, reverse=True))})(?!\w)", re.IGNORECASE)
