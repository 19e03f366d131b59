"""Running a case, and telling what happened in the words of a case file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import fields

import casefile
from casefile import Case, Line

from gm.judge.board import Location, locate
from gm.judge.events import Cause, Dislodgement, Event, OrderResult, Outcome
from gm.judge.numbers import numbered
from gm.judge.position import Dislodged, Position, Unit
from gm.judge.statements import Statement, UnitOrder
from gm.judge.steps import Book, Decree, Entry, Leg, walk
from gm.judge.variant import Variant
from gm.text import write


def run(case: Case, variant: Variant) -> tuple[Position, tuple[Leg, ...]]:
    position = start(case, variant) if case.earlier is None else run(case.earlier, variant)[1][-1].turn.position
    for name, power in case.acts:
        position = variant.acts[name].apply(position, variant, {"power": power}).position
    seats = {power.name for power in variant.powers}
    sheets: dict[tuple[str, str], tuple[Entry, ...]] = {}
    for line, said in statements(case):
        if said is not None and line.power in seats:
            key = line.power, line.power
            sheets[key] = (*sheets.get(key, ()), Entry(said))
    decrees = tuple(
        Decree(next(u for u in everyone(position) if str(write.unit(u)) == text), Outcome(outcome))
        for text, outcome in case.decrees
    )
    return position, walk(variant, position, Book(sheets, decrees=decrees))


def everyone(position: Position) -> tuple[Unit, ...]:
    return (*position.units, *(d.unit for d in position.dislodged))


def statements(case: Case) -> list[tuple[Line, Statement | None]]:
    return [(line, casefile.statement(line.text, case.phase)) for line in case.lines]


def start(case: Case, variant: Variant) -> Position:
    year, at = variant.phase_at(case.phase)
    board = variant.start.board
    units = [unit(variant, power, text) for power, text in case.units]
    driven = [dislodged(variant, text) for text in case.retreats]
    taken = {u.at.province for u in units} | {d.unit.at.province for d in driven}
    for line, said in statements(case):
        words = line.text.split()
        adjusts = case.phase.endswith("U") or words[0] in ("Build", "Remove", "Waive")
        if adjusts or (said is not None and not isinstance(said, UnitOrder)):
            continue
        code = re.split("[/#]", words[1])[0]
        if board.provinces[code].shared:
            code = f"{line.power} {words[1]}"
        if code not in taken:
            taken.add(code)
            units.append(unit(variant, line.power, " ".join(words[:2])))
    if case.whole:
        placed = {u.at.province for u in units}
        units += [u for u in variant.start.units if u.at.province not in placed]
    centres = dict(variant.start.centres)
    if case.owns:
        centres = {code: power for power, codes in case.owns.items() for code in codes}
    ledger = dict(case.ledger)
    standing = numbered(board, units)
    humans = tuple(case.humans)
    return Position(year, at, board, standing, centres, tuple(driven), before=centres, ledger=ledger, humans=humans)


def unit(variant: Variant, power: str, text: str) -> Unit:
    named = casefile.ref(text)
    at = locate(variant.start.board, variant.kinds[named.kind], named.at)
    assert at is not None, text
    return Unit(power, named.kind, at, named.number)


def dislodged(variant: Variant, text: str) -> Dislodged:
    """ "Italy A Ven by Austria A Tri: Apu Rom"."""
    head, _, tail = text.partition(":")
    own, _, other = head.partition(" by ")
    power, *name = own.rsplit(" ", 2)
    gone = unit(variant, power, " ".join(name))
    by_power, *by_name = other.rsplit(" ", 2)
    by = unit(variant, by_power, " ".join(by_name))
    return Dislodged(gone, by, tuple(location(variant, gone, place) for place in tail.split()))


def location(variant: Variant, gone: Unit, text: str) -> Location:
    at = locate(variant.start.board, variant.kinds[gone.kind], casefile.place(text))
    assert at is not None, text
    return at


# ---- what happened, in the words of a case file


def results(legs: Sequence[Leg]) -> list[OrderResult]:
    return [e for leg in legs for e in leg.turn.events if isinstance(e, OrderResult)]


def told(result: OrderResult) -> str:
    words = [result.outcome.value]
    if not result.given:
        words.insert(0, "no order,")
    if result.decreed:
        words.append("decreed")
    elif result.cause is not None:
        words += [result.cause.key, *_cause(result.cause, result.cause.by)]
    if result.dislodged_by is not None:
        cause = result.dislodged_cause or Cause("")
        words += ["dislodged", *_cause(cause, (result.dislodged_by,))]
    if result.bought:
        words += ["+1", "dip", *result.bought]
    return " ".join(words)


def _cause(cause: Cause, by: Iterable[Unit]) -> list[str]:
    words: list[str] = []
    if names := [write.unit(u) for u in by]:
        words.append(f"by {', '.join(names)}")
    if cause.force is not None and cause.against is not None:
        words.append(f"{write.halves(cause.force)}:{write.halves(cause.against)}")
    if cause.helpers:
        words.append(f"with {', '.join(write.unit(u) for u in cause.helpers)}")
    if cause.route:
        words.append(f"over {', '.join(cause.route)}")
    if cause.places:
        words.append(f"at {', '.join(cause.places)}")
    return words


def after(position: Position, variant: Variant) -> list[str]:
    lines: list[str] = []
    for power in variant.nations:
        units = sorted(write.unit(u) for u in position.units_of(power))
        if units:
            lines.append(f"{power} {', '.join(units)}")
    return lines


def driven_out(legs: Sequence[Leg]) -> list[str]:
    lines: list[str] = []
    for leg in legs:
        for event in leg.turn.events:
            if isinstance(event, Dislodgement):
                names = " ".join(str(at.place) for at in event.retreats)
                head = f"{event.unit.power} {write.unit(event.unit)} by {event.by.power} {write.unit(event.by)}"
                lines.append(f"retreat {head}: {names}".strip())
    return lines


def events(legs: Sequence[Leg], like: Iterable[str]) -> list[str]:
    """The events of the classes that these lines name, as such lines."""
    classes = {line.split()[0] for line in like}
    return [
        " ".join([type(event).__name__, *_fields(event)]).rstrip()
        for leg in legs
        for event in leg.turn.events
        if type(event).__name__ in classes
    ]


def _fields(event: Event) -> list[str]:
    values = [getattr(event, one.name) for one in fields(event) if one.name != "audience"]  # type: ignore[arg-type]
    return [" ".join(map(_word, value)) if isinstance(value, tuple) else str(value) for value in values]


def _word(value: object) -> str:
    return write.unit(value) if isinstance(value, Unit) else str(value)
