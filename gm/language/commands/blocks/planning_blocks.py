"""Reads the blocks FOR, IF, RETREAT and CHECK, and the marks FINAL and PRELIM.

FOR F1903M … END            kept until that phase opens; CLEAR FUTURE deletes everything kept
IF Bur empty … END IF       within FOR about the board of that phase, else about the present board
RETREAT A Mun: Ber, Kie     kept for the next retreat phase
CHECK … END                 what these lines would result in; nothing is stored
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Protocol

from msgspec.structs import replace

from gm.judge.model.conditions import Condition, NotCondition, all_of, holds
from gm.judge.model.orders import Statement
from gm.language.commands import parser, requests
from gm.language.commands.blocks import if_blocks
from gm.language.commands.blocks.press_blocks import BlockReader
from gm.language.commands.command_line import CommandLine, is_command_like
from gm.language.commands.planning import (
    CheckRequest,
    ClearFutureRequest,
    PlannedLine,
    PreliminaryRequest,
    ProxyRequest,
)
from gm.language.commands.table import row_of
from gm.language.i18n.vocabulary import vocabulary_of
from gm.language.lines.blocks import NumberedLine
from gm.language.lines.letter_contents import LetterContents, LetterContext, LineError, OrderLine, RequestLine
from gm.language.lines.lines import LetterLine, read_line
from gm.language.orders import conditions, phase_names, retreat_preferences
from gm.language.orders.sheet_reader import read_order
from gm.language.orders.unit_names import read_unit
from gm.language.rendering import order_text

YEARS_AHEAD = 5
MOST_FORKS = 3
"""Most IFs within each other."""
NOBODY_THERE = frozenset({"not-dislodged", "nothing-dislodged"})
END_AHEAD = re.compile(r"\s*end\s*-?\s*(?:for|phase|orders)?\s*[.!]?\s*$", re.IGNORECASE)
END_CHECK = re.compile(r"\s*end\s*-?\s*(?:check|try|orders)?\s*[.!]?\s*$", re.IGNORECASE)
OWN_SHEET = re.compile(r"(?:(?:my|the|all)\s+)*(?:orders?|moves?|sheet)(?:\s+please)?", re.IGNORECASE)


OF_THE_OPEN_PHASE = (
    requests.ReadyRequest,
    requests.WaitRequest,
    requests.HoldRestRequest,
    PreliminaryRequest,
    ProxyRequest,
)


class PlannedOrderReader(Protocol):
    """The reader of a letter, as far as orders for later phases need it."""

    context: LetterContext
    requests: list[RequestLine]
    troubles: list[LineError]

    def keep(self, phase: str, order: OrderLine) -> None:
        """A line for a later phase."""
        ...


class PlanningBlockReader(PlannedOrderReader, BlockReader, Protocol):
    """The reader of a letter, as far as these blocks need it."""

    headed: bool

    def inside(self, lines: Sequence[NumberedLine], context: LetterContext) -> LetterContents:
        """The contents of a block's lines, read separately."""
        ...

    def absorb(self, reading: LetterContents) -> None: ...

    def understands(self, body: str) -> bool:
        """Whether the line is an order in spite of its IF."""
        ...

    def closings(self) -> Mapping[int, int]:
        """Line of each IF -> line of its END IF."""
        ...

    def here(self) -> None:
        """Ends a section for another phase."""
        ...


# ---- FOR


def for_phase(reader: PlanningBlockReader, asked: CommandLine, line: LetterLine, at: int) -> int:
    """FOR F1903M, PHASE Fall 1903 Movement: lines up to END or the next FOR."""
    context = reader.context
    variant, position = context.variant, context.position
    phase = phase_names.read_phase(asked.words, variant, position)
    if phase is None:
        return 0
    if phase == context.phase:
        reader.here()
        return at + 1
    end, past = _until(reader, at + 1, END_AHEAD, frozenset({"phase"}))
    trouble = not_ahead(context, phase)
    if trouble or context.later:
        now = context.phase
        last = position.year + YEARS_AHEAD
        reader.tell(line, trouble or "ahead-in-block", phase=phase or asked.words.strip(" :"), now=now, last=str(last))
        return past
    there = ahead(context, phase)
    reading = reader.inside(reader.lines[at + 1 : end], there)
    for order in reading.orders:
        reader.keep(phase, order)
    reader.absorb(replace(reading, orders=(), requests=()))
    for given in reading.requests:
        words = read_line(given.line, given.text)
        if isinstance(given.request, requests.ClearRequest):
            reader.take(words, ClearFutureRequest(phase, given.request.provinces))
        elif given.request == PreliminaryRequest(off=True):
            continue  # a heading: what is kept for later is never a draft
        elif isinstance(given.request, OF_THE_OPEN_PHASE):
            reader.tell(words, "ahead-not-this", word=words.body.strip().upper()[:30])
        else:
            reader.take(words, given.request)
    return past


def not_ahead(context: LetterContext, phase: str) -> str:
    """The error key where no orders can be planned for this phase, else ""."""
    if not phase:
        return "ahead-unknown"
    position = context.position
    year, at = context.variant.phase_at(phase)
    if (year, at) < (position.year, position.at):
        return "ahead-over"
    return "ahead-too-far" if year > position.year + YEARS_AHEAD else ""


def ahead(context: LetterContext, phase: str) -> LetterContext:
    """The context of a later phase: units are unknown, except those that never move."""
    variant, position = context.variant, context.position
    still = {minor.name for minor in variant.minors if not minor.homes}
    units = tuple(unit for unit in position.units if unit.power in still)
    year, at = variant.phase_at(phase)
    there = replace(position, year=year, at=at, units=units, dislodged=())
    context = replace(context, position=there, any_unit=True, later=phase)
    return replace(context, on_file=partial(_on_file, context))


def keep_all(reader: PlannedOrderReader, reading: LetterContents, phase: str) -> bool:
    """Keeps the orders of words about a later phase; False where they are none, or not clear. "Rather a fleet in
    Naples" takes back what was kept before.
    """
    cleared = [given.request for given in reading.requests if isinstance(given.request, requests.ClearRequest)]
    whole = len(cleared) == len(reading.requests) and all(request.provinces for request in cleared)
    if not reading.orders or reading.troubles or not whole:
        return False
    first = reading.orders[0]
    for request in cleared:
        gone = ClearFutureRequest(phase, request.provinces)
        reader.requests.append(RequestLine(first.line, first.text, gone))
    for order in reading.orders:
        reader.keep(phase, order)
    return True


def _on_file(context: LetterContext) -> tuple[Statement, ...]:
    """The lines kept for the phase that come without a condition."""
    read = (read_order(text, replace(context, on_file=tuple)) for text in context.planned(context.later))
    return tuple(statement for statement in read if not isinstance(statement, LineError))


def kept(order: OrderLine, phase: str) -> PlannedLine:
    """The line as stored: "IF Bur empty: A Par - Bur"."""
    text = order_text.statement(order.statement, phase[-1:])
    family, key = order.statement.slot
    return PlannedLine(order.power, f"{family} {key}".strip(), f"IF {order.guard}: {text}" if order.guard else text)


def read_kept(text: str, context: LetterContext) -> tuple[Condition | None, str]:
    """Splits a stored line. Raises `conditions.Unclear` for a line that was not stored by `kept`."""
    if not text.startswith("IF "):
        return None, text
    guard, _, order = text.removeprefix("IF ").partition(": ")
    return conditions.read(guard, context), order


# ---- IF


def condition(reader: PlanningBlockReader, asked: CommandLine, line: LetterLine, at: int) -> int:
    """Under FOR every line keeps its condition; in the open phase only the lines of one branch are read."""
    if reader.understands(line.body):
        return 0
    fork = if_blocks.read_if_block(reader.lines, at, reader.closings(), vocabulary_of(reader.context.variant.language))
    if reader.context.forks >= MOST_FORKS:
        reader.tell(line, "if-too-deep", n=str(MOST_FORKS))
        return fork.end
    read: list[Condition | None] = []
    for branch in fork.branches:
        try:
            read.append(None if branch.asks is None else conditions.read(branch.asks, reader.context))
        except conditions.ConditionError as unclear:
            return _unclear(reader, line, at, fork, unclear.word)
    if not fork.closed:
        reader.tell(line, "if-unclosed")
        return fork.end
    guards = [
        all_of(*(NotCondition(before) for before in read[:i] if before is not None), part)
        for i, part in enumerate(read)
    ]
    if reader.context.later:
        for branch, guard in zip(fork.branches, guards, strict=True):
            reader.absorb(_guarded(_branch(reader, branch), guard, reader.context))
        past = fork.end
    else:
        past = _now(reader, line, at, fork, guards)
    if past and fork.beyond:
        reader.absorb(reader.inside(fork.beyond, reader.context))
    return past


def _unclear(reader: PlanningBlockReader, line: LetterLine, at: int, fork: if_blocks.IfBlock, word: str) -> int:
    """Handles a condition that cannot be read: talk, unless it is written like a block or holds orders; in one line it
    is a sentence among others.
    """
    is_block = fork.end > at + 1
    if not is_command_like(line.body) and not (
        is_block and fork.closed and _meant([_branch(reader, branch) for branch in fork.branches])
    ):
        return 0
    reader.tell(line, "condition-unclear", word=word[:40])
    return max(fork.end, at + 1)


def _meant(inside: Sequence[LetterContents]) -> bool:
    """Whether the branches hold more than talk."""
    return any(contents.orders or contents.troubles or contents.requests or contents.later for contents in inside)


def _branch(reader: PlanningBlockReader, branch: if_blocks.IfBranch) -> LetterContents:
    return reader.inside(branch.lines, replace(reader.context, forks=reader.context.forks + 1))


def _guarded(reading: LetterContents, guard: Condition | None, context: LetterContext) -> LetterContents:
    if guard is None:
        return reading
    orders = []
    for order in reading.orders:
        inner = conditions.read(order.guard, context) if order.guard else None
        whole = all_of(guard, inner)
        orders.append(replace(order, guard=conditions.write(whole) if whole else ""))
    return replace(reading, orders=tuple(orders))


def _now(
    reader: PlanningBlockReader, line: LetterLine, at: int, fork: if_blocks.IfBlock, guards: Sequence[Condition | None]
) -> int:
    position = reader.context.position
    true = next((i for i, guard in enumerate(guards) if guard is None or holds(guard, position)), None)
    inside = [_branch(reader, branch) for branch in fork.branches]
    if not _meant(inside):
        return 0
    if true is None:
        reader.tell(line, "if-none", obeyed=True)
        return fork.end
    asks = fork.branches[true].asks
    if asks is None:
        reader.tell(line, "if-else", obeyed=True)
    else:
        reader.tell(line, "if-so", obeyed=True, condition=asks.strip())
    reader.absorb(inside[true])
    return fork.end


# ---- RETREAT


def retreat_wish(reader: PlanningBlockReader, asked: CommandLine, line: LetterLine, at: int) -> int:
    """RETREAT A Mun: Ber, Kie, disband; in a retreat phase such a line is an order."""
    return at + 1 if take_retreat_wish(reader, line, f"retreat {asked.words}") else 0


def take_retreat_wish(reader: PlannedOrderReader, line: LetterLine, body: str) -> bool:
    """Takes a line about a coming retreat, or reports its error; False for other lines."""
    context = reader.context
    phase = "" if context.later else retreat_preferences.next_retreats(context.variant, context.position)
    if not phase or not context.power:
        return False
    wish = retreat_preferences.read_retreat_wish(body, retreat_preferences.if_dislodged(context, phase))
    if isinstance(wish, LineError) and wish.key in NOBODY_THERE:
        unit = read_unit(retreat_preferences.unit_of_wish(body), context)
        wish = unit if isinstance(unit, LineError) else wish
    return wish is not None and keep_retreat_wish(reader, line, phase, wish)


def keep_retreat_wish(reader: PlannedOrderReader, line: LetterLine, phase: str, wish: Statement | LineError) -> bool:
    if isinstance(wish, LineError):
        reader.troubles.append(replace(wish, line=line.number, text=line.text, start=0, end=0, suggestions=()))
    else:
        reader.keep(phase, OrderLine(line.number, line.text, wish))
    return True


def behind(reader: PlannedOrderReader, line: LetterLine, order: Statement) -> bool:
    """Takes the retreats in brackets behind a movement order; False where there are none to keep."""
    context = reader.context
    places, unit = retreat_preferences.bracketed(line.body), getattr(order, "unit", None)
    if not places or unit is None or context.later:
        return False
    phase = retreat_preferences.next_retreats(context.variant, context.position)
    if not phase:
        return False
    return keep_retreat_wish(
        reader,
        line,
        phase,
        retreat_preferences.preferences(str(unit), places, retreat_preferences.if_dislodged(context, phase)),
    )


# ---- CHECK


def check(reader: PlanningBlockReader, asked: CommandLine, line: LetterLine, at: int) -> int:
    """CHECK and an order, the lines below up to END or an empty line; or the sheet on file."""
    words = asked.words.strip(" :")
    if words and not OWN_SHEET.fullmatch(words):
        tried = reader.inside(((line.number, words),), reader.context)
        if not (tried.orders or tried.troubles) and not is_command_like(line.body):
            return 0
        reader.take(line, CheckRequest((words,)))
        return at + 1
    end, past = _until(reader, at + 1, END_CHECK, None)
    closed = past > end
    if not closed:
        end = past = next((i for i in range(at + 1, end) if not reader.lines[i][1].strip()), end)
    if not (
        is_command_like(line.body) or closed or line.body.strip(" :?!.").lower() in ("check my orders", "check orders")
    ):
        return 0
    reader.take(line, CheckRequest(tuple(text for _, text in reader.lines[at + 1 : end] if text.strip())))
    return past


def _until(
    reader: PlanningBlockReader, start: int, closing: re.Pattern[str], stops: frozenset[str] | None
) -> tuple[int, int]:
    """Returns (index of the line that ends a block, index to continue from). `stops`: rules that end it unclosed; None:
    all but those with `in_check`.
    """
    for at in range(start, len(reader.lines)):
        body = read_line(*reader.lines[at]).body
        if closing.match(vocabulary_of(reader.context.variant.language).english(body)):
            return at, at + 1
        asked = parser.read_command(body, reader.context.variant) if body.strip() else None
        if asked is not None and (asked.kind == "end" or asked.kind in (stops or ())):
            return at, at
        if asked is not None and stops is None and not row_of(asked.kind).in_check:
            return at, at
    return len(reader.lines), len(reader.lines)


# ---- FINAL, PRELIM


def final(reader: PlanningBlockReader, asked: CommandLine, line: LetterLine, at: int) -> int:
    """FINAL means READY; "Final:" is a heading, and "Final orders" one that means that they are no draft."""
    of_orders = "order" in line.body.lower()
    if line.body.rstrip().endswith(":") and not of_orders:
        return 0
    reader.headed = True
    loud = not of_orders or line.body.strip(" :").isupper()
    reader.take(line, requests.ReadyRequest() if loud else PreliminaryRequest(off=True))
    return at + 1


def prelim(reader: PlanningBlockReader, asked: CommandLine, line: LetterLine, at: int) -> int:
    reader.headed = True
    reader.take(line, PreliminaryRequest())
    return at + 1
