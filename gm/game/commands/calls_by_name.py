"""Sentences of a letter about other things that speak to somebody by name: "Par-Bur. Ruth, the map is wrong".

Those for the human game master are proposed as PRESS TO GM, from the name to the end of their paragraph or to the first
sentence that orders or asks for something that is done here. What is answered here anyhow is not passed on. A player
who is called by their own name gets that sentence alone: what follows may be their enemy's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from gm.game.commands.plain_answers import is_answered
from gm.game.letters.reply_limits import own_words
from gm.game.model.records import Letter
from gm.game.press.addressing import may_hide_writer, names_of_everybody
from gm.game.press.called_players import CalledPlayers, called_players, told_players
from gm.game.press.divided_words import PartForReaders
from gm.game.press.words_for_master import (
    FOR_MASTER,
    FOR_PLAYERS,
    MARKS,
    calls_master,
    is_told_to_master,
    names_master,
    press_to_master,
)
from gm.game.press.words_for_players import may_be_for_players, question_for, unclear
from gm.game.session.session import LetterSession
from gm.language.commands.in_words import plain_questions
from gm.language.i18n.normalize import clean
from gm.language.letter.letter_reader import read_letter
from gm.language.letter.talk import small_talk
from gm.language.lines.letter_contents import LetterContents, LineError, lines_of, only_asks
from gm.language.lines.sentences import sentences_of
from gm.language.lines.trouble_keys import ASK_FOR_NOTHING

PART_FOR_MASTER = f"{FOR_MASTER}-part"
"""Key of the question whether these sentences go to the game master."""
MOST_SENTENCES = 100
FEWEST = 2
"""Words behind the name: "Ruth, thanks!" tells nothing."""
BEGINNING = 20
"""Characters of a line by which it is known."""
QUOTING = (*ASK_FOR_NOTHING, *plain_questions.KEYS)
"""Keys of remarks on words that the proposal quotes."""


def with_calls_to_master(session: LetterSession, letter: Letter, reading: LetterContents) -> LetterContents:
    """The contents with that proposal, in place of remarks on the same words."""
    if session.master or any(trouble.key.startswith(FOR_MASTER) for trouble in reading.troubles):
        return reading
    if not reading.spoken(letter.lines) or not names_master(session, own_words(letter)):
        return reading
    lines = [(number, words) for number, words in letter.lines if number not in reading.only_orders]
    sentences = sentences_of(own_words(replace(letter, lines=tuple(lines))))[:MOST_SENTENCES]
    words = " ".join(" ".join(run.split()) for run in _runs(session, sentences, _proposed(reading)))
    if not words:
        return reading
    others = any(map(_says_more, reading.troubles)) or any(called_players(session, each) for each in sentences)
    if not (reading.orders or reading.requests or session.notes or others):
        words = " ".join(map(_on_one_line, sentences))  # whom it is about stands before
    number = next(
        (at for at, text in lines if text.strip() and words.startswith(" ".join(text.split())[:BEGINNING])), 1
    )
    whole = (press_to_master(session, words),)
    question = LineError(number, words, 0, len(words), PART_FOR_MASTER, (), whole, obeyed=True)
    kept = (trouble for trouble in reading.troubles if not _is_quoted(trouble, words))
    unanswered = tuple(left for left in reading.unanswered if " ".join(left.split()) not in words)
    return replace(reading, troubles=(*kept, question), unanswered=unanswered)


def _on_one_line(sentence: str) -> str:
    return " ".join(sentence.split())


def _says_more(trouble: LineError) -> bool:
    """Whether a remark is about more than names in passing."""
    return trouble.key not in ASK_FOR_NOTHING


def with_calls_to_players(session: LetterSession, letter: Letter, reading: LetterContents) -> LetterContents:
    """The contents with a proposal of PRESS TO for each such sentence, in place of remarks on its words."""
    if session.master:
        return reading
    lines = reading.spoken(letter.lines)
    if not lines or not (session.observes or may_be_for_players(session, reading)):
        return reading
    text = clean(own_words(letter)).text.lower()
    if not any(name in text for name in names_of_everybody(session)):
        return reading
    proposed = _proposed(reading)
    for number, words in lines:
        for sentence in sentences_of(words):
            called = called_players(session, sentence.strip())
            if called is not None and session.observes:
                session.note("observers-listen", done=False)
                return reading
            if (
                called is not None
                and len(reading.troubles) < MOST_SENTENCES
                and not _is_elsewhere(session, sentence, proposed)
            ):
                reading = _with_call(session, letter, reading, number, sentence.strip(), called)
    return reading


def with_words_beside_commands(session: LetterSession, letter: Letter, reading: LetterContents) -> LetterContents:
    """A game master's letter of commands with a proposal of TO for each sentence "and tell Anna: …" beside them."""
    if not session.master or not session.loaded_game.running or not reading.requests:
        return reading
    shown = {trouble.line for trouble in reading.troubles}
    for number, line in reading.spoken(letter.lines):
        if number not in shown and len(reading.troubles) < MOST_SENTENCES:
            called = told_players(session, line)
            if called is not None:
                reading = _with_call(session, letter, reading, number, called.words, called)
    return reading


def _is_elsewhere(session: LetterSession, sentence: str, proposed: tuple[str, ...]) -> bool:
    text = " ".join(sentence.split())
    reading = read_letter(((1, text),), session.context)
    return any(each in text or text in each for each in proposed) or bool(reading.orders or reading.keeps_orders)


def _with_call(
    session: LetterSession,
    letter: Letter,
    reading: LetterContents,
    number: int,
    words: str,
    called: CalledPlayers,
) -> LetterContents:
    part = PartForReaders(called.to, called.words, called.unsigned)
    hides = not called.unsigned and may_hide_writer(session, own_words(letter))
    ask = unclear(called.to, number, words) if hides else question_for(session, part, number, words, FOR_PLAYERS)
    kept = tuple(each for each in reading.troubles if " ".join((each.marked or each.text).split()) not in words)
    unanswered = tuple(left for left in reading.unanswered if " ".join(left.split()) not in words)
    return replace(reading, troubles=(*kept, ask), unanswered=unanswered)


def _proposed(reading: LetterContents) -> tuple[str, ...]:
    """The words that are proposed for others, or as commands."""
    lines = [line for trouble in reading.troubles for line in lines_of(trouble.suggestions)]
    lines += (trouble.text for trouble in reading.troubles if trouble.key.startswith(FOR_PLAYERS))
    return tuple(words for line in lines if len((words := " ".join(line.split())).split()) > FEWEST)


def _runs(session: LetterSession, sentences: Sequence[str], proposed: tuple[str, ...]) -> Iterator[str]:
    """Each sentence that calls the game master, with those behind it in its paragraph that say more to them.

    `proposed`: words that go to others, or stand for commands.
    """
    run: list[str] = []
    for sentence in sentences:
        open_run = bool(run) and "\n\n" not in run[-1]
        calls = calls_master(session, sentence) or is_told_to_master(session, sentence)
        if (open_run or calls) and _is_for_nobody_else(session, sentence, proposed, FEWEST if calls else 0):
            run.append(sentence)
            continue
        yield from ("".join(run),) if run else ()
        run = []
    yield from ("".join(run),) if run else ()


def _is_for_nobody_else(session: LetterSession, sentence: str, proposed: tuple[str, ...], fewest: int) -> bool:
    """`fewest`: words that do not say anything alone."""
    text = " ".join(sentence.split())
    words = clean(text.strip(MARKS)).text.split()
    if any(each in text or text in each for each in proposed):
        return False
    if len(words) <= fewest or small_talk.is_thanks(text, session.languages):
        return False
    if is_answered(session, text) or called_players(session, text.strip()) is not None:
        return False
    reading = read_letter(((1, text),), session.context)
    taken = reading.orders or reading.requests or reading.keeps_orders
    return not taken and not any(trouble.suggestions for trouble in reading.troubles)


def _is_quoted(trouble: LineError, words: str) -> bool:
    marked = " ".join((trouble.marked or trouble.text).split())
    return (trouble.key in QUOTING or only_asks(trouble)) and bool(marked) and marked in words
