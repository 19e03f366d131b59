"""Answers to a question of ours that gives several orders to choose from: "south coast, please" to "Bul/ec or Bul/sc?".

The line that names a place of one of these orders alone is read with that order in the place's stead, so that its other
words still count: "not the south coast" takes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from gm.game.model.records import Letter
from gm.game.session.open_lines import open_line
from gm.game.session.session import LetterSession
from gm.judge.model.orders import Statement
from gm.language.i18n.normalize import clean
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.letter_contents import LetterContents, LineError
from gm.language.lines.sentences import sentences_of
from gm.language.orders.line_reader import LineReader, any_sheet_reader
from gm.language.orders.parsing.lexer import WrittenPlace
from gm.language.rendering.order_text import statement

LONGEST_ANSWER = 120
"""Characters of a line that may be such an answer."""
QUESTIONS_MOST = 10
SHORTEST_COAST = 2
COAST = "which-coast"
"""How the keys of questions for a coast begin."""
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
    coasts = (trouble for trouble in reading.troubles[:QUESTIONS_MOST] if trouble.key.startswith(COAST))
    own = (_choice(session, trouble) for trouble in coasts)
    choices = [choice for choice in (*(_kept_choice(session, line) for line in questions), *own) if choice.is_open]
    if not choices:
        return reading
    taken = {order.line for order in reading.orders} | {given.line for given in reading.requests}
    answers = {number: _answered(session, choices, words, number in taken) for number, words in letter.lines}
    lines = tuple((number, answers[number][1]) for number, _ in letter.lines)
    answered = {line for lines, _ in answers.values() for line in lines}
    again = read_letter(replace(letter, lines=lines).lines_with_quotes, session.context) if answered else reading
    if len(again.orders) < len(reading.orders) or _orders(again) <= _orders(reading):
        return _without_answered(session, reading)
    session.proposed.still_open = tuple(line for line in questions if line not in answered)
    return _without_answered(session, again)


def _orders(reading: LetterContents) -> set[Statement]:
    return {order.statement for order in reading.orders}


def _without_answered(session: LetterSession, reading: LetterContents) -> LetterContents:
    """Without questions for a coast that an order of the letter answers."""
    given = {statement(order.statement, session.loaded_game.step.letter) for order in reading.orders}
    asked = (each for each in reading.troubles if not each.key.startswith(COAST) or given.isdisjoint(each.suggestions))
    return replace(reading, troubles=tuple(asked))


def _answered(
    session: LetterSession, choices: Sequence[Choice], words: str, is_taken: bool
) -> tuple[tuple[str, ...], str]:
    """The lines of the only question that a line answers, as a whole or by a sentence that names no place but a coast,
    and the line with the order written out. `is_taken`: something else was read from the line.
    """
    if not is_taken and (answer := _answer(session, choices, words)):
        return answer
    sentences = sentences_of(words)
    for at, sentence in enumerate(sentences):
        if answer := _answer(session, choices, sentence, bare=True):
            return answer[0], "".join((*sentences[:at], answer[1], *sentences[at + 1 :]))
    return (), words


def _answer(
    session: LetterSession, choices: Sequence[Choice], words: str, *, bare: bool = False
) -> tuple[tuple[str, ...], str] | None:
    """The lines of the only question that the words answer, and the words with the order written out. `bare`: they
    name a coast alone.
    """
    if len(words) > LONGEST_ANSWER:
        return None
    reader = any_sheet_reader(session.context)
    ways: dict[str, list[str]] = {}
    for choice in choices:
        for way in _chosen(reader, choice, clean(words).text, bare=bare):
            ways.setdefault(way, []).append(choice.line)
    way, lines = next(iter(ways.items()), ("", []))
    return (tuple(lines), way) if len(ways) == 1 else None


def _kept_choice(session: LetterSession, line: str) -> Choice:
    """The choice that a line kept open gives; without orders if it is another question."""
    troubles = read_letter(((1, line),), session.context).troubles
    trouble = next((trouble for trouble in troubles if not trouble.obeyed), None)
    return replace(_choice(session, trouble), line=open_line(line)) if trouble is not None else Choice(line, {})


def _choice(session: LetterSession, trouble: LineError) -> Choice:
    reader = any_sheet_reader(session.context)
    shows_form = trouble.obeyed or (reader.kind.examples is not None and trouble.key == reader.kind.unclear)
    several = () if shows_form else trouble.suggestions  # examples are no meanings of it
    named = {order: frozenset(spot for spot, _, _ in _spots(reader, order)) for order in several}
    orders: dict[Spot, str] = {}
    for order, spots in named.items():
        others = frozenset().union(*(else_spots for other, else_spots in named.items() if other != order))
        orders |= dict.fromkeys(spots - others, order)
    return Choice(open_line(trouble.text), orders)


def _spots(reader: LineReader, words: str) -> Iterator[tuple[Spot, int, int]]:
    """The places that the words name, with their columns."""
    for piece in reader.pieces(words):
        for token in piece.tokens:
            if isinstance(token.value, WrittenPlace):
                yield (token.value.provinces, token.value.coast), token.value.start, token.value.end


def _chosen(reader: LineReader, choice: Choice, words: str, *, bare: bool) -> Iterator[str]:
    """The words with the chosen order in place of what names it; nothing if they name none, or several."""
    ways: dict[str, str] = {}
    named = tuple(_spots(reader, words))
    if bare and named:
        return
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
