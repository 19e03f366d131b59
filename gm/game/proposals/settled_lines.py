"""Lines that need no correction: the sheet has what they mean, or later words of the line say it clearly.

"army con, wait, is it free? yes. Army Constantinople" gives its order in the end, so that the question in it keeps no
phase open. Words behind an order that were not understood may change it, and keep it open.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from msgspec.structs import replace

from gm.game.session.session import LetterSession
from gm.judge.model.orders import Statement, slot_province
from gm.language.commands.requests import PressRequest
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.blocks import number_lines
from gm.language.lines.letter_contents import LetterContents, LineError
from gm.language.orders.line_reader import any_sheet_reader
from gm.language.orders.parsing.lexer import WrittenPlace

FALLBACK = "not-taken-fallback"
"""Key of a line for the case that an order is impossible."""
TAKEN_BACK = "not-taken-"
"""How the keys of words begin that say what the writer does not want, or not now."""
LEAST_WORDS = 3
WORD = re.compile(r"\w+")
SENTENCES = re.compile(r"[.,;!?]")


def with_settled_lines(session: LetterSession, reading: LetterContents) -> LetterContents:
    """Without lines whose unit has its order by the same letter; those for the case that one is impossible stay, and
    need no answer.
    """
    if not session.plays or session.closed or session.late_for or not session.loaded_game.running:
        return reading
    troubles = []
    for trouble in reading.troubles:
        if trouble.obeyed or not _is_settled(session, reading, trouble):
            troubles.append(trouble)
        elif trouble.key == FALLBACK:
            troubles.append(replace(trouble, obeyed=True))
    return replace(reading, troubles=tuple(troubles))


def _is_settled(session: LetterSession, reading: LetterContents, trouble: LineError) -> bool:
    here = [order.statement for order in reading.orders if order.line == trouble.line and not order.power]
    if not here or trouble.key.startswith(TAKEN_BACK):
        return trouble.key == FALLBACK and bool(here)
    if len(trouble.suggestions) == 1:
        meant = read_letter(number_lines(trouble.suggestions[0]), session.context)
        statements = [order.statement for order in meant.orders]
        if statements and not meant.requests and set(statements) <= set(here):
            return True
    rest = trouble.text[trouble.end :]
    behind = read_letter(((trouble.line, rest),), session.context)
    later = {order.statement for order in behind.orders} & set(here)
    clause = SENTENCES.split(trouble.text[: trouble.start])[-1] + trouble.marked
    places = places_in(session, session.author, clause)
    named = _own(session, session.author, places)
    said_again = places <= places_in(session, session.author, rest)  # "The Norwegian garrison walks into St Petersburg"
    return bool(named) and said_again and named <= {slot_province(order.slot) for order in later}


def lines_left(
    session: LetterSession, power: str, lines: Sequence[str], orders: Sequence[Statement], ordered: Collection[str]
) -> Iterator[str]:
    """The lines that still need a correction when these orders are given: not those about their units, if the other
    units in them have orders as well, or no unit lacks one. `ordered`: the provinces for which the sheet has some.
    """
    about = {slot_province(order.slot) for order in orders}
    game = session.loaded_game
    given = (*session.draft(power).statements(), *orders)
    complete = not game.step.missing(game.position, game.variant, power, given)
    for line in lines:
        named = _own(session, power, places_in(session, power, line))
        if complete and named and named <= _given_in(session, line, given):
            continue
        if not named & about or not (complete or named <= {*ordered, *about}):
            yield line


def _given_in(session: LetterSession, line: str, given: Collection[Statement]) -> set[str]:
    """The provinces of the orders in a line that the sheet has."""
    orders = (order.statement for order in read_letter(((1, line),), session.context).orders)
    return {slot_province(statement.slot) for statement in orders if statement in given}


def settle_press(session: LetterSession, reading: LetterContents) -> None:
    """Lines of earlier letters whose words go out as press need no correction any more."""
    sent = [given.request.text for given in reading.requests if isinstance(given.request, PressRequest)]
    draft = session.draft(session.author) if sent else None
    if draft is None or not draft.questions:
        return
    left = tuple(line for line in draft.questions if not any(_went_out(session, line, text) for text in sent))
    if left != draft.questions:
        session.proposed.still_open = tuple(line for line in session.proposed.still_open if line in left)
        draft.questions = left


def _went_out(session: LetterSession, line: str, text: str) -> bool:
    """Whether press says what the line says, whose other words name no unit of the writer."""
    words, sent = _words(line), _words(text)
    short, long = sorted((words, sent), key=len)
    if len(short.split()) < LEAST_WORDS or short not in long:
        return False
    rest = words.replace(sent, " ")
    return words in sent or not _own(session, session.author, places_in(session, session.author, rest))


def _words(text: str) -> str:
    return f" {' '.join(WORD.findall(text.casefold()))} "


def places_in(session: LetterSession, power: str, line: str) -> set[str]:
    """The provinces that a line names; it may be in any language."""
    languages = session.services.letters.languages
    readers = (any_sheet_reader(session.loaded_game.context(power, language=language)) for language in languages)
    tokens = (token.value for reader in readers for piece in reader.pieces(line) for token in piece.tokens)
    return {code for place in tokens if isinstance(place, WrittenPlace) for code in place.provinces}


def _own(session: LetterSession, power: str, places: set[str]) -> set[str]:
    """Those with a unit of the power; where it builds, all."""
    if session.loaded_game.step.letter == "A":
        return places
    return places & {unit.at.province for unit in session.loaded_game.position.all_units_of(power)}
