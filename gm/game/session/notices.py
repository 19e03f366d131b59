"""What a letter changed for everybody in a game, told to each in one notice at the letter's end."""

from __future__ import annotations

from gm.game.letters.notify import queue
from gm.game.letters.results import notice
from gm.game.model import mail_preferences as delivery
from gm.game.model.letter_report import Note
from gm.game.session.session import LetterSession


def add(sitting: LetterSession, note: Note) -> None:
    sitting.news.append(note)


def tell(sitting: LetterSession) -> None:
    """To everybody but the one that acted, and those whose first letter has it all."""
    _introduce(sitting)
    notes, sitting.news = tuple(sitting.news), []
    if not notes:
        return
    cause = f"act:{sitting.row.id}:news:{sitting.game.id}"
    for seat in sitting.table.public:
        if seat.id not in (sitting.seat.id, *sitting.welcomed):
            first, *more = notes
            letter = notice(sitting.office, sitting.store, sitting.game, seat, first, cause, more=tuple(more))
            delivery.send(sitting.store, seat, letter)


def _introduce(sitting: LetterSession) -> None:
    """Whoever is game master of a game that has not begun by now: else he has its first letter."""
    seats, sitting.introduced = sitting.introduced, set()
    for seat in sitting.table.masters if not sitting.game.snapshot else ():
        if seat.id in seats:
            note = Note("desk.you-master")
            queue(sitting.store, notice(sitting.office, sitting.store, sitting.game, seat, note, f"chair:{seat.id}"))


def tell_masters(sitting: LetterSession, note: Note, cause: str) -> None:
    """Something that is for the game masters to decide, in a game that this person may have no seat in."""
    for seat in sitting.table.masters:
        if seat.person is not None and seat.id != sitting.seat.id:
            queue(sitting.store, notice(sitting.office, sitting.store, sitting.game, seat, note, cause))
