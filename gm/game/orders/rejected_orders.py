"""Sentences that name an order only to ask about it, to call it wrong, or to say that it was dropped.

No order in them is proposed: `[rejecting]` of grammars/plain_questions/<language>.toml has the words. What asks for a
reason, "why does Vienna go to Galicia?", is quoted as a question that is not answered here; an order that was dropped
is news; what is wrong waits for the right order, if it is on file.
"""

from __future__ import annotations

from msgspec.structs import replace

from gm.game.session.session import LetterSession
from gm.language.commands.in_words import plain_questions
from gm.language.i18n.normalize import clean
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.letter_contents import LetterContents, LineError, lines_of
from gm.language.lines.sentences import sentences_of
from gm.language.lines.trouble_keys import NEGATED

HOLDS = " H"


def with_rejected_orders(session: LetterSession, reading: LetterContents) -> LetterContents:
    troubles: list[LineError] = []
    asked: list[str] = []
    for trouble in reading.troubles:
        sentence = _sentence_of(trouble)
        how = _how(session, clean(sentence).text.lower()) if trouble.suggestions and not trouble.obeyed else ""
        if how == "wonders":
            asked.append(sentence)
        elif how == "wrong":
            on_file = _is_on_file(session, trouble)
            troubles.append(replace(trouble, key=NEGATED, suggestions=(), obeyed=not on_file))
        elif not how or (how == "changes" and not _only_holds(trouble)):
            troubles.append(trouble)
    if len(troubles) == len(reading.troubles) and troubles == list(reading.troubles):
        return reading
    return replace(reading, troubles=tuple(troubles), unanswered=(*reading.unanswered, *asked))


def _sentence_of(trouble: LineError) -> str:
    """The sentence of the line in which the marked words begin."""
    at = 0
    for sentence in sentences_of(trouble.text):
        at += len(sentence)
        if trouble.start < at:
            return sentence.strip()
    return trouble.text.strip()


def _how(session: LetterSession, low: str) -> str:
    for language in session.languages:
        patterns = plain_questions.compiled_patterns("rejecting", language)
        how = next((key for key, pattern in patterns.items() if pattern.search(low)), "")
        if how:
            return how
    return ""


def _is_on_file(session: LetterSession, trouble: LineError) -> bool:
    lines = tuple(enumerate(lines_of(trouble.suggestions), 1))
    named = {order.statement for order in read_letter(lines, session.context).orders}
    return not named.isdisjoint(session.context.on_file())


def _only_holds(trouble: LineError) -> bool:
    return all(line.endswith(HOLDS) for line in lines_of(trouble.suggestions))
