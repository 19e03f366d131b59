"""Orders in a sentence that tells other players what to do: "Tell Luc to do the same: Bul - Ser, Gre holds".

They may be the writer's own as well, so that a YES is asked for; also beside a YES, whose letter sends no words.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from gm.game.model.records import Letter
from gm.game.press.addressing import forms_of, names_of_everybody, readers_of
from gm.game.press.words_for_master import FOR_PLAYERS, without_calls
from gm.game.press.words_for_players import LINE_SEARCHED, MOST_LINES, is_for_everybody
from gm.game.session.session import LetterSession
from gm.judge.model.orders import Statement
from gm.language.commands.command_line import written_words
from gm.language.commands.in_words import plain_questions
from gm.language.i18n.normalize import clean
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.blocks import NumberedLine
from gm.language.lines.letter_contents import LetterContents, LineError, OrderLine
from gm.language.lines.sentences import sentences_of
from gm.language.rendering.order_text import statement as written


class Telling(Struct, frozen=True):
    """A sentence to `to` in a line of the letter. `lines`: its words and the lines that it heads; `rest`: the letter
    without these.
    """

    to: tuple[str, ...]
    line: NumberedLine
    words: str
    lines: tuple[NumberedLine, ...]
    rest: tuple[NumberedLine, ...]


def with_orders_for_others(session: LetterSession, letter: Letter, reading: LetterContents) -> LetterContents:
    if not (reading.orders and session.plays and session.loaded_game.running):
        return reading
    for telling in _tellings(session, letter.lines[:MOST_LINES]):
        own, theirs = (_ordered(session, lines) for lines in (telling.rest, telling.lines))
        inside = [order for order in reading.orders if order.statement in theirs - own]
        if inside:
            asked = {telling.line[0]} | {order.line for order in inside}
            known = (each for each in reading.troubles if each.line not in asked or each.suggestions)
            left = tuple(order for order in reading.orders if order not in inside)
            reading = replace(reading, orders=left, troubles=(*known, _question(session, telling, inside)))
    return reading


def _question(session: LetterSession, telling: Telling, orders: Sequence[OrderLine]) -> LineError:
    number, text = telling.line
    lines = "\n".join(written(order.statement, session.loaded_game.step.letter) for order in orders)
    start = max(text.find(telling.words), 0)
    fields = (("powers", ", ".join(name.title() if name.islower() else name for name in telling.to)),)
    return LineError(number, text, start, start + len(telling.words), f"{FOR_PLAYERS}-own", fields, (lines,))


def _tellings(session: LetterSession, lines: Sequence[NumberedLine]) -> Iterator[Telling]:
    named: dict[str, str] = {}
    for at, (number, text) in enumerate(lines):
        cleaned = clean(text[:LINE_SEARCHED]).text
        low = without_calls(session, cleaned.lower())
        for language in session.languages:
            if not any(each.search(low) for each in _ways(language, ())):
                continue
            named = named or names_of_everybody(session)
            forms = forms_of(language, tuple(named))
            match = next(filter(None, (each.search(low) for each in _ways(language, named))), None)
            if match is not None and (to := readers_of(session, forms, named, match)):
                words = _addressed_part(written_words(text, cleaned[match.start() :].strip()), language)
                if ":" not in words and is_for_everybody(session, to):
                    continue  # "let all my units hold"
                past = _past(lines, at) if words.endswith(":") else at + 1
                rest = (*lines[:at], (number, text.replace(words, " ", 1)), *lines[past:])
                yield Telling(to, (number, text), words, ((number, words), *lines[at + 1 : past]), rest)
                break


def _ways(language: str, named: Collection[str]) -> tuple[re.Pattern[str], ...]:
    forms = forms_of(language, tuple(named))
    return forms.telling, forms.unsaid


def _addressed_part(words: str, language: str) -> str:
    """The sentence that words begin with; only its first clause where no colon stands in that: "tell Luc that all is
    well, and Berlin goes to Kiel".
    """
    sentence = sentences_of(words)[0].strip()
    joins = plain_questions.joined_patterns("addressing", language)["joins"]
    clause = re.split(rf"[,;] (?:{joins}) ", sentence, maxsplit=1, flags=re.IGNORECASE)[0]
    return sentence if ":" in clause else clause


def _ordered(session: LetterSession, lines: Sequence[NumberedLine]) -> set[Statement]:
    readings = (read_letter(lines, context).orders for _, context in session.contexts)
    return {order.statement for order in max(readings, key=len)}


def _past(lines: Sequence[NumberedLine], at: int) -> int:
    """Behind the paragraph of a line."""
    return next((index for index in range(at + 1, len(lines)) if not lines[index][1].strip()), len(lines))
