"""Delivers press: to whom, and when.

Held letters leave together every quarter of an hour, in an order that depends on our secret, so that neither the hour
of a letter nor its place gives its writer away. What still waits when a phase is resolved leaves before the results.
"""

from __future__ import annotations

from datetime import datetime

from gm.game.letters.press import render_copy, render_press
from gm.game.model import mail_preferences, unsigned_names
from gm.game.model.loaded_game import LoadedGame, load_game
from gm.game.model.observer_records import OBSERVERS
from gm.game.model.ports import Store
from gm.game.model.press_journal import message_of, next_quarter_hour, release_order
from gm.game.model.records import MASTER, Game, PressRow, Seat
from gm.game.model.services import Services
from gm.game.phase import sheets
from gm.game.views.mechanics import intercepted_press
from gm.judge.model.press import ReleaseTime
from gm.judge.model.variant import FREE_PRESS, Press


def press_rules(loaded_game: LoadedGame, row: PressRow) -> Press:
    """The variant's rules of press; free press for letters from or only to game masters."""
    return FREE_PRESS if _concerns_gm(row) else loaded_game.variant.press


def _concerns_gm(row: PressRow) -> bool:
    return row.sender == MASTER or set(row.to) <= {MASTER}


def delivery_time(loaded_game: LoadedGame, row: PressRow, now: datetime) -> datetime | None:
    """When a message written now leaves; None: at once. A deadline before that takes it along.

    Unsigned messages and all messages of anonymous games wait: two letters in one minute would show one writer, and
    the hours of letters somebody's day.
    """
    press = press_rules(loaded_game, row)
    masked = press.free and loaded_game.anonymous and not _concerns_gm(row)
    hidden = loaded_game.running and (masked or unsigned_names.is_unsigned(row.name))
    if press.release is ReleaseTime.AT_ONCE and not hidden:
        return None
    leaves, closing = next_quarter_hour(now), loaded_game.game.due_at
    return closing if closing is not None and now < closing < leaves else leaves


def deliver(services: Services, store: Store, loaded_game: LoadedGame, row: PressRow) -> None:
    """Send one letter to each reader of each name that the message is addressed to."""
    press, message = press_rules(loaded_game, row), message_of(row)
    for name in row.to:
        for seat in press_readers(store, loaded_game, press, name):
            if seat.power != row.sender:
                letter = render_press(services, store, loaded_game.game, seat, row, name, press.header(message, name))
                sender = press.header(message, name).sender
                mail_preferences.send(store, seat, letter, sender, may_wait=is_to_all(loaded_game, row))


def is_to_all(loaded_game: LoadedGame, row: PressRow) -> bool:
    """Whether a message goes to every player whom BROADCAST reaches, and so to nobody in particular."""
    others = set(loaded_game.variant.press.everyone(loaded_game.position, loaded_game.variant)) - {row.sender}
    players = others - loaded_game.unplayed
    return len(players) > 1 and players <= set(row.to)


def copy_to_masters(services: Services, store: Store, loaded_game: LoadedGame, row: PressRow) -> None:
    """Send the copies that the setting `press_copy` promises, as soon as a message is written.

    Not to a game master who plays a power, and not of letters to game masters.
    """
    if not loaded_game.settings.press_copy or not loaded_game.begun or {row.sender, *row.to} & {MASTER}:
        return
    players = {seat.person for seat in loaded_game.power_seats}
    for seat in loaded_game.masters:
        if seat.person is not None and seat.person not in players:
            mail_preferences.send(store, seat, render_copy(services, store, loaded_game.game, seat, row), row.sender)


def press_readers(store: Store, loaded_game: LoadedGame, press: Press, name: str) -> tuple[Seat, ...]:
    """The filled seats that read letters to a name."""
    if name == MASTER:
        return tuple(seat for seat in loaded_game.masters if seat.person is not None)
    if name == OBSERVERS:
        return loaded_game.watchers() if loaded_game.settings.observer_press else ()
    if unsigned_names.is_unsigned(name):
        name = unsigned_names.writer_of(store, loaded_game.game.id, name)
    powers = press.readers(loaded_game.position, loaded_game.variant, name)
    return tuple(seat for seat in loaded_game.taken_seats if seat.power in powers)


def deliver_due_press(services: Services, store: Store, game: Game, until: datetime | None = None) -> None:
    """Deliver press that was held until `until`, by default all held press."""
    held = [row for row in store.turns.held_press(game.id) if until is None or _held(row) <= until]
    if not held:
        return
    loaded_game = load_game(services, store, game)
    for row in sorted(held, key=lambda row: release_order(services, loaded_game.variant, row)):
        deliver(services, store, loaded_game, row)
        store.turns.release_press(row.id)
    deliver_intercepted_press(services, store, loaded_game)


def deliver_intercepted_press(services: Services, store: Store, loaded_game: LoadedGame) -> None:
    """Queue copies of delivered press for players whose intercepts cover it. Each copy is sent once."""
    press, position = loaded_game.variant.press, loaded_game.position
    if not press.copies_at_once or not loaded_game.running:
        return
    book = sheets.load_submissions(services, store, loaded_game)
    rows = store.turns.press(loaded_game.game.id, loaded_game.game.phase)
    for row in sorted(rows, key=lambda row: release_order(services, loaded_game.variant, row)):
        if row.held_until is None:
            for power, header in press.intercepted_copies(position, loaded_game.variant, book, message_of(row)).items():
                seat = loaded_game.seat_of(power)
                if seat is not None and seat.person is not None:
                    store.outbox.add(
                        intercepted_press.intercept_letter(services, store, loaded_game.game, seat, row, header),
                        store.now(),
                    )


def _held(row: PressRow) -> datetime:
    assert row.held_until is not None
    return row.held_until
