"""Making a game by letter: CREATE, SEAT, SET and START."""

from __future__ import annotations

import re
from dataclasses import replace

from gm.desk import commands, settings, turn
from gm.desk.errors import GmError
from gm.desk.identity import may_create
from gm.desk.post import GAME_NAME, slug
from gm.desk.records import MASTER, Game, GameState, Person, Seat
from gm.desk.report import Note
from gm.desk.results import welcome
from gm.desk.sitting import Sitting, queue, tell_all
from gm.desk.table import power_named
from gm.text.requests import Create, SeatPlayer, Set, Start, TimeZone

ADDRESS = re.compile(r"[^@\s<>,;:\"()\\]{1,64}@[^@\s<>,;:\"()\\]{1,190}")
NAME_MOST = 80


def create(sitting: Sitting, request: Create, line: int) -> None:
    """Make a game; what else stands in the letter is about it."""
    office, store = sitting.office, sitting.store
    name = request.game.lower()
    sitting.astray = True
    if not may_create(office, sitting.person):
        sitting.note("may-not-create", done=False, line=line)
    elif not GAME_NAME.fullmatch(name):
        sitting.note("bad-name", done=False, line=line, name=request.game[:40])
    elif store.games.named(name):
        sitting.note("name-taken", done=False, line=line, name=name)
    elif (variant := _variant(sitting, request.variant)) is None:
        known = ", ".join(office.variant_ids)
        sitting.note("unknown-variant", done=False, line=line, name=request.variant[:40], variants=known)
    else:
        game = store.games.add(Game(0, name, variant))
        seat = store.games.add_seat(Seat(0, game.id, MASTER, sitting.person.id))
        for power in office.variant(variant, {}).powers:
            store.games.add_seat(Seat(0, game.id, power.name))
        sitting.move_to(game, seat)
        note = sitting.note("created", line=line, headline=True, name=name, title=sitting.table.variant.title)
        sitting.log(f"CREATE {name} {variant}", note)


def seat_player(sitting: Sitting, request: SeatPlayer, line: int) -> None:
    power = power_named(sitting.table.variant, request.power)
    if power is None:
        powers = ", ".join(one.name for one in sitting.table.variant.powers)
        sitting.note("unknown-power", done=False, line=line, name=request.power[:40], powers=powers)
        return
    address = request.address.strip().lower()
    if address and (not ADDRESS.fullmatch(address) or sitting.office.post.ours(address)):
        sitting.note("bad-address", done=False, line=line, address=request.address[:80])
        return
    person = _person(sitting, address, request.name) if address else None
    seat = _take(sitting, power, person)
    if seat is None:
        sitting.note("seat-same", line=line, power=power, address=address)
        return
    sitting.lay()
    if person is None:
        note = sitting.note("seat-emptied", line=line, headline=True, power=power)
    else:
        note = sitting.note("seated", line=line, power=power, name=person.name, address=address)
    sitting.log(f"SEAT {power}: {request.name} <{address}>", note)
    if sitting.table.running:
        _tell_of_change(sitting, seat, person, line)


def choose(sitting: Sitting, request: Set, line: int) -> None:
    """SET key value: a setting of the game, or one of the variant's own before the game has begun."""
    game, variant = sitting.game, sitting.table.variant
    changed = settings.choose(game, variant, request.key, request.value)
    if isinstance(changed, settings.SettingTrouble):
        sitting.notes.append(Note(changed.key, changed.fields, done=False, line=line))
        return
    key, value = changed.settings[-1]
    if key in {setting.key for setting in variant.settings} and game.state is not GameState.FORMING:
        sitting.note("fixed-setting", done=False, line=line, key=key)
        return
    sitting.save(changed)
    note = sitting.note("set", line=line, key=key, value=value)
    sitting.log(f"SET {key} {value}", note)
    if game.state is GameState.RUNNING:
        tell_all(sitting, Note(note.key, note.fields, headline=True), f"act:{sitting.row.id}:{line}")


def time_zone(sitting: Sitting, request: TimeZone, line: int) -> None:
    """While he makes a game, the zone a game master names is the game's as well as his own."""
    commands.time_zone(sitting, request, line)
    if sitting.game.state is GameState.FORMING and sitting.game.id:
        choose(sitting, Set("zone", request.zone), line)


def start(sitting: Sitting, request: Start, line: int) -> None:
    if sitting.game.state is not GameState.FORMING:
        sitting.note("started-already", done=False, line=line)
        return
    empty = [seat.power for seat in sitting.table.power_seats if seat.person is None]
    if empty and not sitting.table.settings.empty_seats:
        sitting.note("seats-empty", done=False, line=line, headline=True, powers=", ".join(empty), first=empty[0])
        return
    game = turn.begin(sitting.office, sitting.store, sitting.game)
    sitting.lay(game)
    note = sitting.note("started", line=line, headline=True, phase=game.phase, when=sitting.when(game.due_at))
    if empty:
        sitting.note("seats-idle", line=line, powers=", ".join(empty))
    sitting.log("START", note)


def _variant(sitting: Sitting, name: str) -> str | None:
    """A variant by id or title, case aside; the library's first one where none is named."""
    ids = sitting.office.variant_ids
    if not name:
        return ids[0]
    wanted = slug(name)
    return wanted if wanted in ids else next((one for one in ids if _title(sitting, one) == wanted), None)


def _title(sitting: Sitting, variant: str) -> str:
    """ "" for one whose files are broken: that must not hide the others."""
    try:
        return slug(sitting.office.variant(variant, {}).title)
    except GmError:
        return ""


def _person(sitting: Sitting, address: str, name: str) -> Person:
    """A person keeps the name he is known by; a new one gets the game master's word for it."""
    known = sitting.store.people.by_address(address)
    if known is not None:
        return known
    name = " ".join(name.split())[:NAME_MOST] or address.partition("@")[0]
    zone = sitting.table.settings.zone.key
    return sitting.store.people.add(Person(0, name, (address,), zone))


def _take(sitting: Sitting, power: str, person: Person | None) -> Seat | None:
    """Put a person into a seat. The reply address changes with the person; None where nothing does.

    A further game master gets a chair of his own.
    """
    games, holder = sitting.store.games, person.id if person else None
    if power == MASTER:
        if person is None or any(seat.person == holder for seat in sitting.table.masters):
            return None
        return games.add_seat(Seat(0, sitting.game.id, MASTER, holder))
    seat = sitting.table.seat_of(power)
    if seat is None or seat.person == holder:
        return None
    return _hand_over(sitting, seat, holder)


def empty(sitting: Sitting, seat: Seat) -> Seat:
    """Nobody sits there from now on, and its reply address is good for nothing."""
    return _hand_over(sitting, seat, None)


def _hand_over(sitting: Sitting, seat: Seat, holder: int | None) -> Seat:
    generation = seat.generation + 1 if seat.person is not None else seat.generation
    seat = replace(seat, person=holder, generation=generation)
    sitting.store.games.save_seat(seat)
    return seat


def _tell_of_change(sitting: Sitting, seat: Seat, person: Person | None, line: int) -> None:
    if person is not None:
        queue(sitting.store, welcome(sitting.office, sitting.store, sitting.game, seat))
    key = "desk.seat-emptied" if person is None else "desk.new-player"
    fields = (("power", seat.power), *((("name", person.name),) if person else ()))
    if person is not None and sitting.table.variant.press.anonymous:
        key, fields = "desk.new-player-hidden", (("power", seat.power),)
    tell_all(sitting, Note(key, fields), f"act:{sitting.row.id}:{line}", skip=seat.id)
