"""Asks the writer of a reply to press which of its sentences are for the players, and which for the game master.

The question holds the channel, and below it the numbers of the sentences for the game master, if others are left.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from gm.game.identity.sender import PRESS
from gm.game.letters.question import DIVIDED, PRESS_ANSWERS, render_question
from gm.game.letters.reply_limits import YES, first_word, own_words
from gm.game.model.records import MASTER, Letter, Question
from gm.game.press import anonymize, write
from gm.game.press.addressing import speaks_to_others
from gm.game.press.asides import find_asides
from gm.game.press.words_not_for_readers import find_for_master, find_secrecy
from gm.game.session.session import LetterSession
from gm.language.commands.in_words import plain_questions
from gm.language.commands.press_or_orders import looks_like_orders
from gm.language.commands.requests import PressRequest
from gm.language.i18n.normalize import clean
from gm.language.letter.letter_reader import read_letter
from gm.language.letter.talk import replies_to_press
from gm.language.lines.blocks import number_lines
from gm.language.lines.letter_contents import LetterContents
from gm.language.lines.sentences import sentences_of, without
from gm.language.rendering.views import QuotedWordsView, SectionView

MOST_CALLS = 200
"""Sentences of a reply that may speak to others."""
ANSWER_SEARCHED = 500
"""Characters of an answer that are searched for a choice."""


class DividedReply(Struct, frozen=True):
    """The words of a reply for the players, "" for none, and those for the game master."""

    press: str
    orders: str

    def for_master(self, letter: Letter) -> Letter:
        """The letter with only the words for the game master."""
        return replace(letter, lines=number_lines(self.orders), answered=())


def ask(session: LetterSession, letter: Letter, reading: LetterContents, channel: str) -> bool:
    """Ask about a reply to press that gives orders. False if it gives none."""
    sentences = sentences_of(own_words(letter))
    numbers = {
        number for _, context in session.contexts for number in replies_to_press.find_for_master(sentences, context)
    }
    _, members = write.members_of(session, channel)
    if MASTER not in members and not session.observes:
        numbers |= {*find_for_master(session, sentences), *find_secrecy(session, sentences, members)}
    numbers |= {
        at
        for at, words in enumerate(sentences[:MOST_CALLS])
        if speaks_to_others(session, words, members, opens=at == 0)
    }
    numbers |= set(find_asides(session, sentences[:MOST_CALLS], members))
    lines = any(looks_like_orders(letter.lines, context) for _, context in session.contexts)
    if not (numbers or lines or replies_to_press.holds_orders(reading, session.context)):
        return False
    payload = channel
    rest = without(sentences, numbers)
    fields = {"readers": _readers(session, channel, own_words(letter)), "readers_of_part": ""}
    if numbers and not _asks(session, reading, rest) and _is_press(session, rest):
        fields["readers_of_part"] = _readers(session, channel, rest)
    if fields["readers_of_part"]:
        payload = f"{channel}{DIVIDED}{' '.join(map(str, sorted(numbers)))}"
    code = session.services.post.code(PRESS, str(session.row.id))
    question = Question(code, PRESS, session.game.id, session.seat.id, session.row.id, payload, session.store.now())
    session.store.turns.add_question(question)
    parts = _shown(session, divide_reply(question, letter))
    asked = (session.services, session.person, session.game, session.seat, question, session.letter, fields, parts)
    session.send(render_question(*asked))
    return True


def own_press(session: LetterSession, words: str) -> tuple[PressRequest, ...]:
    """The press in words that hold nothing but press with readers of its own: "Message to Brazil: …"."""
    reading = read_letter(number_lines(words.strip()), session.context)
    asked = tuple(given.request for given in reading.requests if isinstance(given.request, PressRequest))
    alone = len(asked) == len(reading.requests) and not (reading.orders or reading.troubles or reading.prose)
    return asked if alone else ()


def _readers(session: LetterSession, channel: str, words: str) -> str:
    """Who reads words of a reply that are passed on, "" where that is not certain."""
    if not (own := own_press(session, words)):
        return write.readers_named_by(session, channel, words) or ""
    known = all(request.to and not request.everyone for request in own)
    return ", ".join(dict.fromkeys(name for request in own for name in request.to)) if known else ""


def divide_reply(question: Question, letter: Letter) -> DividedReply | None:
    """The letter as the question has divided it; None if it has not."""
    _, divided, numbers = question.payload.partition(DIVIDED)
    if not divided:
        return None
    sentences = sentences_of(own_words(letter))
    chosen = set(map(int, numbers.split()))
    others = set(range(len(sentences))) - chosen
    press, orders = (without(sentences, gone) for gone in (chosen, others))
    return DividedReply(press, orders)


def read_choice(session: LetterSession, question: Question) -> str:
    """PRESS, ORDERS or YES for both, from the word that the question asks for or from plain words; "" for neither."""
    words = {first_word(session.letter, language) for language in session.languages}
    word = next((word for word in PRESS_ANSWERS[1:] if word in words), "")
    if word:
        return word
    low = clean(own_words(session.letter)[:ANSWER_SEARCHED]).text.lower()
    chosen = plain_questions.compiled_patterns("choosing", *session.services.letters.languages)
    if chosen["both"].search(low):
        return PRESS_ANSWERS[0]
    press = bool(chosen["press"].search(low)) and not chosen["no_press"].search(low)
    orders = bool(chosen["orders"].search(low) or chosen["no_press"].search(low)) and not chosen["no_orders"].search(
        low
    )
    if press != orders:
        return "PRESS" if press else "ORDERS"
    divided = DIVIDED in question.payload
    return PRESS_ANSWERS[0] if not press and divided and words & set(YES) else ""


def channel_of(question: Question) -> str:
    """The channel that the reply would be passed on to."""
    return question.payload.partition(DIVIDED)[0]


def _asks(session: LetterSession, reading: LetterContents, words: str) -> bool:
    """Whether words that are left for the players hold a request of the letter, besides press."""
    asked = bool(reading.requests) and read_letter(number_lines(words), session.context).requests
    return any(not isinstance(given.request, PressRequest) for given in asked or ())


def _is_press(session: LetterSession, words: str) -> bool:
    """Whether words say anything to players, besides a greeting and a name."""
    own, _ = anonymize.without_signature(words, session.person, session.letter.sender_name)
    sentences = (sentence.strip() for sentence in sentences_of(own))
    return any(len(sentence.split()) > 1 and not sentence.endswith(",") for sentence in sentences)


def _shown(session: LetterSession, reply: DividedReply | None) -> tuple[SectionView, ...]:
    if reply is None:
        return ()
    return (
        SectionView(session.say("question.press.to-master"), (QuotedWordsView(reply.orders),)),
        SectionView(session.say("question.press.to-players"), (QuotedWordsView(reply.press),)),
    )
