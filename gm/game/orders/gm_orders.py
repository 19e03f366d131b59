"""Handlers of FORCE and STRIKE, and how orders of a letter get onto sheets.

The player concerned gets a letter with the whole sheet.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import TypeVar

from msgspec.structs import replace

from gm.game.model.letter_report import Note
from gm.game.proposals.settled_lines import lines_left
from gm.game.session.session import Handlers, LetterSession
from gm.judge.mechanics.dips.dip_orders import DipOrder
from gm.judge.mechanics.moving_borders.border_orders import Placement
from gm.judge.model.calendar import sheet_writers
from gm.judge.model.orders import (
    Build,
    OneMeaningStatement,
    Statement,
    UnitOrder,
    UnitRef,
    WholeSetStatement,
)
from gm.judge.model.position import Position, Unit
from gm.language.commands.deadlines import ResumeRequest
from gm.language.commands.in_words.plain_questions import CLOCK, OPENS_PHASE
from gm.language.commands.requests import ClearRequest, ForceRequest, StrikeRequest
from gm.language.i18n.localized_variant import localized
from gm.language.lines.letter_contents import LetterContents, LetterContext, LineError, OrderLine, RequestLine
from gm.language.orders.sheet_reader import read_order
from gm.language.orders.unit_names import read_unit

T = TypeVar("T")
NUMBER = "#"
"""Stands before the number of a fleet among several."""


def force(session: LetterSession, request: ForceRequest, line: int) -> None:
    """FORCE A Par: A Par - Bur, with or without the unit before the colon; FORCE France: and a line of France."""
    if request.power:
        forced = _line_of(session, request)
    else:
        position, text = session.loaded_game.position, request.order.partition(":")[2] or request.order
        forced = one_unit(position, text, find_orders(session, position, text))
    if forced is None or isinstance(forced, LineError):
        refuse(session, forced, line, request.order)
        return
    power, order = forced
    for author in _powers_writing(session, power):
        draft = session.draft(power, author)
        draft.put(order, forced=True)
        draft.questions = tuple(lines_left(session, draft.power, draft.questions, (order,), draft.places()))
        session.copy(author, Note("desk.your-order-forced", (("order", draft.written(order)),), headline=True))
    note = session.note("forced", line=line, headline=True, order=draft.written(order), power=power)
    whose = f"{request.power}: " if request.power else ""
    session.log(f"FORCE {whose}{request.order}", note)


def _line_of(session: LetterSession, request: ForceRequest) -> tuple[str, Statement] | LineError | None:
    """Reads a line of a named power: of points or of an event, which does not tell whose it is, or of its unit."""
    variant = localized(session.loaded_game.variant, session.language)
    context = LetterContext(variant, session.loaded_game.position, request.power, any_unit=True)
    read = read_order(request.order, context)
    return one_unit(context.position, request.order, read if isinstance(read, LineError) else [(request.power, read)])


def strike(session: LetterSession, request: StrikeRequest, line: int) -> None:
    named = find_unit(session, session.loaded_game.position, request.unit)
    if named is None or isinstance(named, LineError):
        refuse(session, named, line, request.unit)
        return
    power, unit = named
    gone = {
        author: session.draft(power, author).strike(unit.at.province, unit.number)
        for author in _powers_writing(session, power)
    }
    lines = tuple(dict.fromkeys(order.text for struck in gone.values() for order in struck))
    if not lines:
        session.note("nothing-to-strike", done=False, line=line, unit=str(unit), power=power)
        return
    note = session.note("struck", line=line, headline=True, order=", ".join(lines), power=power)
    session.log(f"STRIKE {request.unit}", note)
    for author, struck in gone.items():
        if struck:
            words = ", ".join(order.text for order in struck)
            session.copy(author, Note("desk.your-order-struck", (("order", words),), headline=True))


def _powers_writing(session: LetterSession, power: str) -> tuple[str, ...]:
    loaded_game = session.loaded_game
    return sheet_writers(loaded_game.step, loaded_game.position, loaded_game.variant, power)


def in_line_order(reading: LetterContents) -> list[OrderLine | RequestLine]:
    """Orders and requests by line: CLEAR above an order is not CLEAR below it.

    What is said of the clock is about the phase that is open behind the letter: it comes behind what opens that. A game
    that is resumed is not paused in the results behind it.
    """
    given: list[OrderLine | RequestLine] = [*reading.orders, *reading.requests]
    opened = max((line.line for line in given if _is_one_of(line, OPENS_PHASE)), default=0)
    return sorted(
        given,
        key=lambda line: (max(line.line, opened), 2) if moves_clock(line) else (line.line, int(not _clears(line))),
    )


def moves_clock(line: OrderLine | RequestLine) -> bool:
    return _is_one_of(line, CLOCK - {ResumeRequest.__name__})


def _is_one_of(line: OrderLine | RequestLine, requests: Container[str]) -> bool:
    return isinstance(line, RequestLine) and type(line.request).__name__ in requests


def _clears(line: OrderLine | RequestLine) -> bool:
    """ "Clear all. A Vie - Tyr": what is taken back in a line goes before its orders."""
    return isinstance(line, RequestLine) and isinstance(line.request, ClearRequest)


def put_order(session: LetterSession, order: Statement, line: int, power: str = "") -> None:
    """Puts an order onto the writer's sheet, or that of a power they write for."""
    draft = session.draft(power or session.author, session.author)
    if not draft.put(order):
        session.note("forced-stays", done=False, line=line, order=draft.lines[order.slot].text)


def find_orders(
    session: LetterSession, position: Position, text: str
) -> list[tuple[str, Statement]] | LineError | None:
    """The order that a text names, with each power that has such a unit; the order may be impossible."""

    def owns(power: str, order: Statement) -> bool:
        if isinstance(order, UnitOrder | Placement):
            return any(_is_unit(unit, order.unit) for unit in position.all_units_of(power))
        if isinstance(order, WholeSetStatement | DipOrder | OneMeaningStatement):
            return False  # such a line does not tell whose it is: "FORCE France: …" does
        return not isinstance(order, Build) or position.centres.get(order.unit.at.province) == power

    return _by_power(session, position, lambda context: read_order(text, context), owns)


def find_unit(session: LetterSession, position: Position, text: str) -> tuple[str, UnitRef] | LineError | None:
    """The power and the unit that a text names, or a centre for a build."""

    def owns(power: str, ref: UnitRef) -> bool:
        if any(_is_unit(unit, ref) for unit in position.all_units_of(power)):
            return True
        return not position.units_of(power) or ref.at.province in position.centres_of(power)

    named = _by_power(session, position, lambda context: read_unit(text, context), owns)
    return one_unit(position, text, named)


def units_meant(position: Position, text: str, power: str, named: UnitRef) -> tuple[Unit, ...]:
    """The units of a power that a game master's words may mean: all in a shared province, if they name no number."""
    alike = tuple(unit for unit in position.all_units_of(power) if _is_unit(unit, named))
    shared = position.board.provinces[named.at.province].shared
    return alike if shared and NUMBER not in text else alike[:1]


def one_unit(
    position: Position, text: str, named: list[tuple[str, T]] | LineError | None
) -> tuple[str, T] | LineError | None:
    """The power and what it is named with; an error that lists the units where several are meant."""
    if not isinstance(named, list):
        return named
    refs = [
        (power, reading.unit if isinstance(reading, UnitOrder | Placement) else reading) for power, reading in named
    ]
    meant = [
        f"{power}: {unit.kind} {unit.at.place}{NUMBER}{unit.number or 1}".replace(" ", "_")
        for power, ref in refs
        if isinstance(ref, UnitRef) and position.board.provinces[ref.at.province].shared
        for unit in units_meant(position, text, power, ref)
    ]
    if len(meant) < 2:
        return named[0]
    place = next(ref.at.province for _, ref in refs if isinstance(ref, UnitRef))
    return LineError(0, text, 0, len(text), "which-unit", (("word", place), ("units", " ".join(meant))))


def _by_power(
    session: LetterSession,
    position: Position,
    read: Callable[[LetterContext], T | LineError],
    owns: Callable[[str, T], bool],
) -> list[tuple[str, T]] | LineError | None:
    """The results of `read` for each power that owns it; else the last error, or None for nobody's unit."""
    trouble: LineError | None = None
    named: list[tuple[str, T]] = []
    variant = localized(session.loaded_game.variant, session.language)
    for power in variant.owners:
        reading = read(LetterContext(variant, position, power, any_unit=True))
        if isinstance(reading, LineError):
            trouble = reading
        elif owns(power, reading) and _powers_writing(session, power):
            named.append((power, reading))
    return named or trouble


def refuse(session: LetterSession, trouble: LineError | None, line: int, text: str) -> None:
    """Reports a text inside a command that was not understood, at the command's line."""
    session.has_errors = True
    if trouble is None:
        session.note("nobodys-unit", done=False, line=line, words=text[:80])
    else:
        session.troubles.append(replace(trouble, line=line))


def _is_unit(unit: Unit, ref: UnitRef) -> bool:
    return (unit.kind, unit.at.province) == (ref.kind, ref.at.province)


HANDLERS: Handlers = {
    ForceRequest: force,
    StrikeRequest: strike,
}
