"""A player's wishes that only the game master can grant: a substitute for some weeks, another rhythm of deadlines.

Their sentences are proposed as PRESS TO GM, also where they do not name the game master. A substitute is known by
`[substitutes]` of grammars/plain_questions/<language>.toml. Any other wish is a sentence that asks, and would stand for
a command if the game master wrote it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from msgspec.structs import replace

from gm.game.letters.reply_limits import own_words
from gm.game.model.records import MASTER, Letter
from gm.game.press.words_for_master import ANSWERS, COMPLAINT, FOR_MASTER, FOR_PLAYERS, press_to_master
from gm.game.session.answered_notices import answers_notice
from gm.game.session.session import LetterSession
from gm.language.commands.in_words import plain_questions
from gm.language.i18n.normalize import clean
from gm.language.letter.letter_reader import read_letter
from gm.language.letter.talk.gm_sentences import wants
from gm.language.lines.letter_contents import LetterContents, LineError, only_asks
from gm.language.lines.sentences import sentences_of
from gm.language.lines.spans import Fate
from gm.language.lines.trouble_keys import LATER

SUBSTITUTE = f"{FOR_MASTER}-substitute"
"""Key of the question whether a wish for a substitute goes to the game master."""
DECIDES = f"{FOR_MASTER}-decides"
"""The same for another wish."""
LATE = f"{FOR_MASTER}-late"
"""The same for late orders of a kind that the open phase does not take."""
ANNOUNCEMENT = "notice.title.else"
"""The title of a letter in the game master's words."""
SPOKEN = (Fate.TALK, Fate.REASON)
LETTERS = re.compile(r"[^\W\d_]{2}")
INSTEAD = frozenset({"absence", "vacation", "resign", "resign-game", "extend-ask"})
"""Rows of commands that a wish for a substitute may read like, and does not mean."""
FEWEST_WORDS = 3
"""Words beside late orders that say something to somebody."""
MOST_SENTENCES = 50
SENTENCE_SEARCHED = 500
"""Characters of a sentence that are searched."""


def with_wishes_for_master(session: LetterSession, letter: Letter, reading: LetterContents) -> LetterContents:
    """The contents with that proposal, in place of remarks on the same words."""
    decided = (COMPLAINT, FOR_PLAYERS, FOR_MASTER)
    if not session.plays or any(trouble.key.startswith(decided) for trouble in reading.troubles):
        return reading
    own = replace(letter, lines=tuple(line for line in letter.lines if line[0] not in reading.only_orders))
    sentences = [" ".join(words.split()) for words in sentences_of(own_words(own))[:MOST_SENTENCES]]
    spoken = " ".join(span.text for span in reading.spans if span.fate in SPOKEN)
    if _is_late_for_other_orders(session) and len(spoken.split()) >= FEWEST_WORDS:
        return _with_question(session, own, LetterContents(requests=reading.requests), LATE, sentences)
    others = any(
        trouble.suggestions and trouble.key != LATER and not _means_instead(trouble) for trouble in reading.troubles
    )
    alone = not (reading.orders or reading.requests or others)
    if any(_says(session, words, "substitutes") for words in sentences):
        wish = [words for words in sentences if _says(session, words, "substitutes") or _reads_like(reading, words)]
        return _with_question(session, own, reading, SUBSTITUTE, sentences if alone else wish)
    if words := _answer_to_master(session, letter, reading):
        return _with_question(session, own, reading, FOR_MASTER, words)
    wish = [words for words in sentences if _says(session, words, "pleading") or _wishes(session, reading, words)]
    return _with_question(session, own, reading, DECIDES, sentences if alone else wish) if wish else reading


def _is_late_for_other_orders(session: LetterSession) -> bool:
    """Whether the letter is late for a phase whose orders nobody owes in the open one: a retreat is no build."""
    late, phase = session.late_for, session.game.phase
    return bool(late) and late != phase and late[-1:] != phase[-1:] and session.loaded_game.running


def _answer_to_master(session: LetterSession, letter: Letter, reading: LetterContents) -> list[str]:
    """The talk in a reply to words of the game master's, where no request or question says what it is for."""
    spoken = " ".join(span.text for span in reading.spans if span.fate in SPOKEN)
    if reading.requests or reading.troubles or session.notes or LETTERS.search(spoken) is None:
        return []
    if not answers_notice(session, letter, ANNOUNCEMENT):
        return []
    return [" ".join(words.split()) for words in sentences_of(spoken) if LETTERS.search(words)]


def _with_question(
    session: LetterSession, letter: Letter, reading: LetterContents, key: str, sentences: list[str]
) -> LetterContents:
    words = " ".join(sentences)
    number = next((at for at, text in letter.lines if text.strip() and " ".join(text.split())[:20] in words), 1)
    whole = (press_to_master(session, words),)
    fields = (("late", session.late_for),)
    question = LineError(number, words, 0, len(words), key, fields, whole, obeyed=True)
    kept = (trouble for trouble in reading.troubles if not _is_quoted(trouble, words, key))
    unanswered = tuple(left for left in reading.unanswered if " ".join(left.split()) not in words)
    return replace(reading, troubles=(*kept, question), unanswered=unanswered)


def _is_quoted(trouble: LineError, words: str, key: str) -> bool:
    """Whether the proposal quotes the words of a remark, or says what to write instead of its command."""
    marked = " ".join((trouble.marked or trouble.text).split())
    if not marked or marked not in words:
        return False
    instead = _means_instead(trouble) if key == SUBSTITUTE else trouble.key == LATER
    return instead or not trouble.suggestions or only_asks(trouble)


def _means_instead(trouble: LineError) -> bool:
    return not INSTEAD.isdisjoint(dict(trouble.fields).get("commands", "").split())


def _reads_like(reading: LetterContents, words: str) -> bool:
    """Whether a sentence is shown as an absence, or the like, of its writer."""
    shown = (" ".join((each.marked or each.text).split()) for each in reading.troubles if _means_instead(each))
    return any(text in words or words in text for text in shown)


def _says(session: LetterSession, words: str, table: str) -> bool:
    patterns = plain_questions.compiled_patterns
    return _is_known(session, words, lambda low, language: patterns(table, language)["said"].search(low) is not None)


def names_time(words: str, languages: Iterable[str]) -> bool:
    """Whether words name some days, or that somebody is away or comes back."""
    low = clean(words[:SENTENCE_SEARCHED]).text.lower()
    return any(plain_questions.compiled_patterns("substitutes", language)["time"].search(low) for language in languages)


def _is_for_master(session: LetterSession, words: str) -> bool:
    """Whether the sentence would stand for a command of the game master's that is none of the writer's own."""
    rows = plain_questions.rows_by_name()

    def stands(_: str, language: str) -> bool:
        reading = read_letter(((1, words),), session.loaded_game.context(MASTER, language=language))
        named = (dict(trouble.fields).get("commands", "").split() for trouble in reading.troubles)
        return any("player" not in rows[names[0]].who for names in named if names)

    return _is_known(session, words, stands)


def _wishes(session: LetterSession, reading: LetterContents, words: str) -> bool:
    """Whether a sentence asks for what the game master may command, or wants it where nothing else is said."""
    answered = any(note.key.startswith(ANSWERS) for note in session.notes)
    silent = not (reading.orders or reading.requests or reading.troubles or reading.keeps_orders or answered)
    asks = any(words == " ".join(left.split()) for left in reading.unanswered)
    wanted = asks or (silent and any(wants(words, language) for language in session.languages))
    return wanted and _is_for_master(session, words)


def _is_known(session: LetterSession, words: str, fits: Callable[[str, str], bool]) -> bool:
    """Whether a sentence fits in a language that its writer may use. It is answered in that for once."""
    low = clean(words[:SENTENCE_SEARCHED]).text.lower()
    language = next((language for language in session.languages if fits(low, language)), "")
    if language:
        session.hear_for_once(language)
    return bool(language)
