"""Requests of players for more time that are not answered yet.

They are stored only as letters: to the game masters, and the refusal.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from gm.game.letters.notify import format_instant, queue_notice
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import LoadedGame
from gm.game.model.ports import Store
from gm.game.model.records import Game, Seat
from gm.game.session.session import LetterSession

ASKED, REFUSED = "extend", "extend-refused"
STAMP = "%Y%m%d%H%M"


def extension_cause(game: Game, seat: Seat, due: datetime, word: str = ASKED) -> str:
    """The cause of letters about a request, which makes them unique."""
    return f"{word}:{seat.id}:{game.snapshot}:{due.astimezone(UTC):{STAMP}}"


def requested_deadline(store: Store, loaded_game: LoadedGame, seat: Seat) -> datetime | None:
    """The deadline that the player asked for last in this phase; None where no request is open."""
    deadlines = [
        due
        for master in loaded_game.masters
        for due in _deadlines_in_letters(store, loaded_game.game, master, seat, ASKED)
    ]
    refused = set(_deadlines_in_letters(store, loaded_game.game, seat, seat, REFUSED))
    last = deadlines[-1] if deadlines else None
    waits = (
        last is not None and last not in refused and (loaded_game.game.due_at is None or last > loaded_game.game.due_at)
    )
    return last if waits else None


def _deadlines_in_letters(store: Store, game: Game, reader: Seat, seat: Seat, word: str) -> Iterator[datetime]:
    begins = f"{word}:{seat.id}:{game.snapshot}:"
    for message_id in store.outbox.thread_ids(reader.id, game.phase):
        thread = store.outbox.answered_letter(message_id)
        if thread is not None and thread.cause.startswith(begins):
            stamp = thread.cause.removeprefix(begins).partition(":")[0]
            yield datetime.strptime(stamp, STAMP).replace(tzinfo=UTC)


def refuse_extension(session: LetterSession, seat: Seat, due: datetime, reason: str) -> None:
    if seat.person is None:
        return
    services, store, game = session.services, session.store, session.game
    wanted = format_instant(services, store, game, store.people.get(seat.person), due)
    note = Note("desk.extend-denied-you", (("wanted", wanted),), headline=True)
    queue_notice(
        services, store, game, seat, note, extension_cause(game, seat, due, REFUSED), text=reason, due=game.due_at
    )
