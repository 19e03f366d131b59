"""Making a game by letter: CREATE, SEAT, SET and START."""

from __future__ import annotations

import re

from gm.errors import GmError
from gm.game.identity.sender import may_create
from gm.game.letters.question import slip
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import power_named
from gm.game.model.observer_records import EJECTED
from gm.game.model.records import MASTER, Game, GameState, Person, Seat
from gm.game.model.reply_addresses import GAME_NAME, GAME_NAME_MOST, slug
from gm.game.players import people
from gm.game.players import power_assignment as casting
from gm.game.players.people import good, known_or_new
from gm.game.session import notices as news
from gm.game.session import seat_changes as chairs
from gm.game.session.change_setting import choose
from gm.game.session.session import LetterSession
from gm.game.turns import resolve as turn
from gm.language.commands.requests import (
    CreateRequest,
    MapRequest,
    SeatPlayerRequest,
    SetRequest,
    StartRequest,
    TimeZoneRequest,
)


def create(sitting: LetterSession, request: CreateRequest, line: int) -> None:
    """Make a game; what else stands in the letter is about it."""
    office, store = sitting.office, sitting.store
    like = _like(sitting, request.like) if request.like else None
    name = request.game.lower() or (_next_name(sitting, like.name) if like is not None else "")
    sitting.astray = True
    if not may_create(office, sitting.person):
        sitting.note("may-not-create", done=False, line=line)
    elif request.like and like is None:
        mine = ", ".join(game.name for game in _known(sitting)) or "-"
        sitting.note("no-template", done=False, line=line, name=request.like[:40], games=mine)
    elif not GAME_NAME.fullmatch(name):
        sitting.note("bad-name", done=False, line=line, name=request.game[:40])
    elif store.games.named(name):
        sitting.note("name-taken", done=False, line=line, name=name)
    elif (variant := like.variant if like is not None else _variant(sitting, request.variant)) is None:
        known = ", ".join(office.variant_ids)
        sitting.note("unknown-variant", done=False, line=line, name=request.variant[:40], variants=known)
    else:
        chosen = like.settings if like is not None else ()
        if sitting.person.language and not chosen:  # its founder's, for all who chose none
            chosen = (("language", sitting.person.language),)
        game = store.games.add(Game(0, name, variant, settings=chosen))
        seat = store.games.add_seat(Seat(0, game.id, MASTER, sitting.person.id))
        for power in office.variant(variant, {}).powers:
            store.games.add_seat(Seat(0, game.id, power.name))
        sitting.move_to(game, seat)
        title = sitting.table.variant.title
        if like is None:
            note = sitting.note("created", line=line, headline=True, name=name, title=title)
        else:
            note = sitting.note("cloned", line=line, headline=True, name=name, title=title, like=like.name)
            sitting.insert("settings")
        sitting.log(f"CREATE {name} {variant}", note)


def _known(sitting: LetterSession) -> tuple[Game, ...]:
    """The games whose settings he may read: those in which he has a chair."""
    games, person = sitting.store.games, sitting.person.id
    chairs = (*games.seats_of(person), *games.observing(person))
    return tuple(games.get(number) for number in dict.fromkeys(seat.game for seat in chairs if seat.power != EJECTED))


def _like(sitting: LetterSession, name: str) -> Game | None:
    """The game to take the settings of; a variant's name is as good, and has none."""
    found = next((game for game in _known(sitting) if game.name == name), None)
    variant = _variant(sitting, name)
    return found or (Game(0, variant, variant) if variant is not None else None)


def _next_name(sitting: LetterSession, name: str) -> str:
    """ "ostend" -> "ostend-2": the first of the kind that is free."""
    stem = re.sub(r"-\d{1,2}$", "", name)[: GAME_NAME_MOST - 3].rstrip("-")
    free = (f"{stem}-{n}" for n in range(2, 100))
    return next((one for one in free if sitting.store.games.named(one) is None), "")


def seat_player(sitting: LetterSession, request: SeatPlayerRequest, line: int) -> None:
    power = power_named(sitting.table.variant, request.power)
    if power is None:
        powers = ", ".join(one.name for one in sitting.table.variant.powers)
        sitting.faulty = True  # who is to play is not settled, so a START below must wait
        sitting.note("unknown-power", done=False, line=line, name=request.power[:40], powers=powers)
        return
    address = request.address.strip().lower()
    if address and not good(sitting.office, address):
        sitting.faulty = True
        sitting.note("bad-address", done=False, line=line, address=request.address[:80])
        return
    zone = sitting.table.settings.zone.key
    person = known_or_new(sitting.store, address, request.name, zone) if address else None
    if _take(sitting, power, person) is None:
        sitting.note("seat-same" if person else "seat-emptied", line=line, power=power, address=address)
        return
    if person is None:
        note = sitting.note("seat-emptied", line=line, headline=True, power=power)
    else:
        note = sitting.note("seated", line=line, power=power, name=person.name, address=address)
    sitting.log(f"SEAT {power}: {request.name} <{address}>", note)


def time_zone(sitting: LetterSession, request: TimeZoneRequest, line: int) -> None:
    """While he makes a game, the zone a game master names is the game's as well as his own."""
    people.time_zone(sitting, request, line)
    if sitting.game.state is GameState.FORMING and sitting.game.id:
        choose(sitting, SetRequest("zone", request.zone), line)
    elif sitting.game.id and sitting.seat.power == MASTER:
        sitting.note("zone-of-game", line=line, zone=sitting.table.settings.zone.key)


def start(sitting: LetterSession, request: StartRequest, line: int) -> None:
    if sitting.game.state is not GameState.FORMING:
        sitting.note("started-already", done=False, line=line)
        return
    empty = [seat.power for seat in chairs.vacant(sitting.table)]
    entered = len(casting.approved(sitting.store, sitting.table))
    if entered > len(empty):
        sitting.note("seats-too-few", done=False, line=line, headline=True, n=str(len(empty)), listed=str(entered))
        return
    if entered < len(empty) and not sitting.table.settings.empty_seats:
        key = "seats-short" if entered else "seats-empty"
        powers, short = ", ".join(empty), str(len(empty) - entered)
        sitting.note(key, done=False, line=line, headline=True, powers=powers, first=empty[0], n=short)
        return
    casting.cast(sitting)
    _without(sitting, line)
    game = turn.begin(sitting.office, sitting.store, sitting.game, sitting.seat.id)
    sitting.lay(game)
    empty = [seat.power for seat in sitting.table.power_seats if seat.person is None]
    note = sitting.note("started", line=line, headline=True, phase=game.phase, when=sitting.when(game.due_at))
    if empty:
        sitting.note("seats-idle", line=line, powers=", ".join(empty))
    sitting.insert("welcome")
    if sitting.office.map_wait:
        sitting.map = MapRequest()
    sitting.log("START", note)


def _without(sitting: LetterSession, line: int) -> None:
    """Who asked to play and was not answered learns that the game begins without him."""
    game = sitting.game
    for entry in sitting.store.games.entries(game.id):
        person = sitting.store.people.get(entry.person)
        note = Note("desk.begun-without", (("game", game.name),))
        slip(sitting.office, sitting.store, person, game, note, f"act:{sitting.row.id}:{line}")
        sitting.store.games.drop_entry(game.id, entry.person)


def _variant(sitting: LetterSession, name: str) -> str | None:
    """A variant by id or title, case aside; the library's first one where none is named."""
    ids = sitting.office.variant_ids
    if not name:
        return ids[0]
    wanted = slug(name)
    return wanted if wanted in ids else next((one for one in ids if _title(sitting, one) == wanted), None)


def _title(sitting: LetterSession, variant: str) -> str:
    """ "" for one whose files are broken: that must not hide the others."""
    try:
        return slug(sitting.office.variant(variant, {}).title)
    except GmError:
        return ""


def _take(sitting: LetterSession, power: str, person: Person | None) -> Seat | None:
    """Put a person into a seat; None where nothing changes. A further game master gets a chair of his own."""
    holder = person.id if person else None
    if power == MASTER:
        if person is None or any(seat.person == holder for seat in sitting.table.masters):
            return None
        return _chair(sitting, person)
    seat = sitting.table.seat_of(power)
    if seat is None or seat.person == holder:
        return None
    return chairs.change(sitting, seat, person)


def _chair(sitting: LetterSession, person: Person) -> Seat:
    seat = sitting.store.games.add_seat(Seat(0, sitting.game.id, MASTER, person.id))
    sitting.lay()
    if sitting.table.running:
        chairs.greet(sitting, seat, inherits=False)
        news.add(sitting, Note("desk.new-player", (("power", MASTER), ("name", person.name))))
    else:
        sitting.introduced.add(seat.id)
    return seat
