"""Letters that open a phase: welcome, results, and the game master's notices.

One per seat, each from the events that seat may know. What concerns the reader stands first; below it the same for
all, in the order of the old judges ("Movement results for Fall of 1901.  (ostend)"), so that eyes and tools find it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from gm.game.letters import calendar_file
from gm.game.letters.proposals import lapsed_section
from gm.game.letters.welcome import welcome_lead, welcome_sections
from gm.game.model import result_notes
from gm.game.model.letter_report import Note, StateBefore
from gm.game.model.loaded_game import stored_position
from gm.game.model.poll_records import Erratum
from gm.game.model.ports import Store
from gm.game.model.recipient import Recipient
from gm.game.model.records import MASTER, Game, OutLetter, Seat, Snapshot
from gm.game.model.services import Services
from gm.game.phase import draw_votes
from gm.game.phase.draw_votes import own_vote
from gm.game.phase.readiness import EarlyEnd, early_end
from gm.game.views import maps, setting_changes
from gm.game.views.mechanics import diplomacy_points, influence, intercepted_press, minor_power_tasks
from gm.game.views.orders import missing_orders, planned_orders, what_to_do
from gm.game.views.orders.sheet import sheet_on_file, sheet_sections
from gm.game.views.orders.task import Task
from gm.game.views.turns import corrected_turn, preview
from gm.game.views.turns.centres import centres_view
from gm.game.views.turns.turn_events import TurnSteps, TurnView, leg_view
from gm.game.views.turns.turn_summary import opening_words, out_sections, own_events_section
from gm.judge.mechanics.dips.interception import Intercepted
from gm.judge.model.events import PointsOutcome
from gm.judge.model.influence_boxes import BIDS
from gm.judge.model.position import Position
from gm.language.rendering import plain_text
from gm.language.rendering.views import (
    BulletsView,
    LetterFrameView,
    LetterView,
    ParagraphView,
    QuotedWordsView,
    ResultsView,
    RowsView,
    RowView,
    SectionView,
)


def render_welcome(services: Services, store: Store, game: Game, seat: Seat, *, inherits: bool = False) -> OutLetter:
    """The welcome letter of a seat. `inherits`: others had the seat before."""
    reader = Recipient.of(services, store, game, seat)
    position = _position(reader)
    doing = what_to_do.current_task(reader, position)
    subject = reader.subject(
        reader.say("welcome.subject" if reader.power else "welcome.subject-master", power=seat.power)
    )
    lead = welcome_lead(reader, doing)
    title = reader.say("welcome.heading" if reader.power else "welcome.heading-master", power=seat.power)
    button = reader.button(doing.label, subject, doing.body) if doing else None
    frame = reader.frame(subject, title, lead, button=button)
    before = _inherited(reader, position) if inherits else ()
    view = LetterView(frame, (*before, *welcome_sections(reader, position, doing)))
    return reader.letter(
        "welcome",
        view,
        reader.cause(f"welcome:{seat.generation}:{seat.person}"),
        enclosed=maps.board_map(reader),
        parts=calendar_file.deadline_calendar(reader) if doing else (),
    )


def _inherited(reader: Recipient, position: Position) -> tuple[SectionView, ...]:
    """What the new player inherits: the results so far, and the sheet on file, not the press."""
    end = early_end(reader.game, reader.settings, reader.variant.step(position))
    key = "wait" if end is EarlyEnd.COMPLETE else "ready"
    words = " ".join((reader.say("welcome.before-words", power=reader.role), reader.say(f"welcome.before-{key}")))
    known = SectionView(reader.say("welcome.before"), (ParagraphView(words),))
    filed = sheet_on_file(reader, position, reader.power or "")
    lines = filed.after is not None and filed.after.lines
    return (known, *(sheet_sections(reader, position, filed) if lines else ()))


def render_results(
    services: Services, store: Store, game: Game, seat: Seat, snapshot: Snapshot, steps: TurnSteps | None = None
) -> OutLetter:
    """The results of a turn, all steps in one letter. A snapshot that replaces another shows first what changed.

    `game` is the state after the turn, with the new phase and deadline. `steps` are those of the snapshot, which the
    letters of a turn share.
    """
    reader = Recipient.of(services, store, game, seat)
    scene = TurnView.of(reader, snapshot, steps)
    noted = result_notes.notes(store, snapshot)
    old = None if noted else _corrected(reader, snapshot)
    changed = corrected_turn.changed_results(old, scene) if old else frozenset()
    still_open = game.snapshot == snapshot.id
    begun = planned_orders.own_openings(reader) if old is None and still_open else ()
    doing = what_to_do.current_task(reader, scene.after, scene.waiting) if still_open else None
    doing = None if planned_orders.is_complete(begun, scene.after, reader) else doing
    mine = own_events_section(scene)
    view = ResultsView(
        frame=_frame(scene, doing, opening_words(scene, doing, old) if not noted else _noted_words(scene, doing)),
        machine=_machine(scene),
        first=(
            *_noted(reader, noted),
            *(out_sections(scene) if not old else ()),
            *(corrected_turn.sections(old, scene) if old else ()),
        ),
        mine=(
            *((mine,) if mine and not old else ()),
            *(planned_orders.opening_section(reader, opening) for opening in begun if opening.reports),
            *((doing.section,) if doing else ()),
            *diplomacy_points.outcome_sections(reader, scene.all(PointsOutcome)),
            *intercepted_press.sections(reader, scene.all(Intercepted)),
            *(_at_hand(scene, doing) if still_open else ()),
            *missing_orders.sections(scene),
            *(draw_votes.lapsed_vote_section(reader, snapshot) if still_open and not noted else ()),
            *(lapsed_section(scene) if not (old or noted) else ()),
        ),
        legs=tuple(view for leg in scene.legs if (view := leg_view(scene, leg, changed))),
        centres=centres_view(scene),
        ahead=what_to_do.ahead_sections(reader, scene.after, doing) if still_open else (),
    )
    return reader.letter(
        "results",
        view,
        reader.cause(f"snapshot:{snapshot.id}" + (f":{len(noted)}" if noted else "")),
        references=_references(reader, snapshot, again=bool(noted)),
        enclosed=maps.results_map(reader, snapshot),
        parts=calendar_file.deadline_calendar(reader) if doing else (),
    )


def _at_hand(scene: TurnView, doing: Task | None) -> Iterator[SectionView]:
    """Diplomacy points to spend in the open phase, and sheets that the reader writes for others."""
    reader, after = scene.reader, scene.after
    at_hand = (*diplomacy_points.budget_sections(reader, after), *minor_power_tasks.sections(reader, after))
    yield from (section for section in at_hand if doing is None or section.title != doing.section.title)
    if scene.snapshot.phase[-1:] == BIDS:
        yield from influence.sections(reader, after)


def _noted(reader: Recipient, notes: Sequence[Erratum]) -> tuple[SectionView, ...]:
    """Notes of the game master on these results (CORRECT RESULT), the newest first."""
    words = tuple(QuotedWordsView(note.text) for note in reversed(notes))
    return (SectionView(reader.say("erratum.title"), words, aside=corrected_turn.gm_names(reader)),) if words else ()


def _noted_words(scene: TurnView, doing: Task | None) -> str:
    reader = scene.reader
    lead = reader.say("lead.noted", season=reader.season(scene.snapshot.resolved))
    return f"{lead} {doing.sentence}" if doing else lead


def render_notice(
    services: Services,
    store: Store,
    game: Game,
    seat: Seat,
    note: Note,
    cause: str,
    text: str = "",
    subject: str = "",
    more: tuple[Note, ...] = (),
    former: StateBefore | None = None,
) -> OutLetter:
    """A notice about an act of the game master, or an announcement with their own `text` and `subject`.

    `more` are further changes. With `former`, the state before, the letter shows what is different.
    """
    reader = Recipient.of(services, store, game, seat)
    changes = tuple(dict.fromkeys(_notice_lead(reader, each) for each in (note, *more)))
    lead = reader.say("notice.several") if len(changes) > 1 else changes[0]
    several = (SectionView(reader.say("notice.changes"), (BulletsView(changes),)),) if len(changes) > 1 else ()
    about = "several" if len({each.key for each in (note, *more)}) > 1 else note.key.rpartition(".")[2]
    title = plain_text.header(subject) or reader.choose("notice.title", about)
    tagged = reader.subject(title)
    moved = note.key in MOVED and _owes(reader)
    sheet = _difference(reader, former) if former is not None else _vote_lapsed(reader, note)
    mine = setting_changes.sections(reader, (note, *more))
    writer = {name: value for name, value in note.fields if name in ("power", "name")}
    words = (SectionView(reader.choose("notice.words", about, **writer), (QuotedWordsView(text),)),) if text else ()
    when = reader.when(game.due_at) if game.due_at else ""
    ahead = game.due_at is not None and game.due_at > reader.now
    below = (reader.say("deadline.line", when=when),) if ahead and when not in lead else ()
    ready = _ready_line(reader, note)
    agree = reader.button(reader.say("notice.ready.button"), tagged, ready) if ready else None
    frame = reader.frame(tagged, title, lead, button=agree)
    return reader.letter(
        "notice",
        LetterView(
            frame,
            (*several, *words, *_ready(reader, note, ready), *mine, *sheet),
            below,
        ),
        reader.cause(cause),
        references=store.outbox.thread_ids(seat.id, game.phase)[:1],
        enclosed=maps.board_map(reader) if former is not None else None,
        parts=calendar_file.deadline_calendar(reader) if moved else (),
    )


def _ready_line(reader: Recipient, note: Note) -> str:
    """The line that agrees to what a notice asks for, or ""."""
    key = f"notice.ready.{note.key.removeprefix('desk.')}"
    return reader.say(key, **dict(note.fields)) if key in reader.catalogue else ""


def _ready(reader: Recipient, note: Note, line: str) -> tuple[SectionView, ...]:
    """The lines that agree and refuse."""
    if not line:
        return ()
    sections = [SectionView(reader.say("notice.ready.title"), (RowsView((RowView(line),)),))]
    key = f"notice.refuse.{note.key.removeprefix('desk.')}"
    if key in reader.catalogue:
        row = RowView(reader.say(key, **dict(note.fields)))
        sections.append(SectionView(reader.say("notice.refuse.title"), (RowsView((row,)),)))
    return tuple(sections)


MOVED = ("desk.deadline-set", "desk.rolled-back", "desk.resumed", "desk.outage")
"""Notes after which the deadline of the open phase is another."""
FEWER_SURVIVORS = ("desk.civil-disorder", "desk.excluded")
"""Notes after which a draw may be one of fewer powers."""


def _notice_lead(reader: Recipient, note: Note) -> str:
    key, fields = note.key.removeprefix("desk."), dict(note.fields)
    if note.key in setting_changes.SET_NOTES:
        return setting_changes.setting_sentence(reader, fields)
    if key == "rule-changed":  # one sentence for each choice, or one for all numbers
        key = f"rule-{fields['key']}" + ("" if fields["value"].isdigit() else f"-{fields['value']}")
    elif key == "new-player" and fields.get("power") == MASTER:
        key = "new-master"
    own = f"notice.lead.{key}"
    if reader.power is None and f"{own}-master" in reader.catalogue:
        own = f"{own}-master"
    words = reader.say(own if own in reader.catalogue else note.key, **fields)
    return f"{words} {reader.say('notice.record', **fields)}" if "reliability" in fields else words


def _vote_lapsed(reader: Recipient, note: Note) -> tuple[SectionView, ...]:
    here = reader.store.turns.snapshot(reader.game.snapshot) if note.key in FEWER_SURVIVORS else None
    return draw_votes.lapsed_vote_section(reader, here) if here is not None else ()


def _owes(reader: Recipient) -> bool:
    position = _position(reader)
    return position.ended is None and bool(what_to_do.due_orders(reader, position))


def _difference(reader: Recipient, former: StateBefore) -> tuple[SectionView, ...]:
    """What is different, and the reader's sheet if orders are due."""
    position = _position(reader)
    here = reader.store.turns.snapshot(reader.game.snapshot)
    vote = (*draw_votes.lapsed_vote_section(reader, here), *own_vote(reader))
    different = (*preview.changes_since(reader, former, position), *vote)
    if not _owes(reader):
        return different
    return (*different, *sheet_sections(reader, position, sheet_on_file(reader, position, reader.power or "")))


def _position(reader: Recipient) -> Position:
    return stored_position(reader.store, reader.game.snapshot, reader.variant)


def _corrected(reader: Recipient, snapshot: Snapshot) -> TurnView | None:
    """The version of the same turn that this snapshot replaces."""
    if not snapshot.replaces:
        return None
    earlier = reader.store.turns.snapshot(snapshot.replaces)
    return TurnView.of(reader, earlier) if earlier.resolved == snapshot.resolved else None


def _references(reader: Recipient, snapshot: Snapshot, *, again: bool) -> tuple[str, ...]:
    """A correction is in the thread of what it corrects, other results in that of the phase they end."""
    phases = [snapshot.phase] if again else []
    phases += [reader.store.turns.snapshot(snapshot.replaces).phase] if snapshot.replaces else []
    phases += [snapshot.resolved] if snapshot.resolved else []
    openings = (reader.store.outbox.thread_ids(reader.seat.id, phase)[:1] for phase in phases)
    return next(filter(None, openings), ())


def _frame(scene: TurnView, doing: Task | None, lead: str) -> LetterFrameView:
    reader, snapshot = scene.reader, scene.snapshot
    title = reader.say("results.heading-end", game=reader.game.name)
    if snapshot.resolved:
        title = reader.phase_words("results.heading", snapshot.resolved)
    words = title
    if snapshot.version > 1:
        words = title = reader.say("results.version", title=title, version=snapshot.version)
    if scene.after.ended is not None:
        words = reader.say("results.subject-over", title=title)
    elif doing and doing.short:
        words = reader.say("results.subject", title=title, task=doing.short)
    subject = reader.subject(words)
    button = reader.button(doing.label, subject, doing.body) if doing else None
    frame = reader.frame(subject, title, lead, act=bool(doing and doing.short), button=button)
    crumbs = (reader.game.name, reader.variant.title, reader.role)
    return replace(frame, crumbs=crumbs)


def _machine(scene: TurnView) -> tuple[str, ...]:
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
