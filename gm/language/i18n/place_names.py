"""Names of provinces and powers -> codes. One table per board; it does not depend on the position.

A province answers to its code, its name, its aliases, every prefix of these of three letters or more that fits no other
province, and its name with shortened words ("N. Africa", "Norw. Sea", "Gulf Bothnia"). A key that fits several
provinces gives all of them: the legality of the order decides, or the writer is asked. "0" is read as "o" in a word.
An alias "wc=sc" says that this province's coast "sc" is also called "wc".

Names in another language are added. Where a short one is another province's code ("tyr" is the Tyrrhenian Sea in
German, and Tyrolia as a code) both are meant, the language's own first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache

from gm.judge.board.board import Province
from gm.judge.model.variant import LocalName, Minor, Power, Variant
from gm.language.i18n.joining_words import ARTICLES
from gm.language.i18n.normalize import clean
from gm.language.i18n.other_names import other_names, stems
from gm.language.i18n.vocabulary import PLAIN, Vocabulary, spellings

CAPITAL_WORD = re.compile(r"[A-Z][a-z]*")
ENDINGS = {"S": "sea", "Ch": "channel", "O": "ocean"}
"""Short last words of a name without blanks."""
SHORTEST = 3
LONG_NAME = 3
"""Words of a name of which the first may be left out."""
LONGEST_NAME = 6
"""Most words of a name."""
MOST_ALIKE = 3
"""Most provinces that one word of their names may stand for."""
LONG_WORD = 5
"""Letters of a word that may stand for a name of several."""
MEMO = 8192
VOWELS = re.compile(r"[aeiou]")
WORDS = re.compile(r"[a-z0-9]+")
SMALL = frozenset({"of", "the", "and"})
SAINTS = frozenset({"saint", "sankt", "sanct", "st"})


def words(text: str) -> tuple[str, ...]:
    """Lower-case words without accents; Saint is "st"."""
    return _with_saints(WORDS.findall(clean(text).text.replace("'", "").lower()))


def _with_saints(phrase: Iterable[str]) -> tuple[str, ...]:
    return tuple("st" if word in SAINTS else word for word in phrase)


def power_key(text: str) -> str:
    """A power's name as `powers` lists it, also behind an article: "the United States"."""
    named = words(text)
    return " ".join(named[1:] if len(named) > 1 and named[0] in ARTICLES else named)


def written_together(written: str) -> list[str]:
    """The words of a name without blanks, "NthSea"; [] for any other word."""
    parts = CAPITAL_WORD.findall(written)
    if len(parts) < 2 or "".join(parts) != written or len(parts[0]) < SHORTEST:
        return []
    return [*parts[:-1], ENDINGS.get(parts[-1], parts[-1])]


def _consonants(word: str) -> str:
    """ "blk" of "black", "brst" of "brest"."""
    return re.sub(r"(.)\1", r"\1", word[:1] + VOWELS.sub("", word[1:]).replace("ck", "k"))


class PlaceNames:
    """The names of one board's provinces."""

    def __init__(
        self,
        provinces: Mapping[str, Province],
        marks: Mapping[str, Mapping[str, str]] | None = None,
        called: Mapping[str, LocalName] | None = None,
        tongue: Vocabulary = PLAIN,
    ) -> None:
        """`marks` are further names of coasts on the board; `called` are the names in another language, by code."""
        self.marks: Mapping[str, Mapping[str, str]] = marks or {}
        self.codes: dict[str, str] = {code.lower(): code for code in provinces}
        self._phrases: dict[tuple[str, ...], set[str]] = {}
        self._squashed: dict[str, set[str]] = {}
        self._joined: set[str] = set()
        self._small = SMALL | tongue.small
        self._own: dict[str, str] = {}
        self._main = {code: "".join(words(area.name)) for code, area in provinces.items()}
        self.coasts: dict[tuple[str, str], str] = {}
        for area in provinces.values():
            self._learn(area)
        for code, local in (called or {}).items():
            if code in provinces:
                self._learn_called(code, local, tongue)
        for code, named in self.marks.items():
            coasts = provinces[code].coasts
            self.coasts |= {(code, mark.lower()): slot for mark, slot in named.items() if slot in coasts}
        self._learn_ends()
        self._prefixes = self._beginnings()
        self._full = {name: codes for name, codes in self._phrases.items() if not self._small & set(name)}
        self._initials: dict[str, dict[tuple[str, ...], set[str]]] = {}
        for name, codes in self._full.items():
            self._initials.setdefault(name[0][0], {})[name] = codes
        behind = {word for name in self._full for word in name[1:]}
        self._starts_behind = {word[:n] for word in behind for n in range(SHORTEST, len(word) + 1)}
        self.openers = {name[0][:n] for name in self._phrases if len(name) > 1 for n in range(1, len(name[0]) + 1)}
        self.openers |= self._joined | (SAINTS if "st" in self.openers else frozenset())
        self.letters = {word for name in self._phrases for word in name if len(word) == 1} | self._small
        self.inner = {word for name in self._phrases for word in name[1:]} | self._small
        self.lettered = self._by_letter()
        self._memo: dict[tuple[str, ...], tuple[str, ...]] = {}

    def _by_letter(self) -> dict[str, str]:
        """The provinces whose names differ in a letter alone, by that letter: "box A", "box B" …"""
        families: dict[tuple[str, ...], dict[str, str]] = {}
        for name, codes in self._phrases.items():
            if len(name) > 1 and len(name[-1]) == 1 and len(codes) == 1:
                families.setdefault(name[:-1], {})[name[-1]] = next(iter(codes))
        return max((family for family in families.values() if len(family) > 1), key=len, default={})

    def _learn(self, area: Province) -> None:
        spellings = [area.name]
        for alias in area.aliases:
            called, equals, coast = alias.partition("=")
            if equals:
                self.coasts[area.code, called.strip().lower()] = coast.strip().lower()
            else:
                spellings.append(alias)
        for slot in area.coasts:
            self.coasts[area.code, slot.lower()] = slot
        for spelling in spellings:
            self._learn_spelling(spelling, area.code)
        self._joined.add(area.code.lower())

    def _learn_spelling(self, spelling: str, code: str) -> None:
        phrase = words(spelling)
        if phrase:
            self._phrases.setdefault(phrase, set()).add(code)
            self._squashed.setdefault("".join(phrase), set()).add(code)
            short = tuple(word for word in phrase if word not in self._small)
            self._phrases.setdefault(short or phrase, set()).add(code)
            self._joined.add(phrase[0])

    def _learn_called(self, code: str, called: LocalName, tongue: Vocabulary) -> None:
        for written in (called.name, *called.aliases):
            for spelling in spellings(written, tongue.letters):
                for form in (spelling, *tongue.also_called(spelling)):
                    self._learn_spelling(form, code)
                    for declined in tongue.declined(form):
                        self._learn_spelling(declined, code)
        for written in called.aliases:
            for spelling in spellings(written, tongue.letters):
                self._own["".join(words(spelling))] = code

    def _learn_ends(self) -> None:
        """ "St Lawrence" for the Gulf of St Lawrence: two words or more behind a small one, that are no other name;
        "Lyon gulf" for the Gulf of Lyon; and "Free State" for the Irish Free State, where no other name ends so.
        """
        ends: dict[tuple[str, ...], set[str]] = {}
        for name, codes in self._phrases.items():
            if len(name) == LONG_NAME and not self._small & set(name):
                ends.setdefault(name[1:], set()).update(codes)
        for name, codes in ends.items():
            if len(codes) == 1:
                self._phrases.setdefault(name, set()).update(codes)
        for name, codes in tuple(self._phrases.items()):
            at = max((at for at, word in enumerate(name) if word in self._small), default=0)
            if at and len(name) - at > 2:
                self._phrases.setdefault(name[at + 1 :], set()).update(codes)
            if at == 1:
                self._phrases.setdefault((*name[at + 1 :], name[0]), set()).update(codes)

    def _beginnings(self) -> dict[str, set[str]]:
        beginnings: dict[str, set[str]] = {}
        for key, codes in self._squashed.items():
            for length in range(SHORTEST, len(key)):
                beginnings.setdefault(key[:length], set()).update(codes)
        return beginnings

    def exact(self, word: str) -> tuple[str, ...]:
        """The provinces a single word names in full: by code, else by a name or alias that is no other's start."""
        code, own = self.codes.get(word), self._own.get(word)
        if own is not None:
            return (own,) if code in (None, own) else (own, code)
        if code is not None:
            return (code,)
        named = self._squashed.get(word)
        if not named:
            return ()
        longer = self._prefixes.get(word, set())
        return tuple(sorted(named | longer)) if len(word) <= SHORTEST + 1 else tuple(sorted(named))

    def beginning(self, word: str) -> frozenset[str]:
        """The provinces with a name that begins with these letters, also where they are the code of another one."""
        return frozenset(self._prefixes.get(word.lower(), ()))

    def find(self, phrase: Sequence[str]) -> tuple[str, ...]:
        """The provinces these lower-case words may mean; empty when none."""
        key = tuple(phrase)
        known = self._memo.get(key)
        if known is None:
            if len(self._memo) >= MEMO:
                self._memo.clear()
            known = self._memo[key] = self._search(_with_saints(key))
        return known

    def written_apart(self, phrase: Sequence[str]) -> tuple[str, ...]:
        """The provinces with a name of exactly these words; "Kyo to" is none."""
        return tuple(sorted(self._phrases.get(_with_saints(phrase), ())))

    def begin(self, first: str, second: str) -> bool:
        """Whether a name might begin with these two words."""
        long = second in self.inner or len(second) >= SHORTEST
        return long or any(name.startswith(first + second) for name in self._squashed)

    def otherwise(self, written: str, *, people: bool) -> tuple[str, ...]:
        """The province with this other name, or with such `people`: "Istanbul", "Viennese", "BalticSea"."""
        if codes := self._other(written.lower()):
            return tuple(sorted(codes))
        for stem in stems(written) if people else ():
            codes = self._squashed.get(stem, set()) | self._prefixes.get(stem, set())
            if codes:
                return tuple(sorted(codes)) if len(codes) == 1 else ()
        return self.find([part.lower() for part in written_together(written)]) or self._by_consonants(written.lower())

    def _by_consonants(self, word: str) -> tuple[str, ...]:
        """The only province whose name, or its first word, has these letters without its vowels: "brst", "Blk Sea"."""
        if len(word) < SHORTEST or VOWELS.search(word):
            return ()
        codes = self._by_first_consonants.get(word, ())
        return tuple(codes) if len(codes) == 1 else ()

    @cached_property
    def _by_first_consonants(self) -> Mapping[str, set[str]]:
        codes: dict[str, set[str]] = {}
        for name, here in self._phrases.items():
            codes.setdefault(_consonants(name[0]), set()).update(here)
        return codes

    def inside(self, word: str) -> tuple[str, ...]:
        """The few provinces with this word in their names: "Channel", "Bothnia"."""
        codes = self._holding(word)
        return tuple(sorted(codes)) if len(codes) <= MOST_ALIKE and len(word) >= LONG_WORD else ()

    def _holding(self, word: str) -> set[str]:
        """The provinces with this word in a name, behind its first."""
        return {code for name, codes in self._phrases.items() if word in name[1:] for code in codes}

    def may_begin(self, first: str, second: str) -> bool:
        """Fast check: whether a name of several words may begin with these two (`find` decides)."""
        first, second = _with_saints((first, second))
        joined = first + second
        inside = second in self.inner or second in self._starts_behind
        return inside or joined in self._squashed or joined in self._prefixes

    def goes_on(self, word: str) -> bool:
        """Whether a name of several words might go on with this one after its first."""
        return any(inner.startswith(word) for inner in self.inner)

    def _search(self, phrase: tuple[str, ...]) -> tuple[str, ...]:
        if len(phrase) == 1:
            word = phrase[0]
            return self.exact(word) or self._begun(word)
        if min(map(len, phrase), default=0) >= 2 and "".join(phrase) in self._squashed:
            return tuple(sorted(self._squashed["".join(phrase)]))
        short = tuple(word for word in phrase if word not in self._small)
        if not short or phrase[-1] in self._small or phrase[0] in self._small:
            return ()
        if phrase in self._phrases:
            return tuple(sorted(self._phrases[phrase]))
        return tuple(sorted(self._shortened(short)))

    def _begun(self, word: str) -> tuple[str, ...]:
        """Provinces whose name begins so; where some do, also those with the word inside ("gulf": Persian Gulf), and
        those with that other name, unless the main name of a province begins so ("Roma" begins the alias Romania).
        """
        begun = self._prefixes.get(word, set())
        begins_name = any(self._main[code].startswith(word) for code in begun)
        others = set() if begins_name else self._other(word)
        return tuple(sorted(begun | self._holding(word) | others)) if begun else ()

    def _other(self, word: str) -> set[str]:
        """The provinces of the first name on this board that the word is another name for."""
        named = (self._squashed.get("".join(words(name))) for name in other_names(word))
        return next((codes for codes in named if codes), set())

    def _shortened(self, phrase: tuple[str, ...]) -> Iterable[str]:
        """Provinces by prefixes of each word of their name; after the first, of three letters or more."""
        if len(phrase) < 2 or not self._starts_behind.issuperset(phrase[1:]):
            return set()
        provinces = set()
        code = self.codes.get(phrase[0])
        names = self._full if code is not None else self._initials.get(phrase[0][0], {})
        for name, codes in names.items():
            if len(name) < len(phrase):
                continue
            if all(full.startswith(word) for full, word in zip(name, phrase, strict=False)):
                provinces |= codes
            elif code in codes and len(phrase) == 2 and name[-1] == phrase[1]:
                return {code}
        return provinces

    def near(self) -> tuple[tuple[str, str], ...]:
        """(spelling, code) pairs that a misspelt word may be compared with."""
        pairs = {(key, code) for key, codes in self._squashed.items() for code in codes}
        pairs |= {(" ".join(key), code) for key, codes in self._phrases.items() for code in codes}
        return tuple(sorted(pairs | {(key, code) for key, code in self.codes.items()}))

    def coast(self, code: str, written: str, coasts: tuple[str, ...]) -> str | None:
        """The coast meant: itself, an alias, or the only one left when the opposite side is out of the question."""
        known = self.coasts.get((code, written))
        if known is not None:
            return known
        opposite = {"nc": "sc", "sc": "nc", "ec": "wc", "wc": "ec"}.get(written)
        rest = [coast for coast in coasts if coast != opposite]
        return rest[0] if len(rest) == 1 and len(coasts) > 1 else None


def ordered_powers(variant: Variant) -> tuple[Power | Minor, ...]:
    """Powers with a seat, and minor powers that others write orders for."""
    return (*variant.powers, *(minor for minor in variant.minors if minor.homes))


@lru_cache(maxsize=64)
def powers(listed: tuple[Power | Minor, ...]) -> Mapping[str, str]:
    """Names of powers in lower case: name, adjective, aliases, and unambiguous prefixes of three letters or more; none
    of a name of several words beside one of a single word: "Great!" is not Great Britain.
    """
    exact: dict[str, str] = {}
    starts: dict[str, set[str]] = {}
    for power in listed:
        keys = [" ".join(words(spelling)) for spelling in (power.name, power.adjective, *power.aliases)]
        single = any(" " not in key for key in keys)
        for key in keys:
            exact[key] = power.name
            exact[key.replace(" ", "")] = power.name
            for length in range(SHORTEST, 0 if single and " " in key else len(key)):
                starts.setdefault(key[:length], set()).add(power.name)
    for start, owners in starts.items():
        if len(owners) == 1 and " " not in start:
            exact.setdefault(start, next(iter(owners)))
    return exact


def power_of_people(written: str, known: Mapping[str, str]) -> str:
    """The power whose people or adjective a word is: "Norwegians", "Jugoslawen"; "" for another word."""
    power = next((known[name] for name in other_names(written.lower()) if name in known), "")
    for stem in () if power else stems(written):
        owners = {owner for name, owner in known.items() if name.startswith(stem)}
        if owners:
            return owners.pop() if len(owners) == 1 else ""
    return power
