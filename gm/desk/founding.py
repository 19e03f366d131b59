"""Making a game by letter: CREATE, SEAT, SET and START."""

from __future__ import annotations

from gm.desk import casting, chairs, commands, news, settings, turn
from gm.desk.anonymity import Anonymity
from gm.desk.errors import GmError
from gm.desk.identity import may_create
from gm.desk.people import good, known_or_new
from gm.desk.post import GAME_NAME, slug
from gm.desk.records import MASTER, Game, GameState, Person, Seat
from gm.desk.report import Note
from gm.desk.sitting import Sitting
from gm.desk.slips import slip
from gm.desk.table import power_named
from gm.text.requests import Create, Map, SeatPlayer, Set, Start, TimeZone


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
    if address and not good(sitting.office, address):
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


def choose(sitting: Sitting, request: Set, line: int) -> None:
    """SET key value: a setting of the game, or one of the variant's own before the game has begun."""
    game, variant = sitting.game, sitting.table.variant
    changed = settings.choose(game, variant, request.key, request.value)
    if isinstance(changed, settings.SettingTrouble):
        sitting.notes.append(Note(changed.key, changed.fields, done=False, line=line))
        return
    key, value = changed.settings[-1]
    fixed = {*settings.FIXED, *(setting.key for setting in variant.settings)}
    opens = game.state is GameState.ENDED and (key, value) == ("anonymous", Anonymity.NO)
    if key in fixed and game.state is not GameState.FORMING and not opens:
        sitting.note("fixed-anonymous" if key in settings.FIXED else "fixed-setting", done=False, line=line, key=key)
        return
    hidden = sitting.table.anonymous
    sitting.save(changed)
    note = sitting.note("set", line=line, key=key, value=value)
    sitting.log(f"SET {key} {value}", note)
    if game.state is GameState.RUNNING:
        news.add(sitting, Note(note.key, note.fields, headline=True))
    elif opens and hidden:
        news.add(sitting, Note("desk.names-opened", headline=True))


def time_zone(sitting: Sitting, request: TimeZone, line: int) -> None:
    """While he makes a game, the zone a game master names is the game's as well as his own."""
    commands.time_zone(sitting, request, line)
    if sitting.game.state is GameState.FORMING and sitting.game.id:
        choose(sitting, Set("zone", request.zone), line)


def start(sitting: Sitting, request: Start, line: int) -> None:
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
        sitting.map = Map()
    sitting.log("START", note)


def _without(sitting: Sitting, line: int) -> None:
    """Who asked to play and was not answered learns that the game begins without him."""
    game = sitting.game
    for entry in sitting.store.games.entries(game.id):
        person = sitting.store.people.get(entry.person)
        note = Note("desk.begun-without", (("game", game.name),))
        slip(sitting.office, sitting.store, person, game, note, f"act:{sitting.row.id}:{line}")
        sitting.store.games.drop_entry(game.id, entry.person)


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


def _take(sitting: Sitting, power: str, person: Person | None) -> Seat | None:
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


def _chair(sitting: Sitting, person: Person) -> Seat:
    seat = sitting.store.games.add_seat(Seat(0, sitting.game.id, MASTER, person.id))
    sitting.lay()
    if sitting.table.running:
        chairs.greet(sitting, seat, inherits=False)
        news.add(sitting, Note("desk.new-player", (("power", MASTER), ("name", person.name))))
    else:
        sitting.introduced.add(seat.id)
    return seat
