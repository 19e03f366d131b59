"""Sections that compare two states of a game, for letters that correct something.

`gm.judge.gm_changes.differences` compares them and filters the result for the reader.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

from msgspec.structs import replace

from gm.game.model.letter_report import AnswerInsert, StateBefore
from gm.game.model.recipient import Recipient
from gm.game.views.maps import snapshots_back_from
from gm.game.views.turns import history
from gm.game.views.turns.turn_events import (
    TurnView,
    leg_sections,
    outcome_flags,
    result_sort_key,
    shown_order,
    sorted_units,
)
from gm.judge.gm_changes.differences import Difference, HoldingsChange, LedgerChange, difference
from gm.judge.model.events import OrderResult
from gm.judge.model.orders import Slot
from gm.judge.model.position import Ending, Position, Unit
from gm.language.formats import stored_values
from gm.language.rendering.views import Block, ComparisonView, ParagraphView, RowsView, RowView, SectionView

Line = tuple[str, str, str]
T = TypeVar("T")


def sections(reader: Recipient, was: StateBefore, now: StateBefore) -> tuple[SectionView, ...]:
    """A table of all differences between two states."""
    changes = difference(reader.variant, was.position, now.position, reader.power, master=reader.power is None)
    decrees = tuple(_decrees(reader, was, now))
    lines = (*_phase(reader, changes), *_due(reader, was, now), *decrees, *_board(reader, changes))
    if not lines:
        return (SectionView(reader.say("corrected.title"), (ParagraphView(reader.say("corrected.nothing")),)),)
    heads = (reader.say("corrected.was"), reader.say("corrected.now"))
    more = (ParagraphView(reader.say("corrected.borders")),) if changes.borders else ()
    ended = any(after == _none(reader) for _, _, after in decrees)
    advice = (ParagraphView(reader.say("corrected.decrees")),) if ended else ()
    rest = ParagraphView(reader.say("corrected.rest"))
    blocks: tuple[Block, ...] = (ComparisonView(heads, lines), *more, rest, *advice)
    return (SectionView(reader.say("corrected.title"), blocks),)


def changes_since(reader: Recipient, former: StateBefore, position: Position) -> tuple[SectionView, ...]:
    """What a game master's act has changed; `position` is the present one."""
    return sections(reader, former, StateBefore(position, reader.game.due_at, reader.game.snapshot))


def _phase(reader: Recipient, changes: Difference) -> Iterator[Line]:
    if changes.phase is not None:
        was, now = (reader.phase_words("phase.said", code) if code else "" for code in changes.phase)
        yield (reader.say("corrected.phase"), was or _none(reader), now or _none(reader))
    if changes.ended is not None:
        yield (reader.say("corrected.ended"), _ending(reader, changes.ended.was), _ending(reader, changes.ended.now))


def _ending(reader: Recipient, ending: Ending | None) -> str:
    if ending is None:
        return reader.say("corrected.running")
    return reader.say("corrected.over", winners=reader.every(ending.winners) or _none(reader))


def _due(reader: Recipient, was: StateBefore, now: StateBefore) -> Iterator[Line]:
    if was.due != now.due:
        none = reader.say("corrected.no-deadline")
        before, after = (reader.hour(game.due) if game.due else none for game in (was, now))
        yield (reader.say("corrected.deadline"), before, after)


def _decrees(reader: Recipient, was: StateBefore, now: StateBefore) -> Iterator[Line]:
    """Decreed outcomes that no longer stand after a rollback, or stand again."""
    before, after = (_decreed_outcomes(reader, state.snapshot) for state in (was, now))
    for phase, unit in dict.fromkeys((*before, *after)):
        old, new = before.get((phase, unit), ""), after.get((phase, unit), "")
        if old != new:
            was_word, now_word = (reader.say(f"outcome.{word}") if word else _none(reader) for word in (old, new))
            yield (reader.say("corrected.decree", unit=unit, phase=phase), was_word, now_word)


def _decreed_outcomes(reader: Recipient, snapshot: int) -> dict[tuple[str, str], str]:
    """By phase and unit, for all results that led to the snapshot."""
    line = snapshots_back_from(reader.store, snapshot)
    return {(turn.resolved, decree.unit): decree.outcome for turn in reversed(line) for decree in turn.decrees}


def _board(reader: Recipient, changes: Difference) -> Iterator[Line]:
    for units in changes.units:
        yield _holdings(reader, "units", units, _units)
    for driven in changes.driven:
        yield _holdings(reader, "driven", driven, _units)
    for owned in changes.centres:
        yield _holdings(reader, "centres", owned, tuple)
    for booked in changes.accounts:
        yield (account_name(reader, booked), str(booked.was), str(booked.now))


def _holdings(
    reader: Recipient, key: str, change: HoldingsChange[T], words: Callable[[Iterable[T]], tuple[str, ...]]
) -> Line:
    """What a power lost and gained, and how many it keeps: these few must not look like all."""
    power = change.power or reader.say("centres.nobody")
    count = change.unchanged
    others, same = ((reader.say(f"corrected.{end}", n=count),) if count else () for end in ("others", "as-before"))
    was, now = (*words(change.was), *others), (*words(change.now), *same)
    return (
        reader.say(f"corrected.{key}", power=power),
        ", ".join(was) or _none(reader),
        ", ".join(now) or _none(reader),
    )


def account_name(reader: Recipient, booked: LedgerChange) -> str:
    """ "France: IP, Poland", or the catalogue's words for this account."""
    purse, power, subject = booked.account
    fields = {"purse": purse, "power": power, "subject": subject.replace("/", ", ")}
    return reader.choose("corrected.account", purse.lower() if subject else f"{purse.lower()}-alone", **fields)


def _units(units: Iterable[Unit]) -> tuple[str, ...]:
    return tuple(map(str, sorted_units(units)))


def _none(reader: Recipient) -> str:
    return reader.say("corrected.none")


Sections = tuple[SectionView, ...]


def _preview(reader: Recipient, position: Position | None, insert: AnswerInsert) -> Sections:
    """PREVIEW: orders with their outcomes, and the position after them."""
    if insert.turn is None:
        return ()
    scene = TurnView.of(reader, insert.turn)
    result: list[SectionView] = []
    for leg in scene.legs:
        result += history.phase_orders(reader, leg)
        result += leg_sections(reader, leg) if leg.phase else ()
    after, snapshot = scene.after, insert.turn
    if after.ended is not None:
        ahead = reader.say("preview.over", winners=reader.every(after.ended.winners) or reader.say("corrected.none"))
    else:
        ahead = reader.say("preview.next", phase=reader.phase_words("phase.said", snapshot.phase))
    title = reader.say("preview.after")
    board = history.board_section(reader, after)
    return (*result, SectionView(title, (ParagraphView(ahead), *board.blocks)))


def _preview_difference(reader: Recipient, position: Position | None, insert: AnswerInsert) -> Sections:
    """PREVIEW DIFFERENCE: orders and outcomes that differ, then the positions after them."""
    if insert.turn is None or insert.earlier is None:
        return ()
    was, now = (TurnView.of(reader, snapshot) for snapshot in (insert.earlier, insert.turn))
    rows = tuple(_order_lines(reader, was, now))
    if not rows:
        return (SectionView(reader.say("compared.title"), (ParagraphView(reader.say("compared.nothing")),)),)
    heads = (reader.say("compared.was"), reader.say("compared.now"))
    due = reader.game.due_at
    after = sections(reader, StateBefore(was.after, due), StateBefore(now.after, due))
    orders = SectionView(reader.say("compared.title"), (ComparisonView(heads, rows),))
    return (orders, *(replace(section, title=reader.say("preview.after")) for section in after))


def _order_lines(reader: Recipient, was: TurnView, now: TurnView) -> Iterator[Line]:
    """The orders and other events that are in one turn and not in the other."""
    before, after = (_orders_of(reader, scene) for scene in (was, now))
    for key in dict.fromkeys((*before, *after)):
        old, new = before.get(key, ""), after.get(key, "")
        if old != new:
            yield (reader.called(key[0]), old or _none(reader), new or _none(reader))


def _orders_of(reader: Recipient, scene: TurnView) -> dict[tuple[str, Slot], str]:
    """Each order of a turn with its outcome in brackets, by its power and what it is for."""
    results = ((leg.phase, result) for leg in scene.legs for result in sorted(leg.of(OrderResult), key=result_sort_key))
    return {
        (result.power, result.order.slot): " ".join(
            filter(None, (shown_order(reader, result, phase), outcome_flags(reader, result, phase)))
        )
        for phase, result in results
    }


def _difference(reader: Recipient, position: Position | None, insert: AnswerInsert) -> Sections:
    if insert.former is None or position is None:
        return ()
    return changes_since(reader, insert.former, position)


def _edits(reader: Recipient, position: Position | None, insert: AnswerInsert) -> Sections:
    """The lines of a SETUP as read, and what they would change (`turn` is None if they are not legal)."""
    rows = tuple(RowView(line) for line in insert.topic.split("\n") if line)
    read = (SectionView(reader.say("edit.lines"), (RowsView(rows),)),) if rows else ()
    if insert.former is None or insert.turn is None:
        return read
    would = stored_values.position_from_text(insert.turn.position, reader.variant)
    different = sections(reader, insert.former, replace(insert.former, position=would))
    return (*read, *(replace(section, title=reader.say("edit.would")) for section in different))


SECTIONS_BY_INSERT: Mapping[str, Callable[[Recipient, Position | None, AnswerInsert], Sections]] = {
    "preview": _preview,
    "preview-difference": _preview_difference,
    "difference": _difference,
    "edits": _edits,
}
