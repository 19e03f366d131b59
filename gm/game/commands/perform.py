"""Performs a request of a letter: finds its handler by class and role, and checks the limits of its command's row.

A request about the orders of a phase (READY, CLEAR …) does nothing in a letter for a phase that is over. One that
cannot be undone is refused in a letter with lines that were not understood. One that concerns more than the seat (the
column `scope`) is withheld where nothing but the seat's reply address proves the letter.
"""

from __future__ import annotations

from msgspec.structs import replace

from gm.game.commands import gm, player
from gm.game.deadlines import absence, gm_clock
from gm.game.identity.sender import named_games
from gm.game.identity.which_phase import closed_reason
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import power_named
from gm.game.model.reply_addresses import GAME_NAME
from gm.game.orders import gm_orders, planning, proxy, reminders
from gm.game.orders.gm_orders import in_line_order, put_order
from gm.game.players import (
    joining,
    leagues,
    letters_to_gm,
    mail_choices,
    new_game,
    notebooks,
    observers,
    people,
    seats,
    statements,
)
from gm.game.session.open_lines import remember_open_lines
from gm.game.session.session import Handler, Handlers, LetterSession
from gm.game.votes import draw_votes, polls
from gm.language.commands.requests import ActAsRequest, CreateRequest
from gm.language.commands.table import SEAT_SCOPE, keyword_of, limits_of, may_name_game, rows_of, scope_of
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.letter_contents import OrderLine, Request, RequestLine


def role_of(session: LetterSession) -> str:
    return "observer" if session.observes else "gm" if session.master else "player"


def perform(session: LetterSession, given: RequestLine, role: str) -> None:
    """Do one request, or note why not."""
    request, line = given.request, given.line
    if session.create_failed and not isinstance(request, CreateRequest):
        return
    limits, word = limits_of(request, role), keyword_of(request)
    if limits is None:
        session.note(_refusal(session), done=False, line=line, what=word)
    elif session.seat_only and exceeds_seat(session, given, role):
        session.withheld[line] = word
    elif limits.of_phase and session.late_for:
        session.was_late = True
    elif limits.of_phase and session.closed:
        session.note_once("locked-orders", headline=True, phase=session.game.phase)
    elif limits.of_phase and not session.loaded_game.running:
        session.note(closed_reason(session.game), done=False, line=line, what=word)
    elif limits.final and session.has_errors:
        session.note("not-with-errors", done=False, line=line, what=word)
    elif session.counted(word) > limits.most:
        session.note_once("too-often", what=word, most=str(limits.most))
    else:
        handler_of(type(request), role)(session, request, line)


def exceeds_seat(session: LetterSession, given: RequestLine, role: str) -> bool:
    """Whether a request changes more than the seat of its writer, which is all that a reply address proves."""
    other = may_name_game(given.request) and _names_other_game(session, given)
    return scope_of(given.request, role, other_game=other) != SEAT_SCOPE


def _names_other_game(session: LetterSession, given: RequestLine) -> bool:
    words = given.text.lower().split()
    names = dict.fromkeys((*(word.strip("?.,:;") for word in words), *named_games(session.services, session.letter)))
    games = (session.store.games.by_name(name) for name in names if GAME_NAME.fullmatch(name))
    return any(game is not None and game.id != session.game.id for game in games)


def _refusal(session: LetterSession) -> str:
    if session.observes:
        return "not-looking-on"
    return "players-only" if session.master else "master-only"


def handler_of(request: type[Request], role: str) -> Handler:
    """Raises KeyError where no module handles the request."""
    return HANDLERS.get((request, role)) or HANDLERS[request]


def act_as(session: LetterSession, request: ActAsRequest, line: int) -> None:
    """The block is read as a letter of that power; its player gets a copy of what came of it.

    Orders of a game master's are no draft, unless PRELIM stands below them.
    """
    power = power_named(session.loaded_game.variant, request.power)
    if power is None or session.loaded_game.seat_of(power) is None:
        session.unknown_power(request.power, line)
        return
    reading = read_letter(request.lines, session.loaded_game.context(power, language=session.language))
    has_errors = any(not trouble.obeyed for trouble in reading.troubles)
    session.troubles += reading.troubles
    session.has_errors = session.has_errors or has_errors
    block = replace(session, author=power, has_errors=has_errors, notes=[])
    for given in in_line_order(reading):
        if isinstance(given, OrderLine):
            put_order(block, given.statement, given.line, given.power)
            block.draft(given.power or power, power).preliminary = False
        elif any(row.in_block for row in rows_of(given.request)):
            perform(block, given, "player")
        else:
            block.note("not-in-block", done=False, line=given.line, what=keyword_of(given.request))
    remember_open_lines(block, reading)
    block.own_sheets()
    if not (reading.orders or reading.requests):
        session.note("acted-nothing", done=False, line=line, power=power)
        return
    note = session.note("acted-as", line=line, headline=True, power=power)
    session.notes += block.notes
    session.log(f"AS {power}\n" + "\n".join(words for _, words in request.lines), note)
    session.copy(power, Note("desk.master-wrote", (), headline=True), *block.notes)


MODULES: tuple[Handlers, ...] = (
    player.HANDLERS,
    gm.HANDLERS,
    absence.HANDLERS,
    gm_clock.HANDLERS,
    gm_orders.HANDLERS,
    planning.HANDLERS,
    reminders.HANDLERS,
    proxy.HANDLERS,
    joining.HANDLERS,
    leagues.HANDLERS,
    letters_to_gm.HANDLERS,
    mail_choices.HANDLERS,
    new_game.HANDLERS,
    notebooks.HANDLERS,
    observers.HANDLERS,
    people.HANDLERS,
    seats.HANDLERS,
    statements.HANDLERS,
    draw_votes.HANDLERS,
    polls.HANDLERS,
    {ActAsRequest: act_as},
)
HANDLERS: Handlers = {request: handler for handlers in MODULES for request, handler in handlers.items()}
