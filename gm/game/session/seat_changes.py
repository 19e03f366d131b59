"""A seat gets a new holder: new reply address, and letters to those concerned.

Orders on file stay. READY is taken back and the phase waits for its deadline, so that the new player sees the orders
first and a game master can look for one. Press that the seat got before is not shown to the new player.
"""

from __future__ import annotations

from msgspec.structs import replace

from gm.game.letters.question import queue_plain_notice
from gm.game.letters.results import render_welcome
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import LoadedGame
from gm.game.model.observer_records import EXCLUDED
from gm.game.model.proposals import PROPOSALS
from gm.game.model.records import MASTER, Person, Seat, Sheet
from gm.game.phase import sheets
from gm.game.session import notices
from gm.game.session.session import LetterSession

REPLACED = "replaced"
RESIGNED = "resigned"
EJECTED = "ejected"


def assign_seat(session: LetterSession, seat: Seat, holder: int | None, *, dummy: bool = False) -> Seat:
    """Give the seat to a person, or to nobody, with a new reply address. What we proposed to the one before is gone: it
    may quote their words.
    """
    if seat.person not in (None, holder):
        for question in session.store.turns.questions_of(seat.game, PROPOSALS):
            if question.seat == seat.id:
                session.store.turns.mark_answered(question.code)
    generation = seat.generation + 1 if seat.person is not None else seat.generation
    seat = replace(seat, person=holder, generation=generation, dummy=dummy, open=False)
    games = session.store.games
    games.save_seat(seat)
    for chair in games.observer_seats(seat.game):
        if holder is not None and (chair.power, chair.person) == (EXCLUDED, holder):
            games.save_seat(replace(chair, person=None))
    return seat


def close_seat(session: LetterSession) -> None:
    """The player writes orders again: the seat is no longer open to substitutes."""
    session.seat = replace(session.seat, open=False)
    session.store.games.save_seat(session.seat)
    session.reload_game()
    session.note("seat-closed", power=session.seat.power)


def change_holder(
    session: LetterSession, seat: Seat, person: Person | None, why: str = REPLACED, *, dummy: bool = False
) -> Seat:
    """Give the seat to a person, or to nobody. A running game tells everybody."""
    before = seat.person
    seat = assign_seat(session, seat, person.id if person else None, dummy=dummy)
    if person is not None and seat.power != MASTER:
        session.store.games.remove_applicant(session.game.id, person.id)
    session.reload_game()
    if before is not None and why != RESIGNED:
        _farewell(session, session.store.people.get(before), seat, why)
    if session.loaded_game.running:
        session.news.opened = session.news.opened or (person is None and not dummy)
        _hold_phase(session, seat, wait=not dummy)
        if person is not None:
            send_welcome(session, seat, inherits=seat.power != MASTER)
        notices.add_notice(session, _change_note(session.loaded_game, seat, person, why))
    return seat


def exclude_holder(session: LetterSession, seat: Seat) -> None:
    """Empty the seat, and keep that its player may not come back. They are told without its reply address."""
    person = session.store.people.get(seat.person or 0)
    seat = assign_seat(session, seat, None)
    session.store.games.add_seat(Seat(0, seat.game, EXCLUDED, person.id))
    session.reload_game()
    _farewell(session, person, seat, EXCLUDED)


def send_welcome(session: LetterSession, seat: Seat, *, inherits: bool) -> None:
    session.news.welcomed.add(seat.id)
    session.send(render_welcome(session.services, session.store, session.game, seat, inherits=inherits))


def _farewell(session: LetterSession, person: Person, seat: Seat, why: str) -> None:
    game = session.game
    if session.loaded_game.running or why in (EJECTED, EXCLUDED):
        note = Note(f"desk.farewell-{why}", (("power", seat.power), ("game", game.name)))
        queue_plain_notice(session.services, session.store, person, game, note, f"farewell:{seat.id}:{seat.generation}")


def _change_note(loaded_game: LoadedGame, seat: Seat, person: Person | None, why: str) -> Note:
    if person is None:
        key = "seat-dummy" if seat.dummy else {RESIGNED: "seat-resigned", EJECTED: "ejected"}.get(why, "seat-emptied")
        return Note(f"desk.{key}", (("power", seat.power),))
    if loaded_game.anonymous:
        return Note("desk.new-player-hidden", (("power", seat.power),))
    return Note("desk.new-player", (("power", seat.power), ("name", person.name)))


def _hold_phase(session: LetterSession, seat: Seat, *, wait: bool) -> None:
    """Store the seat's sheets as not READY; with `wait` the phase stays open until its deadline."""
    loaded_game, turns = session.loaded_game, session.store.turns
    if loaded_game.position.ended is not None:
        return
    game = loaded_game.game
    waiting = ((sheet.author, sheet.power) for sheet in turns.sheets(game.id, game.snapshot) if sheet.wait)
    for author, power in dict.fromkeys((*sheets.due_authors(loaded_game), *waiting)):
        if author != seat.power:
            continue
        sheet = turns.sheet(game.id, game.snapshot, author, power)
        if sheet is None:
            turns.add_sheet(Sheet(game.id, game.phase, game.snapshot, author, power, 0, wait=wait))
        elif (sheet.ready, sheet.wait) != (False, wait):
            turns.add_sheet(replace(sheet, version=sheet.version + 1, ready=False, wait=wait))
