"""Sections about orders planned for later phases: those that wait, and those just entered."""

from __future__ import annotations

from gm.game.model.loaded_game import load_game
from gm.game.model.recipient import Recipient
from gm.game.phase import planned_orders
from gm.game.phase.planned_orders import PhaseOpening, PlannedOrderFate, PlannedOrderReport
from gm.game.views.orders.sheet import missing_words
from gm.judge.model.position import Position
from gm.language.rendering import error_sentences
from gm.language.rendering.views import Block, BulletsView, ParagraphView, RowsView, RowView, SectionView


def sections(reader: Recipient, position: Position, author: str, power: str) -> tuple[SectionView, ...]:
    """Planned lines, grouped by phase."""
    sheet = planned_orders.planned_sheet(reader.store, reader.game.id, author, power)
    blocks: list[Block] = []
    for phase, lines in planned_orders.later_lines(reader.variant, position, sheet).items():
        blocks.append(ParagraphView(reader.phase_words("ahead-kept.phase", phase, code=phase)))
        blocks.append(RowsView(tuple(RowView(line.text) for line in lines)))
    if not blocks:
        return ()
    key = "ahead-kept.title" if reader.is_mine(power) else "ahead-kept.title-of"
    return (SectionView(reader.say(key, power=power), tuple(blocks)),)


def own_openings(reader: Recipient) -> tuple[PhaseOpening, ...]:
    """The reader's sheets that planned orders filled when the phase opened; () for a game master."""
    if not planned_orders.planned_sheets(reader.store, reader.game.id):
        return ()
    loaded_game = load_game(reader.services, reader.store, reader.game)
    return tuple(
        opening
        for opening in planned_orders.read_openings(reader.store, loaded_game)
        if opening.draft.author == reader.power
    )


def is_complete(openings: tuple[PhaseOpening, ...], position: Position, reader: Recipient) -> bool:
    """Are the reader's orders complete, in a phase other than movement?"""
    own = next((opening for opening in openings if opening.draft.power == reader.power), None)
    return own is not None and not own.draft.missing() and reader.variant.step(position).letter != "M"


def opening_section(reader: Recipient, opening: PhaseOpening) -> SectionView:
    """For the letter that opens a phase: which planned orders were entered, and why others were not."""
    entered = [report.order for report in opening.reports if report.fate is PlannedOrderFate.ENTERED]
    others = tuple(
        _report_sentence(reader, report) for report in opening.reports if report.fate is not PlannedOrderFate.ENTERED
    )
    blocks: list[Block] = []
    if entered:
        blocks += [
            ParagraphView(reader.say("ahead-kept.entered", n=len(entered))),
            RowsView(tuple(RowView(line) for line in entered)),
        ]
    if others:
        blocks += [ParagraphView(reader.say("ahead-kept.not-entered", n=len(others))), BulletsView(others)]
    lack = missing_words(reader, opening.draft.missing())
    blocks.append(ParagraphView(lack or reader.say("ahead-kept.complete")))
    return SectionView(reader.say("ahead-kept.opened", power=opening.draft.power), tuple(blocks))


def _report_sentence(reader: Recipient, report: PlannedOrderReport) -> str:
    if report.trouble is not None:
        why = error_sentences.sentence(reader.catalogue, report.trouble)
    else:
        why = reader.say("ahead-kept.not-so" if report.fate is PlannedOrderFate.NOT_SO else "ahead-kept.not-possible")
    return reader.say("check.line", line=report.text, why=why)
