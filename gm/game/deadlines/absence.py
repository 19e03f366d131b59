"""Handlers of ABSENCE, VACATION, CANCEL ABSENCE, and of EXTEND from a player.

An absence within the game's allowance counts at once and is announced, in anonymous games without the name. Beyond
the allowance, and for the deadline that already runs, the game master is asked. Where players may not know each other
they are told no dates, and nothing of an absence in several games: equal ones would show who it is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from datetime import datetime
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from gm.game.deadlines import extensions
from gm.game.letters.notify import queue_notice, queue_notices
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import LoadedGame, load_game
from gm.game.model.records import MASTER, Absence, GameState, Person, Seat
from gm.game.model.settings import language_of
from gm.game.phase import absences
from gm.game.session.notices import REASON_MOST
from gm.game.session.session import Handlers, LetterSession
from gm.language.commands import deadlines
from gm.language.commands.command_line import words_as_written
from gm.language.dates.date_range import DateRange, parse_leading_range
from gm.language.dates.date_words import DateError
from gm.language.dates.dates import format_timestamp, parse_leading_date


def file_absences(session: LetterSession, request: deadlines.AbsenceRequest, line: int) -> None:
    if session.master:
        session.note("absence-of-master", done=False, line=line)
        return
    days, tables = _games_meant(session, request)
    read = parse_leading_range(days, session.store.now(), ZoneInfo(session.person.zone))
    if isinstance(read, DateError):
        session.notes.append(Note(read.key, read.fields, done=False, line=line))
        return
    stretch, reason = read
    for loaded_game in tables:
        elsewhere = len(tables) > 1 or loaded_game.game.id != session.game.id
        _file_absence(session, loaded_game, stretch, line, named=elsewhere)
    if reason:
        session.note("absence-reason", line=line)


def _games_meant(session: LetterSession, request: deadlines.AbsenceRequest) -> tuple[str, list[LoadedGame]]:
    """The dates without a game's name, and the games meant."""
    mine = _games(session)
    for loaded_game in mine:
        named = re.compile(
            rf"[\s,;]+(?:(?:in|for|from)\s+)?(?:game\s+)?{re.escape(loaded_game.game.name)}$", re.IGNORECASE
        )
        if named.search(request.days):
            return named.sub("", request.days), [loaded_game]
    return request.days, mine if request.everywhere else mine[:1]


def _games(session: LetterSession) -> list[LoadedGame]:
    """The writer's games that are not over, the game of this letter first."""
    store, here = session.store, session.game.id
    seats = store.games.seats_of(session.person.id)
    ids = {seat.game for seat in seats if seat.power != MASTER}
    games = [
        session.game if number == here else store.games.lock(number)
        for number in sorted(ids, key=lambda number: (number != here, number))
    ]
    return [load_game(session.services, store, game) for game in games if game.state is not GameState.ENDED]


def _file_absence(
    session: LetterSession, loaded_game: LoadedGame, stretch: DateRange, line: int, *, named: bool
) -> None:
    """`named`: the answer names the game."""
    store, person = session.store, session.person
    game = loaded_game.game.name if named else ""
    if loaded_game.settings.absence == "no":
        note_for_game(session, "absence-off", {}, line, game=game, done=False)
        return
    filed, known = absences.file_absence(store, loaded_game, person, stretch)
    fields = {**_words(session, person, filed), "left": str(absences.days_left(store, loaded_game, person.id))}
    noted = "absence-noted-nameless" if loaded_game.anonymous and not game else "absence-noted"
    key = "absence-known" if known else noted if filed.granted else "absence-asked-you"
    note_for_game(session, key, fields, line, game=game)
    running = absences.covers_deadline(loaded_game, filed)
    if filed.granted and not known:
        asked = loaded_game.masters if running else ()
        mine = (seat for seat in loaded_game.seats if seat.person == person.id)
        skip = {seat.id for seat in (*asked, *mine, *(_unaware(loaded_game) if named else ()))}
        announce_absence(session, loaded_game, filed, skip=skip)
    if running and filed.granted:
        note_for_game(session, "absence-running-you", {"when": session.when(loaded_game.game.due_at)}, line, game=game)
    if (running or not filed.granted) and not known:
        _ask_masters(session, loaded_game, filed, running=running)


def _unaware(loaded_game: LoadedGame) -> tuple[Seat, ...]:
    """Who hears nothing of an absence in several games: the hour of the notices would show whose it is."""
    return tuple(seat for seat in loaded_game.public if absences.is_hidden(loaded_game, seat.power))


def note_for_game(
    session: LetterSession, key: str, fields: Mapping[str, str], line: int, *, game: str = "", done: bool = True
) -> Note:
    """Adds a note, with the game's name where the letter is about several games."""
    named = (("game", game),) if game else ()
    note = Note(f"desk.{key}-in" if game else f"desk.{key}", (*named, *fields.items()), done, line, headline=done)
    session.notes.append(note)
    return note


def _ask_masters(session: LetterSession, loaded_game: LoadedGame, filed: Absence, *, running: bool) -> None:
    services, store = session.services, session.store
    key = "absence-running" if filed.granted else "absence-beyond"
    for seat in loaded_game.masters:
        if seat.person is None:
            continue
        master = store.people.get(seat.person)
        days, left = str(absences.absence_days(filed)), str(absences.days_left(store, loaded_game, filed.person))
        fields = {"power": filed.power, "days": days, "left": left, **_words(session, master, filed)}
        if not running:
            fields["when"] = ""
        note = Note(f"desk.{key}", tuple(fields.items()), headline=True)
        due = loaded_game.game.due_at if running else None
        queue_notice(services, store, loaded_game.game, seat, note, f"absence-asks:{_mark(session, filed)}", due=due)


def announce_absence(session: LetterSession, loaded_game: LoadedGame, filed: Absence, *, skip: Collection[int]) -> None:
    def note(seat: Seat, person: Person) -> Note:
        if absences.is_hidden(loaded_game, seat.power) and seat.person != filed.person:
            return Note("desk.absence-someone", headline=True)
        words = _words(session, person, filed)
        return Note("desk.absence-of", (("power", filed.power), *words.items()), headline=True)

    queue_notices(session.services, session.store, loaded_game, note, f"absence:{_mark(session, filed)}", skip=skip)


def tell_denied(session: LetterSession, seat: Seat, filed: Absence, reason: str) -> None:
    if seat.person is not None:
        words = _words(session, session.store.people.get(seat.person), filed)
        note = Note("desk.absence-denied-you", tuple(words.items()), headline=True)
        cause = f"absence-denied-you:{_mark(session, filed)}"
        queue_notice(session.services, session.store, session.game, seat, note, cause, text=reason)


def _mark(session: LetterSession, filed: Absence) -> str:
    """Identifies the absence and this letter in the cause of a notice. Numbers of absences may be reused."""
    return f"{session.row.id}:{filed.game}:{filed.person}:{filed.begins:%Y%m%d}"


def _words(session: LetterSession, reader: Person, filed: Absence) -> dict[str, str]:
    catalogue = session.services.letters.catalogue(language_of(reader, session.game))
    return absences.first_and_last_day(catalogue, filed, ZoneInfo(session.store.people.get(filed.person).zone))


def cancel_absences(session: LetterSession, request: deadlines.CancelAbsenceRequest, line: int) -> None:
    """Removes the rest of the writer's absences; past days stay used."""
    store, now = session.store, session.store.now()
    cancelled = False
    for loaded_game in _games(session) if request.everywhere else _games(session)[:1]:
        for absence in absences.current_absences(store, loaded_game):
            if absence.person != session.person.id:
                continue
            cancelled = True
            store.absences.remove(absence.id)
            if absence.begins < now and absence.granted:
                store.absences.add(replace(absence, ends=now))
            game = loaded_game.game.name if request.everywhere else ""
            note_for_game(session, "absence-cancelled", _words(session, session.person, absence), line, game=game)
            if absence.granted:
                _announce_cancelled(session, loaded_game, absence, quietly=request.everywhere)
    if not cancelled:
        session.note("no-absence", done=False, line=line)


def _announce_cancelled(session: LetterSession, loaded_game: LoadedGame, absence: Absence, *, quietly: bool) -> None:
    """`quietly`: not to those who may not learn whose it is."""

    def note(seat: Seat, person: Person) -> Note:
        if absences.is_hidden(loaded_game, seat.power):
            return Note("desk.absence-someone-back", headline=True)
        words = _words(session, person, absence)
        return Note("desk.absence-back", (("power", absence.power), *words.items()), headline=True)

    mine = [seat.id for seat in loaded_game.seats if seat.person == absence.person]
    mine += [seat.id for seat in _unaware(loaded_game)] if quietly else []
    queue_notices(
        session.services, session.store, loaded_game, note, f"absence-back:{_mark(session, absence)}", skip=mine
    )


def request_extension(session: LetterSession, request: deadlines.ExtendRequest, line: int) -> None:
    """Asks the game masters for a later deadline, once."""
    if session.late_for:
        session.was_late = True
        return
    wanted = wanted_deadline(session, request, line)
    if wanted is None:
        return
    masters = [seat for seat in session.loaded_game.masters if seat.person is not None]
    for seat in masters:
        _ask_for_time(session, seat, wanted[0], words_as_written(request.written, wanted[1]))
    key = "extend-asked-you" if masters else "no-master"
    fields = {"when": session.when(wanted[0]), "now": session.when(session.game.due_at)}
    note_for_game(session, key, fields, line, done=bool(masters))


def wanted_deadline(session: LetterSession, request: deadlines.ExtendRequest, line: int) -> tuple[datetime, str] | None:
    """The later deadline that a player wants, and the reason; None where there is none, which a note says."""
    game, store = session.game, session.store
    if game.state is not GameState.RUNNING or game.due_at is None:
        session.note("no-deadline-to-move", done=False, line=line)
        return None
    moment = parse_leading_date(request.when, store.now(), ZoneInfo(session.person.zone), game.due_at, behind=True)
    if isinstance(moment, DateError):
        session.notes.append(Note(moment.key, moment.fields, done=False, line=line))
        return None
    if moment[0].instant <= game.due_at:
        session.note("extend-earlier", done=False, line=line, when=session.when(game.due_at))
        return None
    return moment[0].instant, moment[1]


def _ask_for_time(session: LetterSession, master: Seat, due: datetime, reason: str) -> None:
    store, game = session.store, session.game
    assert master.person is not None
    to = format_timestamp(due, ZoneInfo(store.people.get(master.person).zone))
    note = Note("desk.extend-asked", (("power", session.seat.power), ("to", to)), headline=True)
    cause = extensions.extension_cause(game, session.seat, due)
    queue_notice(
        session.services,
        store,
        game,
        master,
        note,
        cause,
        text=reason[:REASON_MOST],
        due=due,
    )


HANDLERS: Handlers = {
    deadlines.AbsenceRequest: file_absences,
    deadlines.CancelAbsenceRequest: cancel_absences,
    (deadlines.ExtendRequest, "player"): request_extension,
}
