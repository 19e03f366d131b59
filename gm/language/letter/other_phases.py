"""Orders that belong on the sheet of a later phase: what keeps them for it is proposed.

"Build A Mun" in a phase of moves: FOR W1901A and the order below it, which a YES takes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from gm.judge.model.orders import Build
from gm.language.commands.blocks import planning_blocks
from gm.language.lines.blocks import NumberedLine
from gm.language.lines.letter_contents import LetterContents, LetterContext, LineError
from gm.language.lines.sentences import sentences_of
from gm.language.orders.line_reader import sheet_name
from gm.language.orders.parsing.lexer import Token
from gm.language.orders.phase_names import coming_phases
from gm.language.prose.memory import CODES

WRONG_PHASE = "wrong-phase"
AHEAD = "wrong-phase-ahead"
OF_NO_UNIT = frozenset({"no-unit", "named-in-passing"})
"""Keys of errors of words that name a unit where the writer has none."""
RETREATS = "R"
RETREAT_SHEET = "retreats"
"""The kind of sheet of retreats."""
NOTHING_DISLODGED, NOTHING_YET = "nothing-dislodged", "nothing-dislodged-yet"
ADJUSTMENTS = "adjustments"
"""The kind of sheet of builds and removals."""
Read = Callable[[tuple[NumberedLine, ...], LetterContext], LetterContents]


def with_heading(trouble: LineError, context: LetterContext, read: Read) -> LineError:
    """An error of an order for another phase, with the name of the next such phase and the lines that keep it."""
    if trouble.suggestions or context.later or not context.power:
        return trouble
    if trouble.key == NOTHING_DISLODGED:
        return _with_next_builds(trouble, context, read)
    if trouble.key in OF_NO_UNIT:
        return _with_kept_build(trouble, context, read)
    if trouble.key != WRONG_PHASE:
        return trouble
    fields = dict(trouble.fields)
    phase = next_phase_with(context, fields["sheet"])
    if not phase or phase.endswith(RETREATS):  # "Remove A Par" may be for two phases; wishes are read elsewhere
        return trouble
    words = trouble.marked or trouble.text
    reading = read(((trouble.line, words),), planning_blocks.ahead(context, phase))
    kept = [planning_blocks.kept(order, phase) for order in reading.orders if not order.power]
    whole = bool(kept) and len(kept) == len(reading.orders) and not (reading.troubles or reading.requests)
    lines = (f"FOR {phase}", *(line.text for line in kept), "END")
    ahead = (*trouble.fields, ("phase", phase))
    return replace(trouble, key=AHEAD, fields=ahead, suggestions=("\n".join(lines),) if whole else ())


def _with_kept_build(trouble: LineError, context: LetterContext, read: Read) -> LineError:
    """ "Correction: F Mar", where a build in Marseilles is kept for a later phase: that build in its place."""
    phase = next_phase_with(context, ADJUSTMENTS)
    kept = {code for line in context.planned(phase) for code in CODES.findall(line)} if phase else set()
    if not kept:
        return trouble
    reading = read(((trouble.line, trouble.text),), planning_blocks.ahead(context, phase))
    orders = [order for order in reading.orders if isinstance(order.statement, Build)]
    again = {order.statement.unit.at.province for order in orders if isinstance(order.statement, Build)}
    if not orders or len(orders) < len(reading.orders) or not again <= kept or reading.troubles:
        return trouble
    lines = (f"FOR {phase}", *(planning_blocks.kept(order, phase).text for order in orders), "END")
    fields = (("sheet", ADJUSTMENTS), ("now", context.variant.step(context.position).grammar), ("phase", phase))
    return replace(trouble, key=AHEAD, fields=fields, suggestions=("\n".join(lines),), obeyed=False)


def builds_ahead(context: LetterContext, tokens: Sequence[Token]) -> str:
    """In retreats, the code of the phase of builds that comes next, where the writer owes no retreat and their words
    name a kind of unit; "" otherwise.
    """
    if not any(token.type == "KIND" for token in tokens):
        return ""
    if context.later or not context.power or context.dislodged_units or not _retreats_now(context):
        return ""
    phase = next_phase_with(context, ADJUSTMENTS)
    return phase if phase == next(coming_phases(context.variant, context.position, lambda step: True)) else ""


def _retreats_now(context: LetterContext) -> bool:
    """Whether the open phase is one of retreats, of whatever units."""
    return context.variant.step(context.position).grammar == RETREAT_SHEET


def _with_next_builds(trouble: LineError, context: LetterContext, read: Read) -> LineError:
    """An order in retreats of somebody who owes none: with the builds, which come next, that it may mean."""
    phase = next_phase_with(context, ADJUSTMENTS)
    if not phase or phase != next(coming_phases(context.variant, context.position, lambda step: True), ""):
        return trouble
    sentence = next((each for each in sentences_of(trouble.text) if trouble.marked in each), trouble.text)
    orders = read(((trouble.line, sentence),), planning_blocks.ahead(context, phase)).orders
    kept = [planning_blocks.kept(order, phase).text for order in orders if not order.power]
    lines = ("\n".join((f"FOR {phase}", *kept, "END")),) if kept else ()
    return replace(trouble, key=NOTHING_YET, fields=(*trouble.fields, ("phase", phase)), suggestions=lines)


def next_phase_with(context: LetterContext, sheet: str) -> str:
    """The code of the next phase with this kind of sheet; "" if orders cannot be kept for it."""
    phases = coming_phases(
        context.variant, context.position, lambda step: bool(step.grammar) and sheet_name(step) == sheet
    )
    return next((phase for phase in phases if not planning_blocks.not_ahead(context, phase)), "")
