"""Handlers of CREATE, SEAT and START, and of TZ from a game master."""

from __future__ import annotations

import re

from msgspec.structs import replace

from gm.game.identity.sender import may_create_games
from gm.game.letters.question import queue_plain_notice
from gm.game.model.choose_setting import VARIANT
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import load_game, power_named
from gm.game.model.observer_records import OUTSIDE
from gm.game.model.ports import Store
from gm.game.model.records import LEAGUE, MASTER, Game, GameState, InboxRow, Person, Seat
from gm.game.model.reply_addresses import GAME_NAME, GAME_NAME_MOST
from gm.game.model.services import Services
from gm.game.players import people, power_assignment
from gm.game.players.game_variant import change_variant, variant_called
from gm.game.players.leagues import put_into_league
from gm.game.players.people import find_or_add_person, is_valid_address
from gm.game.session import notices, seat_changes
from gm.game.session.change_setting import change_setting
from gm.game.session.session import NO_LETTER, Handlers, LetterSession
from gm.game.turns import resolve
from gm.language.commands.requests import (
    CreateRequest,
    MapRequest,
    SeatPlayerRequest,
    SetRequest,
    StartRequest,
    TimeZoneRequest,
)
from gm.language.commands.table import keyword_of


def create_game(session: LetterSession, request: CreateRequest, line: int) -> None:
    """Creates a game; the rest of the letter is about it."""
    services, store = session.services, session.store
    like = _find_template(session, request.like) if request.like else None
    name = request.game.lower() or (_next_name(session, like.name) if like is not None else "")
    session.create_failed = True
    if not may_create_games(services, session.person):
        session.note("may-not-create", done=False, line=line)
    elif request.like and like is None:
        mine = ", ".join(game.name for game in _known_games(session)) or "-"
        session.note("no-template", done=False, line=line, name=request.like[:40], games=mine)
    elif not GAME_NAME.fullmatch(name):
        session.note("bad-name", done=False, line=line, name=request.game[:40])
    elif store.games.by_name(name):
        session.note("name-taken", done=False, line=line, name=name)
    elif (variant := like.variant if like is not None else variant_called(services, request.variant)) is None:
        known = ", ".join(services.variant_ids)
        session.note("unknown-variant", done=False, line=line, name=request.variant[:40], variants=known)
    else:
        chosen = like.settings if like is not None else ()
        if session.person.language and not chosen:  # the creator's, for everybody who chose none
            chosen = (("language", session.person.language),)
        game = store.games.add(Game(0, name, variant, settings=chosen))
        seat = store.games.add_seat(Seat(0, game.id, MASTER, session.person.id))
        for power in services.variant(variant, {}).powers:
            store.games.add_seat(Seat(0, game.id, power.name))
        session.move_to(game, seat)
        session.news.opened = True
        title = session.loaded_game.variant.title
        if like is None:
            note = session.note("created", line=line, headline=True, name=name, title=title)
            session.insert("new-game")
            session.insert("who")
        else:
            note = session.note("cloned", line=line, headline=True, name=name, title=title, like=like.name)
            session.insert("settings")
        session.log(f"CREATE {name} {variant}", note)


def _known_games(session: LetterSession) -> tuple[Game, ...]:
    """The games whose settings the writer may read: those in which they have a seat."""
    games, person = session.store.games, session.person.id
    seats = (*games.seats_of(person), *games.observer_seats_of(person))
    numbers = dict.fromkeys(seat.game for seat in seats if seat.power not in OUTSIDE)
    return tuple(games.get(number) for number in numbers)


def _find_template(session: LetterSession, name: str) -> Game | None:
    """The game to copy settings from; the name of a variant gives one without settings."""
    known = next((game for game in _known_games(session) if game.name == name), None)
    variant = variant_called(session.services, name)
    return known or (Game(0, variant, variant) if variant is not None else None)


def _next_name(session: LetterSession, name: str) -> str:
    """ "ostend" -> "ostend-2": the first such name that is free."""
    stem = re.sub(r"-\d{1,2}$", "", name)[: GAME_NAME_MOST - 3].rstrip("-")
    free = (f"{stem}-{n}" for n in range(2, 100))
    return next((free_name for free_name in free if session.store.games.by_name(free_name) is None), "")


def seat_player(session: LetterSession, request: SeatPlayerRequest, line: int) -> None:
    power = power_named(session.loaded_game.variant, request.power)
    if power is None:
        session.unknown_power(request.power, line)  # START below must not go on
        return
    address = request.address.strip().lower()
    if address and not is_valid_address(session.services, address):
        session.has_errors = True
        session.note("bad-address", done=False, line=line, address=request.address[:80])
        return
    zone = session.loaded_game.settings.zone.key
    person = find_or_add_person(session.store, address, request.name, zone) if address else None
    if _seat_person(session, power, person) is None:
        session.note("seat-same" if person else "seat-emptied", line=line, power=power, address=address)
        return
    if person is None:
        note = session.note("seat-emptied", line=line, headline=True, power=power)
    else:
        note = session.note("seated", line=line, power=power, name=person.name, address=address)
    session.log(f"SEAT {power}: {request.name} <{address}>", note)


def time_zone(session: LetterSession, request: TimeZoneRequest, line: int) -> None:
    """Before the start the time zone of the game master is also the game's.

    The reply address of the game master's seat proves only the second; then it is the game's alone.
    """
    forming = session.game.state is GameState.FORMING and bool(session.game.id)
    if not session.seat_only:
        people.set_time_zone(session, request, line)
    elif not forming:
        session.withheld[line] = keyword_of(request)
    if forming:
        change_setting(session, SetRequest("zone", request.zone), line)
    elif session.game.id and session.seat.power == MASTER:
        session.note("zone-of-game", line=line, zone=session.loaded_game.settings.zone.key)


def set_setting(session: LetterSession, request: SetRequest, line: int) -> None:
    if request.key == LEAGUE and request.value:
        put_into_league(session, request.value, line)
    else:
        (change_variant if request.key == VARIANT else change_setting)(session, request, line)


def start_game(session: LetterSession, request: StartRequest, line: int) -> None:
    if session.game.state is not GameState.FORMING:
        session.note("started-already", done=False, line=line)
        return
    empty = [seat.power for seat in session.loaded_game.vacant_seats]
    entered = len(power_assignment.approved(session.store, session.loaded_game))
    if entered > len(empty):
        session.note("seats-too-few", done=False, line=line, headline=True, n=str(len(empty)), listed=str(entered))
        return
    if entered < len(empty) and not session.loaded_game.settings.empty_seats:
        key = "seats-short" if entered else "seats-empty"
        powers, short = ", ".join(empty), str(len(empty) - entered)
        session.note(key, done=False, line=line, headline=True, powers=powers, first=empty[0], n=short)
        return
    power_assignment.assign_powers(session)
    _tell_not_accepted(session, line)
    game = resolve.start_game(session.services, session.store, session.game, session.seat.id)
    session.reload_game(game)
    empty = [seat.power for seat in session.loaded_game.power_seats if seat.person is None]
    note = session.note("started", line=line, headline=True, phase=game.phase, when=session.when(game.due_at))
    if empty:
        session.note("seats-idle", line=line, powers=", ".join(empty))
    session.insert("welcome")
    if session.services.map_wait:
        session.map = MapRequest()
    session.log("START", note)


def begin_by_itself(services: Services, store: Store, game: Game) -> None:
    """START by the clock; every seat of it is told. The game has a game master."""
    loaded_game = load_game(services, store, game)
    master = next(seat for seat in loaded_game.masters if seat.person is not None)
    row, person = InboxRow(-game.id, "clock", "", store.now(), b""), store.people.get(master.person or 0)
    seat = replace(master, id=0)
    session = LetterSession(services, store, row, NO_LETTER, person, seat, loaded_game, MASTER)
    start_game(session, StartRequest(), 0)


def call_off(session: LetterSession, line: int) -> None:
    """TERMINATE before the start: everybody who was seated or on the list is told, and the name is free again.

    The game stays stored, without people and below a name that no letter can have.
    """
    store, game = session.store, session.game
    seats = (*session.loaded_game.seats, *store.games.observer_seats(game.id))
    people_told = [seat.person for seat in seats] + [entry.person for entry in store.games.applicants(game.id)]
    for number in dict.fromkeys(people_told):
        if number is not None and number != session.person.id:
            note = Note("desk.called-off", (("game", game.name),))
            cause = session.cause(line)
            queue_plain_notice(session.services, store, store.people.get(number), None, note, cause)
            store.games.remove_applicant(game.id, number)
    for seat in seats:
        store.games.save_seat(replace(seat, person=None, generation=seat.generation + 1))
    note = session.note("removed", line=line, headline=True, game=game.name)
    session.log("TERMINATE", note)
    store.games.save(replace(game, name=f"{game.name}~{game.id}", state=GameState.ENDED))
    session.left = True


def _tell_not_accepted(session: LetterSession, line: int) -> None:
    """Tells applicants who got no answer that the game has begun without them."""
    game = session.game
    for entry in session.store.games.applicants(game.id):
        person = session.store.people.get(entry.person)
        note = Note("desk.begun-without", (("game", game.name),))
        queue_plain_notice(session.services, session.store, person, game, note, session.cause(line))
        session.store.games.remove_applicant(game.id, entry.person)


def _seat_person(session: LetterSession, power: str, person: Person | None) -> Seat | None:
    """Puts a person into a seat; None where nothing changes. Another game master gets a new seat."""
    holder = person.id if person else None
    if power == MASTER:
        if person is None or any(seat.person == holder for seat in session.loaded_game.masters):
            return None
        return _add_gm(session, person)
    seat = session.loaded_game.seat_of(power)
    if seat is None or seat.person == holder:
        return None
    return seat_changes.change_holder(session, seat, person)


def _add_gm(session: LetterSession, person: Person) -> Seat:
    seat = session.store.games.add_seat(Seat(0, session.game.id, MASTER, person.id))
    session.reload_game()
    if session.loaded_game.running:
        seat_changes.send_welcome(session, seat, inherits=False)
        notices.add_notice(session, Note("desk.new-master", (("name", person.name),)))
    else:
        session.news.introduced.add(seat.id)
    return seat


HANDLERS: Handlers = {
    CreateRequest: create_game,
    SeatPlayerRequest: seat_player,
    SetRequest: set_setting,
    (TimeZoneRequest, "gm"): time_zone,
    StartRequest: start_game,
}
