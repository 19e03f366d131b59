"""What a player must order in the open phase: a request, lines to copy, a prepared reply.

It asks the step of the phase (`due`, `check`, `resolve`), so variants with other build rules need no code here.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from msgspec.structs import replace

from gm.game.model.loaded_game import load_game
from gm.game.model.recipient import Recipient
from gm.game.phase import absences
from gm.game.phase.readiness import EarlyEnd, early_end, may_be_ready, readiness
from gm.game.views.mechanics import minor_power_tasks
from gm.game.views.mechanics.build_points import build_points_account
from gm.game.views.mechanics.diplomacy_points import points_task
from gm.game.views.orders.task import Task, named_task, other_grammars
from gm.game.views.turns.turn_events import long_name, sorted_units
from gm.judge.model.calendar import ADJUSTMENTS, adjustments_are_sure, positions_ahead
from gm.judge.model.events import Dislodgement, OrderResult
from gm.judge.model.orders import Build, Disband, Entry, Retreat, Statement, UnitRef
from gm.judge.model.position import Position, Unit, ref
from gm.judge.model.sheets import DueOrders, Submissions
from gm.judge.movement.movement_step import POINTS
from gm.judge.steps.centre_ownership import last_year
from gm.language.rendering import order_text
from gm.language.rendering.views import Block, ParagraphView, RowsView, RowView, SectionView, TableView

EXAMPLES_MOST = 6


def due_orders(reader: Recipient, position: Position) -> DueOrders:
    """What the reader's power must order, ignoring its sheet."""
    if position.ended is not None:
        return DueOrders()
    due = reader.variant.step(position).due(position, reader.variant)
    return due.get(reader.power or "", DueOrders())


def current_task(reader: Recipient, position: Position, driven: tuple[Dislodgement, ...] = ()) -> Task | None:
    """The reader's task, or None. `driven` are this turn's dislodgements: they say why retreats are barred."""
    task = _owed_task(reader, position, driven)
    if task is None or not (end := early_end_words(reader, position)):
        return task
    blocks = (*task.section.blocks, ParagraphView(end))
    return replace(task, section=replace(task.section, blocks=blocks))


def early_end_words(reader: Recipient, position: Position) -> str:
    """That the open phase ends as soon as all sheets are complete; "" where that does not end it."""
    phase = reader.game.phase
    end = early_end(reader.game, reader.settings, reader.variant.step(position))
    if not phase or end is not EarlyEnd.COMPLETE:
        return ""
    return reader.choose("ends-early", phase[-1:])


def how_it_ends(reader: Recipient, position: Position) -> str:
    """That the phase is resolved, now or after the `delay`, for which nobody waits beyond the deadline.

    "" while it waits for somebody.
    """
    if not may_be_ready(reader.store, reader.game, reader.settings, reader.variant.step(position)):
        return ""
    loaded_game = load_game(reader.services, reader.store, reader.game)
    state = readiness(reader.store, loaded_game) if loaded_game.running else None
    if state is None or not state.ready:
        return ""
    key = "ready" if early_end(reader.game, reader.settings, loaded_game.step) is EarlyEnd.READY else "now"
    ends, due = state.ends_at, reader.game.due_at
    if ends is None or ends <= reader.now or (due is not None and due <= reader.now):
        return reader.say(f"answer.resolved-{key}")
    return reader.say(f"answer.resolved-later-{key}", when=reader.when(min(ends, due or ends)))


def _owed_task(reader: Recipient, position: Position, driven: tuple[Dislodgement, ...]) -> Task | None:
    debt = due_orders(reader, position)
    if debt.task == POINTS:
        return points_task(reader, position)
    if debt.task:
        return named_task(reader, position, debt.task)
    if debt.builds:
        return _builds(reader, position, debt.builds)
    if debt.removals:
        return _removals(reader, position, debt.removals)
    if debt.units and position.dislodged:
        return _retreats(reader, position, driven)
    return _moves(reader, position, debt.units) if debt.units else minor_power_tasks.minors_task(reader, position)


# ---- retreats


def _retreats(reader: Recipient, position: Position, driven: tuple[Dislodgement, ...]) -> Task:
    mine = [dislodged for dislodged in position.dislodged if reader.is_mine(dislodged.unit.power)]
    rows: list[RowView] = []
    for dislodged in mine:
        gone = UnitRef(dislodged.unit.kind, dislodged.unit.at.place)
        rows += [RowView(_order_line(reader, position, Retreat(gone, at.place))) for at in dislodged.retreats]
        rows.append(RowView(_order_line(reader, position, Disband(gone)), reader.say("retreat.disbands")))
    names = [str(dislodged.unit) for dislodged in mine]
    count = len(mine)
    blocks: list[Block] = [ParagraphView(reader.say("retreat.reply", n=count)), RowsView(tuple(rows))]
    own = (dislodged for dislodged in driven if reader.is_mine(dislodged.unit.power))
    barred = [line for dislodged in own if (line := _barred(reader, dislodged, count > 1))]
    blocks += [ParagraphView(line) for line in barred]
    without = reader.say("retreat.without", n=count, units=reader.every(names))
    alone = len(mine) == len(position.dislodged)
    blocks.append(ParagraphView(f"{without} {reader.say('retreat.alone')}" if alone else without))
    first = mine[0].unit
    sentence = reader.say(
        "retreat.lead",
        n=count,
        unit=long_name(reader, first, position),
        units=reader.every(names),
        due=reader.due(),
    )
    return Task(
        short=reader.say("retreat.short", n=count, unit=names[0]),
        sentence=sentence,
        section=SectionView(reader.say("retreat.title", n=count), tuple(blocks)),
        label=reader.say("retreat.button", n=count),
        body="\n".join(f"{name} - " for name in names),
    )


def _barred(reader: Recipient, dislodged: Dislodgement, several: bool) -> str:
    """ "Not Bel (a bounce there), Pic or Ruh (occupied)."."""
    reasons: dict[str, list[str]] = {}
    for at, why in dislodged.barred:
        places = reasons.setdefault(why, [])
        if str(at.place) not in places:
            places.append(str(at.place))
    if not reasons:
        return ""
    sentences = [
        reader.say("retreat.bar", places=reader.either(places), why=reader.choose("retreat.why", why))
        for why, places in reasons.items()
    ]
    key = "retreat.not-for" if several else "retreat.not"
    return reader.say(key, unit=str(dislodged.unit), places=", ".join(sentences))


# ---- builds and removals


def _builds(reader: Recipient, position: Position, count: int) -> Task:
    possible = tuple(minor_power_tasks.legal_builds(reader, position, reader.power or ""))
    places = list(dict.fromkeys(order.unit.at.province for order in possible))
    points = build_points_account(reader, position, reader.power or "")
    rows = tuple(RowView(_order_line(reader, position, example)) for example in _examples(possible, count))
    short_of = count > len(places)
    if places:
        free = ParagraphView(reader.say("builds.reply", n=count, places=reader.every(places)))
        room = (ParagraphView(reader.say("builds.room", n=len(places))),) if short_of else ()
        blocks: tuple[Block, ...] = (*points, free, RowsView(rows), *room, ParagraphView(reader.say("builds.without")))
    else:
        blocks = (ParagraphView(reader.say("builds.nowhere")),)
    return Task(
        short=reader.say("builds.short", n=count),
        sentence=reader.say("halves.may-build" if points else "builds.lead", n=count, due=reader.due()),
        section=SectionView(reader.say("builds.title", n=count), blocks),
        label=reader.say("builds.button", n=count),
        body="\n".join(["Build "] * max(1, min(count, len(places)))),
    )


def _examples(possible: tuple[Build, ...], count: int) -> tuple[Build, ...]:
    """As many builds as allowed, each in another province, alternating the kinds of units."""
    by_place: dict[str, list[Build]] = {}
    for order in possible:
        by_place.setdefault(order.unit.at.province, []).append(order)
    chosen: list[Build] = []
    for turn, choices in enumerate(list(by_place.values())[: min(count, EXAMPLES_MOST)]):
        chosen.append(choices[turn % len(choices)])
    return tuple(chosen)


def _removals(reader: Recipient, position: Position, count: int) -> Task:
    units = sorted_units(position.units_of(reader.power or ""))
    rows = tuple(RowView(_order_line(reader, position, Disband(ref(unit)))) for unit in units)
    default = default_orders(reader, position, reader.power or "", ())
    without = reader.say("removals.without", n=len(default), lines=reader.every(default)) if default else ""
    tail: tuple[Block, ...] = (ParagraphView(without),) if without else ()
    points = build_points_account(reader, position, reader.power or "")
    return Task(
        short=reader.say("removals.short", n=count),
        sentence=reader.say("halves.must-go" if points else "removals.lead", n=count, due=reader.due()),
        section=SectionView(
            reader.say("removals.title", n=count),
            (*points, ParagraphView(reader.say("removals.reply", n=count)), RowsView(rows), *tail),
        ),
        label=reader.say("removals.button", n=count),
        body="\n".join(["Remove "] * count),
    )


def default_orders(reader: Recipient, position: Position, power: str, entries: tuple[Entry, ...]) -> tuple[str, ...]:
    """Orders that the rules add to a power's `entries`, as text; found by resolving them alone."""
    turn = reader.variant.step(position).resolve(
        position, reader.variant, Submissions(sheets={(power, power): entries} if entries else {})
    )
    letter = _letter(reader, position)
    return tuple(
        order_text.statement(event.order, letter=letter)
        for event in turn.events
        if isinstance(event, OrderResult) and event.power == power and not event.given
    )


# ---- moves


def _moves(reader: Recipient, position: Position, units: tuple[Unit, ...]) -> Task:
    names = [str(unit) for unit in sorted_units(units)]
    season = reader.season(reader.game.phase)
    return Task(
        short="",
        sentence=reader.say("moves.lead", season=season, due=reader.due()),
        section=SectionView(
            reader.say("moves.title", season=season),
            (
                ParagraphView(reader.say("moves.reply", n=len(names), units=reader.every(names))),
                *other_grammars(reader, position),
            ),
        ),
        label=reader.say("moves.button"),
        body="\n".join(f"{name} " for name in names),
    )


def _letter(reader: Recipient, position: Position) -> str:
    return reader.variant.step(position).letter


def _order_line(reader: Recipient, position: Position, statement: Statement) -> str:
    return order_text.statement(statement, letter=_letter(reader, position))


# ---- what comes next


def upcoming_phases(reader: Recipient, position: Position, doing: Task | None) -> SectionView | None:
    """The phases up to the next movement phase, with deadlines; None after the game.

    Says what ends the open phase early, unless the reader's task does.
    """
    phase = reader.game.phase
    if position.ended is not None or not phase:
        return None
    title = reader.phase_words("ahead.title", phase)
    phases = tuple(phases_and_deadlines(reader, position))
    rows = [_phase_row(reader, name, due, zone=at == 0) for at, (name, due) in enumerate(phases)]
    notes = (
        _without_adjustments(reader, position, phases),
        _latest(reader, position, phases),
        _after_absences(reader, phases),
        early_end_words(reader, position) if doing is None else "",
    )
    return SectionView(title, (TableView(tuple(rows)), *(ParagraphView(note) for note in notes if note)))


def _latest(reader: Recipient, position: Position, phases: tuple[tuple[str, datetime | None], ...]) -> str:
    """That an early end of the open phase brings deadlines behind it forward; "" where none would."""
    never = early_end(reader.game, reader.settings, reader.variant.step(position)) is EarlyEnd.NEVER
    if never or reader.game.due_at is None:
        return ""
    sooner = phases_and_deadlines(reader, position, ended=reader.now)
    return reader.say("ahead.latest") if tuple(sooner)[1:] != phases[1:] else ""


def _after_absences(reader: Recipient, phases: tuple[tuple[str, datetime | None], ...]) -> str:
    """That deadlines come later because somebody is away, where one of these may; "" for none."""
    last = max((due for _, due in phases if due is not None), default=None)
    begun = reader.game.opened_at
    if last is None or begun is None:
        return ""
    loaded_game = load_game(reader.services, reader.store, reader.game)
    away = (absence for absence in absences.current_absences(reader.store, loaded_game) if absence.granted)
    touched = any(absence.begins < last and absence.ends > begun for absence in away)
    return reader.say("ahead.after-absences") if touched else ""


def _phase_row(reader: Recipient, name: str, due: datetime | None, *, zone: bool = False) -> tuple[str, str]:
    """What is due in a phase, and when; with its season where the open phase has another."""
    label = reader.phase_words("ahead.label", name)
    hour = reader.hour(due, zone=zone) if due else reader.say("due.none")
    changes = name.endswith("M") and reader.season(name) != reader.season(reader.game.phase)
    return label, reader.say("ahead.season", hour=hour, season=reader.season(name)) if changes else hour


def _without_adjustments(reader: Recipient, position: Position, phases: tuple[tuple[str, datetime | None], ...]) -> str:
    """Which deadlines come sooner if nobody turns out to have builds or removals; "" where somebody has."""
    if adjustments_are_sure(reader.variant, position):
        return ""
    sooner = [row for row in phases_and_deadlines(reader, position, adjusting=False) if row not in phases]
    rows = (_phase_row(reader, name, due) for name, due in sooner)
    words = "; ".join(" ".join(row) for row in rows)
    return reader.say("ahead.without-adjustments", phases=words) if words else ""


def ahead_sections(reader: Recipient, position: Position, doing: Task | None) -> tuple[SectionView, ...]:
    """The upcoming phases, and in the game's last year that it is the last; () after the game."""
    ahead, last = upcoming_phases(reader, position, doing), last_year(reader.variant)
    if ahead is None or last != position.year:
        return (ahead,) if ahead else ()
    warning = ParagraphView(reader.say("scores.last-year", year=last))
    return (replace(ahead, blocks=(*ahead.blocks, warning)),)


def phases_and_deadlines(
    reader: Recipient, position: Position, *, adjusting: bool = True, ended: datetime | None = None
) -> Iterator[tuple[str, datetime | None]]:
    """Yield the open phase and those that may follow, up to the next movement phase, as the clock would open them.

    `adjusting`: somebody will have builds or removals. `ended`: when the open phase ends, if not at its deadline.
    """
    due = ended or reader.game.due_at
    yield reader.game.phase, due
    loaded_game = load_game(reader.services, reader.store, reader.game)
    for ahead in positions_ahead(reader.variant, position):
        if not adjusting and reader.variant.step(ahead).grammar == ADJUSTMENTS:
            continue
        name = reader.variant.phase_name(ahead)
        due = absences.deadline_of(reader.store, loaded_game, ahead, name, due) if due else None
        yield name, due
