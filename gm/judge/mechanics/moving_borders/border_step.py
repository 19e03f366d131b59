"""The border step: each power orders a border event, then fleets are placed on the new coasts (Seismic).

Events and orders are public; placements are secret. Orders are interpreted on the map at the start of the step
(`order_meaning`), checked against each other (`conflicts`), and applied together (`apply_changes`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from gm.judge.board.planar_board import PlanarBoard
from gm.judge.mechanics.moving_borders import border_events
from gm.judge.mechanics.moving_borders.apply_changes import apply_changes
from gm.judge.mechanics.moving_borders.border_orders import NoEvent, Placement, Release, Separation, is_event
from gm.judge.mechanics.moving_borders.conflicts import blocked
from gm.judge.mechanics.moving_borders.example_orders import example_border_orders
from gm.judge.mechanics.moving_borders.fleet_placement import LOT, FleetPlacement, PlacedFleet, coastal_fleets
from gm.judge.mechanics.moving_borders.order_meaning import (
    BorderChange,
    BorderOrderRefusal,
    BorderOrderTerms,
    interpret_event,
)
from gm.judge.model.events import Cause, OrderResult, Outcome
from gm.judge.model.orders import Entry, Statement
from gm.judge.model.position import Position, Unit
from gm.judge.model.sheets import DueOrders, Problem, ProblemEffect, Submissions, Turn
from gm.judge.model.variant import Step, Variant


class BorderStep(Step, Struct, frozen=True):
    """`eliminated`: eliminated powers may order an event too. `placing`: the default for fleets without a placement."""

    season: str
    terms: BorderOrderTerms = field(default_factory=BorderOrderTerms)
    eliminated: bool = False
    placing: str = LOT
    letter: str = "S"
    grammar: str = "moving_borders"

    def due(self, position: Position, variant: Variant) -> Mapping[str, DueOrders]:
        return {p.name: DueOrders(optional=True, task="event") for p in variant.powers if self.plays(position, p.name)}

    def plays(self, position: Position, power: str) -> bool:
        """Whether a power may order an event: it is on the board, and not in permanent civil disorder."""
        return not position.collapsed(power) if self.eliminated else position.survives(power)

    def missing(self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]) -> DueOrders:
        done = any(is_event(statement) or isinstance(statement, NoEvent) for statement in sheet)
        return DueOrders() if done or not self.plays(position, power) else DueOrders(optional=True, task="event")

    def examples(self, position: Position, variant: Variant, power: str) -> tuple[Statement, ...]:
        return (
            example_border_orders(position, _board(position), self.terms, power) if self.plays(position, power) else ()
        )

    def check(
        self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]
    ) -> tuple[Problem, ...]:
        return refused_lines(sheet, lambda statement: self.refusal(position, power, statement))

    def refusal(self, position: Position, power: str, statement: Statement) -> BorderOrderRefusal | None:
        """Why a line is refused, without regard to other powers' orders."""
        board = _board(position)
        match statement:
            case Separation() | Release():
                if not self.plays(position, power):
                    return BorderOrderRefusal("out-of-play", (power,))
                meaning = interpret_event(board, self.terms, statement)
                return meaning if isinstance(meaning, BorderOrderRefusal) else None
            case NoEvent():
                return None
            case Placement():
                if _fleet(position, board, power, statement) is None:
                    return BorderOrderRefusal("no-fleet-there", (statement.unit.at.province,))
                return self.unmet(position, statement)
            case _:
                return BorderOrderRefusal("wrong-phase")

    def unmet(self, position: Position, placement: Placement) -> BorderOrderRefusal | None:
        """Why the event that a placement depends on is impossible on this map."""
        given = placement.given
        condition = interpret_event(_board(position), self.terms, given) if given else None
        return condition if isinstance(condition, BorderOrderRefusal) else None

    def resolve(self, position: Position, variant: Variant, book: Submissions) -> Turn:
        board = _board(position)
        orders = BorderOrders(self, position, variant, book)
        against = blocked(
            board.rotation,
            {change: len(authors) for change, authors in orders.changes.items()},
            blocking=self.terms.blocking,
        )
        done = [change for change in orders.changes if not against[change]]
        shift = apply_changes(board, done, {change: orders.near(change) for change in done})
        results = [*orders.aside, *orders.results(against)]
        seats = [power.name for power in variant.powers]
        placement = FleetPlacement(board, shift, self.placing, f"{position.seed}/{variant.phase_name(position)}")
        fleets = coastal_fleets(board, position.units)
        wishes = {line.unit.at.province: (power, line) for power, line in orders.placements}
        held = {
            code: pair
            for code, pair in wishes.items()
            if pair[1].given is None or orders.takes_place(pair[1].given, done)
        }
        placed = {
            fleet: placement.place(fleet, held[fleet.at.province][1].coasts if fleet.at.province in held else ())
            for fleet in fleets
        }
        results += [_placement_result(power, line, placed, held=code in held) for code, (power, line) in wishes.items()]
        units = tuple(placed[unit].after if unit in placed else unit for unit in position.units)
        after = shift.board.with_stranded(u.at.province for u in coastal_fleets(shift.board, units))
        after = _own(variant, after)
        events = (
            *border_events.list_map_changes(board, shift),
            *border_events.number_borders(after),
            *(border_events.FleetMoved(fleet, place.after, place.why) for fleet, place in placed.items() if place.why),
        )
        results.sort(key=lambda result: seats.index(result.power))
        return Turn(replace(position, board=after, units=units), (*results, *events))


class BorderOrders:
    """All orders of a phase: border changes with their authors, placements, and orders that do not count (`aside`)."""

    def __init__(self, step: BorderStep, position: Position, variant: Variant, book: Submissions) -> None:
        self.step = step
        self.position = position
        self.board = _board(position)
        self.changes: dict[BorderChange, list[tuple[str, Statement]]] = {}
        self.placements: list[tuple[str, Placement]] = []
        self.aside: list[OrderResult] = []
        self.forced: set[tuple[str, Statement]] = set()
        for power in variant.powers:
            self._take(power.name, book.entries(power.name))

    def _take(self, power: str, entries: tuple[Entry, ...]) -> None:
        chosen = self._last(power, entries)
        for entry in entries:
            if isinstance(entry.statement, NoEvent):
                outcome = Outcome.SUCCEEDS if entry is entries[-1] or chosen is None else Outcome.SUPERSEDED
                self._set_aside(power, entry, outcome, Cause("no-event"), secret=True)
            elif isinstance(entry.statement, Placement):
                self._place(power, entry, entries)
            elif not is_event(entry.statement):
                self._set_aside(power, entry, Outcome.ILLEGAL, Cause("wrong-phase"))
        if chosen is None:
            return
        event = chosen.statement
        refusal = self.step.refusal(self.position, power, event)
        if refusal is not None:
            self._set_aside(power, chosen, Outcome.VOID, cause(refusal))
            return
        assert isinstance(event, Separation | Release)
        meaning = interpret_event(self.board, self.step.terms, event)
        assert isinstance(meaning, BorderChange)
        self.changes.setdefault(meaning, []).append((power, event))
        if chosen.forced:
            self.forced.add((power, event))

    def _last(self, power: str, entries: tuple[Entry, ...]) -> Entry | None:
        """Returns the event that counts: the last forced one, else the only one. Two different ones are illegal."""
        events = [entry for entry in entries if is_event(entry.statement)]
        forced = [entry for entry in events if entry.forced]
        if entries and isinstance(entries[-1].statement, NoEvent) and not forced:
            events, gone = [], events
        elif forced or len({entry.statement for entry in events}) < 2:
            gone = [entry for entry in events if entry is not (forced or events)[-1]]
        else:
            for entry in events:
                self._set_aside(power, entry, Outcome.ILLEGAL, Cause("two-events"))
            return None
        for entry in gone:
            self._set_aside(power, entry, Outcome.SUPERSEDED)
        return (forced or events)[-1] if events else None

    def _place(self, power: str, entry: Entry, entries: tuple[Entry, ...]) -> None:
        placement = entry.statement
        assert isinstance(placement, Placement)
        refusal = self.step.refusal(self.position, power, placement)
        same = [other for other in entries if other.statement.slot == placement.slot]
        last = next((other for other in reversed(same) if other.forced), same[-1])
        if refusal is not None:
            self._set_aside(power, entry, Outcome.ILLEGAL, cause(refusal), secret=True)
        elif entry is not last:
            self._set_aside(power, entry, Outcome.SUPERSEDED, secret=True)
        else:
            self.placements.append((power, placement))

    def _set_aside(
        self, power: str, entry: Entry, outcome: Outcome, why: Cause | None = None, *, secret: bool = False
    ) -> None:
        audience = frozenset((power,)) if secret else None
        result = OrderResult(power, entry.statement, outcome, why, forced=entry.forced, audience=audience)
        self.aside.append(result)

    def near(self, change: BorderChange) -> tuple[str, ...]:
        events = (event for _, event in self.changes[change])
        return tuple(event.near for event in events if isinstance(event, Separation | Release) and event.near)

    def takes_place(self, given: Separation | Release, done: list[BorderChange]) -> bool:
        return interpret_event(self.board, self.step.terms, given) in done

    def results(self, against: Mapping[BorderChange, tuple[BorderChange, ...]]) -> Iterator[OrderResult]:
        for change, authors in self.changes.items():
            for author in authors:
                if against[change]:
                    blocking = tuple(other for by in against[change] for other in self.changes[by])
                    outcome, why = Outcome.VOID, Cause("inadmissible", orders=blocking)
                else:
                    others = tuple(other for other in authors if other[0] != author[0])
                    outcome, why = (
                        Outcome.SUCCEEDS,
                        Cause("takes-place-with" if others else "takes-place", orders=others),
                    )
                power, event = author
                yield OrderResult(power, event, outcome, why, forced=author in self.forced)


def cause(refusal: BorderOrderRefusal) -> Cause:
    return Cause(refusal.key, places=refusal.places, borders=refusal.borders)


def _board(position: Position) -> PlanarBoard:
    assert isinstance(position.board, PlanarBoard), "a calendar with this step needs a board whose borders can be moved"
    return position.board


def _own(variant: Variant, board: PlanarBoard) -> PlanarBoard:
    """Returns the variant's own board if the borders are as at the start, to reuse its caches; only for speed."""
    opening = variant.start.board
    return opening if isinstance(opening, PlanarBoard) and opening == board else board


def _fleet(position: Position, board: PlanarBoard, power: str, placement: Placement) -> Unit | None:
    fleets = coastal_fleets(board, position.units_of(power))
    return next((unit for unit in fleets if unit.at.province == placement.unit.at.province), None)


def _placement_result(
    power: str, placement: Placement, placed: Mapping[Unit, PlacedFleet], *, held: bool
) -> OrderResult:
    """Returns the result of a placement, for its owner only."""
    fleet, placed_fleet = next((f, p) for f, p in placed.items() if f.at.province == placement.unit.at.province)
    unneeded = "placement-open" if placed_fleet.needed and held else "placement-unneeded"
    key = "placed" if placed_fleet.obeyed else unneeded
    outcome = Outcome.SUCCEEDS if placed_fleet.obeyed else Outcome.VOID
    return OrderResult(power, placement, outcome, Cause(key), fleet, audience=frozenset((power,)))


def refused_lines(
    sheet: tuple[Statement, ...], refusal_of: Callable[[Statement], BorderOrderRefusal | None]
) -> tuple[Problem, ...]:
    """One problem for each line of the sheet that `refusal_of` refuses."""
    refusals = ((statement, refusal_of(statement)) for statement in sheet)
    return tuple(
        Problem(refusal.key, ProblemEffect.REFUSE_LINE, statement, refusal.places, refusal.borders)
        for statement, refusal in refusals
        if refusal is not None
    )
