"""Letters that speak to the human game master, "Dear game master, …", and give no orders, and complaints.

A complaint is known by `[complaints]` of grammars/plain_questions/<language>.toml. Their words are proposed as PRESS TO
GM. They are passed on by a YES only: the writer may take the program for the game master, and not want a person to read
them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache

from msgspec.structs import replace

from gm.game.letters.reply_limits import own_words
from gm.game.model.records import Letter
from gm.game.press.addressing import names_of_everybody
from gm.game.press.called_players import called_players
from gm.game.session.session import LetterSession
from gm.language.commands.in_words import plain_questions
from gm.language.commands.press_for_several import press_lines
from gm.language.commands.table import rows_of
from gm.language.i18n.localized_variant import localized
from gm.language.i18n.normalize import clean
from gm.language.letter.letter_reader import read_letter
from gm.language.letter.talk.asking_sentences import asking_words
from gm.language.lines.letter_contents import LetterContents, LineError, only_asks
from gm.language.lines.sentences import sentences_of
from gm.language.lines.trouble_keys import ASK_FOR_NOTHING, MAY_CHANGE

FOR_MASTER = "for-master"
"""Key of the question whether the words go to the game master."""
FOR_PLAYERS = "for-players"
"""Key of the question whether the words go to players; `-orders`: they hold orders, which are not stored."""
COMPLAINT = "complaint"
"""The same for a complaint; `-orders`: it holds orders, which are not stored."""
MILD = "mild"
"""Complaints beside which orders count."""
ANSWERS = "desk.asked-"
"""How the keys of sentences begin that answer a question."""
LINE_SEARCHED = 500
"""Characters of a line that are searched for a complaint."""
MOST_LINES = 100
MARKS = " ,.:;!-"
COMMANDS = ("press-gm", "observe-press-gm")
"""Rows of the table with the form of PRESS TO GM: a player's and an observer's."""


def with_complaint(session: LetterSession, letter: Letter, reading: LetterContents) -> LetterContents:
    """The contents with a proposal of PRESS TO GM, if the letter complains."""
    complaint = _complaint(session, letter, reading) if reading.spoken(letter.lines) else None
    return reading if complaint is None else _with_complaint(session, letter, reading, *complaint)


def with_words_for_master(session: LetterSession, letter: Letter, reading: LetterContents) -> LetterContents:
    """The contents with that proposal, if the letter begins so; a greeting alone is no hint at PRESS TO GM."""
    decided = any(trouble.key.startswith((COMPLAINT, FOR_PLAYERS)) for trouble in reading.troubles)
    if decided or not reading.spoken(letter.lines):
        return reading
    number, text = next(((at, words) for at, words in letter.lines if words.strip()), (0, ""))
    line = clean(text).text
    greeting = "" if session.master else _greeting(session, line)
    if not greeting:
        return reading
    if any(called_players(session, each.strip()) for each in sentences_of(own_words(letter))[1:MOST_LINES]):
        return reading  # the sentences of each are found apart
    alone = not line.removeprefix(greeting).strip(MARKS)
    if _brings_something(session, reading):
        hints = (hint for hint in reading.troubles if not (hint.line == number and _is_hint(hint)))
        needless = alone or not reading.orders  # what else it asks is answered
        return replace(reading, troubles=tuple(hints)) if needless else reading
    words = own_words(letter).strip()
    if alone and not words.removeprefix(text.strip()).strip():
        return reading
    question = LineError(
        number, text, 0, len(greeting), FOR_MASTER, (), (press_to_master(session, words),), obeyed=True
    )
    return replace(reading, troubles=(question, *_others(reading.troubles)), unanswered=())


def press_to_master(session: LetterSession, words: str) -> str:
    """PRESS TO GM with these words."""
    return press_lines(session.language, COMMANDS[session.observes], words)


# ---- complaints


def _complaint(session: LetterSession, letter: Letter, reading: LetterContents) -> tuple[int, str] | None:
    """The index of the line that complains about the game master or a result, and how; None without one."""
    if session.master:
        return None
    for language in session.languages:
        patterns = _complaining(language)
        for at, (number, words) in enumerate(letter.lines[:MOST_LINES]):
            if number in reading.only_orders:
                continue
            low = clean(words[:LINE_SEARCHED]).text.lower()
            if how := next((how for how, pattern in patterns.items() if pattern.search(low)), ""):
                return at, how
    return None


@lru_cache(maxsize=8)
def _complaining(language: str) -> Mapping[str, re.Pattern[str]]:
    words = plain_questions.joined_patterns("complaints", language)
    return {how: re.compile(words[how]) for how in ("said", MILD)}


def _with_complaint(
    session: LetterSession, letter: Letter, reading: LetterContents, at: int, how: str
) -> LetterContents:
    """The contents without the orders of its paragraph: "I sent them in time: Vie-Gal" is about another turn. Orders
    beside a mild complaint count: "that's not what I said, I want Vie-Gal".
    """
    lines = letter.lines
    number, text = lines[at]
    whole = press_to_master(session, own_words(letter).strip())
    question = LineError(number, text, 0, len(text), COMPLAINT, (), (whole,), obeyed=True)
    if how == MILD and (reading.orders or any(trouble.key == MAY_CHANGE for trouble in reading.troubles)):
        return replace(reading, troubles=(question, *_others(reading.troubles)))
    empty = [index for index, (_, words) in enumerate(lines) if not words.strip()]
    first = max((index + 1 for index in empty if index < at), default=0)
    past = min((index for index in empty if index > at), default=len(lines))
    numbers = {number for number, _ in lines[first:past]}
    rest = tuple(line for line in lines if line[0] not in numbers)
    own = read_letter(rest, session.context) if any(words.strip() for _, words in rest) else LetterContents()
    own = own.with_press_of(reading)
    lookups = tuple(
        given
        for given in reading.requests
        if given.line in numbers and any(row.shows for row in rows_of(given.request))
    )
    waiting = any(trouble.key == MAY_CHANGE and trouble.line in numbers for trouble in reading.troubles)
    key = f"{COMPLAINT}-orders" if waiting or len(own.orders) < len(reading.orders) else COMPLAINT
    question = replace(question, key=key)
    return replace(own, requests=(*lookups, *own.requests), troubles=(question, *own.troubles))


def _brings_something(session: LetterSession, reading: LetterContents) -> bool:
    """Whether there is anything but questions that nothing here answers."""
    noted = any(note.key.startswith(ANSWERS) for note in session.notes)
    answered = (bool(reading.requests) or reading.keeps_orders or noted) and not reading.unanswered
    return (
        bool(reading.orders)
        or answered
        or any(not (trouble.obeyed or only_asks(trouble)) for trouble in reading.troubles)
    )


def _others(troubles: Iterable[LineError]) -> Iterator[LineError]:
    """Without names in passing, questions and hints at PRESS TO GM: the proposal quotes their words."""
    return (each for each in troubles if not (_is_hint(each) or only_asks(each) or each.key in ASK_FOR_NOTHING))


def _is_hint(trouble: LineError) -> bool:
    named = dict(trouble.fields).get("commands", "").split()
    return trouble.key in plain_questions.HINTS and bool(named) and named[0] in COMMANDS


def _called(session: LetterSession) -> tuple[str, ...]:
    """Patterns of the first names of the game masters."""
    persons = (seat.person for seat in session.loaded_game.masters if seat.person is not None)
    names = (clean(session.store.people.get(person).name).text.lower().split() for person in persons)
    return tuple(re.escape(words[0]) for words in names if words)


def names_master(session: LetterSession, text: str) -> bool:
    """Only for speed: False only for a text that has no name of a game master in it."""
    low, known = clean(text).text.lower(), _called(session)
    return any(_naming(language, known).search(low) for language in session.languages)


@lru_cache(maxsize=64)
def _naming(language: str, names: tuple[str, ...]) -> re.Pattern[str]:
    """`names` are patterns of game masters' names. Kept only for speed."""
    return re.compile("|".join((asking_words(language).master.pattern, *names)))


def calls_master(session: LetterSession, sentence: str) -> bool:
    """Whether a sentence speaks to a game master: "Oh, and Ruth, when is it?". No player goes by that name."""
    return _is_found(session, sentence, _calls)


def is_told_to_master(session: LetterSession, sentence: str) -> bool:
    """Whether a sentence asks to pass something on to a game master: "forward this to Ruth please"."""
    return _is_found(session, sentence, _tells)


def _is_found(
    session: LetterSession, sentence: str, pattern: Callable[[str, tuple[str, ...]], re.Pattern[str]]
) -> bool:
    """`pattern` is one of a language and of names of game masters, of which no player's is looked for."""
    players = {name.split()[0] for name in names_of_everybody(session)}
    known = tuple(name for name in _called(session) if name not in players)
    low = " ".join(clean(sentence[:LINE_SEARCHED]).text.lower().split())
    return any(pattern(language, known).search(low) for language in session.languages)


@lru_cache(maxsize=64)
def _tells(language: str, names: tuple[str, ...]) -> re.Pattern[str]:
    """`names` are patterns of game masters' names. Kept only for speed."""
    words = plain_questions.joined_patterns("addressing", language)
    called = "|".join((asking_words(language).master.pattern, *names))
    tells = rf"(?:{words['tells']})(?: (?:{words['between']}))*"
    return re.compile(rf"(?:^\W*|[.!?;:,]\W*|\b(?:{words['front']}),? ){tells} (?:{called})\b")


@lru_cache(maxsize=64)
def _calls(language: str, names: tuple[str, ...]) -> re.Pattern[str]:
    """`names` are patterns of game masters' names. Kept only for speed."""
    called = "|".join((asking_words(language).master.pattern, *names))
    return re.compile(rf"^{_call(language, called)}|, (?:{called})\W*$")


def _call(language: str, called: str) -> str:
    front, greets = (
        plain_questions.joined_patterns("addressing", language)["front"],
        asking_words(language).greets.pattern,
    )
    return rf"\W*(?:(?:{front}|{greets}|oh|but|aber|ps|p\.s\.|@)[ ,:]*)*(?:{called})(?:[,:!]| ?-+ )"


def without_calls(session: LetterSession, low: str) -> str:
    """A cleaned line in small letters with dots in place of the names of game masters that begin its sentences."""
    for language in session.languages:
        low = _openings(language, _called(session)).sub(lambda match: "." * len(match.group()), low)
    return low


@lru_cache(maxsize=64)
def _openings(language: str, names: tuple[str, ...]) -> re.Pattern[str]:
    """`names` are patterns of game masters' names. Kept only for speed."""
    called = "|".join((asking_words(language).master.pattern, *names))
    return re.compile(rf"(?:^|(?<=[.!?;])){_call(language, called)}")


def _greeting(session: LetterSession, line: str) -> str:
    """ "Dear game master", "Dear Ruth" or "Ruth," at the beginning of the cleaned line; "" if none."""
    known = _called(session)
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
    alone = "|".join(names) or r"(?!)"
    return re.compile(rf"\W*(?:(?:{words.greets.pattern})[ ,]+(?:{called})\b|(?:{alone})(?=\s*[,:!]))")
