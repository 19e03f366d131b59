"""Running a case, and telling what happened in the words of a case file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from support import case_file as casefile
from support.case_file import Case, Line

from gm.judge.board.board import Location, Place, Use, locate
from gm.judge.board.planar_board import PlanarBoard
from gm.judge.model.calendar import resolve_phase, sheet_writers
from gm.judge.model.events import Cause, Dislodgement, Event, OrderResult, Outcome
from gm.judge.model.orders import Entry, Statement, UnitOrder
from gm.judge.model.position import Dislodged, Position, Unit
from gm.judge.model.sheets import Decree, ResolvedStep, Submissions
from gm.judge.model.struct_fields import contents
from gm.judge.model.unit_numbers import numbered
from gm.judge.model.variant import Variant
from gm.language.rendering import order_text as write


def run(case: Case, variant: Variant) -> tuple[Position, tuple[ResolvedStep, ...]]:
    position = start(case, variant) if case.earlier is None else _later(case, variant)
    for name, power in case.acts:
        position = variant.gm_changes[name].apply(position, variant, power).position
    seats = {power.name for power in variant.powers}
    sheets: dict[tuple[str, str], tuple[Entry, ...]] = {}
    for line, statement in statements(case):
        author, _, ward = line.power.partition("/")
        if not ward and author not in seats:
            ward = author
            may = sheet_writers(variant.step(position), position, variant, ward)
            author = may[0] if len(may) == 1 else ""
        if statement is not None and author in seats:
            key = author, ward or author
            sheets[key] = (*sheets.get(key, ()), Entry(statement))
    decrees = tuple(
        Decree(next(u for u in everyone(position) if str(write.unit(u)) == text), Outcome(outcome))
        for text, outcome in case.decrees
    )
    return position, resolve_phase(variant, position, Submissions(sheets, decrees=decrees))


def _later(case: Case, variant: Variant) -> Position:
    """Where the stage before has led to, and on to this one's phase without orders."""
    assert case.earlier is not None
    position = run(case.earlier, variant)[1][-1].turn.position
    while variant.phase_name(position) != case.phase:
        assert position.ended is None, case.place
        position = resolve_phase(variant, position, Submissions())[-1].turn.position
    return position


def everyone(position: Position) -> tuple[Unit, ...]:
    return (*position.units, *(d.unit for d in position.dislodged))


def statements(case: Case) -> list[tuple[Line, Statement | None]]:
    return [(line, casefile.statement(line.text, case.phase)) for line in case.lines]


def start(case: Case, variant: Variant) -> Position:
    year, at = variant.phase_at(case.phase)
    board = variant.start.board
    units = [unit(variant, power, text) for power, text in case.units]
    driven = [dislodged(variant, text) for text in case.retreats]
    taken = {_space(variant, u) for u in (*units, *(d.unit for d in driven))}
    for line, statement in statements(case):
        words = line.text.split()
        adjusts = case.phase.endswith("U") or words[0] in ("Build", "Remove", "Waive")
        if adjusts or (statement is not None and not isinstance(statement, UnitOrder)):
            continue
        code, kind = re.split("[/#]", words[1])[0], variant.kinds[words[0]]
        space = (f"{line.power} {words[1]}" if board.provinces[code].shared else code, kind.layer)
        if space not in taken:
            taken.add(space)
            units.append(unit(variant, line.power.rpartition("/")[2], " ".join(words[:2])))
    if case.whole:
        placed = {_space(variant, u) for u in units}
        units += [u for u in variant.start.units if _space(variant, u) not in placed]
    centres = dict(variant.start.centres)
    if case.owns:
        centres = {code: power for power, codes in case.owns.items() for code in codes}
    ledger = dict(case.ledger)
    standing = numbered(board, units)
    humans = tuple(case.humans)
    return Position(year, at, board, standing, centres, tuple(driven), before=centres, ledger=ledger, humans=humans)


def _space(variant: Variant, standing: Unit) -> tuple[str, str]:
    return standing.at.province, variant.kinds[standing.kind].layer


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


# ---- the map


def seen(position: Position, variant: Variant, what: str, of: str, like: str) -> str:
    """What a line about the map says of this position, in the line's own order where nothing depends on it."""
    board = position.board
    assert isinstance(board, PlanarBoard)
    if what == "borders":
        rings = [" ".join(ring) for ring in board.lists[of]]
        matching = [text for text in _parts(like) if any(_same_ring(text, ring) for ring in rings)]
        return like if len(matching) == len(rings) == len(_parts(like)) else " | ".join(rings)
    if what == "coasts":
        coasts = [" ".join(sorted({sea for shore in c.shores for sea in shore.seas})) for c in board.coasts[of]]
        wanted = [" ".join(sorted(text.split())) for text in _parts(like)]
        return like if sorted(coasts) == sorted(wanted) else " | ".join(coasts)
    named = casefile.ref(of)
    coast = board.marks[named.at.province].get(named.at.coast, named.at.coast)
    at = locate(board, variant.kinds[named.kind], Place(named.at.province, coast))
    assert at is not None, of
    reach = sorted({str(to.place) for to in board.neighbours(at, Use.MOVE)})
    return like if reach == sorted(like.split()) else " ".join(reach)


def _parts(text: str) -> list[str]:
    return [" ".join(part.split()) for part in text.split("|") if part.strip()]


def _same_ring(first: str, second: str) -> bool:
    return len(first) == len(second) and f" {first} " in f" {second} {second} "


# ---- what happened, in the words of a case file


def results(legs: Sequence[ResolvedStep]) -> list[OrderResult]:
    return [e for leg in legs for e in leg.turn.events if isinstance(e, OrderResult)]


def outcome_words(result: OrderResult) -> str:
    words = [result.outcome.value]
    if not result.given:
        words.insert(0, "no order,")
    if result.decreed:
        words.append("decreed")
    elif result.cause is not None:
        words += [result.cause.key, *_cause(result.cause, result.cause.by)]
    if result.dislodged_by is not None:
        cause = result.dislodged_cause or Cause("")
        lost = [cause.key] if cause.key not in ("", "dislodged") else []
        by = () if result.dislodged_by == result.unit else (result.dislodged_by,)
        words += ["dislodged", *lost, *_cause(cause, by)]
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
    if cause.orders:
        words.append("against " + "; ".join(f"{power} {write.statement(order)}" for power, order in cause.orders))
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


def driven_out(legs: Sequence[ResolvedStep]) -> list[str]:
    lines: list[str] = []
    for leg in legs:
        for event in leg.turn.events:
            if isinstance(event, Dislodgement):
                names = " ".join(str(at.place) for at in event.retreats)
                head = f"{event.unit.power} {write.unit(event.unit)} by {event.by.power} {write.unit(event.by)}"
                lines.append(f"retreat {head}: {names}".strip())
    return lines


def events(legs: Sequence[ResolvedStep], like: Iterable[str]) -> list[str]:
    """The events of the classes that these lines name, as such lines."""
    classes = {line.split()[0] for line in like}
    return [
        " ".join([type(event).__name__, *_fields(event)]).rstrip()
        for leg in legs
        for event in leg.turn.events
        if type(event).__name__ in classes
    ]


def _fields(event: Event) -> list[str]:
    values = [part for name, part in contents(event).items() if name != "audience"]
    several = (isinstance(value, tuple) and not isinstance(value, Unit) for value in values)
    return [" ".join(map(_word, value)) if many else _word(value) for value, many in zip(values, several, strict=True)]


def _word(value: object) -> str:
    if isinstance(value, Unit):
        return write.unit(value)
    return " ".join(map(_word, value)) if isinstance(value, tuple) else str(value)
