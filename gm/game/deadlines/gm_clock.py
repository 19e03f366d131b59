"""Handlers of a game master's DEADLINE, EXTEND, SLOT, PAUSE, RESUME, LOCK, NMR, GRANT and DENY.

A moved deadline applies to the open phase only. Reminders are sent again before it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from gm.game.deadlines import absence as away
from gm.game.deadlines import extensions, pauses
from gm.game.identity.which_phase import closed_reason
from gm.game.letters.notify import queue_notices
from gm.game.model import missing_order_policy
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import power_named
from gm.game.model.records import MASTER, Absence, GameState, Person, Seat
from gm.game.phase import absences
from gm.game.session import change_setting
from gm.game.session.notices import REASON_MOST
from gm.game.session.session import Handlers, LetterSession, tell_all
from gm.language.commands import deadlines, requests
from gm.language.commands.command_line import words_as_written
from gm.language.commands.parser import without_courtesy
from gm.language.dates.date_range import format_day, parse_leading_range
from gm.language.dates.date_words import DateError
from gm.language.dates.dates import format_definite_date, parse_date, parse_leading_date
from gm.language.lines.letter_contents import LineError

DATED = re.compile(r"(?<=\w )(?:until|till)\s+(?=\S*\s?\S*\d)", re.IGNORECASE)
"""Where the end of a pause begins, behind other words."""
FROM = re.compile(r"\bfrom\s+(?=today|now|tomorrow|\S*\s?\S*\d)", re.IGNORECASE)
TO = re.compile(r"\s(?:to|until|till)\s+(?=\S*\s?\S*\d)", re.IGNORECASE)
"""Between the days of a pause "from Monday until 12 March"."""
GOING_ON = frozenset(("resume", "process"))
"""Rows of a sentence that means either."""
UNTIL = ("until", "untill", "till", "to", "for")


def set_deadline(session: LetterSession, request: requests.DeadlineRequest, line: int) -> None:
    if not request.when:
        session.note("deadline-is", line=line, headline=True, when=session.when(session.game.due_at))
    elif (moment := new_moment(session, request, line)) is None:
        return
    elif moment[0] == session.game.due_at:  # nobody else needs a letter about it
        session.note("deadline-is", line=line, headline=True, when=session.when(session.game.due_at))
    else:
        _move_deadline(session, moment, f"DEADLINE {request.when}", line, request.written)


def new_moment(
    session: LetterSession, request: requests.DeadlineRequest, line: int, *, behind: bool = False
) -> tuple[datetime, str] | None:
    """The deadline that is asked for, and the words behind it; None where there is none, which a note says."""
    return (
        _read_moment(session, request.when, line, behind=behind) if _has_deadline(session, "DEADLINE", line) else None
    )


def extend_deadline(session: LetterSession, request: deadlines.ExtendRequest, line: int) -> None:
    moment = later_moment(session, request, line)
    if moment is not None:
        _move_deadline(session, moment, f"EXTEND {request.when}", line, request.written)


def later_moment(session: LetterSession, request: deadlines.ExtendRequest, line: int) -> tuple[datetime, str] | None:
    """As `new_moment`, but refuses an earlier one: a typing error would cost everybody days."""
    if not _has_deadline(session, "EXTEND", line):
        return None
    moment = _read_moment(session, request.when, line, behind=True)
    if moment is None:
        return None
    due = session.game.due_at
    if due is not None and moment[0] <= due:
        when, now = session.when(moment[0]), session.when(due)
        catalogue = session.services.letters.catalogue(session.language)
        words = format_definite_date(moment[0], ZoneInfo(session.person.zone), session.store.now(), catalogue)
        session.note("extend-backwards", done=False, line=line, when=when, due=now, words=words)
        return None
    return moment


def _has_deadline(session: LetterSession, what: str, line: int) -> bool:
    """Whether there is a deadline that can be moved; else notes why not."""
    game = session.game
    if session.late_for:
        session.was_late = True
    elif game.state is not GameState.RUNNING:
        session.note(closed_reason(game), done=False, line=line, what=what)
    elif game.paused_at is not None:
        session.note("paused-no-deadline", done=False, line=line, what=what)
    else:
        return True
    return False


def _read_moment(session: LetterSession, words: str, line: int, *, behind: bool = False) -> tuple[datetime, str] | None:
    """The moment that the words name, and the reason behind it. `behind`: a weekday is one after the deadline."""
    now, zone, due = session.store.now(), ZoneInfo(session.person.zone), session.game.due_at
    moment = parse_leading_date(words, now, zone, due, behind=behind)
    if isinstance(moment, DateError):
        session.notes.append(Note(moment.key, moment.fields, done=False, line=line))
        return None
    return moment[0].instant, moment[1]


def _move_deadline(session: LetterSession, moment: tuple[datetime, str], command: str, line: int, written: str) -> None:
    due, words = moment
    reason = without_courtesy(words_as_written(written, words))
    reason = reason if reason.strip(" .,;!") else ""
    note = _set_due(session, due, line, reason)
    session.log(f"{command.removesuffix(words)}{reason}", note)


def _set_due(session: LetterSession, due: datetime, line: int, reason: str = "") -> Note:
    session.save(replace(session.game, due_at=due, reminded=0, held=0))
    note = session.note("deadline-set", line=line, headline=True, when=session.when(due))
    for absence in absences.current_absences(session.store, session.loaded_game):
        if absence.granted and absences.covers_deadline(session.loaded_game, absence):
            away.note_for_game(session, "deadline-in-absence", _words(session, absence), line)
    moved = Note("desk.deadline-set", headline=True)
    session.tell(lambda: tell_all(session, moved, line, due=due, text=reason[:REASON_MOST]))
    return note


def _words(session: LetterSession, absence: Absence) -> dict[str, str]:
    catalogue = session.services.letters.catalogue(session.language)
    zone = ZoneInfo(session.store.people.get(absence.person).zone)
    return {"power": absence.power} | absences.first_and_last_day(catalogue, absence, zone)


def set_slot(session: LetterSession, request: deadlines.SlotRequest, line: int) -> None:
    change_setting.change_setting(session, requests.SetRequest("moves", request.words), line)


# ---- pauses


def pause(session: LetterSession, request: deadlines.PauseRequest, line: int) -> None:
    game, store = session.game, session.store
    if game.state is not GameState.RUNNING:
        session.note(closed_reason(game), done=False, line=line, what="PAUSE")
        return
    reading = end_of_pause(session, request, line)
    if reading is None:
        return
    until, reason = reading[0], words_as_written(request.written, reading[1])
    logged = f"PAUSE {request.words.removesuffix(reading[1])}{reason}".strip()
    if game.paused_at is not None and game.paused_until == until:
        when = session.when(until) if until else session.say("absence.no-end")
        session.note("paused-already", line=line, headline=True, when=when)
        return
    paused = replace(game, due_at=None, paused_at=game.paused_at or store.now(), paused_until=until, reminded=0)
    session.save(paused)
    note = _pause_note(session, session.person, until)
    session.notes.append(replace(note, line=line))
    session.log(logged, note)
    _tell_each(session, lambda person: _pause_note(session, person, until), line, reason)


def _tell_each(session: LetterSession, note_for: Callable[[Person], Note], line: int, reason: str = "") -> None:
    """Queue a notice for every seat and observer but the writer, each in the words for its reader."""
    session.tell(
        lambda: queue_notices(
            session.services,
            session.store,
            session.loaded_game,
            lambda _, person: note_for(person),
            session.cause(line),
            text=reason[:REASON_MOST],
            skip=(session.seat.id,),
        )
    )


def end_of_pause(
    session: LetterSession, request: deadlines.PauseRequest, line: int
) -> tuple[datetime | None, str] | None:
    """The end of a pause, if it has one, and the reason; None where it cannot be read, which a note says."""
    reading = _until(session, request.words)
    if isinstance(reading, DateError):
        session.notes.append(Note(reading.key, reading.fields, done=False, line=line))
        return None
    return reading


def _until(session: LetterSession, words: str) -> tuple[datetime | None, str] | DateError:
    """The end of a pause, and the reason. A date without an hour takes the hour of the deadline, else noon."""
    if (later := _begins_later(session, words)) is not None:
        return later
    begun = FROM.search(words)
    if begun is not None and (to := TO.search(words, begun.end())) is not None:
        words = f"{UNTIL[0]} {words[to.end() :]}"
    elif (behind := DATED.search(words)) is not None:  # "over Christmas until 5 January"
        words = words[behind.start() :]
    first, _, rest = words.strip(" :,").partition(" ")
    dated = first.lower() in UNTIL and bool(rest)
    date = rest if dated else words
    if not date.strip() or not (dated or date[:1].isdigit()):
        return None, words.strip(" :,")
    now, zone = session.store.now(), ZoneInfo(session.person.zone)
    noon = now.astimezone(zone).replace(hour=12, minute=0, second=0, microsecond=0)
    moment = parse_leading_date(date, now, zone, session.game.due_at or noon)
    return moment if isinstance(moment, DateError) else (moment[0].instant, moment[1])


def _begins_later(session: LetterSession, words: str) -> DateError | None:
    """The refusal of a pause "from 20 December to 5 January", written before that."""
    days = FROM.search(words)
    now, zone = session.store.now(), ZoneInfo(session.person.zone)
    read = parse_leading_range(words[days.start() :], now, zone) if days is not None else None
    if not isinstance(read, tuple):
        return read
    if read[0].begins <= now:
        return None
    days_of_pause = (read[0].begins, read[0].ends - timedelta(hours=1))
    first, last = (format_day(day.astimezone(zone).date()) for day in days_of_pause)
    return DateError("desk.pause-later", (("first", first), ("last", last)))


def _pause_note(session: LetterSession, person: Person, until: datetime | None) -> Note:
    if until is None:
        return Note("desk.paused", headline=True)
    return Note("desk.paused-until", (("when", session.when(until, person)),), headline=True)


def resume(session: LetterSession, request: deadlines.ResumeRequest, line: int) -> None:
    """A date is the new deadline of the open phase."""
    store, game = session.store, session.game
    if game.paused_at is None or game.state is not GameState.RUNNING:
        session.note("not-paused", done=False, line=line)
        return
    due = new_deadline(session, request, line)
    if due is None:
        return
    session.reload_game(pauses.end_pause(store, session.loaded_game, due))
    note = session.note("resumed", line=line, headline=True, when=session.when(due))
    session.log(f"RESUME {request.when}".strip(), note)
    _tell_each(
        session, lambda person: Note("desk.resumed", (("when", session.when(due, person)),), headline=True), line
    )


def new_deadline(session: LetterSession, request: deadlines.ResumeRequest, line: int) -> datetime | None:
    """The deadline behind a pause; None for a date that cannot be read, which a note says."""
    slot = pauses.next_slot(session.store, session.loaded_game)
    if not request.when:
        return slot
    moment = parse_date(request.when, session.store.now(), ZoneInfo(session.person.zone), slot)
    if isinstance(moment, DateError):
        session.notes.append(Note(moment.key, moment.fields, done=False, line=line))
        return None
    return moment.instant


# ---- LOCK, NMR


def lock(session: LetterSession, request: deadlines.LockRequest, line: int) -> None:
    word = "UNLOCK" if request.off else "LOCK"
    if session.game.locked is not request.off:
        session.note("locked-already" if not request.off else "not-locked", line=line, headline=True)
        return
    session.save(replace(session.game, locked=not request.off))
    note = session.note("unlocked" if request.off else "locked", line=line, headline=True, phase=session.game.phase)
    session.log(word, note)
    tell_all(session, note, line)


def set_nmr_policy(session: LetterSession, request: deadlines.NmrPolicyRequest, line: int) -> None:
    power = power_named(session.loaded_game.variant, request.power)
    if power is None or power == MASTER:
        session.unknown_power(request.power, line)
        return
    if request.word not in missing_order_policy.POLICIES:
        session.note("nmr-words", done=False, line=line, power=power, word=request.word[:20])
        return
    words = missing_order_policy.with_policy(session.game, power, request.word)
    session.save(replace(session.game, forbearance=words, held=0))
    note = session.note(f"nmr-{request.word}", line=line, headline=True, power=power, phase=session.game.phase)
    session.log(f"NMR {power}: {request.word.upper()}", note)


# ---- GRANT, DENY


def grant(session: LetterSession, request: deadlines.GrantRequest, line: int) -> None:
    seat = _player(session, request, line)
    if seat is None or seat.person is None:
        return
    store = session.store
    mine = [
        absence for absence in absences.current_absences(store, session.loaded_game) if absence.person == seat.person
    ]
    pending = [absence for absence in mine if not absence.granted]
    asked = extensions.requested_deadline(store, session.loaded_game, seat)
    if request.refused:
        reason = words_as_written(request.written, request.reason)[:REASON_MOST]
        _deny(session, seat, pending, asked, reason, line)
        return
    if asked is not None and not pending and not session.late_for:
        session.log(f"GRANT {seat.power}", _set_due(session, asked, line))
        return
    granted = {absences.grant_absence(store, absence).id for absence in pending}
    now_mine = [
        absence
        for absence in absences.current_absences(store, session.loaded_game)
        if absence.person == seat.person and absence.granted
    ]
    covering = [absence for absence in now_mine if absences.covers_deadline(session.loaded_game, absence)]
    if not granted and not covering:
        session.note("nothing-to-grant", done=False, line=line, power=seat.power)
        return
    for absence in now_mine:
        if absence.id in granted:
            key = "absence-granted-nameless" if session.loaded_game.anonymous else "absence-granted"
            note = away.note_for_game(session, key, _words(session, absence), line)
            session.log(f"GRANT {seat.power}", note)
            away.announce_absence(session, session.loaded_game, absence, skip=(session.seat.id,))
    if covering and not session.late_for:
        loaded_game = session.loaded_game
        due = absences.due_after_absences(
            store, loaded_game, loaded_game.position, loaded_game.game.phase, loaded_game.game.due_at
        )
        if due is not None and due != loaded_game.game.due_at:
            session.log(f"GRANT {seat.power}", _set_due(session, due, line))


def _deny(
    session: LetterSession, seat: Seat, pending: list[Absence], asked: datetime | None, reason: str, line: int
) -> None:
    """Denies absences and a later deadline. The reason goes to the player alone."""
    for absence in pending:
        session.store.absences.remove(absence.id)
        note = away.note_for_game(session, "absence-denied", _words(session, absence), line)
        session.log(f"DENY {seat.power}", note)
        away.tell_denied(session, seat, absence, reason)
    if asked is not None:
        due = session.game.due_at
        note = away.note_for_game(session, "extend-denied", {"power": seat.power, "when": session.when(due)}, line)
        session.log(f"DENY {seat.power}", note)
        extensions.refuse_extension(session, seat, asked, reason)
    elif not pending:
        session.note("nothing-to-grant", done=False, line=line, power=seat.power)


def _player(session: LetterSession, request: deadlines.GrantRequest, line: int) -> Seat | None:
    power = power_named(session.loaded_game.variant, request.power)
    seat = session.loaded_game.seat_of(power) if power and power != MASTER else None
    if seat is None:
        session.unknown_power(request.power, line)
    elif seat.person is None:
        session.note("nothing-to-grant", done=False, line=line, power=seat.power)
    return seat


def process_instead(session: LetterSession, trouble: LineError) -> LineError:
    """PROCESS for RESUME, if the game is not paused and the sentence may mean either: "go on"."""
    game, commands = session.game, dict(trouble.fields).get("commands", "").split()
    if game.paused_at is not None or game.state is not GameState.RUNNING or not GOING_ON.issubset(commands):
        return trouble
    catalogue = session.services.letters.catalogue(session.language)
    return replace(trouble, suggestions=(catalogue.say("proposals.process", phase=game.phase),))


HANDLERS: Handlers = {
    (requests.DeadlineRequest, "gm"): set_deadline,
    (deadlines.ExtendRequest, "gm"): extend_deadline,
    deadlines.SlotRequest: set_slot,
    deadlines.PauseRequest: pause,
    deadlines.ResumeRequest: resume,
    deadlines.LockRequest: lock,
    deadlines.NmrPolicyRequest: set_nmr_policy,
    deadlines.GrantRequest: grant,
}
