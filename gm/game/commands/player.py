"""Handlers of commands about the player's own sheet, and of SHOW, MAP, HELP, PRESS and DEADLINE."""

from __future__ import annotations

from gm.game.model.records import SheetLine
from gm.game.phase.draw_votes import may_vote
from gm.game.phase.sheets import due_authors
from gm.game.press import write
from gm.game.press.returned_press import return_press
from gm.game.session.confirmation_requests import note_nothing_to_confirm
from gm.game.session.session import Handlers, LetterSession
from gm.game.views import maps
from gm.judge.model.orders import slot_province
from gm.language.commands import requests


def ready(session: LetterSession, request: requests.ReadyRequest, line: int) -> None:
    if all(draft.ready and not (draft.questions or draft.preliminary) for draft in session.own_sheets()):
        session.note("ready-already", line=line, headline=True)
    for draft in session.own_sheets():
        draft.ready, draft.wait, draft.questions = True, False, ()
        draft.preliminary = False


def wait(session: LetterSession, request: requests.WaitRequest, line: int) -> None:
    """Holds the phase, whether or not the player owes orders in it; refused to a power that is out of the game."""
    loaded_game, power = session.loaded_game, session.author
    due = (author for author, _ in due_authors(loaded_game))
    if not may_vote(loaded_game.position, power) and power not in due:
        session.note("wait-out", done=False, line=line, power=power)
        return
    if all(draft.wait for draft in session.own_sheets()):
        session.note("wait-already", line=line, headline=True)
    for draft in session.own_sheets():
        draft.ready, draft.wait = False, True


def clear(session: LetterSession, request: requests.ClearRequest, line: int) -> None:
    stay: list[SheetLine] = []
    gone: set[str] = set()
    for draft in session.own_sheets():
        draft.ready = False
        stood = set(draft.lines)
        stay += draft.clear(request.provinces, request.spared)
        gone |= {slot_province(slot) for slot in stood - set(draft.lines)}
    places = ", ".join(code for code in request.provinces if code in gone)
    key = "cleared" if gone else "cleared-none"
    if request.provinces:
        key = "cleared-some" if gone else "cleared-none-of"
    session.note(key, line=line, places=places or ", ".join(request.provinces))
    for forced in stay:
        session.note("forced-stays", done=False, line=line, order=forced.text)


def hold_rest(session: LetterSession, request: requests.HoldRestRequest, line: int) -> None:
    if not sum([draft.hold_rest() for draft in session.own_sheets()]):
        session.note("nothing-to-hold", line=line)


def show(session: LetterSession, request: requests.ShowRequest, line: int) -> None:
    if session.master and session.author == session.seat.power:
        session.insert("all-sheets")
    elif session.loaded_game.running:
        session.insert("sheet")
        session.own_sheets()


def look_up(session: LetterSession, request: requests.LookupRequest, line: int) -> None:
    session.insert(request.shows, request.topic)


def show_map(session: LetterSession, request: requests.MapRequest, line: int) -> None:
    """The answer takes the map along (`gm.game.letters.answer`), one a letter."""
    if request.unknown:
        session.note("map-words", done=False, line=line, word=request.unknown[:30])
    elif not session.services.map_wait:
        session.note("no-maps", done=False, line=line)
    elif not session.game.snapshot:
        session.note("map-not-started", done=False, line=line)
    elif maps.find_snapshot(session.store, session.game, request.phase) is None:
        session.note("map-no-phase", done=False, line=line, phase=request.phase)
    else:
        session.map = request
        session.insert("map")


def show_help(session: LetterSession, request: requests.HelpRequest, line: int) -> None:
    session.insert("help", request.topic.lower())


def show_help_to_stranger(session: LetterSession, request: requests.HelpRequest, line: int) -> None:
    session.insert("help")


def press(session: LetterSession, request: requests.PressRequest, line: int) -> None:
    """Gives the text back where the letter has errors: the player will send it again."""
    if session.has_errors:
        return_press(session, "press-not-with-errors", request.text, line)
    else:
        write.write_press(session, request, line)


def confirm(session: LetterSession, request: requests.ConfirmRequest, line: int) -> None:
    """A YES that answers a question or proposals never comes here."""
    note_nothing_to_confirm(session, line)


def deadline(session: LetterSession, request: requests.DeadlineRequest, line: int) -> None:
    if request.when:
        session.note("master-only", done=False, line=line, what="DEADLINE")
    else:
        session.note("deadline-is", line=line, headline=True, when=session.when(session.game.due_at))


HANDLERS: Handlers = {
    requests.ReadyRequest: ready,
    requests.WaitRequest: wait,
    requests.ClearRequest: clear,
    requests.HoldRestRequest: hold_rest,
    requests.ShowRequest: show,
    requests.LookupRequest: look_up,
    requests.MapRequest: show_map,
    requests.HelpRequest: show_help,
    (requests.HelpRequest, "stranger"): show_help_to_stranger,
    requests.PressRequest: press,
    requests.ConfirmRequest: confirm,
    requests.DeadlineRequest: deadline,
}
