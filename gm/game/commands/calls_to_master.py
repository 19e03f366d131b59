"""Sentences of a letter about other things that speak to the human game master: "Par-Bur. Ruth, the map is wrong".

They are proposed as PRESS TO GM, from the name to the end of their paragraph or to the first sentence that orders or
asks for something that is done here. What is answered here anyhow is not passed on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from gm.game.commands.plain_answers import is_answered
from gm.game.letters.reply_limits import own_words
from gm.game.model.records import Letter
from gm.game.press.words_for_master import FOR_MASTER, FOR_PLAYERS, MARKS, calls_master, names_master, press_to_master
from gm.game.session.session import LetterSession
from gm.language.commands import plain_questions
from gm.language.i18n.normalize import clean
from gm.language.letter import small_talk
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.letter_contents import LetterContents, LineError, only_asks
from gm.language.lines.sentences import sentences_of
from gm.language.lines.spans import Fate

PART_FOR_MASTER = f"{FOR_MASTER}-part"
"""Key of the question whether these sentences go to the game master."""
MOST_SENTENCES = 100
FEWEST = 2
"""Words behind the name: "Ruth, thanks!" tells nothing."""
BEGINNING = 20
"""Characters of a line by which it is known."""
QUOTING = (*plain_questions.IN_PASSING, *plain_questions.KEYS)
"""Keys of remarks on words that the proposal quotes."""


def with_calls_to_master(session: LetterSession, letter: Letter, reading: LetterContents) -> LetterContents:
    """The contents with that proposal, in place of remarks on the same words."""
    if session.master or any(trouble.key.startswith(FOR_MASTER) for trouble in reading.troubles):
        return reading
    if not names_master(session, own_words(letter)):
        return reading
    elsewhere = {span.line for span in reading.spans if span.fate is Fate.PRESS} | reading.only_orders
    lines = [(number, words) for number, words in letter.lines if number not in elsewhere]
    sentences = sentences_of(own_words(replace(letter, lines=tuple(lines))))[:MOST_SENTENCES]
    words = " ".join(" ".join(run.split()) for run in _runs(session, sentences, _proposed(reading)))
    if not words:
        return reading
    number = next(
        (at for at, text in lines if text.strip() and words.startswith(" ".join(text.split())[:BEGINNING])), 1
    )
    whole = (press_to_master(session, words),)
    question = LineError(number, words, 0, len(words), PART_FOR_MASTER, (), whole, obeyed=True)
    kept = (trouble for trouble in reading.troubles if not _is_quoted(trouble, words))
    unanswered = tuple(left for left in reading.unanswered if " ".join(left.split()) not in words)
    return replace(reading, troubles=(*kept, question), unanswered=unanswered)


def _proposed(reading: LetterContents) -> tuple[str, ...]:
    """The words that are proposed for others, or as commands."""
    lines = [line for trouble in reading.troubles for line in "\n".join(trouble.suggestions).split("\n")]
    lines += (trouble.text for trouble in reading.troubles if trouble.key.startswith(FOR_PLAYERS))
    return tuple(words for line in lines if len((words := " ".join(line.split())).split()) > FEWEST)


def _runs(session: LetterSession, sentences: Sequence[str], proposed: tuple[str, ...]) -> Iterator[str]:
    """Each sentence that calls the game master, with those behind it in its paragraph that say more to them.

    `proposed`: words that go to others, or stand for commands.
    """
    run: list[str] = []
    for sentence in sentences:
        open_run = bool(run) and "\n\n" not in run[-1]
        if (open_run or calls_master(session, sentence)) and _is_for_nobody_else(session, sentence, proposed):
            run.append(sentence)
            continue
        yield from ("".join(run),) if run else ()
        run = []
    yield from ("".join(run),) if run else ()


def _is_for_nobody_else(session: LetterSession, sentence: str, proposed: tuple[str, ...]) -> bool:
    text = " ".join(sentence.split())
    words = clean(text.strip(MARKS)).text.split()
    if any(each in text or text in each for each in proposed):
        return False
    if len(words) <= FEWEST or small_talk.is_thanks(text, session.languages):
        return False
    if is_answered(session, text):
        return False
    reading = read_letter(((1, text),), session.context)
    return not (reading.orders or reading.requests) and not any(trouble.suggestions for trouble in reading.troubles)


def _is_quoted(trouble: LineError, words: str) -> bool:
    marked = " ".join((trouble.marked or trouble.text).split())
    return (trouble.key in QUOTING or only_asks(trouble)) and bool(marked) and marked in words
