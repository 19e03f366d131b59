"""Sentences of a player that take their vote back. They count at once: a vote that waits for a YES may end the game."""

from __future__ import annotations

from msgspec.structs import replace

from gm.game.commands.definite import LEFT
from gm.game.phase.draw_votes import NONE
from gm.game.session.session import LetterSession
from gm.language.commands import parser
from gm.language.commands.in_words import plain_questions
from gm.language.commands.in_words.left_out import GAP
from gm.language.commands.requests import VoteRequest
from gm.language.i18n.normalize import clean
from gm.language.lines.letter_contents import LetterContents, LineError, RequestLine
from gm.language.lines.sentences import sentences_of

PART = "vote-taken-back-part"
"""Key of what is said of other words of such a line."""
ROW = "vote-none"


def with_votes_taken_back(session: LetterSession, reading: LetterContents) -> LetterContents:
    """The letter with VOTE NONE in place of such sentences; what reports, hedges or doubts is proposed as before."""
    meant = [trouble for trouble in reading.troubles if _takes_back(session, trouble)] if session.plays else []
    if not meant:
        return reading
    first = meant[0]
    given = RequestLine(first.line, first.text, VoteRequest(NONE))
    parts = (_other_words(session, trouble) if trouble in meant else trouble for trouble in reading.troubles)
    kept = tuple(trouble for trouble in parts if trouble is not None)
    return replace(reading, troubles=kept, requests=(*reading.requests, given))


def _other_words(session: LetterSession, trouble: LineError) -> LineError | None:
    """What is said of words of the line that are about something else; None where there are none."""
    pieces = dict(trouble.fields).get(LEFT, "").split(GAP)
    left = GAP.join(piece for piece in pieces if piece and not _means_it(session, clean(piece).text.lower()))
    return replace(trouble, key=PART, suggestions=(), fields=((LEFT, left),)) if left else None


def _takes_back(session: LetterSession, trouble: LineError) -> bool:
    if trouble.key not in plain_questions.HINTS or len(trouble.suggestions) != 1:
        return False
    asked = parser.read_command(clean(trouble.suggestions[0]).text, session.context.variant)
    if asked is None or asked.request != VoteRequest(NONE):
        return False
    doubtful = plain_questions.compiled_patterns("votes_taken_back", *session.languages)["doubtful"]
    sentences = sentences_of(clean(trouble.text).text.lower())
    return any(_means_it(session, sentence) and not doubtful.search(sentence) for sentence in sentences)


def _means_it(session: LetterSession, sentence: str) -> bool:
    asked = (plain_questions.read_questions(sentence, context) for _, context in session.contexts)
    return any(ROW in question.commands for questions in asked for question in questions)
