"""CHECK: tries the reader's orders against holds or supposed orders of others. Nothing is stored.

It uses only the reader's own sheet and public facts of the board (`gm.judge.gm_changes.what_if`).
"""

from __future__ import annotations

from collections.abc import Mapping

from gm.game.model import press_journal
from gm.game.model.recipient import Recipient
from gm.game.model.settings import takes_illegal
from gm.game.views.orders.sheet import problem_view, sheet_entries, sheet_on_file
from gm.game.views.turns.turn_events import (
    StepView,
    leg_sections,
    outcome_tone,
    outcome_with_reason,
    result_sort_key,
    shown_order,
)
from gm.judge.gm_changes.what_if import try_orders, without_secrets
from gm.judge.model.events import OrderResult, visible
from gm.judge.model.orders import Statement, UnitOrder
from gm.judge.model.position import Position
from gm.judge.model.sheets import ProblemEffect
from gm.language.letter.check_lines import Suppositions, suppose
from gm.language.lines.letter_contents import LetterContext
from gm.language.rendering import error_sentences, order_text
from gm.language.rendering.views import Block, BulletsView, ParagraphView, RowsView, RowView, SectionView


def sections(reader: Recipient, position: Position | None, topic: str) -> tuple[SectionView, ...]:
    """Try the lines of `topic`, or the sheet on file if it has none."""
    power = reader.power
    if position is None or power is None or position.ended is not None:
        return ()
    context = LetterContext(reader.variant, position, power, illegal=takes_illegal(reader.game))
    supposed = suppose(topic.splitlines(), context)
    own = (power, *reader.variant.step(position).controlled(position, reader.variant, power))
    sheets = dict(supposed.sheets)
    written = any(author in sheets for author in own)
    if not written and not supposed.troubles:
        sheets |= _sheets_on_file(reader, position, own)
    results = _results(reader, position, sheets, own)
    title = reader.say("check.title")
    opening = ParagraphView(reader.say("check.opening" if written or topic else "check.opening-sheet"))
    return (SectionView(title, (opening, *_unread(reader, supposed), *results[0])), *results[1])


def _sheets_on_file(reader: Recipient, position: Position, own: tuple[str, ...]) -> dict[str, tuple[Statement, ...]]:
    """The reader's sheets, including those for minor powers they control."""
    lines = {
        power: tuple(
            entry.statement for entry in sheet_entries(reader, position, sheet_on_file(reader, position, power, own[0]))
        )
        for power in own
    }
    return {power: sheet for power, sheet in lines.items() if sheet}


def _unread(reader: Recipient, supposed: Suppositions) -> tuple[Block, ...]:
    items = tuple(
        reader.say("check.line", line=error.text.strip(), why=error_sentences.sentence(reader.catalogue, error))
        for error in supposed.troubles
    )
    return (ParagraphView(reader.say("check.unread", n=len(items))), BulletsView(items)) if items else ()


def _results(
    reader: Recipient, position: Position, sheets: Mapping[str, tuple[Statement, ...]], own: tuple[str, ...]
) -> tuple[tuple[Block, ...], tuple[SectionView, ...]]:
    """Orders and outcomes, the reader's first; then the consequences."""
    variant, game = reader.variant, reader.game
    spent = press_journal.messages_paid_by(reader.store, game.id, variant, position, game.phase, own[0])
    turn = try_orders(position, variant, own[0], sheets, spent)
    problems = _problems(reader, position, sheets, own, all_of_them=turn is None)
    if turn is None:
        lines = tuple(RowView(line) for line in _lines(reader, sheets, own))
        return ((ParagraphView(reader.say("check.legality")), *((RowsView(lines),) if lines else ()), *problems), ())
    leg = StepView(game.phase, visible(turn.events, own[0]))
    powers = (*own, *sorted(set(sheets) - set(own)))
    tables = tuple(block for power in powers for block in _table(reader, leg, power))
    return (*problems, *tables), leg_sections(reader, leg)


def _table(reader: Recipient, leg: StepView, power: str) -> tuple[Block, ...]:
    """A power's orders and outcomes; for other powers only supposed orders."""
    mine = reader.is_mine(power)
    results = (result for result in leg.of(OrderResult) if result.power == power and (result.given or mine))
    rows = tuple(_row(reader, result, leg.phase) for result in sorted(results, key=result_sort_key))
    return (
        (ParagraphView(reader.say("check.yours" if mine else "check.theirs", power=power)), RowsView(rows))
        if rows
        else ()
    )


def _row(reader: Recipient, result: OrderResult, phase: str) -> RowView:
    words, tone = outcome_with_reason(reader, result, phase), outcome_tone(result)
    return RowView(shown_order(reader, result, phase), words, "" if tone == "idle" else tone)


def _lines(reader: Recipient, sheets: Mapping[str, tuple[Statement, ...]], own: tuple[str, ...]) -> tuple[str, ...]:
    letter = reader.game.phase[-1:]
    return tuple(order_text.statement(statement, letter) for power in own for statement in sheets.get(power, ()))


def _problems(
    reader: Recipient,
    position: Position,
    sheets: Mapping[str, tuple[Statement, ...]],
    own: tuple[str, ...],
    *,
    all_of_them: bool,
) -> tuple[Block, ...]:
    """Problems of the reader's sheets, without those that the results of unit orders show (unless `all_of_them`)."""
    step, here = reader.variant.step(position), without_secrets(position, reader.variant, own[0])
    problems = (
        problem
        for power in own
        for problem in step.check(here, reader.variant, power, sheets.get(power, ()))
        if all_of_them or problem.effect is ProblemEffect.WARN or not isinstance(problem.statement, UnitOrder)
    )
    items = tuple(problem_view(reader, 0, problem).sentence for problem in problems)
    return (BulletsView(tuple(dict.fromkeys(items))),) if items else ()
