"""Answers to a question of ours that gives several orders to choose from: "south coast, please" to "Bul/ec or Bul/sc?".

The line that names a place of one of these orders alone is read with that order in the place's stead, so that its other
words still count: "not the south coast" takes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from gm.game.model.records import Letter
from gm.game.session.open_lines import open_line
from gm.game.session.session import LetterSession
from gm.language.i18n.normalize import clean
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.letter_contents import LetterContents
from gm.language.orders.line_reader import LineReader, any_sheet_reader
from gm.language.orders.parsing.lexer import WrittenPlace

LONGEST_ANSWER = 120
"""Characters of a line that may be such an answer."""
QUESTIONS_MOST = 10
SHORTEST_COAST = 2
Spot = tuple[tuple[str, ...], str]
"""The provinces that a written place may mean, and its coast."""


class Choice(Struct, frozen=True):
    """A line that was not taken, and each order that it may mean, by the place which that order alone names."""

    line: str
    orders: dict[Spot, str]

    @property
    def is_open(self) -> bool:
        return len(set(self.orders.values())) > 1


def read_choices(session: LetterSession, letter: Letter, reading: LetterContents) -> LetterContents:
    """The letter read with the chosen orders written out; `reading` if its lines choose none."""
    if not session.plays or session.closed or not session.loaded_game.running:
        return reading
    game, author = session.game, session.author
    sheet = session.store.turns.sheet(game.id, game.snapshot, author, author)
    questions = sheet.open_questions[:QUESTIONS_MOST] if sheet is not None else ()
    choices = [choice for line in questions if (choice := _choice(session, line)).is_open]
    if not choices:
        return reading
    taken = {order.line for order in reading.orders} | {given.line for given in reading.requests}
    answers = {number: _answer(session, choices, words) for number, words in letter.lines if number not in taken}
    chosen = {number: answer for number, answer in answers.items() if answer is not None}
    lines = tuple((number, chosen[number][1] if number in chosen else words) for number, words in letter.lines)
    again = read_letter(replace(letter, lines=lines).lines_with_quotes, session.context) if chosen else reading
    if len(again.orders) <= len(reading.orders):
        return reading
    answered = {line for line, _ in chosen.values()}
    session.proposed.still_open = tuple(line for line in questions if line not in answered)
    return again


def _answer(session: LetterSession, choices: Iterable[Choice], words: str) -> tuple[str, str] | None:
    """The line of the only question that the words answer, and the words with the order written out."""
    if len(words) > LONGEST_ANSWER:
        return None
    reader = any_sheet_reader(session.context)
    ways = [(choice.line, way) for choice in choices for way in _chosen(reader, choice, clean(words).text)]
    return ways[0] if len(ways) == 1 else None


def _choice(session: LetterSession, line: str) -> Choice:
    """The choice that a line kept open gives; without orders if it is another question."""
    troubles = read_letter(((1, line),), session.context).troubles
    reader = any_sheet_reader(session.context)
    trouble = next((trouble for trouble in troubles if not trouble.obeyed), None)
    shows_form = reader.kind.examples is not None and trouble is not None and trouble.key == reader.kind.unclear
    several = trouble.suggestions if trouble is not None and not shows_form else ()  # examples are no meanings of it
    named = {order: frozenset(spot for spot, _, _ in _spots(reader, order)) for order in several}
    orders: dict[Spot, str] = {}
    for order, spots in named.items():
        others = frozenset().union(*(else_spots for other, else_spots in named.items() if other != order))
        orders |= dict.fromkeys(spots - others, order)
    return Choice(open_line(line), orders)


def _spots(reader: LineReader, words: str) -> Iterator[tuple[Spot, int, int]]:
    """The places that the words name, with their columns."""
    for piece in reader.pieces(words):
        for token in piece.tokens:
            if isinstance(token.value, WrittenPlace):
                yield (token.value.provinces, token.value.coast), token.value.start, token.value.end


def _chosen(reader: LineReader, choice: Choice, words: str) -> Iterator[str]:
    """The words with the chosen order in place of what names it; nothing if they name none, or several."""
    ways: dict[str, str] = {}
    named = tuple(_spots(reader, words))
    for spot, start, end in named or ():
        if order := choice.orders.get(spot):
            ways[order] = f"{words[:start]}{order}{words[end:]}"
    ways = ways or dict(_bare_coasts(reader, choice, words, named))
    if len(ways) == 1:
        yield from ways.values()


def _bare_coasts(
    reader: LineReader, choice: Choice, words: str, named: tuple[tuple[Spot, int, int], ...]
) -> Iterator[tuple[str, str]]:
    """Coasts without their province, or behind it: "south coast", "Bulgaria, the south coast"."""
    for (provinces, coast), order in choice.orders.items():
        if not coast:
            continue
        begin = next((start for (others, _), start, _ in named if others == provinces), None)
        prefix = f"{provinces[0]} "
        for at in _word_starts(words):
            spot, start, end = next(_spots(reader, prefix + words[at:]), ((), 0, 0))
            length = end - len(prefix)
            if start == 0 and spot == (provinces, coast) and length >= SHORTEST_COAST:
                yield order, f"{words[: at if begin is None else min(begin, at)]}{order}{words[at + length :]}"
                break


def _word_starts(words: str) -> Iterator[int]:
    yield from (at for at, char in enumerate(words) if char.isalpha() and not words[at - 1 : at].isalpha())
