"""A build or a waive beside as many builds on file as are due, where the letter does not say which of those goes: that
is asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from gm.judge.model.orders import Build, Waive, slot_province
from gm.judge.steps.build_rules import FULL
from gm.language.commands.requests import ClearRequest
from gm.language.i18n.normalize import clean
from gm.language.letter.replaced_adjustments import adjustments_replaced
from gm.language.lines.letter_contents import LetterContext, LineError, OrderLine, RequestLine
from gm.language.lines.trouble_keys import NOT_TAKEN
from gm.language.orders.line_reader import open_sheet_reader
from gm.language.prose.phrases.phrase_tables import fits_any
from gm.language.prose.phrases.prose_phrases import phrases_of
from gm.language.rendering.order_text import statement as written

KEY = "which-build-goes"
WAIVED = "which-build-waived"


def builds_without_room(
    orders: Sequence[OrderLine], requests: Sequence[RequestLine], words: Mapping[OrderLine, str], context: LetterContext
) -> list[tuple[OrderLine, LineError]]:
    """Builds of the letter that are not on file, or its waives, each with the question which build on file goes.

    `words`: what a build was read from, which may name the one that goes.
    """
    builds = {slot_province(order.statement.slot): order for order in orders if isinstance(order.statement, Build)}
    waives = {order: order.statement.count or 1 for order in orders if isinstance(order.statement, Waive)}
    on_file = [order.unit for order in context.on_file() if isinstance(order, Build)] if builds or waives else []
    if not on_file or (builds and waives):
        return []
    step, kinds = context.variant.step(context.position), context.variant.kinds
    due = context.due.builds
    taken_back = [given.request for given in requests if isinstance(given.request, ClearRequest)]
    gone = {code for request in taken_back for code in request.provinces}
    known = {unit.at.province for unit in on_file}
    stay = [unit for unit in on_file if unit.at.province not in gone and unit.at.province not in builds]
    new = list(waives) or [order for code, order in builds.items() if code not in known - gone]
    too_many = len(builds) + sum(waives.values()) + len(stay) - due
    whole = all(kinds[unit.kind].cost == FULL for unit in stay)
    if not (new and whole and 0 < too_many < len(stay)) or any(not request.provinces for request in taken_back):
        return []
    names = ", ".join(str(unit) for unit in stay)
    asked: list[tuple[OrderLine, LineError]] = []
    for order in new:
        line = written(order.statement, step.letter)
        giving_way = dict(adjustments_replaced(orders, words, gone, set(), context, partial(_named, context)))
        going = [unit for unit in stay if unit.at.province in giving_way] or stay
        ways = tuple(f"{line}\nCLEAR {unit}" for unit in going) if too_many == len(new) == 1 else ()
        ways += (written(Waive(due), step.letter),) if waives else ()
        fields = (("builds", names), ("due", str(due)))
        key = WAIVED if waives else KEY if len(ways) != 1 else NOT_TAKEN
        asked.append((order, LineError(order.line, order.text, 0, len(order.text), key, fields, ways)))
    return asked


def _named(context: LetterContext, words: str) -> set[str]:
    """The provinces in words that change a build: "move the army build from Paris to Brest"."""
    sheet, phrases, plain = open_sheet_reader(context), phrases_of(context.variant), clean(words).text
    if not fits_any(plain.lower(), (phrases.amending, phrases.old, phrases.becomes)):
        return set()
    tokens = sheet.scanner.scan(plain) if sheet is not None else ()
    return {code for token in tokens if token.type == "PLACE" for code in token.value.provinces}
