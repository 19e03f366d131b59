"""Replies to the chronicle of a finished game: statements, unless they may speak to whoever runs the game."""

from __future__ import annotations

from gm.game.identity.which_phase import answers_chronicle
from gm.game.intake.lobby_words import asks, privacy_wish, says
from gm.game.letters import reply_limits
from gm.game.model.records import Letter
from gm.game.players import statements
from gm.game.press.limited_readers import find_limits
from gm.game.press.words_for_master import calls_master
from gm.game.session.session import LetterSession
from gm.language.commands.observers import StatementRequest
from gm.language.commands.press_for_several import press_lines
from gm.language.i18n.normalize import clean
from gm.language.letter.talk.consent_words import gives_thanks
from gm.language.letter.talk.small_talk import is_thanks
from gm.language.lines.letter_contents import LetterContents
from gm.language.lines.sentences import sentences_of

REPLY_SEARCHED = 5000
"""Characters of a reply that are searched."""
LETTER_MOST = 60
"""Words of a reply with a question that is no statement."""
THANKS_MOST = 3
"""Words of thanks for a letter of ours, "ok thanks", which are no statement."""


def take_reply(session: LetterSession, letter: Letter, reading: LetterContents) -> bool:
    """Keeps a plain reply to the chronicle as a statement. False for a letter that may ask for something else: what a
    YES makes of it is offered then.
    """
    alone = reading.requests and not (reading.prose or reading.orders or reading.troubles)
    named = any(isinstance(given.request, StatementRequest) for given in reading.requests)
    words = reply_limits.own_words(letter).strip()
    if alone or named or not words or session.observes or not answers_chronicle(session.store, letter, session.seat):
        return False
    if statements.refusal_of(session):
        statements.statement(session, StatementRequest(words), 0)
        return True
    languages = session.services.letters.languages
    sentences = (sentence.strip() for sentence in sentences_of(words[:REPLY_SEARCHED]))
    telling = (sentence for sentence in sentences if not gives_thanks(sentence, languages))
    if not session.master and any(calls_master(session, sentence) for sentence in telling):
        session.proposed.offered.append(press_lines(session.language, "press-gm", words))
        session.note("statement-for-master", done=False, headline=True)
        return False
    if privacy_wish(letter, languages) or (is_thanks(words, languages) and 1 < len(words.split()) <= THANKS_MOST):
        return False
    if says(letter, languages, "inquires") and len(words.split()) <= LETTER_MOST:
        if not session.master:
            session.note("statement-or-question", done=False, headline=True)
        return False
    if reading.requests or _may_be_for_us(session, letter, words):
        session.proposed.offered.append(press_lines(session.language, "statement", words))
        session.note("statement-or-letter", done=False, headline=True)
        return False
    statements.statement(session, StatementRequest(words), 0)
    return True


def _may_be_for_us(session: LetterSession, letter: Letter, words: str) -> bool:
    """Whether a reply to the chronicle may speak to whoever runs the game: a question, a secret, a wish to play."""
    languages, low = session.services.letters.languages, clean(words[:REPLY_SEARCHED]).text.lower()
    if find_limits(session, frozenset(), words[:REPLY_SEARCHED]).shown:
        return True
    return len(low.split()) <= LETTER_MOST and asks(letter, languages)
