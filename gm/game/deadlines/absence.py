"""What a player asks of the clock: ABSENCE and VACATION, CANCEL ABSENCE, ABSENCES; EXTEND, as a request.

An absence within the game's allowance is in force at once and told to everybody, in anonymous variants without saying
who. Beyond it, and for the deadline that runs already, the game master is asked, with the line that grants it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from datetime import datetime
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from gm.game.deadlines import extensions
from gm.game.letters.notify import tell, tell_each
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import LoadedGame, lay
from gm.game.model.records import MASTER, Absence, GameState, Person, Seat
from gm.game.model.settings import language_of
from gm.game.phase import absences
from gm.game.session.handler import Handlers, RequestHandler
from gm.game.session.session import LetterSession
from gm.language.commands import deadlines as times
from gm.language.commands.command_line import as_written
from gm.language.dates.date_range import DateRange, parse_stretch
from gm.language.dates.dates import DateTrouble, parse_start, stamp

REASON_MOST = 2000


def absence(sitting: LetterSession, request: times.AbsenceRequest, line: int) -> None:
    if sitting.master:
        sitting.note("absence-of-master", done=False, line=line)
        return
    days, tables, words = _where(sitting, request)
    found = parse_stretch(days, sitting.store.now(), ZoneInfo(sitting.person.zone))
    if isinstance(found, DateTrouble):
        sitting.notes.append(Note(found.key, found.fields, done=False, line=line))
        return
    for table in tables:
        _away(sitting, table, found, words if len(tables) > 1 or table.game.id != sitting.game.id else "", line)


def _where(sitting: LetterSession, request: times.AbsenceRequest) -> tuple[str, list[LoadedGame], str]:
    """The days' words without a game's name; the games meant; "in" for an answer that has to name them."""
    mine = _games(sitting)
    for table in mine:
        named = re.compile(rf"[\s,;]+(?:(?:in|for|from)\s+)?(?:game\s+)?{re.escape(table.game.name)}$", re.IGNORECASE)
        if named.search(request.days):
            return named.sub("", request.days), [table], "in"
    return request.days, mine if request.everywhere else mine[:1], "in"


def _games(sitting: LetterSession) -> list[LoadedGame]:
    """Games that the writer plays in and that are not over, this letter's first."""
    store, here = sitting.store, sitting.game.id
    seats = store.games.seats_of(sitting.person.id)
    ids = {seat.game for seat in seats if seat.power != MASTER}
    games = [
        sitting.game if one == here else store.games.lock(one)
        for one in sorted(ids, key=lambda one: (one != here, one))
    ]
    return [lay(sitting.office, store, game) for game in games if game.state is not GameState.ENDED]


def _away(sitting: LetterSession, table: LoadedGame, stretch: DateRange, name_it: str, line: int) -> None:
    store, person = sitting.store, sitting.person
    game = table.game.name if name_it else ""
    if table.settings.absence == "no":
        told(sitting, "absence-off", {}, line, game=game, done=False)
        return
    filed, known = absences.file(store, table, person, stretch)
    fields = {**_words(sitting, person, filed), "left": str(absences.left(store, table, person.id))}
    noted = "absence-noted-nameless" if table.anonymous and not game else "absence-noted"
    key = "absence-known" if known else noted if filed.granted else "absence-asked-you"
    told(sitting, key, fields, line, game=game)
    running = absences.covers_deadline(table, filed)
    if filed.granted and not known:
        asked = table.masters if running else ()
        mine = (seat for seat in table.seats if seat.person == person.id)
        announce(sitting, table, filed, skip={seat.id for seat in (*asked, *mine)})
    if running and filed.granted:
        told(sitting, "absence-running-you", {"when": sitting.when(table.game.due_at)}, line, game=game)
    if (running or not filed.granted) and not known:
        _ask_masters(sitting, table, filed, running=running)


def told(
    sitting: LetterSession, key: str, fields: Mapping[str, str], line: int, *, game: str = "", done: bool = True
) -> Note:
    """Note it, with the game's name before it where the letter is about several."""
    named = (("game", game),) if game else ()
    note = Note(f"desk.{key}-in" if game else f"desk.{key}", (*named, *fields.items()), done, line, headline=done)
    sitting.notes.append(note)
    return note


def _ask_masters(sitting: LetterSession, table: LoadedGame, filed: Absence, *, running: bool) -> None:
    office, store = sitting.office, sitting.store
    key = "absence-running" if filed.granted else "absence-beyond"
    for seat in table.masters:
        if seat.person is None:
            continue
        master = store.people.get(seat.person)
        days, left = str(absences.days(filed)), str(absences.left(store, table, filed.person))
        fields = {"power": filed.power, "days": days, "left": left, **_words(sitting, master, filed)}
        if not running:
            fields["when"] = ""
        note = Note(f"desk.{key}", tuple(fields.items()), headline=True)
        due = table.game.due_at if running else None
        tell(office, store, table.game, seat, note, f"absence-asks:{_mark(sitting, filed)}", due=due)


def announce(sitting: LetterSession, table: LoadedGame, filed: Absence, *, skip: Collection[int]) -> None:
    def note(seat: Seat, person: Person) -> Note:
        words = _words(sitting, person, filed)
        if absences.hidden(table, seat.power) and seat.person != filed.person:
            return Note("desk.absence-someone", tuple(words.items()), headline=True)
        return Note("desk.absence-of", (("power", filed.power), *words.items()), headline=True)

    tell_each(sitting.office, sitting.store, table, note, f"absence:{_mark(sitting, filed)}", skip=skip)


def tell_one(sitting: LetterSession, table: LoadedGame, seat: Seat, key: str, filed: Absence, text: str = "") -> None:
    if seat.person is not None:
        words = _words(sitting, sitting.store.people.get(seat.person), filed)
        note = Note(f"desk.{key}", tuple(words.items()), headline=True)
        tell(sitting.office, sitting.store, table.game, seat, note, f"{key}:{_mark(sitting, filed)}", text=text)


def _mark(sitting: LetterSession, filed: Absence) -> str:
    """For a letter's cause: the absence, and the letter that something came of it by. Its number may be used again."""
    return f"{sitting.row.id}:{filed.game}:{filed.person}:{filed.begins:%Y%m%d}"


def _words(sitting: LetterSession, reader: Person, filed: Absence) -> dict[str, str]:
    catalogue = sitting.office.letters.catalogue(language_of(reader, sitting.game))
    return absences.words(catalogue, filed, ZoneInfo(sitting.store.people.get(filed.person).zone))


def cancel(sitting: LetterSession, request: times.CancelAbsenceRequest, line: int) -> None:
    """What is left of them; days that are over stay used."""
    store, now = sitting.store, sitting.store.now()
    found = False
    for table in _games(sitting) if request.everywhere else _games(sitting)[:1]:
        for one in absences.standing(store, table):
            if one.person != sitting.person.id:
                continue
            found = True
            store.absences.remove(one.id)
            if one.begins < now and one.granted:
                store.absences.add(replace(one, ends=now))
            game = table.game.name if request.everywhere else ""
            told(sitting, "absence-cancelled", _words(sitting, sitting.person, one), line, game=game)
            if one.granted:
                _announce_cancelled(sitting, table, one)
    if not found:
        sitting.note("no-absence", done=False, line=line)


def _announce_cancelled(sitting: LetterSession, table: LoadedGame, one: Absence) -> None:
    def note(seat: Seat, person: Person) -> Note:
        words = _words(sitting, person, one)
        if absences.hidden(table, seat.power):
            return Note("desk.absence-someone-back", tuple(words.items()), headline=True)
        return Note("desk.absence-back", (("power", one.power), *words.items()), headline=True)

    mine = tuple(seat.id for seat in table.seats if seat.person == one.person)
    tell_each(sitting.office, sitting.store, table, note, f"absence-back:{_mark(sitting, one)}", skip=mine)


def roll(sitting: LetterSession, request: times.AbsencesRequest, line: int) -> None:
    sitting.insert("absences")


def extend(sitting: LetterSession, request: times.ExtendRequest, line: int) -> None:
    """A player cannot move a deadline: the game masters get one letter, with the line that does it."""
    game, store = sitting.game, sitting.store
    if sitting.late_for:
        sitting.was_late = True
        return
    if game.state is not GameState.RUNNING or game.due_at is None:
        sitting.note("no-deadline-to-move", done=False, line=line)
        return
    found = parse_start(request.when, store.now(), ZoneInfo(sitting.person.zone), game.due_at)
    if isinstance(found, DateTrouble):
        sitting.notes.append(Note(found.key, found.fields, done=False, line=line))
        return
    when, reason = found[0], as_written(request.written, found[1])
    if when.instant <= game.due_at:
        sitting.note("extend-earlier", done=False, line=line, when=sitting.when(game.due_at))
        return
    masters = [seat for seat in sitting.table.masters if seat.person is not None]
    for seat in masters:
        _ask_for_time(sitting, seat, when.instant, reason)
    key = "extend-asked-you" if masters else "no-master"
    fields = {"when": sitting.when(when.instant), "now": sitting.when(game.due_at)}
    told(sitting, key, fields, line, done=bool(masters))


def _ask_for_time(sitting: LetterSession, master: Seat, due: datetime, reason: str) -> None:
    store, game = sitting.store, sitting.game
    assert master.person is not None
    to = stamp(due, ZoneInfo(store.people.get(master.person).zone))
    note = Note("desk.extend-asked", (("power", sitting.seat.power), ("to", to)), headline=True)
    cause = extensions.cause(game, sitting.seat, due)
    tell(sitting.office, store, game, master, note, cause, text=sitting.office.post.hide(reason[:REASON_MOST]), due=due)


HANDLERS: Handlers = {
    times.AbsenceRequest: RequestHandler(absence, most=5),
    times.CancelAbsenceRequest: RequestHandler(cancel, most=2),
    times.AbsencesRequest: RequestHandler(roll),
    times.ExtendRequest: RequestHandler(extend, most=1),
}
