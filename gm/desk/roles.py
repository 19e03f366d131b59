"""Who is obeyed in what: a table of requests for each role that grammars/commands knows."""

from __future__ import annotations

from collections.abc import Mapping

from gm.desk import acts, asking, commands, entering, lobby, mailchoices, notebooks, onlookers
from gm.desk.handlers import Handler, Handlers
from gm.desk.sitting import Sitting
from gm.text import circle, seats
from gm.text import requests as ask

LOOKED_UP = (ask.Status, ask.History, ask.Map, ask.Neighbours, ask.Rules, ask.Help, ask.TimeZone, ask.Confirm)

OBSERVER: Handlers = {
    **{kind: commands.PLAYER[kind] for kind in (*LOOKED_UP, ask.Deadline)},
    **asking.HANDLERS,
    seats.Who: entering.HANDLERS[seats.Who],
    **notebooks.HANDLERS,
    **onlookers.COMING,
    **onlookers.LEAVING,
    circle.Mail: mailchoices.HANDLERS[circle.Mail],
    ask.Press: Handler(onlookers.press, most=1),
}
HANDLERS: Mapping[str, Handlers] = {
    "player": commands.PLAYER,
    "observer": OBSERVER,
    "gm": acts.MASTER,
    "stranger": lobby.REQUESTS,
}


def role(sitting: Sitting) -> str:
    return "observer" if sitting.observes else "gm" if sitting.master else "player"
