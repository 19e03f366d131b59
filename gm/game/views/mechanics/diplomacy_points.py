"""Sections about the reader's Diplomacy Points: the budget, the spending, the rest.

Other players never see them; they only see the orders that were carried out.
"""

from __future__ import annotations

from collections.abc import Sequence

from gm.game.model.letter_report import SheetReport
from gm.game.model.press_journal import messages_paid_by
from gm.game.model.recipient import Recipient
from gm.game.model.records import SheetLine
from gm.game.views.orders.task import Task
from gm.game.views.turns.turn_events import sorted_units
from gm.judge.mechanics.dips.dip_orders import DipOrder
from gm.judge.model.events import PointsOutcome
from gm.judge.model.orders import Allocate, Hold, Statement, Support, UnitRef, WholeSetStatement
from gm.judge.model.position import Position
from gm.judge.model.press import Message
from gm.judge.model.sheets import Budget
from gm.judge.movement.battle import Intent
from gm.judge.movement.legality import LegalityChecker
from gm.judge.movement.movement_step import POINTS
from gm.language.lines.letter_contents import LetterContext, LineError
from gm.language.orders.sheet_reader import read_order
from gm.language.rendering import order_text
from gm.language.rendering.views import Block, ParagraphView, RowsView, RowView, SectionView


def is_allotment(line: SheetLine) -> bool:
    return line.slot[0] in (WholeSetStatement.family, DipOrder.family)


def cost(statement: Statement | LineError) -> int:
    match statement:
        case Allocate():
            return statement.points
        case DipOrder() | Message():
            return statement.cost
    return 0


def budget_of(reader: Recipient, position: Position, power: str) -> Budget | None:
    """What a power may spend in the open phase; None in phases without spending."""
    if position.ended is not None:
        return None
    budget = next(iter(reader.variant.step(position).budgets(position, reader.variant, power)), None)
    return None if budget is None or _has_named_task(reader, position, power) else budget


def _has_named_task(reader: Recipient, position: Position, power: str) -> bool:
    """Does a named task (`gm.game.views.orders.task`) already mention the points?"""
    due = reader.variant.step(position).due(position, reader.variant)
    return power in due and due[power].task not in ("", POINTS)


def points_task(reader: Recipient, position: Position) -> Task:
    """The task of a reader who has points to spend, and no units."""
    budget = budget_of(reader, position, reader.power or "")
    assert budget is not None
    fields = {"n": budget.amount, "points": _points_name(reader, budget), "due": reader.due()}
    section = SectionView(_points_name(reader, budget), _budget_blocks(reader, position, budget))
    lines = [row.code for block in section.blocks if isinstance(block, RowsView) for row in block.rows]
    return Task(
        short=reader.say("task.points.short", **fields),
        sentence=reader.say("task.points.lead", **fields),
        section=section,
        label=reader.say("task.points.label", **fields),
        body="\n".join(lines[:1]),
    )


def budget_sections(reader: Recipient, position: Position) -> tuple[SectionView, ...]:
    """The points for the open phase, and example lines."""
    budget = budget_of(reader, position, reader.power or "")
    if budget is None or not reader.power:
        return ()
    return (SectionView(_points_name(reader, budget), _budget_blocks(reader, position, budget)),)


def _budget_blocks(reader: Recipient, position: Position, budget: Budget) -> tuple[Block, ...]:
    letter = reader.variant.step(position).letter
    rows = tuple(RowView(order_text.statement(order, letter=letter)) for order in example_allotments(reader, position))
    rows = rows or _catalogue_lines(reader, position, budget)
    have = reader.choose("points.have", budget.name, n=budget.amount, points=_points_name(reader, budget))
    words = (ParagraphView(have), *_limits(reader, position))
    return (*words, ParagraphView(reader.choose("points.how", budget.name)), RowsView(rows)) if rows else words


def _limits(reader: Recipient, position: Position) -> tuple[ParagraphView, ...]:
    """Limits on how often points may be spent on something: the further budgets."""
    budgets = reader.variant.step(position).budgets(position, reader.variant, reader.power or "")
    return tuple(
        ParagraphView(reader.say(key, n=budget.amount, used=budget.most - budget.amount, most=budget.most))
        for budget in budgets[1:]
        if (key := f"points.limit.{budget.name}") in reader.catalogue
    )


def _catalogue_lines(reader: Recipient, position: Position, budget: Budget) -> tuple[RowView, ...]:
    """Example lines from the catalogue, filled in with two other powers and a unit of the reader."""
    key = f"points.lines.{budget.name}"
    others = [power for power in reader.variant.seated if power != reader.power]
    if key not in reader.catalogue or len(others) < 2 or not budget.amount:
        return ()
    lines = reader.say(key, one=others[0], two=others[1]).strip().split("\n")
    unit = next(iter(sorted_units(position.units_of(reader.power or ""))), None)
    major = any(power.major for power in reader.variant.powers if power.name == reader.power)
    if major and unit and f"points.lines-major.{budget.name}" in reader.catalogue:
        lines = [reader.say(f"points.lines-major.{budget.name}", unit=str(unit)), *lines]
    parted = [line.partition("  ") for line in lines]
    return tuple(RowView(typed.strip(), remark.strip()) for typed, _, remark in parted)


def spending_sections(
    reader: Recipient, position: Position, report: SheetReport, rows: tuple[RowView, ...]
) -> tuple[SectionView, ...]:
    """The lines that spend points (`rows`), and the sum."""
    budget = budget_of(reader, position, report.power)
    if budget is None or not (budget.amount or rows):
        return ()
    lines = [line.text for line in report.after.lines if is_allotment(line)] if report.after else []
    context = LetterContext(reader.variant, position, report.power, any_unit=True)
    game = reader.game
    sent = messages_paid_by(reader.store, game.id, reader.variant, position, game.phase, report.power)
    rows = (*(_message_row(reader, message) for message in sent), *rows)
    spent = sum(cost(read_order(text, context)) for text in lines) + sum(cost(message) for message in sent)
    over = spent > budget.amount
    mine = "you" if reader.is_mine(report.power) else "other"
    sentence = reader.choose(
        f"points.{'over' if over else 'sum'}-{mine}",
        budget.name,
        n=budget.amount,
        spent=spent,
        left=budget.amount - spent,
        power=report.power,
    )
    blocks: tuple[Block, ...] = ((RowsView(rows),) if rows else ()) + (ParagraphView(sentence),)
    aside = reader.say("points.secret") if mine == "you" else reader.called(report.power)
    return (SectionView(_points_name(reader, budget), blocks, aside=aside),)


def outcome_sections(reader: Recipient, outcomes: Sequence[PointsOutcome]) -> tuple[SectionView, ...]:
    """What became of the reader's own lines; () without any."""
    rows = tuple(_outcome_row(reader, outcome) for outcome in outcomes if reader.is_mine(outcome.power))
    if not rows:
        return ()
    return (SectionView(reader.say("points.became"), (RowsView(rows),), aside=reader.say("points.secret")),)


def _outcome_row(reader: Recipient, outcome: PointsOutcome) -> RowView:
    why = order_text.points_problem(reader.catalogue, outcome.why) if outcome.why else ""
    fate = why or reader.say("points.followed" if outcome.followed else "points.not-followed")
    remark = reader.say("points.outcome", n=outcome.points, fate=fate)
    return RowView(order_text.statement(outcome.order), remark, "good" if outcome.followed else "bad")


def _message_row(reader: Recipient, message: Message) -> RowView:
    sentence = reader.say("points.message", to=reader.every(message.to))
    return RowView(sentence, reader.say("points.message-cost", n=message.cost))


def _points_name(reader: Recipient, budget: Budget) -> str:
    return reader.choose("points.name", budget.name, name=budget.name)


def points_fields(reader: Recipient, position: Position) -> dict[str, object]:
    """Template values of the help page about points."""
    budget = budget_of(reader, position, reader.power or "")
    letter = reader.variant.step(position).letter if budget else ""
    return {
        "points": budget.amount if budget and reader.variant.minors else 0,
        "points_name": _points_name(reader, budget) if budget else "",
        "point_examples": [
            order_text.statement(order, letter=letter) for order in example_allotments(reader, position)
        ],
    }


def example_allotments(reader: Recipient, position: Position) -> tuple[Statement, ...]:
    """A legal example: a minor power's unit supports one of the reader's units, or holds if it can support none."""
    budget = budget_of(reader, position, reader.power or "")
    if budget is None or not budget.amount:
        return ()
    checker = LegalityChecker.of(position, reader.variant.kinds, reader.variant.rulebook)
    minors = {minor.name for minor in reader.variant.minors}
    for unit in position.units:
        for mine in position.units_of(reader.power or "") if unit.power in minors else ():
            order = Support(UnitRef(unit.kind, unit.at.place), UnitRef(mine.kind, mine.at.place))
            if isinstance(checker.intent(unit, order), Intent):
                return (Allocate(min(2, budget.amount), unit.power, order),)
    idle = next((unit for unit in position.units if unit.power in minors), None)
    return (Allocate(min(2, budget.amount), idle.power, Hold(UnitRef(idle.kind, idle.at.place))),) if idle else ()
