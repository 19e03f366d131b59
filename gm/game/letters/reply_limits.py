"""Limits of automatic answers, so that mail loops end (RFC 3834), and the words of letters that they answer."""

from __future__ import annotations

import re
from datetime import timedelta

from msgspec.structs import replace

from gm.game.letters import alarms
from gm.game.letters.question import render_plain_answer
from gm.game.model.letter_report import Note
from gm.game.model.ports import Store
from gm.game.model.records import InboxRow, Letter, OutLetter, Person
from gm.game.model.services import Services
from gm.language.i18n.normalize import clean
from gm.language.i18n.vocabulary import vocabulary_of
from gm.language.rendering.views import SectionView

STOPPING = re.compile(r"^(?:re:\s*)?(?:\[[^\]]{0,40}\]\s*)?(?:stop|unsubscribe)[.!]?\s*$", re.IGNORECASE)
YES = ("YES", "YEP", "YEAH", "YUP", "OK", "OKAY", "SURE", "CONFIRM", "CONFIRMED")
"""First words that answer a question with yes, in English."""
REPLIED = "auto-replied"
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
ANSWERS_MOST = 20
"""Answers to one address in an hour."""
ANSWERS_IN_A_DAY = 60
SAME_ANSWERS_MOST = 3
"""Identical answers to one address in an hour."""
HOLD_QUESTIONS_MOST = 10
"""Questions about unproven letters stop sooner: a forger must not use up the answers of a player."""


def send_answer(services: Services, store: Store, letter: OutLetter, most: int = ANSWERS_MOST) -> None:
    """Queue an answer, unless its address got too many of late."""
    letter = letter if letter.automatic == REPLIED else replace(letter, automatic=REPLIED)
    now, outbox = store.now(), store.outbox
    today = outbox.count_answers(letter.address, now - DAY)
    if today >= min(most, SAME_ANSWERS_MOST) and _too_many(store, letter, today, most):
        alarms.raise_silenced_address(services, store, letter)
        return
    outbox.add(letter, now)


def _too_many(store: Store, letter: OutLetter, today: int, most: int) -> bool:
    lately = store.now() - HOUR
    return (
        today >= ANSWERS_IN_A_DAY
        or store.outbox.count_answers(letter.address, lately) >= most
        or store.outbox.count_answers(letter.address, lately, letter.text) >= SAME_ANSWERS_MOST
    )


def send_plain_answer(
    services: Services,
    store: Store,
    row: InboxRow,
    letter: Letter,
    person: Person,
    *notes: Note,
    sections: tuple[SectionView, ...] = (),
    code: str = "",
) -> None:
    send_answer(services, store, render_plain_answer(services, store, person, row, letter, notes, sections, code))


def refusal_note(services: Services, letter: Letter) -> Note:
    """The note that says why a body was not read."""
    key = f"desk.refused-{letter.refused.replace(' ', '-')}"
    known = key in services.letters.catalogue("en")
    return Note(key if known else "desk.refused-other", (), done=False, headline=True)


def read_unsubscribe_button(letter: Letter) -> Letter:
    """The unsubscribe button of a mail program sends an empty letter: read it as STOP."""
    if STOPPING.search(letter.subject) and not any(words.strip() for _, words in letter.lines):
        return replace(letter, lines=((1, "STOP"),))
    return letter


def first_word(letter: Letter, language: str) -> str:
    """The first word of a letter, in English, upper case, without punctuation."""
    first = next((words.split()[0] for _, words in letter.lines if words.strip()), "")
    return vocabulary_of(language).english(clean(first.strip(".,;:!\"'*")).text).upper()


def own_words(letter: Letter) -> str:
    return "\n".join(words for _, words in letter.lines).strip("\n")
