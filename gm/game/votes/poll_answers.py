"""Reads "Yes, I'd like that" in a reply to the question of a poll as a vote. `[poll_answers]` of
grammars/plain_questions/<language>.toml has the words that an answer begins with.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from msgspec.structs import replace

from gm.game.model.poll_records import Poll
from gm.game.model.records import Letter
from gm.game.session.answered_notices import answers_notice
from gm.game.session.session import LetterSession
from gm.game.votes.polls import YES_NO
from gm.language.commands.gm import BallotRequest
from gm.language.commands.in_words import plain_questions
from gm.language.i18n.normalize import clean
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.letter_contents import LetterContents, RequestLine
from gm.language.lines.sentences import sentences_of

POLLS = ("notice.title.poll-open", "notice.title.poll-secret")
"""The titles of the letters that ask."""


def take_poll_answer(session: LetterSession, letter: Letter) -> tuple[RequestLine | None, Letter]:
    """The vote of a letter that answers the only open poll, and the letter without its words."""
    poll = _open_poll(session) if session.plays and answers_notice(session, letter, *POLLS) else None
    at = next((at for at, (_, words) in enumerate(letter.lines) if words.strip()), -1)
    if poll is None or at < 0:
        return None, letter
    number, line = letter.lines[at]
    first, *others = sentences_of(line)
    choice, past = _choice(session, poll, first)
    if not choice:
        return None, letter
    behind = first[past:].lstrip(" ,.!:;-")
    reading = read_letter(((number, behind),), session.context) if behind else LetterContents()
    more = bool(reading.orders or reading.requests or reading.troubles)
    rest = (behind if more else "") + "".join(others)
    vote = RequestLine(number, first.strip(), BallotRequest(poll.number, choice))
    kept = ((number, rest),) if rest else ()
    return vote, replace(letter, lines=(*letter.lines[:at], *kept, *letter.lines[at + 1 :]))


def _open_poll(session: LetterSession) -> Poll | None:
    """The only poll that was open when the letter came."""
    polls = session.store.polls.of(session.game.id) if session.loaded_game.running else ()
    still = [poll for poll in polls if poll.closed_at is None and session.row.received_at < poll.ends_at]
    return still[0] if len(still) == 1 else None


def _choice(session: LetterSession, poll: Poll, sentence: str) -> tuple[str, int]:
    """The option that a sentence chooses, and the column behind its words; "" for none, or several."""
    cleaned = clean(sentence)
    low = cleaned.text.lower()
    if "?" in low:
        return "", 0
    if poll.options != YES_NO:
        if any(_answers(language)["unlike"].search(low) for language in session.languages):
            return "", 0
        named = [option for option in poll.options if re.search(rf"\b{re.escape(_plain(option))}\b", low)]
        return (named[0], len(sentence)) if len(named) == 1 else ("", 0)
    for language in session.languages:
        for option, word in zip(YES_NO, ("yes", "no"), strict=True):
            match = _answers(language)[word].match(low)
            if match and _ends_there(low[match.end() :], language):
                session.hear_for_once(language)
                return option, cleaned.column(match.end())
    return "", 0


def _ends_there(behind: str, language: str) -> bool:
    """Whether the answer is all that a sentence says, but for a remark that does not speak against it."""
    return not behind[:1].isspace() and _answers(language)["unlike"].search(behind) is None


def _plain(option: str) -> str:
    return clean(option).text.lower()


@lru_cache(maxsize=8)
def _answers(language: str) -> Mapping[str, re.Pattern[str]]:
    words = plain_questions.joined_patterns("poll_answers", language)
    return {word: re.compile(pattern if word == "unlike" else rf"\W*(?:{pattern})") for word, pattern in words.items()}
