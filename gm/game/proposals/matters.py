"""What orders and commands are about, of a letter or of lines that it proposes: of two with the same one counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gm.game.session.session import LetterSession
from gm.judge.model.orders import Slot
from gm.language.commands.requests import PressRequest
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.letter_contents import LetterContents, OrderLine, Request

VALUES = frozenset({"when", "written", "words", "days", "value", "address", "name", "choice", "winners", "or_end"})
"""Fields of requests that tell no kind: of two that differ in them alone, the newer counts."""


def read_lines(session: LetterSession, lines: Iterable[str]) -> LetterContents:
    return read_letter(tuple(enumerate(lines)), session.context)


def read_back(session: LetterSession, lines: Sequence[str], language: str = "") -> LetterContents:
    """Proposed lines, in the language in which they were proposed, which need not be the one of the YES."""
    contexts = sorted(session.contexts, key=lambda known: known[0] != language)
    readings = [read_letter(tuple(enumerate(lines)), context) for _, context in contexts]
    whole = (each for each in readings if (each.orders or each.requests) and not each.troubles)
    return next(whole, readings[0])


def matter_of(order: OrderLine) -> tuple[str, Slot]:
    return order.power, order.statement.slot


def kind_of(request: Request) -> tuple[object, ...]:
    return type(request), *(getattr(request, name) for name in request.__struct_fields__ if name not in VALUES)


def matters_of(reading: LetterContents) -> Iterator[tuple[object, ...]]:
    """What commands are about: two with the same do one thing, and the newer counts."""
    for given in reading.requests:
        request = given.request
        yield (PressRequest, request.to) if isinstance(request, PressRequest) else kind_of(request)
