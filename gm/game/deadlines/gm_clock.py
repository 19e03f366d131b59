"""The game master's hand on the clock: DEADLINE, EXTEND, SLOT, PAUSE, RESUME, LOCK, NMR; what players asked for.

A deadline that is moved is this phase's only: the next ones go back to the game's slots. Whoever still lacks orders is
reminded anew before it.
"""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from gm.game.deadlines import absence as away
from gm.game.deadlines import extensions
from gm.game.deadlines import pauses as halts
from gm.game.letters.notify import tell_each
from gm.game.model import missing_order_policy as forbearance
from gm.game.model.letter_report import Note
from gm.game.model.loaded_game import power_named
from gm.game.model.records import MASTER, Absence, GameState, Person, Seat
from gm.game.phase import absences
from gm.game.session import change_setting
from gm.game.session.handler import Handlers, RequestHandler
from gm.game.session.session import LetterSession, tell_all
from gm.language.commands import deadlines as times
from gm.language.commands import requests as ask
from gm.language.commands.command_line import as_written
from gm.language.dates.dates import DateTrouble, parse_start, parse_when

REASON_MOST = 2000
UNTIL = ("until", "untill", "till", "to", "for")


def deadline(sitting: LetterSession, request: ask.DeadlineRequest, line: int) -> None:
    if not request.when:
        sitting.note("deadline-is", line=line, headline=True, when=sitting.when(sitting.game.due_at))
    elif _open(sitting, "DEADLINE", line) and (found := _moment(sitting, request.when, line)) is not None:
        _move(sitting, found, f"DEADLINE {request.when}", line)


def extend(sitting: LetterSession, request: times.ExtendRequest, line: int) -> None:
    """Never to an earlier moment: a slip of the game master's would cost everybody days."""
    if not _open(sitting, "EXTEND", line) or (found := _moment(sitting, request.when, line)) is None:
        return
    due = sitting.game.due_at
    if due is not None and found[0] <= due:
        when, now = sitting.when(found[0]), sitting.when(due)
        words = request.when.removesuffix(found[1]).strip(" +,;:")
        sitting.note("extend-backwards", done=False, line=line, when=when, due=now, words=words)
        return
    _move(sitting, found, f"EXTEND {request.when}", line, request.written)


def _open(sitting: LetterSession, what: str, line: int) -> bool:
    """Whether a deadline runs that could be moved; else it is said why none does."""
    game = sitting.game
    if sitting.late_for:
        sitting.was_late = True
    elif game.state is not GameState.RUNNING:
        sitting.note(
            "not-started" if game.state is GameState.FORMING else "game-over", done=False, line=line, what=what
        )
    elif game.paused_at is not None:
        sitting.note("paused-no-deadline", done=False, line=line, what=what)
    else:
        return True
    return False


def _moment(sitting: LetterSession, words: str, line: int) -> tuple[datetime, str] | None:
    """The moment that is written, and what stands behind it as the reason."""
    found = parse_start(words, sitting.store.now(), ZoneInfo(sitting.person.zone), sitting.game.due_at)
    if isinstance(found, DateTrouble):
        sitting.notes.append(Note(found.key, found.fields, done=False, line=line))
        return None
    return found[0].instant, found[1]


def _move(sitting: LetterSession, found: tuple[datetime, str], said: str, line: int, written: str = "") -> None:
    due, words = found
    reason = as_written(written, words)
    note = _set_due(sitting, due, line, reason)
    sitting.log(f"{said.removesuffix(words)}{reason}", note)


def _set_due(sitting: LetterSession, due: datetime, line: int, reason: str = "") -> Note:
    sitting.save(replace(sitting.game, due_at=due, reminded=0, held=0))
    note = sitting.note("deadline-set", line=line, headline=True, when=sitting.when(due))
    for one in absences.standing(sitting.store, sitting.table):
        if one.granted and absences.covers_deadline(sitting.table, one):
            away.told(sitting, "deadline-in-absence", _words(sitting, one), line)
    text = sitting.office.post.hide(reason[:REASON_MOST])
    announced = Note("desk.deadline-set", headline=True)
    tell_all(sitting, announced, f"act:{sitting.row.id}:{line}", due=due, text=text)
    return note


def _words(sitting: LetterSession, absence: Absence) -> dict[str, str]:
    catalogue = sitting.office.letters.catalogue(sitting.language)
    zone = ZoneInfo(sitting.store.people.get(absence.person).zone)
    return {"power": absence.power} | absences.words(catalogue, absence, zone)


def slot(sitting: LetterSession, request: times.SlotRequest, line: int) -> None:
    change_setting.choose(sitting, ask.SetRequest("moves", request.words), line)


# ---- pauses


def pause(sitting: LetterSession, request: times.PauseRequest, line: int) -> None:
    game, store = sitting.game, sitting.store
    if game.state is not GameState.RUNNING:
        over = game.state is GameState.ENDED
        sitting.note("game-over" if over else "not-started", done=False, line=line, what="PAUSE")
        return
    found = _until(sitting, request.words)
    if isinstance(found, DateTrouble):
        sitting.notes.append(Note(found.key, found.fields, done=False, line=line))
        return
    until, reason = found[0], as_written(request.written, found[1])
    logged = f"PAUSE {request.words.removesuffix(found[1])}{reason}".strip()
    if game.paused_at is not None and game.paused_until == until:
        sitting.note("paused-already", line=line, headline=True, when=_until_words(sitting, until))
        return
    paused = replace(game, due_at=None, paused_at=game.paused_at or store.now(), paused_until=until, reminded=0)
    sitting.save(paused)
    note = _pause_note(sitting, sitting.person, until)
    sitting.notes.append(replace(note, line=line))
    sitting.log(logged, note)
    tell_each(
        sitting.office,
        store,
        sitting.table,
        lambda seat, person: _pause_note(sitting, person, until),
        f"act:{sitting.row.id}:{line}",
        text=sitting.office.post.hide(reason[:REASON_MOST]),
        skip=(sitting.seat.id,),
    )


def _until(sitting: LetterSession, words: str) -> tuple[datetime | None, str] | DateTrouble:
    """Until when, and why. A day without an hour ends at the hour of the deadline that stands, else at noon."""
    first, _, rest = words.strip(" :,").partition(" ")
    dated = first.lower() in UNTIL and bool(rest)
    said = rest if dated else words
    if not said.strip() or not (dated or said[:1].isdigit()):
        return None, words.strip(" :,")
    now, zone = sitting.store.now(), ZoneInfo(sitting.person.zone)
    noon = now.astimezone(zone).replace(hour=12, minute=0, second=0, microsecond=0)
    found = parse_start(said, now, zone, sitting.game.due_at or noon)
    return found if isinstance(found, DateTrouble) else (found[0].instant, found[1])


def _pause_note(sitting: LetterSession, person: Person, until: datetime | None) -> Note:
    if until is None:
        return Note("desk.paused", headline=True)
    return Note("desk.paused-until", (("when", sitting.when(until, person)),), headline=True)


def _until_words(sitting: LetterSession, until: datetime | None) -> str:
    catalogue = sitting.office.letters.catalogue(sitting.language)
    return sitting.when(until) if until else catalogue.say("absence.no-end")


def resume(sitting: LetterSession, request: times.ResumeRequest, line: int) -> None:
    """The date, if there is one, is the deadline of the open phase."""
    store, game = sitting.store, sitting.game
    if game.paused_at is None or game.state is not GameState.RUNNING:
        sitting.note("not-paused", done=False, line=line)
        return
    due = halts.next_slot(store, sitting.table)
    if request.when:
        found = parse_when(request.when, store.now(), ZoneInfo(sitting.person.zone), due)
        if isinstance(found, DateTrouble):
            sitting.notes.append(Note(found.key, found.fields, done=False, line=line))
            return
        due = found.instant
    sitting.lay(halts.run_on(store, sitting.table, due))
    note = sitting.note("resumed", line=line, headline=True, when=sitting.when(due))
    sitting.log(f"RESUME {request.when}".strip(), note)
    tell_each(
        sitting.office,
        store,
        sitting.table,
        lambda seat, person: Note("desk.resumed", (("when", sitting.when(due, person)),), headline=True),
        f"act:{sitting.row.id}:{line}",
        skip=(sitting.seat.id,),
    )


# ---- closed sheets, and sheets that do not come


def lock(sitting: LetterSession, request: times.LockRequest, line: int) -> None:
    word = "UNLOCK" if request.off else "LOCK"
    if sitting.game.locked is not request.off:
        sitting.note("locked-already" if not request.off else "not-locked", line=line, headline=True)
        return
    sitting.save(replace(sitting.game, locked=not request.off))
    note = sitting.note("unlocked" if request.off else "locked", line=line, headline=True, phase=sitting.game.phase)
    sitting.log(word, note)
    tell_all(sitting, note, f"act:{sitting.row.id}:{line}")


def forbear(sitting: LetterSession, request: times.NmrPolicyRequest, line: int) -> None:
    power = power_named(sitting.table.variant, request.power)
    if power is None or power == MASTER:
        powers = ", ".join(one.name for one in sitting.table.variant.powers)
        sitting.note("unknown-power", done=False, line=line, name=request.power[:40], powers=powers)
        return
    if request.word not in forbearance.POLICIES:
        sitting.note("nmr-words", done=False, line=line, power=power, word=request.word[:20])
        return
    words = forbearance.with_word(sitting.game, power, request.word)
    sitting.save(replace(sitting.game, forbearance=words, held=0))
    note = sitting.note(f"nmr-{request.word}", line=line, headline=True, power=power, phase=sitting.game.phase)
    sitting.log(f"NMR {power}: {request.word.upper()}", note)


# ---- what players asked for


def grant(sitting: LetterSession, request: times.GrantRequest, line: int) -> None:
    seat = _player(sitting, request, line)
    if seat is None or seat.person is None:
        return
    store = sitting.store
    mine = [one for one in absences.standing(store, sitting.table) if one.person == seat.person]
    pending = [one for one in mine if not one.granted]
    asked = extensions.asked(store, sitting.table, seat)
    if request.refused:
        reason = sitting.office.post.hide(as_written(request.written, request.reason)[:REASON_MOST])
        _deny(sitting, seat, pending, asked, reason, line)
        return
    if asked is not None and not pending and not sitting.late_for:
        sitting.log(f"GRANT {seat.power}", _set_due(sitting, asked, line))
        return
    granted = {absences.grant(store, one).id for one in pending}
    now_mine = [one for one in absences.standing(store, sitting.table) if one.person == seat.person and one.granted]
    covering = [one for one in now_mine if absences.covers_deadline(sitting.table, one)]
    if not granted and not covering:
        sitting.note("nothing-to-grant", done=False, line=line, power=seat.power)
        return
    for one in now_mine:
        if one.id in granted:
            key = "absence-granted-nameless" if sitting.table.anonymous else "absence-granted"
            note = away.told(sitting, key, _words(sitting, one), line)
            sitting.log(f"GRANT {seat.power}", note)
            away.announce(sitting, sitting.table, one, skip=(sitting.seat.id,))
    if covering and not sitting.late_for:
        table = sitting.table
        due = absences.due_past(store, table, table.position, table.game.phase, table.game.due_at)
        if due is not None and due != table.game.due_at:
            sitting.log(f"GRANT {seat.power}", _set_due(sitting, due, line))


def _deny(
    sitting: LetterSession, seat: Seat, pending: list[Absence], asked: datetime | None, reason: str, line: int
) -> None:
    """Both what he asked for: days away, and a later deadline. The reason goes to him alone."""
    for one in pending:
        sitting.store.absences.remove(one.id)
        note = away.told(sitting, "absence-denied", _words(sitting, one), line)
        sitting.log(f"DENY {seat.power}", note)
        away.tell_one(sitting, sitting.table, seat, "absence-denied-you", one, reason)
    if asked is not None:
        due = sitting.game.due_at
        note = away.told(sitting, "extend-denied", {"power": seat.power, "when": sitting.when(due)}, line)
        sitting.log(f"DENY {seat.power}", note)
        extensions.refuse(sitting, seat, asked, reason)
    elif not pending:
        sitting.note("nothing-to-grant", done=False, line=line, power=seat.power)


def _player(sitting: LetterSession, request: times.GrantRequest, line: int) -> Seat | None:
    power = power_named(sitting.table.variant, request.power)
    seat = sitting.table.seat_of(power) if power and power != MASTER else None
    if seat is None:
        powers = ", ".join(one.name for one in sitting.table.variant.powers)
        sitting.note("unknown-power", done=False, line=line, name=request.power[:40], powers=powers)
    elif seat.person is None:
        sitting.note("nothing-to-grant", done=False, line=line, power=seat.power)
    return seat


HANDLERS: Handlers = {
    ask.DeadlineRequest: RequestHandler(deadline, most=3),
    times.ExtendRequest: RequestHandler(extend, most=3),
    times.SlotRequest: RequestHandler(slot, most=3),
    times.PauseRequest: RequestHandler(pause, most=2),
    times.ResumeRequest: RequestHandler(resume, most=2),
    times.LockRequest: RequestHandler(lock, of_phase=True, most=2),
    times.NmrPolicyRequest: RequestHandler(forbear, of_phase=True),
    times.GrantRequest: RequestHandler(grant, most=10),
}
