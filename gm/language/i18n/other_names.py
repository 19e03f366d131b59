"""Other names of places and powers ("Istanbul", "Roumania"), and their people: "the Viennese", "Serbian", "die Kieler".

Most people are a name with an ending; grammars/other_names.toml holds the others. Some endings are those of common
words, too: they count behind a capital letter only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from gm import resources

ENDINGS = ("ian", "ians", "ean", "eans", "an", "ans", "ish", "ese", "ine", "ines")
ADJECTIVE = re.compile(r"(?:an|in|er)?ische?[rnms]?$")
ENDINGS_BEHIND_CAPITAL = (
    "er",
    "ers",
    "ern",
    "ner",
    "ners",
    "ier",
    "iern",
    "iner",
    "aner",
    "ite",
    "ites",
    "ais",
    "en",
    "n",
)
PEOPLE = re.compile(r"\w{3,}(?:s|en|er)")
"""A word of the file for people, not for a city."""
SHORTEST = 4
"""Letters of a name that an ending may follow."""


def other_names(word: str) -> tuple[str, ...]:
    """Names that a word of the file stands for, in lower case."""
    return _other_names().get(word, ())


def peoples(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """(word, name) of the people of each name, in lower case: "britons" of "england", "russians" of "russian"."""
    known = frozenset(names)
    yield from ((f"{name}s", name) for name in known if name.endswith("an"))
    for word, meant in _other_names().items():
        if PEOPLE.fullmatch(word):
            yield from ((word, name) for name in known.intersection(meant))


@lru_cache(maxsize=1)
def _other_names() -> Mapping[str, tuple[str, ...]]:
    file = resources.folder("grammars") / "other_names.toml"
    names: dict[str, tuple[str, ...]] = {}
    for name, people in resources.read_table(file).items():
        for word in people:
            names[word] = (*names.get(word, ()), name.lower())
    return names


def stems(written: str) -> Iterator[str]:
    """Beginnings of names that a word may be made of."""
    word = written.lower()
    endings = (*ENDINGS, *ENDINGS_BEHIND_CAPITAL) if written[:1].isupper() else ENDINGS
    beginnings = [word.removesuffix(ending) for ending in endings if word.endswith(ending)]
    if match := ADJECTIVE.search(word):
        beginnings += [word[: match.start()], word[: word.rindex("isch")]]
    yield from (stem for stem in beginnings if len(stem) >= SHORTEST)
