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


def ready(sitting: LetterSession, request: ask.ReadyRequest, line: int) -> None:
    for draft in sitting.hands():
        draft.ready, draft.wait, draft.questions = True, False, ()
        draft.preliminary = False


def wait(sitting: LetterSession, request: ask.WaitRequest, line: int) -> None:
    for draft in sitting.hands():
        draft.ready, draft.wait = False, True


def clear(sitting: LetterSession, request: ask.ClearRequest, line: int) -> None:
    stay: list[SheetLine] = []
    gone: set[str] = set()
    for draft in sitting.hands():
        draft.ready = False
        stood = draft.places()
        stay += draft.clear(request.provinces)
        gone |= stood - draft.places()
    places = ", ".join(code for code in request.provinces if code in gone)
    key = "cleared-none" if not gone else "cleared-some" if request.provinces else "cleared"
    sitting.note(key, line=line, places=places or ", ".join(request.provinces))
    for forced in stay:
        sitting.note("forced-stays", done=False, line=line, order=forced.text)


def hold_rest(sitting: LetterSession, request: ask.HoldRestRequest, line: int) -> None:
    if not sum([draft.hold_rest() for draft in sitting.hands()]):
        sitting.note("nothing-to-hold", line=line)


def show(sitting: LetterSession, request: ask.ShowRequest, line: int) -> None:
    if sitting.master and sitting.author == sitting.seat.power:
        sitting.insert("all-sheets")
    elif sitting.table.running:
        sitting.insert("sheet")
        sitting.hands()


def status(sitting: LetterSession, request: ask.StatusRequest, line: int) -> None:
    sitting.insert("status")


def history(sitting: LetterSession, request: ask.HistoryRequest, line: int) -> None:
    sitting.insert("history", request.phase.upper())


def chart(sitting: LetterSession, request: ask.MapRequest, line: int) -> None:
    """The answer takes the map along (`gm.game.letters.answer`), one a letter."""
    if request.unknown:
        sitting.note("map-words", done=False, line=line, word=request.unknown[:30])
    elif not sitting.office.map_wait:
        sitting.note("no-maps", done=False, line=line)
    elif not sitting.game.snapshot:
        sitting.note("map-not-started", done=False, line=line)
    elif pictures.found(sitting.store, sitting.game, request.phase) is None:
        sitting.note("map-no-phase", done=False, line=line, phase=request.phase)
    else:
        sitting.map = request
        sitting.insert("map")


def neighbours(sitting: LetterSession, request: ask.NeighboursRequest, line: int) -> None:
    sitting.insert("neighbours", request.province)


def rules(sitting: LetterSession, request: ask.RulesRequest, line: int) -> None:
    sitting.insert("rules")


def manual(sitting: LetterSession, request: ask.HelpRequest, line: int) -> None:
    sitting.insert("help", request.topic.lower())


def press(sitting: LetterSession, request: ask.PressRequest, line: int) -> None:
    presswork.write(sitting, request, line)


def keep_press(sitting: LetterSession, request: ask.PressRequest, line: int) -> None:
    presswork.back(sitting, "press-not-with-errors", request.text, line)


def confirm(sitting: LetterSession, request: ask.ConfirmRequest, line: int) -> None:
    """A YES that belongs to an open question never comes here (`gm.game.intake.inbox`)."""
    sitting.note("nothing-to-confirm", done=False, line=line)


def deadline(sitting: LetterSession, request: ask.DeadlineRequest, line: int) -> None:
    if request.when:
        sitting.note("master-only", done=False, line=line, what="DEADLINE")
    else:
        sitting.note("deadline-is", line=line, headline=True, when=sitting.when(sitting.game.due_at))


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


def _refusal(sitting: LetterSession) -> str:
    if sitting.observes:
        return "not-looking-on"
    return "players-only" if sitting.master else "master-only"


def perform(sitting: LetterSession, given: RequestLine, table: Handlers) -> None:
    """Do one request, or say why not."""
    request, line = given.request, given.line
    handler, word = table.get(type(request)), word_of(request)
    if sitting.astray and not isinstance(request, ask.CreateRequest):
        return
    if handler is None:
        sitting.note(_refusal(sitting), done=False, line=line, what=word)
    elif handler.of_phase and sitting.late_for:
        sitting.was_late = True
    elif handler.of_phase and sitting.closed:
        sitting.refuse_closed()
    elif handler.of_phase and not sitting.table.running:
        over = sitting.game.state is GameState.ENDED
        sitting.note("game-over" if over else "not-started", done=False, line=line, what=word)
    elif handler.final and sitting.faulty and handler.instead:
        handler.instead(sitting, request, line)
    elif handler.final and sitting.faulty:
        sitting.note("not-with-errors", done=False, line=line, what=word)
    elif sitting.counted(word) > handler.most:
        sitting.note_once("too-often", what=word, most=str(handler.most))
    else:
        handler.do(sitting, request, line)
