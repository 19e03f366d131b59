"""Sections of STATUS and HISTORY: the board as it stands, and the results of past phases."""

from __future__ import annotations

from collections.abc import Sequence

from gm.game.model import result_notes
from gm.game.model.recipient import Recipient
from gm.game.views import gm_log
from gm.game.views.maps import snapshots_back
from gm.game.views.mechanics import intercepted_press
from gm.game.views.turns.turn_events import (
    StepView,
    TurnView,
    event_sentences,
    outcome_flags,
    result_sort_key,
    shown_order,
    sorted_units,
)
from gm.judge.mechanics.dips.interception import Intercepted
from gm.judge.model.events import OrderResult
from gm.judge.model.position import Position
from gm.language.rendering.views import (
    Block,
    BulletsView,
    ParagraphView,
    QuotedWordsView,
    RowsView,
    RowView,
    SectionView,
    TableView,
)

Sections = tuple[SectionView, ...]


def board_section(reader: Recipient, position: Position) -> SectionView:
    rows: list[tuple[str, str]] = []
    powers = {unit.power for unit in position.units} | {dislodged.unit.power for dislodged in position.dislodged}
    for power in sorted(powers | set(position.centres.values())):
        units = ", ".join(map(str, sorted_units(position.units_of(power))))
        centres = position.centres_of(power)
        units = units or reader.say("none")
        sentence = reader.say("status.power", n=len(centres), centres=" ".join(centres), units=units)
        driven = [dislodged for dislodged in position.dislodged if dislodged.unit.power == power]
        if driven:
            names = ", ".join(str(dislodged.unit) for dislodged in driven)
            sentence += " " + reader.say("status.retreating", units=names)
        rows.append((power, sentence))
    free = sorted(p.code for p in position.board.provinces.values() if p.centre and p.code not in position.centres)
    if free:
        rows.append((reader.say("centres.nobody"), reader.say("status.free", n=len(free), centres=" ".join(free))))
    minors = {minor.name for minor in reader.variant.minors}
    items = tuple(f"**{reader.called(power)}**: {sentence}" for power, sentence in rows if power not in minors)
    table = tuple((reader.called(power), _in_short(position, power)) for power, _ in rows if power in minors)
    return SectionView(reader.say("status.board"), (BulletsView(items), *((TableView(table),) if table else ())))


def _in_short(position: Position, power: str) -> str:
    """Units and centres of a minor power, in a line of the table."""
    units = [str(unit) for unit in sorted_units(position.units_of(power))]
    return "; ".join(filter(None, (", ".join(units), " ".join(position.centres_of(power))))) or "-"


def history_sections(reader: Recipient, position: Position | None, topic: str) -> Sections:
    """Results of all phases, or of those that `topic` names, in their latest version."""
    wanted = topic.upper()
    sections = [
        section
        for snapshot in reversed(snapshots_back(reader.store, reader.game))
        if snapshot.previous
        for leg in TurnView.of(reader, snapshot).legs
        if _is_wanted(reader, leg.phase, wanted)
        for section in (*phase_results(reader, leg), *_notes_on_results(reader, leg.phase))
    ]
    if not sections:
        key = "history.no-phase" if wanted else "history.empty"
        return (SectionView(reader.say("history.title"), (ParagraphView(reader.say(key, phase=wanted)),)),)
    return (*sections, *(gm_log.sections_for_players(reader) if not wanted else ()))


def _is_wanted(reader: Recipient, phase: str, wanted: str) -> bool:
    """`wanted` is a phase, a range of phases ("F1901M..S1903M", "F1901M.."), or "" for all."""
    first, dots, last = wanted.partition("..")
    if not dots or not phase:
        return not wanted or phase == wanted
    try:
        begin, end = (reader.variant.phase_at(code) if code else None for code in (first, last))
    except ValueError:
        return False
    at = reader.variant.phase_at(phase)
    return (begin is None or at >= begin) and (end is None or at <= end)


def _notes_on_results(reader: Recipient, phase: str) -> Sections:
    """The game master's notes on the results of a phase, on all versions."""
    notes = result_notes.notes_of_phase(reader.store, reader.game.id, phase) if phase else ()
    title = reader.say("erratum.to", phase=reader.phase_words("phase.long", phase)) if notes else ""
    return (SectionView(title, tuple(QuotedWordsView(note) for note in notes)),) if notes else ()


def phase_results(reader: Recipient, leg: StepView) -> Sections:
    """Orders with their outcomes and other events of one phase, then the press that the reader intercepted."""
    blocks = _order_results(reader, leg)
    if others := event_sentences(reader, leg):
        blocks.append(BulletsView(others))
    return _titled(reader, leg, blocks)


def phase_orders(reader: Recipient, leg: StepView) -> Sections:
    """The same without the other events."""
    return _titled(reader, leg, _order_results(reader, leg))


def _titled(reader: Recipient, leg: StepView, blocks: Sequence[Block]) -> Sections:
    if not leg.phase or not blocks:
        return ()
    title = reader.phase_words("phase.long", leg.phase)
    return (SectionView(title, tuple(blocks)), *intercepted_press.sections(reader, leg.of(Intercepted)))


def _order_results(reader: Recipient, leg: StepView) -> list[Block]:
    blocks: list[Block] = []
    results = sorted(leg.of(OrderResult), key=result_sort_key)
    for power in sorted({result.power for result in results}):
        rows = tuple(
            RowView(shown_order(reader, result, leg.phase), outcome_flags(reader, result, leg.phase))
            for result in results
            if result.power == power
        )
        blocks += [ParagraphView(f"**{reader.called(power)}**"), RowsView(rows)]
    return blocks
