"""What anybody with a seat may ask for besides orders: a table of requests and what answers them.

A request of a phase (READY, CLEAR …) in a letter for a phase that is over does nothing. One that cannot be taken back
is not done in a letter with lines that were not understood.
"""

from __future__ import annotations

from gm.game.commands import lookups as asking
from gm.game.deadlines import absence as away
from gm.game.model.command_words import word_of
from gm.game.model.records import GameState, SheetLine
from gm.game.orders import planning as planned
from gm.game.orders import proxy as proxies
from gm.game.players import joining as entering
from gm.game.players import mail_choices as mailchoices
from gm.game.players import notebooks
from gm.game.players import observers as onlookers
from gm.game.players import people as persons
from gm.game.players.people import time_zone
from gm.game.press import write as presswork
from gm.game.session.handler import Handlers, RequestHandler
from gm.game.session.session import LetterSession
from gm.game.views import maps as pictures
from gm.game.votes import draw_votes as votes
from gm.game.votes import polls
from gm.language.commands import requests as ask
from gm.language.commands.gm import BallotRequest
from gm.language.lines.letter_contents import RequestLine


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


def status(session: LetterSession, request: ask.StatusRequest, line: int) -> None:
    session.insert("status")


def history(session: LetterSession, request: ask.HistoryRequest, line: int) -> None:
    session.insert("history", request.phase.upper())


def chart(session: LetterSession, request: ask.MapRequest, line: int) -> None:
    """The answer takes the map along (`gm.game.letters.answer`), one a letter."""
    if request.unknown:
        session.note("map-words", done=False, line=line, word=request.unknown[:30])
    elif not session.services.map_wait:
        session.note("no-maps", done=False, line=line)
    elif not session.game.snapshot:
        session.note("map-not-started", done=False, line=line)
    elif pictures.found(session.store, session.game, request.phase) is None:
        session.note("map-no-phase", done=False, line=line, phase=request.phase)
    else:
        session.map = request
        session.insert("map")


def neighbours(session: LetterSession, request: ask.NeighboursRequest, line: int) -> None:
    session.insert("neighbours", request.province)


def rules(session: LetterSession, request: ask.RulesRequest, line: int) -> None:
    session.insert("rules")


def manual(session: LetterSession, request: ask.HelpRequest, line: int) -> None:
    session.insert("help", request.topic.lower())


def press(session: LetterSession, request: ask.PressRequest, line: int) -> None:
    presswork.write_press(session, request, line)


def keep_press(session: LetterSession, request: ask.PressRequest, line: int) -> None:
    presswork.return_press(session, "press-not-with-errors", request.text, line)


def confirm(session: LetterSession, request: ask.ConfirmRequest, line: int) -> None:
    """A YES that belongs to an open question never comes here (`gm.game.intake.inbox`)."""
    session.note("nothing-to-confirm", done=False, line=line)


def deadline(session: LetterSession, request: ask.DeadlineRequest, line: int) -> None:
    if request.when:
        session.note("master-only", done=False, line=line, what="DEADLINE")
    else:
        session.note("deadline-is", line=line, headline=True, when=session.when(session.game.due_at))


PLAYER: Handlers = {
    ask.ReadyRequest: RequestHandler(ready, of_phase=True, final=True),
    ask.WaitRequest: RequestHandler(wait, of_phase=True),
    ask.ClearRequest: RequestHandler(clear, of_phase=True),
    ask.HoldRestRequest: RequestHandler(hold_rest, of_phase=True),
    ask.ShowRequest: RequestHandler(show),
    ask.StatusRequest: RequestHandler(status),
    ask.HistoryRequest: RequestHandler(history),
    ask.MapRequest: RequestHandler(chart, most=1),
    ask.NeighboursRequest: RequestHandler(neighbours),
    ask.RulesRequest: RequestHandler(rules),
    ask.HelpRequest: RequestHandler(manual),
    ask.TimeZoneRequest: RequestHandler(time_zone),
    ask.PressRequest: RequestHandler(press, final=True, most=20, instead=keep_press),
    ask.VoteRequest: RequestHandler(votes.cast, final=True),
    BallotRequest: RequestHandler(polls.cast, final=True),
    ask.ConfirmRequest: RequestHandler(confirm),
    ask.DeadlineRequest: RequestHandler(deadline),
    **asking.HANDLERS,
    **onlookers.COMING,
    **mailchoices.HANDLERS,
    **notebooks.HANDLERS,
    **entering.HANDLERS,
    **persons.HANDLERS,
    **persons.OF_A_SEAT,
    **away.HANDLERS,
    **planned.HANDLERS,
    **proxies.HANDLERS,
}

IN_BLOCK = (
    frozenset({ask.ReadyRequest, ask.WaitRequest, ask.ClearRequest, ask.HoldRestRequest, ask.ShowRequest})
    | planned.IN_BLOCK
    | proxies.HANDLERS.keys()
)
"""What a game master's AS block may hold besides orders."""


def _refusal(session: LetterSession) -> str:
    if session.observes:
        return "not-looking-on"
    return "players-only" if session.master else "master-only"


def perform(session: LetterSession, given: RequestLine, loaded_game: Handlers) -> None:
    """Do one request, or say why not."""
    request, line = given.request, given.line
    handler, word = loaded_game.get(type(request)), word_of(request)
    if session.astray and not isinstance(request, ask.CreateRequest):
        return
    if handler is None:
        session.note(_refusal(session), done=False, line=line, what=word)
    elif handler.of_phase and session.late_for:
        session.was_late = True
    elif handler.of_phase and session.closed:
        session.refuse_closed()
    elif handler.of_phase and not session.loaded_game.running:
        over = session.game.state is GameState.ENDED
        session.note("game-over" if over else "not-started", done=False, line=line, what=word)
    elif handler.final and session.faulty and handler.instead:
        handler.instead(session, request, line)
    elif handler.final and session.faulty:
        session.note("not-with-errors", done=False, line=line, what=word)
    elif session.counted(word) > handler.most:
        session.note_once("too-often", what=word, most=str(handler.most))
    else:
        handler.do(session, request, line)
