"""Divides a letter about several games at the words that name one: "Ostend: Mun-Ruh. In the Calais game Vie-Gal"."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from gm.language.commands.in_words.plain_questions import joined_patterns, tables_of
from gm.language.i18n.normalize import clean
from gm.language.lines.blocks import NumberedLine
from gm.language.lines.sentences import sentences_of

MOST_LINES = 400
LONGEST_LINE = 2000
"""Lines beyond these are not searched for headings."""
TWO = 2
"""Games of which each is the other one."""


class GamePart(Struct, frozen=True):
    """Lines about one game. `game`: "" for words before the first name where the letter is about no game. `heading`:
    the words that name it, in front of the first line. `power`: what stands in brackets behind the name.
    """

    game: str
    lines: tuple[NumberedLine, ...]
    heading: str = ""
    power: str = ""

    @property
    def words(self) -> str:
        return "\n".join(text for _, text in self.lines)

    def without(self, numbers: Collection[int]) -> GamePart:
        """Without the lines of these numbers."""
        return replace(self, lines=tuple(line for line in self.lines if line[0] not in numbers))

    def going_on(self, part: GamePart) -> GamePart:
        """With a part behind it that is about no other game, and its heading."""
        (number, text), *below = part.lines
        return replace(self, lines=(*joined_lines((*self.lines, (number, part.heading + text))), *below))


def joined_lines(lines: Iterable[NumberedLine]) -> tuple[NumberedLine, ...]:
    """The lines, those of one number in one piece."""
    texts: dict[int, str] = {}
    for number, text in lines:
        texts[number] = f"{texts[number]} {text}" if number in texts else text
    return tuple(texts.items())


class _Heading(Struct, frozen=True):
    start: int
    end: int
    game: str
    power: str = ""


class GameHeadings(Struct, frozen=True):
    """`games` are the names of the writer's games; `here` is the one that the letter came to, "" for none. `places` are
    names of games that are words of orders as well: only "in the paris game" names one.
    """

    games: tuple[str, ...]
    here: str
    languages: tuple[str, ...]
    places: frozenset[str] = frozenset()

    def may_divide(self, lines: Sequence[NumberedLine]) -> bool:
        """Whether a line may speak of another game than that of the letter."""
        mention = self._mention
        return any(mention.search(clean(text[:LONGEST_LINE]).text.lower()) for _, text in lines[:MOST_LINES])

    def divide(self, lines: Sequence[NumberedLine], press: Collection[int]) -> tuple[GamePart, ...]:
        """The parts in their order; the first one holds the words before the first heading. `press`: numbers of lines
        that are words to others.
        """
        parts: list[GamePart] = []
        part, held = GamePart(self.here, ()), list[NumberedLine]()
        for at, (number, text) in enumerate(lines):
            past = 0
            for heading in self._headings(text, part.game) if at < MOST_LINES and number not in press else ():
                held.append((number, text[past : heading.start]))
                parts.append(replace(part, lines=tuple(held)))
                part = GamePart(heading.game, (), text[heading.start : heading.end], heading.power)
                past, held = heading.end, []
            held.append((number, text[past:]))
        return (*parts, replace(part, lines=tuple(held)))

    def others_named(self, part: GamePart) -> Iterator[str]:
        """The sentences of a part that speak of another game than its own, or of several."""
        mention = self._mention_beside(part.game)
        for sentence in sentences_of(part.words):
            if mention.search(clean(sentence[:LONGEST_LINE]).text.lower()):
                yield sentence

    def names_several(self, sentence: str) -> bool:
        """Whether a sentence speaks of several games together: "all hold in both games"."""
        several = joined_patterns("several_games", *self.languages)["both"]
        return re.search(rf"\b(?:{several})\b", clean(sentence[:LONGEST_LINE]).text.lower()) is not None

    def without_names(self, sentence: str) -> str:
        """A sentence without the words that name games."""
        low = clean(sentence[:LONGEST_LINE]).text
        return _named(self.games, self.languages).sub(" ", low)

    def only_named(self, lines: Sequence[NumberedLine]) -> str:
        """The game that lines name somewhere; "" where they name none or several."""
        if any(self.names_several(text) for _, text in lines):
            return ""
        matches = (match for _, text in lines for match in self._known.finditer(text[:LONGEST_LINE]))
        named = {match["name"].lower() for match in matches}
        return named.pop() if len(named) == 1 else ""

    def without_name(self, lines: Sequence[NumberedLine], language: str) -> Iterator[tuple[NumberedLine, ...]]:
        """The lines without "of ostend", and with "the game" instead, in a language: "please end ostend as a draw"."""
        stand_in = tables_of("several_games", language)[0]["stand_in"][0]
        for instead in ("", f" {stand_in}"):
            yield tuple((number, self._known.sub(instead, text).strip()) for number, text in lines)

    @property
    def _known(self) -> re.Pattern[str]:
        return _beside(tuple(name for name in self.games if name not in self.places), self.languages)

    @property
    def _mention(self) -> re.Pattern[str]:
        return self._mention_beside(self.here)

    def _mention_beside(self, game: str) -> re.Pattern[str]:
        return _named(tuple(name for name in self.games if name not in (game, *self.places)), self.languages)

    def _headings(self, text: str, before: str) -> Iterator[_Heading]:
        made = clean(text[:LONGEST_LINE])
        for match in _headings(self.games, self.languages).finditer(made.text.lower()):
            if not _is_heading(match, made.text, self.places):
                continue
            game = match["name"] or self._other(before)
            if game:
                before = game
                yield _Heading(made.column(match.start("words")), made.column(match.end()), game, match["power"] or "")

    def _other(self, game: str) -> str:
        others = [name for name in self.games if name != game]
        return others[0] if len(self.games) == TWO and len(others) == 1 else ""


def _is_heading(match: re.Match[str], text: str, places: frozenset[str]) -> bool:
    """Whether words that name a game stand above or before what is about it."""
    if match["name"] in places and not (match["game"] or match["called"]):
        return False
    if match["before"] == ",":
        return bool(match["at"]) or ":" in (match["mark"] or "")
    return bool(match["at"] or match["mark"]) or match.end() == len(text)


@lru_cache(maxsize=64)
def _headings(games: tuple[str, ...], languages: tuple[str, ...]) -> re.Pattern[str]:
    """Kept only for speed."""
    words = joined_patterns("several_games", *languages)
    names = "|".join(sorted(map(re.escape, games), key=len, reverse=True))
    game, front, at = (rf"(?:{words[key]})" for key in ("game", "front", "at"))
    return re.compile(
        rf"(?P<before>^|[.!?;,])[^\w(\[]*(?P<words>[(\[]?(?:{front}[ ,]+)*(?P<at>{at} (?:{front} )*)?"
        rf"(?:(?P<called>{game} )?[\"']?(?P<name>{names})\b[\"']?(?P<game> {game})?|(?:{words['other']}))"
        rf"(?: ?\((?P<power>[^()]{{1,40}})\))?)(?P<mark>\s*(?:[:,)\]*_]|-+(?=\s|>|$))+)?(?:\s+|$|(?<=:))"
    )


@lru_cache(maxsize=64)
def _beside(games: tuple[str, ...], languages: tuple[str, ...]) -> re.Pattern[str]:
    """The name of one of these games in a sentence, with the words that join it. Kept only for speed."""
    words = joined_patterns("several_games", *languages)
    names = "|".join(sorted(map(re.escape, games), key=len, reverse=True)) or r"(?!)"
    joined = rf"(?:\b(?:{words['of']}|{words['at']}) (?:(?:{words['front']}|{words['game']}) )*)?"
    return re.compile(
        rf" ?{joined}(?<![\w@.-])[\"']?(?P<name>{names})(?![\w-]|[@.]\w)[\"']?(?: (?:{words['game']})\b)?",
        re.IGNORECASE,
    )


@lru_cache(maxsize=256)
def _named(games: tuple[str, ...], languages: tuple[str, ...]) -> re.Pattern[str]:
    """Words that name one of these games, "the other" one or several. Kept only for speed."""
    words = joined_patterns("several_games", *languages)
    names = "|".join((*map(re.escape, games), words["other"], words["both"]))
    return re.compile(rf"(?<![\w-])(?:{names})(?![\w-])", re.IGNORECASE)
