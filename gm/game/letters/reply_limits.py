"""Limits of automatic answers, so that mail loops end (RFC 3834), and the words of letters that they answer."""

from __future__ import annotations

import re
from bisect import bisect_left
from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from gm.game.letters import alarms
from gm.game.letters.notify import format_instant
from gm.game.letters.question import queue_plain_notice, render_plain_answer
from gm.game.model.letter_report import Note
from gm.game.model.ports import Store
from gm.game.model.records import Game, InboxRow, Letter, OutLetter, Person
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
REFUSALS = 2
"""Answers that say what was not done may be this many times as many."""
MASTERS = 5
"""So may answers to a game master, who prepares and runs games in many short letters."""
STEP = timedelta(minutes=5)
"""The end of a silence is announced on full steps."""


def send_answer(
    services: Services,
    store: Store,
    letter: OutLetter,
    most: int = ANSWERS_MOST,
    *,
    refuses: bool = False,
    to_master: bool = False,
    alike: int = SAME_ANSWERS_MOST,
) -> None:
    """Queue an answer. If its address got too many of late, one notice says until when it gets no more.

    `refuses`: it says what was not done, which the sender must learn even if they write very often.
    `alike`: how many identical ones may go within an hour.
    """
    letter = letter if letter.automatic == REPLIED else replace(letter, automatic=REPLIED)
    now, times = store.now(), (REFUSALS if refuses else 1) * (MASTERS if to_master else 1)
    if _too_many(store, letter, now, most, times, alike):
        _tell_silenced(services, store, letter, _end_of_silence(store, letter, most, times, alike))
        alarms.raise_silenced_address(services, store, letter)
        return
    store.outbox.add(letter, now)


def _too_many(store: Store, letter: OutLetter, at: datetime, most: int, times: int, alike: int) -> bool:
    """Whether the address has too many answers of the hour or the day before `at`."""
    count = store.outbox.count_answers
    today = count(letter.address, at - DAY)
    return today >= min(most, alike) and (
        today >= ANSWERS_IN_A_DAY * times
        or count(letter.address, at - HOUR) >= most * times
        or count(letter.address, at - HOUR, letter.text) >= alike
    )


def _end_of_silence(store: Store, letter: OutLetter, most: int, times: int, alike: int) -> datetime:
    """The first full step at which an answer may go."""
    now = store.now()
    steps = range(
        int(now.timestamp() // STEP.total_seconds()) + 1, int((now + DAY).timestamp() // STEP.total_seconds()) + 2
    )
    moments = [datetime.fromtimestamp(step * STEP.total_seconds(), UTC) for step in steps]
    return moments[
        bisect_left(moments, True, key=lambda moment: not _too_many(store, letter, moment, most, times, alike))
    ]


def _tell_silenced(services: Services, store: Store, letter: OutLetter, until: datetime) -> None:
    """Tell a registered person once that they get no answers until then, and what the present letter did."""
    person = store.people.by_address(letter.address)
    if person is None:
        return
    game = store.games.get(letter.game) if letter.game else None
    about = game or Game(0, "", services.variant_ids[0])
    when = format_instant(services, store, about, person, until)
    alike = store.outbox.count_answers(letter.address, store.now() - HOUR, letter.text) >= SAME_ANSWERS_MOST
    key = "no-questions" if letter.kind == "question" else "no-more-alike" if alike else "no-answers"
    note = Note(f"desk.{key}", (("until", when), ("done", " ".join(letter.text.partition("\n\n")[0].split()))))
    queue_plain_notice(services, store, person, game, note, f"silenced:{key}:{until:%Y-%m-%dT%H:%M}")


def send_plain_answer(
    services: Services,
    store: Store,
    row: InboxRow,
    letter: Letter,
    person: Person,
    *notes: Note,
    sections: tuple[SectionView, ...] = (),
    code: str = "",
    alike: int = SAME_ANSWERS_MOST,
) -> None:
    answer = render_plain_answer(services, store, person, row, letter, notes, sections, code)
    send_answer(services, store, answer, refuses=any(not note.done for note in notes), alike=alike)


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
    word, vocabulary = clean(first.strip(".,;:!\"'*")).text, vocabulary_of(language)
    return YES[0] if word.lower() in vocabulary.consent else vocabulary.english(word).upper()


def own_words(letter: Letter) -> str:
    return "\n".join(words for _, words in letter.lines).strip("\n")
