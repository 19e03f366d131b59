"""Lines that their writer must write again: those that were refused or not understood.

They are kept with the writer's own sheet until the next letter with orders, or READY; meanwhile the phase does not end
before its deadline.
"""

from __future__ import annotations

from collections.abc import Iterator

from gm.game.letters.answer import NO_ORDERS
from gm.game.session.session import LetterSession
from gm.language.commands.requests import ReadyRequest
from gm.language.commands.table import limits_of
from gm.language.lines.letter_contents import LetterContents, RequestLine

LONGEST_LINE = 200
FORCED = "desk.forced-stays"
"""Key of the note that the game master's order stays, which no correction changes."""


def remember_open_lines(session: LetterSession, reading: LetterContents) -> None:
    """Keep such lines of the letter, or of a game master's block, and take READY back."""
    if session.closed or session.late_for or not session.loaded_game.running:
        return
    drafts = [draft for draft in session.drafts.values() if draft.author == session.author]
    for draft in drafts:
        draft.settle()
    refused_orders = [text for draft in drafts for text in draft.rejected]
    lines = (*_refused_lines(session, reading), *refused_orders)
    anew = brings_orders(reading) or any(draft.has_other_lines for draft in drafts)
    if lines or anew:
        draft = session.draft(session.author)
        kept = session.proposed.still_open if anew else draft.questions
        draft.questions = tuple(dict.fromkeys((*kept, *map(open_line, lines))))
        draft.letter = session.row.id if anew else draft.letter
    if lines or (_says_ready(reading) and any(not note.done and note.line for note in session.notes)):
        _take_ready_back(session)


def open_line(text: str) -> str:
    return text.strip()[:LONGEST_LINE]


def brings_orders(reading: LetterContents) -> bool:
    """Whether a letter holds orders, be they taken or not: then its lines replace those of earlier letters."""
    return bool(reading.orders) or any(
        not trouble.obeyed and trouble.key not in NO_ORDERS for trouble in reading.troubles
    )


def _says_ready(reading: LetterContents) -> bool:
    return any(isinstance(given.request, ReadyRequest) for given in reading.requests)


def _take_ready_back(session: LetterSession) -> None:
    ready = [draft for draft in session.drafts.values() if draft.author == session.author and draft.ready]
    for draft in ready:
        draft.ready = False
    if ready:
        session.note("ready-taken-back", done=False)


def _refused_lines(session: LetterSession, reading: LetterContents) -> Iterator[str]:
    """The lines that were not understood, and refused orders and requests about the orders of the phase."""
    yield from (trouble.text for trouble in reading.troubles if not trouble.obeyed)
    of_phase = [given for given in reading.requests if _is_of_phase(given)]
    others = {given.line for given in reading.requests if not _is_of_phase(given)}
    refused = {note.line for note in session.notes if not note.done and note.key != FORCED} - others
    yield from (order.text for order in reading.orders if order.line in refused)
    yield from (given.text for given in of_phase if given.line in refused)


def _is_of_phase(given: RequestLine) -> bool:
    limits = limits_of(given.request, "player")
    return limits is not None and limits.of_phase
