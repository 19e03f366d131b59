"""A seat changes hands: its reply address, its sheet, and the letters that tell whom it concerns.

The orders on file stay. READY is taken back, and the phase waits for its deadline: nobody's orders are to be played
before whoever comes has seen them, nor before a game master could look for somebody. Letters between players that the
seat got before are not shown to the next one.
"""

from __future__ import annotations

from msgspec.structs import replace

from gm.game.letters.notify import queue
from gm.game.letters.question import slip
from gm.game.letters.results import welcome
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import LoadedGame
from gm.game.model.records import MASTER, Person, Seat, Sheet
from gm.game.phase import sheets
from gm.game.session import notices as news
from gm.game.session.session import LetterSession

REPLACED = "replaced"
RESIGNED = "resigned"
EJECTED = "ejected"


def hand_over(sitting: LetterSession, seat: Seat, holder: int | None, *, dummy: bool = False) -> Seat:
    """The reply address changes with the person."""
    generation = seat.generation + 1 if seat.person is not None else seat.generation
    seat = replace(seat, person=holder, generation=generation, dummy=dummy)
    sitting.store.games.save_seat(seat)
    return seat


def change(
    sitting: LetterSession, seat: Seat, person: Person | None, why: str = REPLACED, *, dummy: bool = False
) -> Seat:
    """Put a person into a seat, or nobody, and tell of it where the game is under way."""
    before = seat.person
    seat = hand_over(sitting, seat, person.id if person else None, dummy=dummy)
    if person is not None and seat.power != MASTER:
        sitting.store.games.drop_entry(sitting.game.id, person.id)
    sitting.lay()
    if before is not None and why != RESIGNED:
        _farewell(sitting, sitting.store.people.get(before), seat, why)
    if sitting.table.running:
        _hold_phase(sitting, seat, wait=not dummy)
        if person is not None:
            greet(sitting, seat, inherits=seat.power != MASTER)
        news.add(sitting, _change(sitting.table, seat, person, why))
    return seat


def greet(sitting: LetterSession, seat: Seat, *, inherits: bool) -> None:
    sitting.welcomed.add(seat.id)
    queue(sitting.store, welcome(sitting.office, sitting.store, sitting.game, seat, inherits=inherits))


def vacant(table: LoadedGame) -> tuple[Seat, ...]:
    """The powers that somebody is looked for to play."""
    return tuple(seat for seat in table.power_seats if seat.person is None and not seat.dummy)


def _farewell(sitting: LetterSession, person: Person, seat: Seat, why: str) -> None:
    game = sitting.game
    if sitting.table.running or why == EJECTED:
        note = Note(f"desk.farewell-{why}", (("power", seat.power), ("game", game.name)))
        slip(sitting.office, sitting.store, person, game, note, f"farewell:{seat.id}:{seat.generation}")


def _change(table: LoadedGame, seat: Seat, person: Person | None, why: str) -> Note:
    if person is None:
        key = "seat-dummy" if seat.dummy else {RESIGNED: "seat-resigned", EJECTED: "ejected"}.get(why, "seat-emptied")
        return Note(f"desk.{key}", (("power", seat.power),))
    if table.anonymous:
        return Note("desk.new-player-hidden", (("power", seat.power),))
    return Note("desk.new-player", (("power", seat.power), ("name", person.name)))


def _hold_phase(sitting: LetterSession, seat: Seat, *, wait: bool) -> None:
    """A new version of the seat's sheets that is not READY; `wait`: and keeps the phase open until its deadline."""
    table, turns = sitting.table, sitting.store.turns
    if table.position.ended is not None:
        return
    for author, power in sheets.pairs(table):
        if author != seat.power:
            continue
        game = table.game
        sheet = turns.sheet(game.id, game.snapshot, author, power)
        if sheet is None:
            turns.add_sheet(Sheet(game.id, game.phase, game.snapshot, author, power, 0, wait=wait))
        elif (sheet.ready, sheet.wait) != (False, wait):
            turns.add_sheet(replace(sheet, version=sheet.version + 1, ready=False, wait=wait))
