"""Press on its way: who gets which letter, when it leaves, and what stands in the journal of a turn.

Letters that wait for a quarter of an hour leave together, in an order that only our secret knows: neither the hour of
a letter nor its place among others tells anything of its writer's habits. Whatever still waits when a phase is resolved
leaves before the results.
"""

from __future__ import annotations

from datetime import datetime

from gm.game.letters import reminder_and_press as mailings
from gm.game.model import mail_preferences as delivery
from gm.game.model import unsigned_names as unsigned
from gm.game.model.loaded_game import LoadedGame, lay
from gm.game.model.observer_records import OBSERVERS
from gm.game.model.ports import Store
from gm.game.model.press_journal import as_passed, message_of, quarter
from gm.game.model.records import MASTER, Game, PressRow, Seat
from gm.game.model.services import Services
from gm.game.phase import sheets
from gm.game.views.mechanics import intercepted_press as wiretaps
from gm.judge.model.free_press import FORWARD
from gm.judge.model.press import ReleaseTime
from gm.judge.model.variant import Press


def press_for(table: LoadedGame, row: PressRow) -> Press:
    """What the game master writes, and what is for him alone, is passed on like any letter."""
    return FORWARD if _of_master(row) else table.variant.press


def _of_master(row: PressRow) -> bool:
    return row.sender == MASTER or set(row.to) <= {MASTER}


def due(table: LoadedGame, row: PressRow, now: datetime) -> datetime | None:
    """When a message of now is passed on; None: at once. A deadline that comes first takes it along.

    Unsigned ones wait, and all where nobody may know who plays what: two letters in the same minute would tell of one
    writer, and hours of somebody's day.
    """
    press = press_for(table, row)
    masked = press.free and table.anonymous and not _of_master(row)
    hidden = table.running and (masked or unsigned.is_unsigned(row.name))
    if press.release is ReleaseTime.AT_ONCE and not hidden:
        return None
    leaves, closing = quarter(now), table.game.due_at
    return closing if closing is not None and now < closing < leaves else leaves


def dispatch(office: Services, store: Store, table: LoadedGame, row: PressRow) -> None:
    """One letter for each name it is addressed to and each who reads for that name."""
    press, message = press_for(table, row), message_of(row)
    for name in row.to:
        for seat in readers(store, table, press, name):
            if seat.power != row.sender:
                letter = mailings.press(office, store, table.game, seat, row, name, press.header(message, name))
                delivery.send(store, seat, letter, press.header(message, name).sender)


def readers(store: Store, table: LoadedGame, press: Press, name: str) -> tuple[Seat, ...]:
    """The seats that read what is addressed to a name, those that somebody sits in."""
    if name == MASTER:
        return tuple(seat for seat in table.masters if seat.person is not None)
    if name == OBSERVERS:
        return table.watchers() if table.settings.observer_press else ()
    if unsigned.is_unsigned(name):
        name = unsigned.writer(store, table.game.id, name)
    powers = press.readers(table.position, table.variant, name)
    return tuple(seat for seat in table.power_seats if seat.power in powers and seat.person is not None)


def release(office: Services, store: Store, game: Game, until: datetime | None = None) -> None:
    """Pass on what has waited long enough; all that waits where no hour is given."""
    held = [row for row in store.turns.held_press(game.id) if until is None or _held(row) <= until]
    if not held:
        return
    table = lay(office, store, game)
    for row in sorted(held, key=lambda row: as_passed(office, table.variant, row)):
        dispatch(office, store, table, row)
        store.turns.release_press(row.id)
    overhear(office, store, table)


def overhear(office: Services, store: Store, table: LoadedGame) -> None:
    """Copies of what has passed for those whose intercepts cover it, where they come at once; each copy goes once."""
    press, position = table.variant.press, table.position
    if not press.passing or not table.running:
        return
    book = sheets.book(office, store, table)
    rows = store.turns.press(table.game.id, table.game.phase)
    for row in sorted(rows, key=lambda row: as_passed(office, table.variant, row)):
        if row.held_until is None:
            for power, header in press.overheard(position, table.variant, book, message_of(row)).items():
                seat = table.seat_of(power)
                if seat is not None and seat.person is not None:
                    store.outbox.add(wiretaps.passing(office, store, table.game, seat, row, header), store.now())


def _held(row: PressRow) -> datetime:
    assert row.held_until is not None
    return row.held_until
