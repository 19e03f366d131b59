"""Sentences among words for players that are hardly for them: orders, questions to the server, words for the game
master, and wishes that a third player may not read a message where players can pay to read those of others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gm.game.press.addressing import forms_of, names_of_people
from gm.game.press.limited_readers import find_limits
from gm.game.press.words_for_master import calls_master, is_told_to_master
from gm.game.session.session import LetterSession
from gm.judge.mechanics.dips.paid_press import PaidPress
from gm.language.commands import parser
from gm.language.commands.command_line import is_in_capitals
from gm.language.commands.in_words import plain_questions
from gm.language.commands.requests import HelpRequest
from gm.language.i18n.normalize import clean
from gm.language.letter.talk import replies_to_press
from gm.language.lines.lines import read_line
from gm.language.lines.sentences import sentences_of, without

COMMANDS = frozenset({"address", "also", "extend-ask", "language", "mail-off", "resign", "time-zone"})
"""Rows that a reply to players stands for by mistake: nobody but the game master grants them."""
PAGES = frozenset({"press", "mail", "seats", "deadline", "absence"})
"""Pages of the manual about the letters of a game."""
MOST_CALLS = 200
"""Sentences that may speak to the game master."""


def find_not_for_readers(session: LetterSession, sentences: Sequence[str], readers: frozenset[str]) -> frozenset[int]:
    """The indices of all such sentences in words to these readers, without the first, which is for them."""
    contexts = [context for _, context in session.contexts]
    orders = (number for context in contexts for number in replies_to_press.find_for_master(sentences, context))
    own = {*orders, *find_for_master(session, sentences), *find_secrecy(session, sentences, readers)}
    return frozenset(own - {0})


def without_others(session: LetterSession, words: str, readers: frozenset[str]) -> tuple[str, str]:
    """Words for these readers without such sentences, and those; all of them where nothing else is left."""
    sentences = sentences_of(words)
    others = find_not_for_readers(session, sentences, readers)
    rest = without(sentences, others).strip()
    return (rest, without(sentences, set(range(len(sentences))) - others)) if others and rest else (words, "")


def find_for_master(session: LetterSession, sentences: Sequence[str]) -> Iterator[int]:
    """Sentences that call the game master, with those behind them in their paragraph that call nobody else; those to be
    told to the game master, and those that ask for what no player can do: a later deadline, what a message costs.
    """
    goes_on = False
    for at, words in enumerate(sentences[:MOST_CALLS]):
        calls = calls_master(session, words) or (goes_on and not _speaks_to_players(session, words))
        if calls or is_told_to_master(session, words) or _asks_machine(session, words):
            yield at
        goes_on = calls and "\n\n" not in words


def find_secrecy(session: LetterSession, sentences: Sequence[str], readers: frozenset[str]) -> Iterator[int]:
    """Sentences like "France must not read this", where messages can be intercepted: no reader can help there."""
    if not isinstance(session.loaded_game.variant.press, PaidPress):
        return
    to_them = plain_questions.compiled_patterns("not_for_readers", *session.services.letters.languages)["to_them"]
    for at, words in enumerate(sentences[:MOST_CALLS]):
        third = find_limits(session, readers, words).never - readers - {session.author}
        if third and not to_them.search(clean(words).text.lower()):
            yield at


def is_beside_its_command(session: LetterSession, line: int) -> bool:
    """Whether words stand in one line with an address in small letters: "Tell Mexico: …". Below a line they are marked
    off, and no sentence of them is taken for another thing.
    """
    text = dict(session.letter.lines).get(line, "")
    body = read_line(line, text).body
    asked = (parser.read_command(body, context.variant) for _, context in session.contexts)
    head = next((each for each in asked if each is not None), None)
    in_line = head is not None and bool(head.words.partition(":")[2].strip())
    return in_line and not is_in_capitals(body.partition(":")[0])


def _speaks_to_players(session: LetterSession, words: str) -> bool:
    """Whether a sentence names a player or a power, or says "you"."""
    low, named = clean(words).text.lower(), tuple(names_of_people(session))
    every = (forms_of(language, named) for language in session.languages)
    return any(forms.names.search(low) or forms.second.search(low) for forms in every)


def _asks_machine(session: LetterSession, words: str) -> bool:
    """Whether a sentence stands for a command, or asks for a page of the manual, that is about letters and seats; or
    asks what the server alone knows.
    """
    low = clean(words).text.lower()
    if plain_questions.compiled_patterns("not_for_readers", *session.languages)["asks"].search(low):
        return True
    for _, context in session.contexts:
        for question in plain_questions.read_questions(words, context):
            request = question.request
            if isinstance(request, HelpRequest) and request.topic.lower() in PAGES:
                return True
            if question.commands and question.commands[0] in COMMANDS:
                return True
    return False
