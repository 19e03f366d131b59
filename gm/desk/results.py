"""Letters that open a phase: welcome, results, and the game master's notices.

One per seat, each from the events that seat may know. What concerns the reader stands first; below it the same for
all, in the order of the old judges ("Movement results for Fall of 1901.  (ostend)"), so that eyes and tools find it.
"""

from __future__ import annotations

from dataclasses import replace

from gm.desk import boxes, calendars, changes, greeting, owing, pictures, points, silence, wards, wiretaps
from gm.desk.counting import centres_view
from gm.desk.office import Office
from gm.desk.ports import Store
from gm.desk.reader import Reader
from gm.desk.records import MASTER, Game, OutLetter, Seat, Snapshot
from gm.desk.report import Note
from gm.desk.scene import Scene, leg_view
from gm.desk.sheetviews import on_file, sheet_sections
from gm.desk.story import happened, opening_words
from gm.desk.tasks import Task
from gm.judge.intercepts import Intercepted
from gm.text import codec, layout
from gm.text.views import Frame, LetterView, ResultsView, Row, Rows, Section, Words


def welcome(office: Office, store: Store, game: Game, seat: Seat) -> OutLetter:
    """The first letter to a seat; to a game master, that the game has begun."""
    reader = Reader.of(office, store, game, seat)
    snapshot = store.turns.snapshot(game.snapshot)
    position = codec.position_from_text(snapshot.position, reader.variant)
    doing = owing.task(reader, position)
    subject = reader.subject(
        reader.say("welcome.subject" if reader.power else "welcome.subject-master", power=seat.power)
    )
    lead = greeting.welcome_lead(reader, doing)
    title = reader.say("welcome.heading" if reader.power else "welcome.heading-master", power=seat.power)
    frame = reader.frame(subject, title, lead, button=owing.button(reader, subject, doing) if doing else None)
    view = LetterView(frame, greeting.welcome_sections(reader, position, doing))
    return reader.letter(
        "welcome",
        view,
        reader.cause(f"welcome:{seat.generation}:{seat.person}"),
        enclosed=pictures.of_board(reader),
        parts=calendars.deadline(reader) if doing else (),
    )


def results(office: Office, store: Store, game: Game, seat: Seat, snapshot: Snapshot) -> OutLetter:
    """What a resolved walk brought, all its steps in one letter. A snapshot that replaces one says first what changed.

    `game` is as it stands after the turn: its phase and deadline are the new ones.
    """
    reader = Reader.of(office, store, game, seat)
    scene = Scene.of(reader, snapshot)
    old = _corrected(reader, snapshot)
    changed = changes.changed_results(old, scene) if old else frozenset()
    doing = owing.task(reader, scene.after, scene.waiting)
    frame = _frame(scene, doing, old)
    mine = happened(scene)
    view = ResultsView(
        frame=frame,
        machine=_machine(scene),
        first=changes.sections(old, scene) if old else (),
        mine=(
            *((mine,) if mine and not old else ()),
            *((doing.section,) if doing else ()),
            *wiretaps.sections(reader, scene.all(Intercepted)),
            *points.have(reader, scene.after),
            *(one for one in wards.sections(reader, scene.after) if doing is None or one != doing.section),
            *(boxes.sections(reader, scene.after) if snapshot.phase[-1:] == boxes.BIDS else ()),
            *silence.sections(scene),
        ),
        legs=tuple(found for leg in scene.legs if (found := leg_view(scene, leg, changed))),
        centres=centres_view(scene),
        ahead=tuple(one for one in (owing.ahead(reader, scene.after),) if one),
    )
    return reader.letter(
        "results",
        view,
        reader.cause(f"snapshot:{snapshot.id}"),
        references=_references(reader, snapshot),
        enclosed=pictures.of_results(reader, snapshot),
        parts=calendars.deadline(reader) if doing else (),
    )


def notice(
    office: Office, store: Store, game: Game, seat: Seat, note: Note, cause: str, text: str = "", subject: str = ""
) -> OutLetter:
    """An act of the game master that changes the game, or his announcement: `text` and `subject` are his own words."""
    reader = Reader.of(office, store, game, seat)
    lead = _notice_lead(reader, note)
    title = layout.header(subject) or reader.choose("notice.title", note.key.rpartition(".")[2])
    tagged = reader.subject(title)
    sheet = _standing_again(reader) if note.key == "desk.rolled-back" else ()
    words = (Section(reader.say("notice.words"), (Words(text),)),) if text else ()
    when = reader.when(game.due_at) if game.due_at else ""
    ahead = game.due_at is not None and game.due_at > reader.now
    below = (reader.say("deadline.line", when=when),) if ahead and when not in lead else ()
    ready = _ready_line(reader, note)
    agree = reader.button(reader.say("notice.ready.button"), tagged, ready) if ready else None
    frame = reader.frame(tagged, title, lead, button=agree)
    opening = store.outbox.opening(seat.id, game.phase)
    return reader.letter(
        "notice",
        LetterView(frame, (*words, *_ready(reader, ready), *sheet), below),
        reader.cause(cause),
        references=(opening[0],) if opening else (),
        parts=calendars.deadline(reader) if note.key in MOVED else (),
    )


MOVED = ("desk.deadline-set", "desk.resumed", "desk.outage")
"""What tells of a new deadline, which calendars learn as well."""


def _ready_line(reader: Reader, note: Note) -> str:
    """The line that does what is asked for, where a notice asks; "" for none."""
    key = f"notice.ready.{note.key.removeprefix('desk.')}"
    return reader.say(key, **dict(note.fields)) if key in reader.catalogue else ""


def _ready(reader: Reader, line: str) -> tuple[Section, ...]:
    return (Section(reader.say("notice.ready.title"), (Rows((Row(line),)),)),) if line else ()


CLOCKS = ("moves", "retreats", "builds")


def _notice_lead(reader: Reader, note: Note) -> str:
    key, fields = note.key.removeprefix("desk."), dict(note.fields)
    if key == "set" and fields.get("key") in CLOCKS:
        key = "set-clock"
    elif key == "new-player" and fields.get("power") == MASTER:
        key = "new-master"
    own = f"notice.lead.{key}"
    return reader.say(own if own in reader.catalogue else note.key, **fields)


def _standing_again(reader: Reader) -> tuple[Section, ...]:
    """The sheet that a phase opened again begins with; nothing for who owes nothing in it."""
    position = codec.position_from_text(reader.store.turns.snapshot(reader.game.snapshot).position, reader.variant)
    if position.ended is not None or not owing.owed(reader, position):
        return ()
    return sheet_sections(reader, position, on_file(reader, position, reader.power or ""))


def _corrected(reader: Reader, snapshot: Snapshot) -> Scene | None:
    """The version this snapshot replaces, where both tell of the same turn."""
    if not snapshot.replaces:
        return None
    earlier = reader.store.turns.snapshot(snapshot.replaces)
    return Scene.of(reader, earlier) if earlier.resolved == snapshot.resolved else None


def _references(reader: Reader, snapshot: Snapshot) -> tuple[str, ...]:
    """A correction stands under what it corrects; other results under the letter that opened the phase they end."""
    outbox, turns = reader.store.outbox, reader.store.turns
    if snapshot.replaces:
        wrong = turns.snapshot(snapshot.replaces)
        opening = outbox.opening(reader.seat.id, wrong.phase)
        if opening:
            return (opening[0],)
    opening = outbox.opening(reader.seat.id, snapshot.resolved) if snapshot.resolved else None
    return (opening[0],) if opening else ()


def _frame(scene: Scene, doing: Task | None, old: Scene | None) -> Frame:
    reader, snapshot = scene.reader, scene.snapshot
    title = reader.say("results.heading-end", game=reader.game.name)
    if snapshot.resolved:
        title = reader.phase_words("results.heading", snapshot.resolved)
    said = title
    if snapshot.version > 1:
        said = title = reader.say("results.version", title=title, version=snapshot.version)
    if scene.after.ended is not None:
        said = reader.say("results.subject-over", title=title)
    elif doing and doing.short:
        said = reader.say("results.subject", title=title, task=doing.short)
    subject = reader.subject(said)
    lead = opening_words(scene, doing, old)
    button = owing.button(reader, subject, doing) if doing else None
    frame = reader.frame(subject, title, lead, act=bool(doing and doing.short), button=button)
    crumbs = (reader.game.name, reader.variant.title, reader.role)
    return replace(frame, crumbs=crumbs)


def _machine(scene: Scene) -> tuple[str, ...]:
    """Lines for programs: fixed keys, the same in every language."""
    game, snapshot = scene.reader.game, scene.snapshot
    resolved = snapshot.resolved or snapshot.phase
    lines = [f"Game: {game.name}  Variant: {game.variant}  Phase: {resolved}  Version: {snapshot.version}"]
    if scene.after.ended is not None:
        lines.append(f"Ended: {' '.join(scene.after.ended.winners) or '-'}  Why: {scene.after.ended.why}")
    elif game.due_at is not None:
        zone = scene.reader.settings.zone
        lines.append(f"Deadline: {game.phase} {game.due_at.astimezone(zone):%Y-%m-%d %H:%M} {zone.key}")
    else:
        lines.append(f"Deadline: {game.phase} none")
    return tuple(lines)
