"""Handlers of OBSERVE, MONITOR, EJECT OBSERVER, and of STOP and PRESS from an observer.

A registered person names the game and gets a name that nobody else has there. Observers learn only what everybody may
know. Nobody observes a game in which they have a seat.
"""

from __future__ import annotations

import re

from msgspec.structs import replace

from gm.game.letters import observer as spectators
from gm.game.letters.notify import queue_notice
from gm.game.model import mail_preferences
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import LoadedGame, load_game, power_named
from gm.game.model.observer_records import EJECTED, MONITOR, OBSERVER, OBSERVER_SEATS, OUTSIDE
from gm.game.model.records import Game, GameState, Seat
from gm.game.session.session import Handlers, LetterSession
from gm.language.commands import observers
from gm.language.commands.requests import PressRequest
from gm.language.i18n.normalize import clean

NAME = re.compile(r"[^\W_][\w .'\u2019-]{0,38}[\w.]|[^\W_]")
OBSERVERS_MOST = 200
"""Most observers of one game: each costs a letter per phase."""


def observe(session: LetterSession, request: observers.ObserveRequest, line: int) -> None:
    game = session.store.games.by_name(request.game) if request.game else None
    if game is None:
        key = "observe-which" if not request.game else "observe-no-game"
        session.note(key, done=False, line=line, name=request.game[:40])
        return
    loaded_game = load_game(session.services, session.store, game)
    chairs = [
        observer for observer in session.store.games.observer_seats(game.id) if observer.person == session.person.id
    ]
    name = request.name or _name(session, chairs)
    if key := _reason_against(session, loaded_game, chairs, name):
        session.note(key, done=False, line=line, game=game.name, name=name[:40])
        return
    _add_observer(
        session, loaded_game, chairs[0] if chairs else None, name, MONITOR if request.results_only else OBSERVER, line
    )


def _name(session: LetterSession, chairs: list[Seat]) -> str:
    """The name used in this game before, or the registered one."""
    known = mail_preferences.mail_choices_of(session.store, chairs[0]).name if chairs else ""
    return known or " ".join(session.person.name.split())[:40].strip()


def _reason_against(session: LetterSession, loaded_game: LoadedGame, chairs: list[Seat], name: str) -> str:
    """The key of the note that says why the person may not observe; "" for none."""
    if any(seat.person == session.person.id for seat in loaded_game.seats):
        return "observe-own"
    if not loaded_game.settings.observers:
        return "observe-closed"
    if any(chair.power in OUTSIDE for chair in chairs):
        return "observe-ejected"
    if loaded_game.game.state is GameState.ENDED:
        return "observe-over"
    if not NAME.fullmatch(name) or power_named(loaded_game.variant, name) or name.casefold() in OBSERVER_SEATS:
        return "observe-bad-name"
    others = [observer for observer in loaded_game.observers if observer.person != session.person.id]
    if any(
        mail_preferences.mail_choices_of(session.store, other).name.casefold() == name.casefold() for other in others
    ):
        return "observe-name-taken"
    return "observe-full" if len(others) >= OBSERVERS_MOST else ""


def _add_observer(
    session: LetterSession, loaded_game: LoadedGame, chair: Seat | None, name: str, kind: str, line: int
) -> None:
    games, game = session.store.games, loaded_game.game
    before = mail_preferences.mail_choices_of(session.store, chair) if chair else None
    if chair is not None and before is not None and (chair.power, before.name) == (kind, name):
        session.note("observe-already", line=line, game=game.name, name=name)
        return
    new = chair is None
    chair = chair or games.add_seat(Seat(0, game.id, kind, session.person.id))
    chair = replace(chair, power=kind)
    games.save_seat(chair)
    session.store.observers.save_mail_choices(
        replace(mail_preferences.mail_choices_of(session.store, chair), name=name)
    )
    session.note(f"{kind}-now", line=line, headline=True, game=game.name, name=name)
    session.send(spectators.render_observer_welcome(session.services, session.store, game, chair))
    if new:
        _tell_masters(session, loaded_game, game, Note("desk.observer-came", (("name", name),)), line)


def _tell_masters(
    session: LetterSession, loaded_game: LoadedGame, game: Game, note: Note, line: int, words: str = ""
) -> None:
    for master in loaded_game.masters:
        cause = f"observer:{session.row.id}:{line}"
        queue_notice(session.services, session.store, game, master, note, cause, text=words)


# ---- in the chair


def leave(session: LetterSession, request: observers.StopRequest, line: int) -> None:
    name = mail_preferences.mail_choices_of(session.store, session.seat).name
    _remove_observer(session, session.seat)
    session.reload_game()
    session.note("observer-left", line=line, headline=True, game=session.game.name, name=name)


def _remove_observer(session: LetterSession, chair: Seat, kind: str = "") -> None:
    """Empties the observer seat; a new generation makes its reply address invalid."""
    person = chair.person if kind else None
    changed = replace(chair, power=kind or chair.power, person=person, generation=chair.generation + 1)
    session.store.games.save_seat(changed)


def write_to_gm(session: LetterSession, request: PressRequest, line: int) -> None:
    """PRESS TO GM from an observer; the game master sees name and address, and may answer by mail."""
    if request.everyone or set(request.to) != {"GM"}:
        session.note("observers-listen", done=False, line=line)
        return
    if session.counted("letter to the master") > 1:
        session.note_once("too-often", what="PRESS", most="1")
        return
    name, address = mail_preferences.mail_choices_of(session.store, session.seat).name, session.person.addresses[0]
    note = Note("desk.observer-writes", (("name", name), ("address", address)))
    words = request.text.strip("\n")
    _tell_masters(session, session.loaded_game, session.game, note, line, words)
    session.note("observer-wrote", line=line, headline=True)


# ---- for game masters


def eject(session: LetterSession, request: observers.EjectObserverRequest, line: int) -> None:
    wanted = clean(request.name).text.casefold()
    named = {
        mail_preferences.mail_choices_of(session.store, observer).name: observer
        for observer in session.loaded_game.observers
    }
    chair = next((observer for name, observer in named.items() if clean(name).text.casefold() == wanted), None)
    if chair is None:
        known = ", ".join(sorted(named)) or "-"
        session.note("eject-nobody", done=False, line=line, name=request.name[:40], names=known)
        return
    cause = f"eject:{session.row.id}:{line}"
    queue_notice(session.services, session.store, session.game, chair, Note("desk.observer-ejected"), cause)
    _remove_observer(session, chair, EJECTED)
    session.reload_game()
    note = session.note("ejected-observer", line=line, headline=True, name=request.name)
    session.log(f"EJECT OBSERVER {request.name}", note)


HANDLERS: Handlers = {
    observers.ObserveRequest: observe,
    (observers.StopRequest, "observer"): leave,
    (PressRequest, "observer"): write_to_gm,
    observers.EjectObserverRequest: eject,
}
