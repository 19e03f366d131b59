"""Words beside a YES that keep it from taking anything: what is not understood there may change what it takes.

What is understood counts beside it, or instead of a part of it: "Yes, but not Tyrolia: Munich holds" takes the others.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from gm.game.model.proposals import Proposals
from gm.game.proposals.matters import matter_of, read_back
from gm.game.proposals.proposal_replies import ProposalsReply
from gm.game.proposals.settled_lines import places_in
from gm.game.session.session import LetterSession
from gm.language.letter.talk.asking_sentences import behind_greeting
from gm.language.letter.talk.consent_words import only_agrees
from gm.language.letter.talk.named_answers import breaks_off, named_parts
from gm.language.lines.letter_contents import LetterContents, LineError, OrderLine
from gm.language.lines.sentences import sentences_of
from gm.language.lines.spans import Fate


def words_in_the_way(session: LetterSession, reply: ProposalsReply, reading: LetterContents) -> str:
    """The first of them; "" where the YES counts."""
    proposals = Proposals.of(reply.question)
    replaced = _replaced(session, proposals, reading)
    aside = not proposals.requests and _stands_apart(session, reply)
    for words in _unsettled(session, reply, reading):
        if not (_drops_only(session, words, replaced) or (aside and _asks_aside(session, words))):
            return words.strip(" ,.;:")
    return ""


def without_dropped(session: LetterSession, reply: ProposalsReply, reading: LetterContents) -> LetterContents:
    """Words that drop a proposed order need no answer where the letter has another one for its unit."""
    replaced = _replaced(session, Proposals.of(reply.question), reading) if reading.troubles else ()
    kept = (each for each in reading.troubles if not _drops_only(session, each.marked or each.text, replaced))
    return replace(reading, troubles=tuple(kept)) if replaced else reading


def orders_all(session: LetterSession, proposals: Proposals, reading: LetterContents) -> bool:
    """Whether a letter has orders of its own about all that was proposed."""
    own = set(map(matter_of, reading.orders))
    return not proposals.requests and set(map(matter_of, _proposed(session, proposals))) <= own


def _unsettled(session: LetterSession, reply: ProposalsReply, reading: LetterContents) -> Iterator[str]:
    """What is not taken, and talk in the line of the YES."""
    for trouble in reading.troubles:
        yield _sentence(trouble)
    for span in reading.spans:
        if span.line == reply.line and span.fate in (Fate.TALK, Fate.COMMENT):
            for sentence in sentences_of(span.text):
                if not only_agrees(sentence, session.languages):
                    yield sentence


def _sentence(trouble: LineError) -> str:
    """The whole of it, so that nobody has to guess which words are meant."""
    past = 0
    for sentence in sentences_of(trouble.text):
        past += len(sentence)
        if trouble.marked and past > trouble.start:
            return sentence if trouble.marked in sentence else trouble.marked
    return trouble.text


def _proposed(session: LetterSession, proposals: Proposals) -> tuple[OrderLine, ...]:
    return read_back(session, [line for _, line in proposals.lines], proposals.language).orders


def _replaced(session: LetterSession, proposals: Proposals, reading: LetterContents) -> tuple[set[str], ...]:
    """The places of each proposed order for which the letter has another one."""
    own = set(map(matter_of, reading.orders))
    lines = (order for order in _proposed(session, proposals) if matter_of(order) in own)
    return tuple(places_in(session, session.author, order.text) for order in lines)


def _drops_only(session: LetterSession, words: str, replaced: tuple[set[str], ...]) -> bool:
    """Whether words do no more than to drop an order for which the letter has another one."""
    parts = named_parts(words, session.languages) if replaced else ()
    if not parts or any(part.take for part in parts):
        return False
    named = (places_in(session, session.author, " ".join(part.words)) for part in parts)
    return all(places and any(places <= order for order in replaced) for places in named)


def _stands_apart(session: LetterSession, reply: ProposalsReply) -> bool:
    """Whether the YES is a sentence of its own."""
    line = next((words for number, words in session.letter.lines if number == reply.line), "")
    first = next(iter(sentences_of(behind_greeting(line, session.languages).strip())), "")
    return only_agrees(first, session.languages)


def _asks_aside(session: LetterSession, words: str) -> bool:
    """Whether words only ask, and neither object to orders nor name a place of them. Orders can still be changed."""
    asks = words.strip().endswith("?") and not breaks_off(words, session.languages)
    return asks and not places_in(session, session.author, words)
