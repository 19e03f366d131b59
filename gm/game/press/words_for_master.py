"""Letters that speak to the human game master, "Dear game master, …", and give no orders.

Their words are proposed as PRESS TO GM. They are passed on by a YES only: the writer may take the program for the game
master, and not want a person to read them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from msgspec.structs import replace

from gm.game.letters.reply_limits import own_words
from gm.game.model.records import Letter
from gm.game.session.session import LetterSession
from gm.language.commands import plain_questions
from gm.language.commands.table import table
from gm.language.i18n.localized_variant import localized
from gm.language.i18n.normalize import clean
from gm.language.i18n.vocabulary import vocabulary_of
from gm.language.letter.asking_sentences import asking_words
from gm.language.lines.letter_contents import LetterContents, LineError

FOR_MASTER = "for-master"
"""Key of the question whether the words go to the game master."""
MARKS = " ,.:;!-"
COMMANDS = ("press-gm", "observe-press-gm")
"""Rows of the table with the form of PRESS TO GM: a player's and an observer's."""


def with_words_for_master(session: LetterSession, letter: Letter, reading: LetterContents) -> LetterContents:
    """The contents with that proposal, if the letter begins so; a greeting alone is no hint at PRESS TO GM."""
    number, text = next(((at, words) for at, words in letter.lines if words.strip()), (0, ""))
    line = clean(text).text
    greeting = "" if session.master else _greeting(session, line)
    if not greeting:
        return reading
    alone = not line.removeprefix(greeting).strip(MARKS)
    if _brings_something(reading):
        hints = (hint for hint in reading.troubles if not (hint.line == number and _is_hint(hint)))
        needless = alone or not reading.orders  # what else it asks is answered
        return replace(reading, troubles=tuple(hints)) if needless else reading
    words = own_words(letter).strip()
    if alone and not words.removeprefix(text.strip()).strip():
        return reading
    command = COMMANDS[session.observes]
    form = vocabulary_of(session.language).forms.get(command) or _english_form(command)
    first, _, rest = form.strip().partition("\n")
    whole = "\n".join((first, words, rest.rpartition("\n")[2]))
    question = LineError(number, text, 0, len(greeting), FOR_MASTER, (), (whole,), obeyed=True)
    return replace(reading, troubles=(question, *_others(reading.troubles)), unanswered=())


def _brings_something(reading: LetterContents) -> bool:
    """Whether there is anything but questions that nothing here answers."""
    answered = bool(reading.requests) and not reading.unanswered
    return bool(reading.orders) or answered or any(not trouble.obeyed for trouble in reading.troubles)


def _others(troubles: Iterable[LineError]) -> Iterator[LineError]:
    """Without names in passing and hints at PRESS TO GM: the proposal quotes their words."""
    return (each for each in troubles if not (_is_hint(each) or each.key in plain_questions.IN_PASSING))


def _is_hint(trouble: LineError) -> bool:
    named = dict(trouble.fields).get("commands", "").split()
    return trouble.key in plain_questions.HINTS and bool(named) and named[0] in COMMANDS


def _greeting(session: LetterSession, line: str) -> str:
    """ "Dear game master" or a greeting with a game master's name, at the beginning of the cleaned line; "" if none."""
    persons = (seat.person for seat in session.loaded_game.masters if seat.person is not None)
    names = (clean(session.store.people.get(person).name).text.lower().split() for person in persons)
    known = tuple(re.escape(words[0]) for words in names if words)
    for language in session.languages:
        spoken = localized(session.loaded_game.variant, language).language
        greeting = _greetings(spoken, known).match(line.lower())
        if greeting:
            return line[: greeting.end()]
    return ""


@lru_cache(maxsize=64)
def _greetings(language: str, names: tuple[str, ...]) -> re.Pattern[str]:
    """`names` are patterns of game masters' names. Kept only for speed."""
    words = asking_words(language)
    called = "|".join((words.master.pattern, *names))
    return re.compile(rf"\W*(?:{words.greets.pattern})[ ,]+(?:{called})\b")


def _english_form(command: str) -> str:
    return next(row.form for row in table().commands if row.name == command)
