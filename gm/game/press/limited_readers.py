"""What words for players say about who may read them: "only for Spain", "France must not see it", "Message to Italy:".

`[restricting]` of grammars/plain_questions/<language>.toml has the words. Names stand in the searched words as single
signs, so that the patterns are the same in all games.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from msgspec import Struct

from gm.game.press.addressing import names_of_people
from gm.game.session.session import LetterSession
from gm.language.commands.in_words import plain_questions
from gm.language.i18n.kept_patterns import compiled
from gm.language.i18n.normalize import clean
from gm.language.lines.sentences import sentences_of

WORDS_SEARCHED = 20_000
"""Characters of words that are searched."""
FIRST_SIGN, LAST_SIGN = 0xE000, 0xF8FF
"""Characters that no text uses: they stand for names."""
SIGN = re.compile(f"[{chr(FIRST_SIGN)}-{chr(LAST_SIGN)}]")
PARTS = ("article", "joins", "readers", "around", "words", "reading", "telling", "start", "end")
"""Keys whose patterns stand in braces in those of the keys behind them."""
LINE_END = re.compile(r" *\n *")
SAYS = ("only", "never", "private", "address", "of_three")
TOGETHER = 3
"""The writer and so many readers less one are those of "between us three"."""
HEAD_MOST = 2
"""Sentences among which words stand that say whom a whole letter is for, though none of its readers."""


class ReaderLimits(Struct, frozen=True):
    """What words say about who may read them; their writer is never named here.

    `only`: sets of those who alone may read them. `never`: those who may not. `inside`: whom a part behind other words
    addresses. `private`: they are for fewer than all, whoever that is. `shown`: the sentence that says it.
    """

    only: frozenset[frozenset[str]] = frozenset()
    never: frozenset[str] = frozenset()
    inside: frozenset[frozenset[str]] = frozenset()
    private: bool = False
    shown: str = ""


def find_limits(session: LetterSession, readers: frozenset[str], words: str) -> ReaderLimits:
    """What words to these readers say. "Only for Spain" further down, in words to others, limits nothing."""
    named = names_of_people(session)
    patterns = _patterns(*session.services.letters.languages)
    matches = _matches(words, named, patterns)
    if not any(matches.values()):
        return ReaderLimits()
    powers = list(dict.fromkeys(named.values()))

    def sets_of(some: Iterable[re.Match[str]]) -> frozenset[frozenset[str]]:
        every = (frozenset(powers[ord(sign) - FIRST_SIGN] for sign in SIGN.findall(each.group())) for each in some)
        return frozenset(each - {session.author} for each in every) - {frozenset()}

    heads = [match for match in matches["address"] if not match.string[: match.start()].strip()]
    first = [match for match in matches["only"] if len(sentences_of(match.string[: match.end()])) <= HEAD_MOST]
    together = matches["of_three"] and len(readers - {session.author}) < TOGETHER
    return ReaderLimits(
        only=sets_of((*first, *heads)) | {each for each in sets_of(matches["only"]) if each & readers},
        never=frozenset().union(*sets_of(matches["never"])),
        inside=sets_of(match for match in matches["address"] if match not in heads),
        private=bool(matches["private"]) or bool(matches["of_three"] and not together),
        shown=next((each for each in sentences_of(words) if any(_matches(each, named, patterns).values())), words),
    )


def _matches(
    words: str, named: Mapping[str, str], patterns: Mapping[str, re.Pattern[str]]
) -> Mapping[str, list[re.Match[str]]]:
    """The matches in words with signs for names; also in those without line ends, which a program may have made."""
    signs = {power: chr(FIRST_SIGN + at) for at, power in enumerate(dict.fromkeys(named.values()))}
    low = "\n".join(clean(line).text for line in words[:WORDS_SEARCHED].split("\n")).lower()
    low = _names(tuple(named)).sub(lambda match: signs[named[match[1]]], SIGN.sub("", low))
    texts = dict.fromkeys((low, LINE_END.sub(" ", low)))
    matches = {key: [match for text in texts for match in patterns[key].finditer(text)] for key in SAYS}
    unnamed = (patterns["never"].sub(" ", text) for text in texts)  # "don't tell Luc" hides nothing from others
    return matches | {"private": [match for text in unnamed for match in patterns["private"].finditer(text)]}


@lru_cache(maxsize=32)
def _names(names: tuple[str, ...]) -> re.Pattern[str]:
    longest = sorted(names, key=lambda name: (-len(name), name))
    return re.compile(rf"\b({'|'.join(map(re.escape, longest)) or '(?!)'})s?\b")


@lru_cache(maxsize=8)
def _patterns(*languages: str) -> Mapping[str, re.Pattern[str]]:
    words = plain_questions.joined_patterns("restricting", *languages)
    whole = {"name": SIGN.pattern}
    for key in (*PARTS, *SAYS):
        whole[key] = words[key]
        for part, pattern in tuple(whole.items())[:-1]:
            whole[key] = whole[key].replace(f"{{{part}}}", f"(?:{pattern})")
    return {key: compiled(whole[key]) for key in SAYS}
