"""Who is obeyed in what: a table of requests for each role that grammars/commands knows."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from gm.game.commands import gm as acts
from gm.game.commands import lookups as asking
from gm.game.commands import no_seat as lobby
from gm.game.commands import player as commands
from gm.game.model.records import MASTER, Seat
from gm.game.players import joining as entering
from gm.game.players import mail_choices as mailchoices
from gm.game.players import notebooks
from gm.game.players import observers as onlookers
from gm.game.players import people as persons
from gm.game.session.handler import Handlers, RequestHandler
from gm.game.session.session import LetterSession
from gm.language.commands import observers as circle
from gm.language.commands import players as seats
from gm.language.commands import requests as ask
from gm.language.lines import letter_contents

LOOKED_UP = (
    ask.StatusRequest,
    ask.HistoryRequest,
    ask.MapRequest,
    ask.NeighboursRequest,
    ask.RulesRequest,
    ask.HelpRequest,
    ask.TimeZoneRequest,
    ask.ConfirmRequest,
)


def _from_no_seat(handler: RequestHandler) -> RequestHandler:
    """His chair is none of the seats that are asked for, or given up."""

    def do(session: LetterSession, request: letter_contents.Request, line: int) -> None:
        handler.do(replace(session, seat=Seat(0, session.game.id, MASTER, session.person.id)), request, line)

    return replace(handler, do=do)


COMING_IN = (seats.JoinRequest, seats.TakeoverRequest, seats.PreferRequest, seats.ResignRequest)
"""What anybody may ask for who has no seat in a game; STOP leaves the chair."""
OBSERVER: Handlers = {
    **{kind: commands.PLAYER[kind] for kind in (*LOOKED_UP, ask.DeadlineRequest)},
    **asking.HANDLERS,
    seats.WhoRequest: entering.HANDLERS[seats.WhoRequest],
    **{kind: _from_no_seat(entering.HANDLERS[kind]) for kind in COMING_IN},
    **persons.HANDLERS,
    **notebooks.HANDLERS,
    **onlookers.COMING,
    **onlookers.LEAVING,
    circle.MailRequest: mailchoices.HANDLERS[circle.MailRequest],
    ask.PressRequest: RequestHandler(onlookers.press, most=1),
}
HANDLERS: Mapping[str, Handlers] = {
    "player": commands.PLAYER,
    "observer": OBSERVER,
    "gm": acts.MASTER,
    "stranger": lobby.REQUESTS,
}


def role(session: LetterSession) -> str:
    return "observer" if session.observes else "gm" if session.master else "player"
