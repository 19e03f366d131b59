"""Events of one letter of which only one may count: which one, and what is asked where that is not clear."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from gm.judge.mechanics.moving_borders.border_orders import NoEvent, is_event
from gm.judge.model.orders import OneMeaningStatement, Slot, Statement
from gm.language.i18n.normalize import clean
from gm.language.lines.letter_contents import LineError, OrderLine
from gm.language.orders.line_reader import LineReader
from gm.language.prose.memory import CODES
from gm.language.prose.stance import error_key

UNWANTED = frozenset(map(error_key, ("cancel", "condition", "negated", "old", "reported", "later", "fallback")))
"""Keys of errors of events that are not the writer's wish for now."""
EVENT_WORDS = frozenset({"SEPARATE", "CONNECT"})

Written = Callable[[Statement], str]


def without_no_event(orders: Sequence[OrderLine]) -> list[OrderLine]:
    """Without words that there is no event, where words behind them may be another: "withdraw my quake, I have a better
    one …".
    """
    return [order for order in orders if not isinstance(order.statement, NoEvent)]


def last_events(orders: Sequence[OrderLine]) -> list[OrderLine]:
    """Without words that there is no event before one: they are about the event on file."""
    last = max((at for at, order in enumerate(orders) if is_event(order.statement)), default=0)
    return [*without_no_event(orders[:last]), *orders[last:]]


def conflicting(orders: Sequence[OrderLine]) -> list[OrderLine]:
    """Orders that void each other, as a sheet may hold only one of their kind."""
    statements: dict[Slot, set[Statement]] = {}
    for order in orders:
        if isinstance(order.statement, OneMeaningStatement):
            statements.setdefault(order.statement.slot, set()).add(order.statement)
    return [order for order in orders if len(statements.get(order.statement.slot, ())) > 1]


def event_in_doubt(
    orders: Sequence[OrderLine], troubles: Sequence[LineError], sheet: LineReader | None, written: Written
) -> LineError | None:
    """The error for the event of the letter, where words that are not taken seem to be another one: "A and B part, C
    and D connect. E and F part, G and H connect?".
    """
    events = [order for order in orders if is_event(order.statement)]
    if sheet is None or not sheet.kind.is_one_order_per_line or len({order.statement for order in events}) != 1:
        return None
    line = written(events[0].statement)
    rivals = [trouble for trouble in troubles if _is_rival(trouble, line, sheet)]
    others = [suggestion for trouble in rivals for suggestion in trouble.suggestions if suggestion != line]
    if not rivals:
        return None
    text, choices = events[0].text, tuple(dict.fromkeys((line, *others)))
    return LineError(events[0].line, text, 0, len(text.rstrip()), error_key("alternative"), (), choices)


def without_choices(troubles: Sequence[LineError], doubt: LineError) -> list[LineError]:
    """What the doubt offers is not offered again."""
    offered = {*doubt.suggestions}
    return [replace(each, suggestions=()) if offered & {*each.suggestions} else each for each in troubles]


def _is_rival(trouble: LineError, event: str, sheet: LineReader) -> bool:
    """Whether words are half an event or more, of other provinces than this one."""
    if trouble.obeyed or trouble.key in UNWANTED:
        return False
    tokens = sheet.scanner.scan(clean(trouble.marked or trouble.text).text)
    named = {code for token in tokens if token.type == "PLACE" for code in token.value.provinces}
    return bool(EVENT_WORDS & {token.type for token in tokens}) and not named <= {*CODES.findall(event)}
