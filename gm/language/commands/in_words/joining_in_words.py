"""Finds in plain words that somebody wants to play in a game: "Please let me join ostend as Russia, my name is Bob".

grammars/plain_questions/<language>.toml has the words, in the table `joining`: patterns of sentences in small letters
without accents. `wants`: that somebody wants to play; `refuses`: that they do not, or only ask. `name` stands before a
name, `introduces` before a whole one, `also` before another address of the writer's, `others` where words about
somebody else begin. `myself`: where they are about the writer again.
`together`: the sentence is about both, "my brother and I". `several` stands between the names of games of which each
is meant, and `apart` where the later one is not. `less`: words that leave out the game they name, "but not in globe";
`chosen`: words that want the game they name, "I want tremor". `two`: that they want several seats.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from msgspec import Struct

from gm.language.commands.in_words.plain_questions import read_table
from gm.language.commands.players import PERSON
from gm.language.i18n.normalize import clean
from gm.language.i18n.vocabulary import ENGLISH
from gm.language.lines.blocks import NumberedLine

LINES_MOST, LONGEST = 40, 400
SENTENCE = re.compile(r"(?:[^.!?;]|[.!?;](?=\w))+[.!?;]*")
NAME = re.compile(r"[^\W\d_][\w'’-]*(?: +(?:[^\W\d_]\.|[^\W\d_a-zß-ÿ][\w'’-]*|von|van|de|der|da|di)){0,3}")
"""A name: its first word however it is written, the others in capitals, or small words of names."""
WORD = re.compile(r"[a-z0-9][a-z0-9-]*")
WHOLE_NAME = re.compile(
    r"[A-ZÄÖÜ][a-zß-ÿ][\w'’-]*(?: +(?:von|van|de|der|da|di))?(?: +(?:[A-ZÄÖÜ]\.|[A-ZÄÖÜ][a-zß-ÿ][\w'’-]*)){1,2}"
)
"""A first name and a last one, in capitals."""


class Joining(Struct, frozen=True):
    """`line` and `text`: where it stands; `sentence` asks to play. `game`: a word of the letter. `words`: all its words
    from that sentence on, and a question before it, without the `name` that the writer gives, and without those
    `of_others`. `more`: further games that they want to play in, each with its words.
    """

    line: int
    text: str
    sentence: str
    game: str
    words: str
    name: str = ""
    of_others: str = ""
    more: tuple[tuple[str, str], ...] = ()


class _Words(Struct, frozen=True):
    wants: re.Pattern[str]
    refuses: re.Pattern[str]
    name: re.Pattern[str]
    also: re.Pattern[str]
    others: re.Pattern[str]
    together: re.Pattern[str]
    myself: re.Pattern[str]
    introduces: re.Pattern[str]
    several: re.Pattern[str]
    apart: re.Pattern[str]
    less: re.Pattern[str]
    chosen: re.Pattern[str]
    two: re.Pattern[str]


def find_joining(
    lines: Sequence[NumberedLine], languages: Sequence[str], known: Callable[[str], bool], address: str = ""
) -> Joining | None:
    """The first sentence that says so with a game's name, in it or elsewhere in the letter; `known`: whether a word is
    one. `address`: the writer's.
    """
    each = [_words(language) for language in dict.fromkeys((*languages, ENGLISH))]
    sentences = [
        (number, text, _without_less(words, known, each))
        for line in lines[:LINES_MOST]
        for number, text, words in _sentences(line)
    ]
    wants = [
        at
        for at, (_, _, words) in enumerate(sentences)
        if any(_wants(words, patterns) or _chooses(words, patterns, known) for patterns in each)
    ]
    places = (*wants, *range(len(sentences))) if wants else ()
    game = next((name for at in places for name in _names(sentences[at][2], known)), "")
    if not game:
        return None
    at = next((at for at in wants if game in _names(sentences[at][2], known)), wants[0])
    number, text, _ = sentences[at]
    behind = [words for _, _, words in sentences[at:]]
    own, of_others = _without_others(behind, languages, address)
    low = clean(behind[0]).text.lower()
    both = _is_foreign(low, address) or any(patterns.together.search(low) for patterns in each)
    if own[0] == behind[0] and game in low and both:
        of_others = [behind[0].strip(), *of_others]
    if not of_others and any(patterns.two.search(low) for patterns in each):
        of_others = [behind[0].strip()]  # one seat is asked for; who runs the game may give more
    before = [words for _, _, words in sentences[max(at - 1, 0) : at] if words.endswith("?")]
    name, words = split_name(
        " ".join((*before, *own)), languages
    )  # "Is Britain still free? If so, put me down for it."
    of_each = _of_each_game(words, game, known, each)
    (_, words), *more = of_each
    return Joining(number, text, behind[0], game, words, name, " ".join(of_others), tuple(more))


def _without_less(sentence: str, known: Callable[[str], bool], each: Sequence[_Words]) -> str:
    """A sentence without its words that leave out a game."""
    for patterns in each:
        low = clean(sentence)
        for match in reversed(list(patterns.less.finditer(low.text.lower()))):
            if known(match["game"]):
                sentence = sentence[: low.column(match.start())] + sentence[low.column(match.end()) :]
    return sentence


def _chooses(sentence: str, words: _Words, known: Callable[[str], bool]) -> bool:
    match = words.chosen.search(clean(sentence).text.lower())
    return match is not None and known(match["game"])


def _of_each_game(words: str, game: str, known: Callable[[str], bool], each: Sequence[_Words]) -> list[tuple[str, str]]:
    """The game, and those that the words join to it, each with what is said of it: from the clause with its name on."""
    low = clean(words).text.lower()
    named = [match for match in WORD.finditer(low) if known(match.group())]
    parts: dict[str, str] = {game: ""}
    start, current = 0, game
    for before, match in pairwise(named):
        if match.group() == current:
            continue
        between = low[before.end() : match.start()]
        joins = next((joint for patterns in each if (joint := patterns.several.search(between))), None)
        if joins is None or any(patterns.apart.search(between) for patterns in each):
            continue
        cut = before.end() + joins.start()
        parts[current] = parts.get(current, "") + low[start:cut]
        start, current = cut, match.group()
    parts[current] = parts.get(current, "") + low[start:]
    if len(parts) == 1:
        return [(game, re.sub(rf"(?i)\b{re.escape(game)}\b", " ", words))]
    return [(name, re.sub(rf"\b{re.escape(name)}\b", " ", part)) for name, part in parts.items()]


def wants_to_play(lines: Sequence[NumberedLine], languages: Sequence[str]) -> bool:
    """Whether a sentence says or asks so, of whatever game."""
    each = [_words(language) for language in dict.fromkeys((*languages, ENGLISH))]
    sentences = (words for line in lines[:LINES_MOST] for _, _, words in _sentences(line))
    return any(_wants(words, patterns) for words in sentences for patterns in each)


def _without_others(sentences: Sequence[str], languages: Sequence[str], address: str) -> tuple[list[str], list[str]]:
    """The sentences up to where they speak of somebody else, and the rest: "…, and my wife would like Italy".

    A sentence behind the first with an address that is not the writer's is about somebody else.
    """
    own: list[str] = []
    others: list[str] = []
    each = [_words(language) for language in dict.fromkeys((*languages, ENGLISH))]
    for sentence in sentences:
        low = clean(sentence)
        words = low.text.lower()
        searched = (patterns.others.search(words) for patterns in each)
        starts = [low.column(match.start()) for match in searched if match is not None]
        foreign = bool(own) and _is_foreign(words, address)
        at = min(starts, default=0 if foreign else len(sentence))
        again = (patterns.myself.search(words, len(clean(sentence[:at]).text)) for patterns in each)
        past = min((low.column(match.start()) for match in again if match is not None), default=len(sentence))
        past = len(sentence) if foreign else past
        own.append(sentence[:at] + sentence[past:])
        others.append(sentence[at:past].strip(" ,;"))
    return own, [words for words in others if words]


def _is_foreign(words: str, address: str) -> bool:
    """Whether words have an address that is not this one."""
    return any(match["address"] != address for match in PERSON.finditer(words))


def find_other_address(lines: Sequence[NumberedLine], languages: Sequence[str]) -> tuple[int, str, str] | None:
    """(line, text, address) of the first sentence like "I am also luc@example.org, please write here"."""
    each = [_words(language) for language in dict.fromkeys((*languages, ENGLISH))]
    for number, text in lines[:LINES_MOST]:
        low = clean(text[:LONGEST]).text.lower()
        for match in PERSON.finditer(low):
            if any(patterns.also.search(low[: match.start()]) for patterns in each):
                return number, text, match["address"]
    return None


def split_name(words: str, languages: Sequence[str]) -> tuple[str, str]:
    """The name that somebody says to have ("" for none), and their other words."""
    low = clean(words)
    for language in dict.fromkeys((*languages, ENGLISH)):
        patterns = _words(language)
        for before, form in ((patterns.name, NAME), (patterns.introduces, WHOLE_NAME)):
            match = before.search(low.text.lower())
            written = form.match(words, low.column(match.end())) if match else None
            if match and written:
                return written.group().strip(" ."), words[: low.column(match.start())] + words[written.end() :]
    return "", words


def _sentences(line: NumberedLine) -> Iterator[tuple[int, str, str]]:
    number, text = line
    for match in SENTENCE.finditer(text[:LONGEST]):
        if match.group().strip():
            yield number, text, match.group().strip()


def _names(words: str, known: Callable[[str], bool]) -> Iterator[str]:
    plain = (word.strip("?.,:;!\"'()„“”*").lower() for word in clean(words).text.split())
    return (word for word in plain if word and known(word))


def _wants(sentence: str, words: _Words) -> bool:
    """Whether the words up to the end of the clause that wants to play refuse nothing."""
    low = clean(sentence).text.lower()
    match = words.wants.search(low)
    clause = low[: low.find(",", match.end())] if match and "," in low[match.end() :] else low
    return match is not None and words.refuses.search(clause) is None


@lru_cache(maxsize=8)
def _words(language: str) -> _Words:
    table = read_table(language).get("joining", {})
    return _Words(*(re.compile("|".join(table.get(key, ())) or r"(?!)") for key in _Words.__struct_fields__))
