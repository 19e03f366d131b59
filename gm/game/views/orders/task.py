"""What a player has to do now, and the tasks that a step names itself.

A step that asks for something other than orders, retreats or builds names it in `DueOrders.task` ("bids"). The
catalogue has the texts: `task.bids.short` (for the subject), `.lead` (the first sentence of the letter), `.title`,
`.reply` (how to write it), `.label` (the button) and optionally `.without` (what happens without an answer). They may
use {due}, {power}, {season}, {year} and {n}, the points to spend. The step provides example lines.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from msgspec import Struct

from gm.game.model.recipient import Recipient
from gm.judge.model.orders import Statement
from gm.judge.model.position import Position
from gm.judge.model.variant import Variant
from gm.language.rendering import order_text
from gm.language.rendering.views import Block, ParagraphView, RowsView, RowView, SectionView


class Task(Struct, frozen=True):
    """`short` is for the subject, `sentence` for the lead, `body` for the prepared reply."""

    short: str
    sentence: str
    section: SectionView
    label: str
    body: str


@runtime_checkable
class HasExampleOrders(Protocol):
    """A step that gives example orders."""

    def examples(self, position: Position, variant: Variant, power: str) -> tuple[Statement, ...]: ...


def named_task(reader: Recipient, position: Position, name: str) -> Task:
    """The task `name` from the catalogue, for the reader's power."""
    fields = _fields(reader, position)
    lines = example_lines(reader, position)
    blocks: list[Block] = [ParagraphView(reader.say(f"task.{name}.reply", **fields))]
    if lines:
        blocks.append(RowsView(tuple(RowView(line) for line in lines)))
    if f"task.{name}.without" in reader.catalogue:
        blocks.append(ParagraphView(reader.say(f"task.{name}.without", **fields)))
    return Task(
        short=reader.say(f"task.{name}.short", **fields),
        sentence=reader.say(f"task.{name}.lead", **fields),
        section=SectionView(reader.say(f"task.{name}.title", **fields), tuple(blocks)),
        label=reader.say(f"task.{name}.label", **fields),
        body="\n".join(lines[:1]),
    )


def example_lines(reader: Recipient, position: Position) -> tuple[str, ...]:
    """Example lines for the reader from the step, in canonical text; () if it has none."""
    step = reader.variant.step(position)
    if not isinstance(step, HasExampleOrders) or reader.power is None:
        return ()
    statements = step.examples(position, reader.variant, reader.power)
    return tuple(order_text.statement(statement, letter=step.letter) for statement in statements)


def other_grammars(reader: Recipient, position: Position) -> tuple[ParagraphView, ...]:
    """What else the sheet may contain, by its other grammars."""
    keys = (f"moves.beside.{sheet}" for sheet in reader.variant.step(position).also)
    return tuple(ParagraphView(reader.say(key)) for key in keys if key in reader.catalogue)


def _fields(reader: Recipient, position: Position) -> dict[str, object]:
    step = reader.variant.step(position)
    budgets = step.budgets(position, reader.variant, reader.power or "")
    return {
        "due": reader.due(),
        "power": reader.power or "",
        "season": reader.catalogue.season(step.season),
        "year": position.year,
        "n": budgets[0].amount if budgets else 0,
    }
