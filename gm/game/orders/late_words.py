"""Letters whose words say that they come too late, or order for the phase that they answer and that is over.

"Damn, I'm one minute late: Con-Bul" counts for the phase that has just ended, and so it does not count. "For spring I'd
rather have Vie-Tri" in a reply to a letter of spring is no plan for the spring of next year.
"""

from __future__ import annotations

import re
from datetime import timedelta

from msgspec.structs import replace

from gm.game.model.records import GameState
from gm.game.session.session import LetterSession
from gm.game.views import maps
from gm.language.commands.in_words import plain_questions
from gm.language.commands.planning import ForPhaseRequest
from gm.language.i18n.needed_words import may_match
from gm.language.i18n.normalize import clean
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.letter_contents import LetterContents, LineError, OrderLine, RequestLine, lines_of
from gm.language.lines.spans import Fate
from gm.language.lines.trouble_keys import LATER, NOT_TAKEN

SOON = timedelta(days=1)
"""So long after a phase has ended a letter may be late for it."""
LETTER_SEARCHED = 2000
"""Characters of a letter that are searched."""
YEAR = re.compile(r"\b\d{4}\b")


def with_late_words(session: LetterSession, reading: LetterContents) -> LetterContents:
    if not session.plays or session.game.state is not GameState.RUNNING:
        return reading
    if not session.late_for and reading.orders and _says_late(session, reading):
        session.late_for = _just_ended(session)
    if not session.late_for:
        return reading
    plans = [given for given in reading.requests if _is_plan(given, session.late_for)]
    asked = [trouble for trouble in reading.troubles if _is_asked(trouble, session.late_for)]
    read = [(given.line, given.text, _planned(given)) for given in plans]
    read += [(trouble.line, trouble.text, lines_of(trouble.suggestions)) for trouble in asked]
    orders: list[OrderLine] = []
    unread: list[LineError] = []
    for number, text, lines in read:
        own = read_letter(tuple((number, line) for line in lines), session.context).orders
        orders += (replace(order, text=text) for order in own)
        unread += [] if own else [LineError(number, text, 0, len(text), NOT_TAKEN)]
    return replace(
        reading,
        orders=(*reading.orders, *orders),
        requests=tuple(given for given in reading.requests if given not in plans),
        troubles=(*(trouble for trouble in reading.troubles if trouble not in asked), *unread),
        unanswered=tuple(left for left in reading.unanswered if not _is_about_being_late(session, left)),
    )


def _just_ended(session: LetterSession) -> str:
    """The phase of moves that has ended not long ago; "" for none."""
    game = session.game
    resolved = next((snapshot.resolved for snapshot in maps.snapshots_back(session.store, game)), "")
    recent = game.opened_at is not None and session.row.received_at - game.opened_at < SOON
    return resolved if recent and resolved.endswith("M") else ""


def _says_late(session: LetterSession, reading: LetterContents) -> bool:
    """Whether the letter says so itself: words to other players do not."""
    own = [span for span in reading.spans if span.fate is not Fate.PRESS]
    if all(span.line in reading.only_orders for span in own):
        return False
    words = " ".join(span.text for span in own)
    return _is_late_in(session, clean(" ".join(words[:LETTER_SEARCHED].split())).text.lower())


def _is_about_being_late(session: LetterSession, sentence: str) -> bool:
    """Whether a question is answered by the note that the letter is late: "is it too late for spring?"."""
    return _is_late_in(session, clean(sentence).text.lower())


def _is_late_in(session: LetterSession, low: str) -> bool:
    patterns = (plain_questions.compiled_patterns("late", language)["said"] for language in session.languages)
    return any(may_match(pattern, low) and pattern.search(low) for pattern in patterns)


def _is_plan(given: RequestLine, late: str) -> bool:
    return isinstance(given.request, ForPhaseRequest) and _is_same_season(given.request.phase, given.text, late)


def _is_asked(trouble: LineError, late: str) -> bool:
    phase = dict(trouble.fields).get("phase", "")
    return trouble.key == LATER and _is_same_season(phase, trouble.text, late)


def _is_same_season(phase: str, text: str, late: str) -> bool:
    """Whether orders are for the same season of a later year, of which the line names none."""
    return not YEAR.search(text) and (phase[:1], phase[-1:]) == (late[0], late[-1])


def _planned(given: RequestLine) -> list[str]:
    assert isinstance(given.request, ForPhaseRequest)
    return [line.text for line in given.request.lines]
