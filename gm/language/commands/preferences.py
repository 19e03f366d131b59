"""Which powers somebody would like to play: "E[FGR]*", or in words "Italy or France, else Austria, never Turkey"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from gm import resources
from gm.judge.model.variant import Variant
from gm.language.i18n.guess_language import guess_language, is_common_word
from gm.language.i18n.joining_words import AND, BUT, OR, PLEASE
from gm.language.i18n.normalize import clean
from gm.language.i18n.place_names import power_key, powers
from gm.language.i18n.similar_words import similar_words
from gm.language.i18n.vocabulary import ENGLISH


class PowerPreference(Struct, frozen=True):
    """Preferred powers in groups, best first; those left out come last. `unknown`: a word that names no power."""

    ranks: tuple[tuple[str, ...], ...] = ()
    unknown: str = ""

    def rank(self, power: str) -> int:
        """How many powers are preferred to this one."""
        dearer = 0
        for group in self.ranks:
            if power in group:
                return dearer
            dearer += len(group)
        return dearer

    @property
    def text(self) -> str:
        """As text that reads back: "England [France Germany]"."""
        return ", ".join(rank[0] if len(rank) == 1 else f"[{', '.join(rank)}]" for rank in self.ranks)


PIECES = re.compile(r"\s*([\[({]|[\])}]|[*?]|[,;/>+=-]+|[^\s\[\](){}*?,;/>+=-]+)")
LEAD = re.compile(r"(?:as|for|with|prefer(?:ring|ences?)?|to play)\b:?\s*", re.IGNORECASE)


def read_preferences(text: str, variant: Variant) -> PowerPreference:
    """Reads "E[FGR]*", "England, France", "E F G", and words: "Italy or France, else Austria"."""
    listed = listed_preferences(text, variant)
    if not listed.unknown or " " not in text.strip() or _lists_unknown(text, variant):
        return listed
    in_words = read_wish(SENTENCE_END.split(text, maxsplit=1)[0], variant)
    return in_words if in_words.ranks else listed


def listed_preferences(text: str, variant: Variant) -> PowerPreference:
    """Reads a list; powers in brackets are equally preferred."""
    ranks: list[tuple[str, ...]] = []
    group: list[str] | None = None
    seen: set[str] = set()
    for piece in _pieces(LEAD.sub("", text.strip(), count=1), variant):
        if piece[0] in "[({":
            group = []
        elif piece[0] in "])}":
            ranks += [tuple(group)] if group else []
            group = None
        elif piece[0] not in "*?,;/>+=-":
            named = _named(piece, variant)
            if not named:
                return PowerPreference(unknown=piece)
            fresh = [power for power in named if power not in seen]
            seen.update(fresh)
            if group is None:
                ranks += [(power,) for power in fresh]
            else:
                group += fresh
    return PowerPreference((*ranks, tuple(group)) if group else tuple(ranks))


def _pieces(text: str, variant: Variant) -> list[str]:
    """Words and brackets; a name of several words is one piece."""
    called = set(variant.seated) | set(powers(variant.powers))
    long = sorted((name for name in called if not name.isalnum()), key=len, reverse=True)
    names = [r"[\s-]+".join(map(re.escape, re.split(r"[\s-]+", name))) for name in long]
    pattern = re.compile(rf"\s*\b({'|'.join(names)})(?!\w)", re.IGNORECASE) if names else None
    pieces: list[str] = []
    at = 0
    while at < len(text):
        match = (pattern.match(text, at) if pattern else None) or PIECES.match(text, at)
        if match is None:
            break
        pieces.append(match[1])
        at = match.end()
    return pieces


def _named(piece: str, variant: Variant) -> tuple[str, ...]:
    """A power's name or short form, or initials; a word all in capitals or all small that could be either is read as
    initials, as older judges do.
    """
    key = power_key(piece)
    whole = {power.name.lower(): power.name for power in variant.powers}
    letters = {power.letter.lower(): power.name for power in variant.powers if power.letter}
    if key in whole:
        return (whole[key],)
    short = powers(variant.powers).get(key)
    spelled = tuple(letters.get(letter, "") for letter in piece.lower())
    if short and not (all(spelled) and (piece.islower() or piece.isupper())):
        return (short,)
    return spelled if all(spelled) else ()


# ---- in words

SHORTEST_NAME = 4
"""The shortest name of a power that is looked for in sentences: shorter ones are also other words."""
NEAR_POWER = 78
"""How similar a word must be to a power's name to be a misspelling, which is asked about."""
ITEMS = re.compile(rf"[,;/]|\b(?:{OR}|{AND})\b")
SENTENCE_END = re.compile(r"[.!?;](?:\s|$)")
WORD = re.compile(r"[^\W\d_]{4,}")


class WishWords(Struct, frozen=True):
    """What people write round the powers they would like, as patterns of cleaned text in small letters.

    `equal` stands between two of the same rank, `refuses` before one that is not wanted, `no_wish` before the name of a
    country that is none, `wishes` in a clause that says what somebody would like.
    """

    equal: str
    refuses: str
    no_wish: str
    wishes: str

    def pattern(self, name: str) -> re.Pattern[str]:
        return re.compile(getattr(self, name))


def _wish_words(text: str, variant: Variant) -> WishWords:
    """Those of the language that the text is in: the variant's, or English."""
    return _read_words(guess_language([text], (variant.language, ENGLISH)) or variant.language)


@lru_cache(maxsize=8)
def _read_words(language: str) -> WishWords:
    file = resources.folder("grammars") / "plain_questions" / f"{language}.toml"
    if not language.isalpha() or not file.is_file():
        return _read_words(ENGLISH)
    return WishWords(**resources.read_table(file)["wishes"])


def read_wish(text: str, variant: Variant) -> PowerPreference:
    """The powers that words name, best first; those that are not wanted come last. `unknown`: a misspelt power."""
    low, words = clean(text).text.lower(), _wish_words(text, variant)
    equal, refuses, no_wish = (words.pattern(name) for name in ("equal", "refuses", "no_wish"))
    ranks: list[tuple[str, ...]] = []
    refused: dict[str, None] = {}
    past = 0
    for start, end, power in named_powers(low, variant):
        between, past = low[past:start], end
        if (refused and re.fullmatch(rf"\W*(?:{equal.pattern})?\W*", between)) or refuses.search(between):
            refused[power] = None
        elif no_wish.search(between) or any(power in rank for rank in ranks):
            continue
        elif ranks and equal.search(between):
            ranks[-1] = (*ranks[-1], power)
        else:
            ranks.append((power,))
    liked = {power for rank in ranks for power in rank}
    others = tuple(name for name in variant.seated if name not in refused and name not in liked)
    if refused and others:
        ranks.append(others)
    return PowerPreference(tuple(ranks), _misspelt(low, variant))


def named_powers(low: str, variant: Variant) -> Iterator[tuple[int, int, str]]:
    """(start, end, power) for each name of a power in cleaned text in small letters."""
    called = {name: power for name, power in powers(variant.powers).items() if len(name) >= SHORTEST_NAME}
    called |= {clean(power.name).text.lower(): power.name for power in variant.powers}
    names = "|".join(re.escape(name) for name in sorted(called, key=len, reverse=True))
    for match in re.finditer(rf"\b(?:{names})\b", low):
        if called[match.group()] in variant.seated:
            yield match.start(), match.end(), called[match.group()]


def _lists_unknown(text: str, variant: Variant) -> bool:
    """Whether an item of a list is a single word in capitals that is neither a power nor a common word."""
    items = (item.strip() for item in ITEMS.split(text))
    single = (item for item in items if item[:1].isupper() and WORD.fullmatch(item))
    known = (ENGLISH, variant.language)
    return any(not _named(item, variant) and not is_common_word(item, known) for item in single)


def _misspelt(low: str, variant: Variant) -> str:
    known = {name for name in powers(variant.powers) if len(name) > SHORTEST_NAME}
    for word in WORD.findall(low):
        if word not in known and len(word) > SHORTEST_NAME and similar_words(word, known, NEAR_POWER):
            return str(word)
    return ""


def wish_in_letter(text: str, variant: Variant) -> PowerPreference:
    """The powers that the sentences of a letter wish for; sentences without a word of wishing name countries."""
    wishes = _wish_words(text, variant).pattern("wishes")
    low = ((part, clean(part).text.lower()) for part in SENTENCE_END.split(text))
    sentences = [part for part, words in low if wishes.search(words) or _refuses(words, text, variant)]
    return read_wish(". ".join(sentences), variant)


def _refuses(low: str, text: str, variant: Variant) -> bool:
    """Whether a sentence begins with a power that is not wanted: "Anything but Austria!"."""
    words = re.sub(rf"^\W*(?:(?:{PLEASE}|{BUT}|{AND})\W+)*", "", low)
    refuses = _wish_words(text, variant).pattern("refuses")
    return any(refuses.match(words[:start]) for start, _, _ in named_powers(words, variant))


def example_of_wishes(variant: Variant) -> str:
    """A line of letters as an example: one power, then three that are liked equally."""
    first, *others = (power.letter for power in variant.powers[1:])
    return f"{first}[{''.join((*others[:2], *others[3:4]))}]*"
