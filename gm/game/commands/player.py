"""Handlers of commands about the player's own sheet, and of SHOW, MAP, HELP, PRESS and DEADLINE."""

from __future__ import annotations

from gm.game.model.records import SheetLine
from gm.game.press import write as presswork
from gm.game.session.handler import Handlers
from gm.game.session.session import LetterSession
from gm.game.views import maps
from gm.language.commands import requests as ask


def ready(session: LetterSession, request: ask.ReadyRequest, line: int) -> None:
    for draft in session.hands():
        draft.ready, draft.wait, draft.questions = True, False, ()
        draft.preliminary = False


def wait(session: LetterSession, request: ask.WaitRequest, line: int) -> None:
    for draft in session.hands():
        draft.ready, draft.wait = False, True


def clear(session: LetterSession, request: ask.ClearRequest, line: int) -> None:
    stay: list[SheetLine] = []
    gone: set[str] = set()
    for draft in session.hands():
        draft.ready = False
        stood = draft.places()
        stay += draft.clear(request.provinces)
        gone |= stood - draft.places()
    places = ", ".join(code for code in request.provinces if code in gone)
    key = "cleared-none" if not gone else "cleared-some" if request.provinces else "cleared"
    session.note(key, line=line, places=places or ", ".join(request.provinces))
    for forced in stay:
        session.note("forced-stays", done=False, line=line, order=forced.text)


def hold_rest(session: LetterSession, request: ask.HoldRestRequest, line: int) -> None:
    if not sum([draft.hold_rest() for draft in session.hands()]):
        session.note("nothing-to-hold", line=line)


def show(session: LetterSession, request: ask.ShowRequest, line: int) -> None:
    if session.master and session.author == session.seat.power:
        session.insert("all-sheets")
    elif session.loaded_game.running:
        session.insert("sheet")
        session.hands()


def look_up(session: LetterSession, request: ask.LookupRequest, line: int) -> None:
    session.insert(request.shows, request.topic)


def show_map(session: LetterSession, request: ask.MapRequest, line: int) -> None:
    """The answer takes the map along (`gm.game.letters.answer`), one a letter."""
    if request.unknown:
        session.note("map-words", done=False, line=line, word=request.unknown[:30])
    elif not session.services.map_wait:
        session.note("no-maps", done=False, line=line)
    elif not session.game.snapshot:
        session.note("map-not-started", done=False, line=line)
    elif maps.found(session.store, session.game, request.phase) is None:
        session.note("map-no-phase", done=False, line=line, phase=request.phase)
    else:
        session.map = request
        session.insert("map")


def show_help(session: LetterSession, request: ask.HelpRequest, line: int) -> None:
    session.insert("help", request.topic.lower())


def show_help_to_stranger(session: LetterSession, request: ask.HelpRequest, line: int) -> None:
    session.note_once("lobby-help")


def press(session: LetterSession, request: ask.PressRequest, line: int) -> None:
    """Gives the text back where the letter has errors: the player will send it again."""
    if session.faulty:
        presswork.return_press(session, "press-not-with-errors", request.text, line)
    else:
        presswork.write_press(session, request, line)


def confirm(session: LetterSession, request: ask.ConfirmRequest, line: int) -> None:
    """A YES that belongs to an open question never comes here (`gm.game.intake.inbox`)."""
    session.note("nothing-to-confirm", done=False, line=line)


def deadline(session: LetterSession, request: ask.DeadlineRequest, line: int) -> None:
    if request.when:
        session.note("master-only", done=False, line=line, what="DEADLINE")
    else:
        session.note("deadline-is", line=line, headline=True, when=session.when(session.game.due_at))


HANDLERS: Handlers = {
    ask.ReadyRequest: ready,
    ask.WaitRequest: wait,
    ask.ClearRequest: clear,
    ask.HoldRestRequest: hold_rest,
    ask.ShowRequest: show,
    ask.LookupRequest: look_up,
    ask.MapRequest: show_map,
    ask.HelpRequest: show_help,
    (ask.HelpRequest, "stranger"): show_help_to_stranger,
    ask.PressRequest: press,
    ask.ConfirmRequest: confirm,
    ask.DeadlineRequest: deadline,
}
