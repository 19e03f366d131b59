"""Reads YES and NO to proposals at the beginning of a letter, and finds the proposals that it answers.

A YES counts with its code, in direct reply to the letter that shows the proposals, in reply to their reminder, or if
the last answer to the seat shows them: "Yes, I'm still playing!" days later must not give up a seat. Any other YES,
also in the last words of a letter, shows again what waits.
"""

from __future__ import annotations

import re
from itertools import takewhile

from msgspec import Struct
from msgspec.structs import replace

from gm.game.letters import reply_limits
from gm.game.model.proposals import (
    CODE_LENGTH,
    Proposals,
    find_proposals,
    open_proposals,
    own_proposals,
    proposals_for,
)
from gm.game.model.records import AnsweredLetter, Letter, Question
from gm.game.model.reply_addresses import ALPHABET
from gm.game.session.confirmation_requests import note_nothing_to_confirm
from gm.game.session.session import LetterSession
from gm.language.commands.table import rows_of
from gm.language.i18n.normalize import clean
from gm.language.i18n.vocabulary import vocabulary_of
from gm.language.letter.letter_reader import read_letter
from gm.language.letter.talk.asking_sentences import behind_greeting
from gm.language.letter.talk.consent_words import (
    WORD,
    affirmation,
    gives_thanks,
    only_agrees,
    refusal,
    without_joints,
)
from gm.language.lines.letter_contents import LetterContents
from gm.language.lines.sentences import sentences_of
from gm.language.lines.spans import Fate, LetterSpan

NO = ("NO", "NOPE")
CONFIRM = "CONFIRM"
FIRST_WORD = re.compile(r"[\s*_\"'“„(]*([^\W\d_]+)[\s*_\"'”“).,;:!–-]*")
CODE = re.compile(rf"([{ALPHABET}]{{{CODE_LENGTH}}})(?![\w-])[\s*_).,;:!–-]*", re.IGNORECASE)
PAUSES = re.compile(r"[^\w\s]")
"""What sets a NO apart from the words behind it: "No, I need more time", but not "No builds"."""
ANSWER = re.compile(r"inbox:(\d+):")
"""The cause of an answer, with the letter that it answers."""
REMINDER = "reminder:"
NOTICE = "notice"
"""The kind of letters that may ask something themselves."""
LAST_SENTENCE = re.compile(r"(?:^|(?P<before>[.!?;])\s+)(?P<words>[^.!?;]*[.!?\s]*)$")


class ProposalsReply(Struct, frozen=True):
    """YES or NO in a letter. `rest` is the letter without it and its code, `line` its number. `unsure`: proposals that
    the YES may mean, so that they are shown again.
    """

    question: Question
    yes: bool
    rest: Letter
    line: int
    unsure: tuple[Question, ...] = ()


def read_reply(session: LetterSession, letter: Letter) -> ProposalsReply | None:
    """YES or NO to proposals at the beginning of the letter; None where it says neither, or there are none.

    "OK so Vienna goes to Galicia" says neither: words other than YES stand with nothing but talk.
    """
    languages = session.languages
    unsure: tuple[Question, ...] = ()
    lines = ((at, behind_greeting(words, languages).strip()) for at, (_, words) in enumerate(letter.lines))
    at, line = next(((at, words) for at, words in lines if words), (0, ""))
    if past := refusal(line, languages):
        question, unsure = _refused(session, letter)
        question = None if question is not None and question.answered else question
        return _reply(question, False, letter, at, line[past:].strip(), unsure)
    if past := affirmation(line, languages):
        question, unsure = _meant(session, letter, None)
        meant = None if unsure or (question is not None and question.answered) else question
        return _reply(meant, True, letter, at, line[past:])
    first = FIRST_WORD.match(line)
    if first is None:
        return None
    behind = line[first.end() :]
    code = CODE.match(behind)
    question = find_proposals(session.store, code[1].lower()) if code is not None else None
    if code is not None and question is not None:
        behind = behind[code.end() :]
    if code is not None and question is None and first[1].upper() == CONFIRM:  # a code of something else
        return None
    yes = _says_yes(session, first[1], behind)
    if yes is None:
        return None
    if yes:
        alone = only_agrees(behind, languages)
        question, unsure = _meant(session, letter, question)
        if question is not None and not alone and _repeats(behind, _offer(question)):
            behind = ""
        return _reply(question, yes, letter, at, _behind_agreement(behind, languages), unsure)
    if not behind or gives_thanks(behind, languages):
        question, unsure = (question, ()) if question is not None else _refused(session, letter)
    else:
        question = _apart_from_orders(session, letter, line[: first.end()])
    return _reply(question, yes, letter, at, without_joints(behind, languages), unsure)


def _refused(session: LetterSession, letter: Letter) -> tuple[Question | None, tuple[Question, ...]]:
    """The proposals that a NO refuses; all that wait, where it does not say which."""
    question, waiting = _unnamed_proposals(session, letter), open_questions(session)
    if not waiting or question in waiting:
        return question, ()
    return waiting[-1], waiting


def _behind_agreement(words: str, languages: tuple[str, ...]) -> str:
    """Words behind a YES without the sentences that end it: "Yes, send it. And Ankara holds"."""
    if only_agrees(words, languages):
        return words  # they may tell the language of the letter
    sentences = tuple(sentences_of(words))
    agreeing = takewhile(lambda sentence: only_agrees(sentence, languages), sentences)
    return without_joints(words[sum(map(len, agreeing)) :], languages)


def without_idle_yes(session: LetterSession, letter: Letter) -> Letter:
    """The letter without a YES for which nothing waits, before a request: "YES, vote draw". One before words that only
    agree stands alone: "YES it's mine".
    """
    languages = session.languages
    at = next((at for at, (_, words) in enumerate(letter.lines) if words.strip()), None)
    number, line = letter.lines[at] if at is not None else (0, "")
    first = FIRST_WORD.match(behind_greeting(line, languages).strip())
    behind = without_joints(first.string[first.end() :], languages) if first is not None else ""
    if at is None or first is None or not behind or not _means_yes(first[1], languages):
        return letter
    reading = read_letter(((number, behind),), session.context)
    if only_agrees(behind, languages):
        behind = reply_limits.YES[0]
    elif not reading.requests or reading.orders or reading.troubles or reading.prose:
        return letter
    return replace(letter, lines=(*letter.lines[:at], (number, behind), *letter.lines[at + 1 :]))


def read_closing_reply(session: LetterSession, letter: Letter) -> ProposalsReply | None:
    """YES in the last words of a letter, behind others: "Denmark holds. And yes"; None where nothing waits for it."""
    at = next((at for at in reversed(range(len(letter.lines))) if letter.lines[at][1].strip()), 0)
    number, line = letter.lines[at] if letter.lines else (0, "")
    last = LAST_SENTENCE.search(line)
    if last is None or last["before"] == "?" or not _is_yes(session, last["words"]):
        return None
    spans = read_letter(letter.lines_with_quotes, session.context).spans
    if any(span.fate is Fate.PRESS and span.line == number for span in spans):
        return None
    if not open_questions(session):
        if last["before"]:
            note_nothing_to_confirm(session)
        return None
    question, unsure = _meant(session, letter, None)
    before = line[: last.start("words")]
    talks = any(_says_more(span, session) for span in spans if span.line != number or span.text.strip() in before)
    if question is not None and not unsure and (talks or _is_for_good(session, question)):
        unsure = (question,)
    lines = (*letter.lines[:at], *(((number, before),) if before.strip() else ()))
    return ProposalsReply(question, True, replace(letter, lines=lines), number, unsure) if question else None


def _says_more(span: LetterSpan, session: LetterSession) -> bool:
    """Whether words of a letter say something that is no order, and may be what its YES is about."""
    languages = session.languages
    words = behind_greeting(span.text, languages).strip()
    return span.fate in (Fate.TALK, Fate.COMMENT, Fate.NOT_TAKEN) and not only_agrees(words, languages)


def _offer(question: Question) -> str:
    """The words of the only command that is proposed, without those of a block below it; "" for more, and for orders: a
    YES with the name of one of them may mean that one alone.
    """
    proposals = Proposals.of(question)
    alone = len(proposals.requests) == 1 and not proposals.lines
    return proposals.requests[0].partition("\n")[0] if alone else ""


def _repeats(words: str, offer: str) -> bool:
    """Whether words are the offer's from its beginning, or its values: other ones may mean another day or reader."""
    again, offered = (WORD.findall(clean(text).text.casefold()) for text in (words, offer))
    return bool(again) and again in (offered[: len(again)], offered[2:])


def _is_yes(session: LetterSession, sentence: str) -> bool:
    languages = session.languages
    words = without_joints(sentence, languages)
    first = FIRST_WORD.match(words)
    return first is not None and _means_yes(first[1], languages) and only_agrees(words[first.end() :], languages)


def _means_yes(word: str, languages: tuple[str, ...]) -> bool:
    return reply_limits.YES[0] in _meanings(word, languages)


def _meanings(word: str, languages: tuple[str, ...]) -> set[str]:
    return {vocabulary_of(language).english(clean(word).text).upper() for language in languages}


def latest_proposals(session: LetterSession) -> Question | None:
    """The proposals of the seat's last letter with orders."""
    if not (session.plays and session.loaded_game.running):
        return None
    return own_proposals(session.services, session.store, session.draft(session.author).before, session.seat)


def _reply(
    question: Question | None, yes: bool, letter: Letter, at: int, behind: str, unsure: tuple[Question, ...] = ()
) -> ProposalsReply | None:
    """`behind` are the words behind the YES or NO in the line `at`; None without a question."""
    number, below = letter.lines[at][0], letter.lines[at + 1 :]
    lines = ((number, behind), *below) if behind else below
    return ProposalsReply(question, yes, replace(letter, lines=lines), number, unsure) if question is not None else None


def _meant(
    session: LetterSession, letter: Letter, named: Question | None
) -> tuple[Question | None, tuple[Question, ...]]:
    """The proposals that a YES takes, and those that it may mean, of which it does not say so. `named`: by code."""
    parent, waiting = _parent(session, letter), open_questions(session)
    shown = named or _shown_in(session, parent)
    if shown is not None and (named is not None or not (shown.answered and waiting)):
        return shown, ()
    answered = parent is None or ANSWER.match(parent.cause)
    reminded = parent is not None and parent.cause.startswith(REMINDER)
    last = _last_shown(session)
    if not waiting:
        return (last if answered or reminded or (last and not last.answered) else None), ()
    asks_itself = parent is not None and parent.kind == NOTICE
    elsewhere = asks_itself or shown is not None
    in_view = waiting if reminded else tuple(each for each in waiting if each == last and not elsewhere)
    if len(in_view) != 1 or not (answered or reminded or not _is_for_good(session, in_view[0])):
        return waiting[-1], waiting
    return in_view[0], ()


def open_questions(session: LetterSession) -> tuple[Question, ...]:
    """The writer's proposals that wait for a YES, the oldest first."""
    game, author = session.game, session.author
    plays = session.plays and session.loaded_game.running
    own = session.store.turns.sheet(game.id, game.snapshot, author, author) if plays else None
    return open_proposals(session.services, session.store, game, game.phase, own, session.seat)


def _is_for_good(session: LetterSession, question: Question) -> bool:
    lines = tuple(enumerate("\n".join(Proposals.of(question).requests).splitlines()))
    requests = (given.request for given in read_letter(lines, session.context).requests)
    return any(row.for_good for request in requests for row in rows_of(request))


def _says_yes(session: LetterSession, word: str, behind: str) -> bool | None:
    """None for neither YES nor NO. "OK, thanks" acknowledges an answer and agrees to nothing."""
    meanings = _meanings(word, session.languages)
    if reply_limits.YES[0] in meanings:
        return True
    if not meanings.isdisjoint(NO):
        return False
    if meanings.isdisjoint(reply_limits.YES) or gives_thanks(behind, session.languages):
        return None
    return None if behind and not _is_talk(read_letter(((0, behind),), session.context)) else True


def _is_talk(reading: LetterContents) -> bool:
    return not (reading.orders or reading.requests or reading.troubles)


def _apart_from_orders(session: LetterSession, letter: Letter, no: str) -> Question | None:
    """The waiting proposals of commands alone that a NO before other words refuses: "No, I need more time"."""
    question = _waiting_proposals(session, letter) if PAUSES.search(no) else None
    return question if question is not None and not Proposals.of(question).lines else None


def _waiting_proposals(session: LetterSession, letter: Letter) -> Question | None:
    question = _unnamed_proposals(session, letter)
    return question if question is not None and not question.answered else None


def _unnamed_proposals(session: LetterSession, letter: Letter) -> Question | None:
    """The proposals in the letter that this one replies to, else those that wait."""
    parent = _parent(session, letter)
    if (shown := _shown_in(session, parent)) is not None:
        return shown
    if parent is not None and not ANSWER.match(parent.cause) and not parent.cause.startswith(REMINDER):
        return None
    return _last_asked(session) or latest_proposals(session)


def _parent(session: LetterSession, letter: Letter) -> AnsweredLetter | None:
    return session.store.outbox.answered_letter(letter.answers[0]) if letter.answers else None


def _shown_in(session: LetterSession, parent: AnsweredLetter | None) -> Question | None:
    """The proposals that an answer of ours shows."""
    answer = ANSWER.match(parent.cause) if parent is not None else None
    return _made_of_letter(session, answer[1]) if answer is not None else None


def _last_asked(session: LetterSession) -> Question | None:
    """The proposals that wait in the last answer to the seat."""
    question = _last_shown(session)
    return question if question is not None and not question.answered else None


def _last_shown(session: LetterSession) -> Question | None:
    """The proposals of the last answer to the seat, or those that it took."""
    last = session.store.outbox.answers_about((session.seat.id,), 1)
    asked = ANSWER.match(last[0][0]) if last else None
    question = _made_of_letter(session, asked[1]) if asked is not None else None
    return question if question is not None and question.seat == session.seat.id else None


def _made_of_letter(session: LetterSession, number: str) -> Question | None:
    return proposals_for(session.services, session.store, int(number), session.seat.id)
