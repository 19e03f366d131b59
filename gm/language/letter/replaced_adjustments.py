"""A build or a removal beside as many on file as are due, where the letter says which of those goes: "turn the Paris
army into a fleet at Brest", "the fleet had better be built at Brest; Paris is fine".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from gm.judge.model.orders import Build, Disband, slot_province
from gm.language.lines.letter_contents import LetterContext, LineError, OrderLine

BUILD = "Build "
MOST = 8
"""Adjustments that are looked at."""


def adjustments_replaced(
    orders: Sequence[OrderLine],
    words: Mapping[OrderLine, str],
    gone: set[str],
    kept: set[str],
    context: LetterContext,
    named: Callable[[str], set[str]],
) -> Iterator[tuple[str, OrderLine]]:
    """The provinces of builds or removals on file that give way, each to an order of the letter. `words`: what an order
    was read from; `gone` and `kept` are provinces whose orders on file the letter takes back, or says to leave.
    """  # fmt: skip
    sort = next((type(order.statement) for order in orders if isinstance(order.statement, Build | Disband)), None)
    if sort is None:
        return
    on_file = {slot_province(order.slot) for order in context.on_file() if isinstance(order, sort)}
    fresh = {slot_province(order.statement.slot): order for order in orders if isinstance(order.statement, sort)}
    due = context.due
    stay = on_file - gone - fresh.keys()
    new = {province: order for province, order in fresh.items() if province not in on_file}
    too_many = len(fresh) + len(stay) - (due.builds if sort is Build else due.removals)
    if not 0 < too_many == len(new) <= MOST:
        return
    for order in new.values():
        here = named(words.get(order, "")) & stay
        giving_way = here - kept if here else stay - kept if kept & stay else set()
        if len(giving_way) == 1:
            province = giving_way.pop()
            stay -= {province}
            yield province, order


def with_builds_answered(troubles: Iterable[LineError], answered: Mapping[int, str]) -> Iterator[LineError]:
    """The errors, where a build that is proposed for words below a quoted one takes its place: "make that Posen".
    `answered`: quoted builds by the lines below them.
    """
    for trouble in troubles:
        old, new = answered.get(trouble.line, ""), trouble.suggestions[0] if len(trouble.suggestions) == 1 else ""
        if old.startswith(BUILD) and new.startswith(BUILD) and new != old:
            trouble = replace(trouble, suggestions=(f"{new}\nCLEAR {old.removeprefix(BUILD)}",))
        yield trouble
