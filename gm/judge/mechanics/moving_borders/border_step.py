"""The border step: one border event a power, then fleets are placed on the new coasts (Seismic).

Events and orders are public; placements are secret. Orders are interpreted on the map at the start of the step
(`order_meaning`), checked against each other (`conflicts`), and applied together (`apply_changes`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from gm.judge.board.planar_board import PlanarBoard
from gm.judge.mechanics.moving_borders import border_events as aftermath
from gm.judge.mechanics.moving_borders.apply_changes import apply_changes
from gm.judge.mechanics.moving_borders.border_orders import NoEvent, Placement, Release, Separation, is_event
from gm.judge.mechanics.moving_borders.conflicts import blocked
from gm.judge.mechanics.moving_borders.example_orders import specimens
from gm.judge.mechanics.moving_borders.fleet_placement import LOT, FleetPlacement, PlacedFleet, ashore, moved
from gm.judge.mechanics.moving_borders.order_meaning import BorderChange, BorderOrderRefusal, BorderOrderTerms, deed
from gm.judge.model.events import Cause, OrderResult, Outcome
from gm.judge.model.orders import Entry, Statement
from gm.judge.model.position import Position, Unit
from gm.judge.model.sheets import DueOrders, Problem, ProblemEffect, Submissions, Turn
from gm.judge.model.variant import Step, Variant


class BorderStep(Step, Struct, frozen=True):
    """`terms` say what an order may do; `eliminated` powers may have an event too; `placing` decides for a fleet of
    which nobody wrote.
    """

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
        if position.collapsed(power):
            return False
        return self.eliminated or bool(position.units_of(power) or position.centres_of(power))

    def missing(self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]) -> DueOrders:
        done = any(is_event(said) or isinstance(said, NoEvent) for said in sheet)
        return DueOrders() if done or not self.plays(position, power) else DueOrders(optional=True, task="event")

    def examples(self, position: Position, variant: Variant, power: str) -> tuple[Statement, ...]:
        return specimens(position, _board(position), self.terms, power) if self.plays(position, power) else ()

    def check(
        self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]
    ) -> tuple[Problem, ...]:
        problems: list[Problem] = []
        for said in sheet:
            refusal = self.refusal(position, power, said)
            if refusal is not None:
                problems.append(Problem(refusal.key, ProblemEffect.REFUSE_LINE, said, refusal.places, refusal.borders))
        return tuple(problems)

    def refusal(self, position: Position, power: str, said: Statement) -> BorderOrderRefusal | None:
        """Why a line is refused, without regard to other powers' orders."""
        board = _board(position)
        match said:
            case Separation() | Release():
                if not self.plays(position, power):
                    return BorderOrderRefusal("out-of-play", (power,))
                meaning = deed(board, self.terms, said)
                return meaning if isinstance(meaning, BorderOrderRefusal) else None
            case NoEvent():
                return None
            case Placement():
                if _fleet(position, board, power, said) is None:
                    return BorderOrderRefusal("no-fleet-there", (said.unit.at.province,))
                return self.unmet(position, said)
            case _:
                return BorderOrderRefusal("wrong-phase")

    def unmet(self, position: Position, said: Placement) -> BorderOrderRefusal | None:
        """Why the condition of a placement can never come true on this map."""
        condition = deed(_board(position), self.terms, said.given) if said.given else None
        return condition if isinstance(condition, BorderOrderRefusal) else None

    def resolve(self, position: Position, variant: Variant, book: Submissions) -> Turn:
        board = _board(position)
        docket = BorderOrders(self, position, variant, book)
        against = blocked(
            board.rotation, {one: len(by) for one, by in docket.deeds.items()}, blocking=self.terms.blocking
        )
        done = [one for one in docket.deeds if not against[one]]
        shift = apply_changes(board, done, {one: docket.near(one) for one in done})
        results = [*docket.aside, *docket.results(against)]
        seats = [power.name for power in variant.powers]
        harbour = FleetPlacement(board, shift, self.placing, f"{position.seed}/{variant.phase_name(position)}")
        fleets = ashore(board, position.units)
        wishes = {said.unit.at.province: (power, said) for power, said in docket.placements}
        held = {
            code: pair for code, pair in wishes.items() if pair[1].given is None or docket.took(pair[1].given, done)
        }
        berths = {
            fleet: harbour.berth(fleet, held[fleet.at.province][1].coasts if fleet.at.province in held else ())
            for fleet in fleets
        }
        results += [_placed(power, said, berths, held=code in held) for code, (power, said) in wishes.items()]
        units = tuple(berths[unit].after if unit in berths else unit for unit in position.units)
        after = shift.board.with_stranded(u.at.province for u in ashore(shift.board, units))
        after = _own(variant, after)
        events = (*aftermath.shifted(board, shift), *aftermath.numbers(after), *moved(berths))
        results.sort(key=lambda result: seats.index(result.power))
        return Turn(replace(position, board=after, units=units), (*results, *events))


class BorderOrders:
    """All orders of a phase: their meanings and authors, and those that do not count."""

    def __init__(self, step: BorderStep, position: Position, variant: Variant, book: Submissions) -> None:
        self.step = step
        self.position = position
        self.board = _board(position)
        self.deeds: dict[BorderChange, list[tuple[str, Statement]]] = {}
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
        said = chosen.statement
        refusal = self.step.refusal(self.position, power, said)
        if refusal is not None:
            self._set_aside(power, chosen, Outcome.VOID, cause(refusal))
            return
        assert isinstance(said, Separation | Release)
        meaning = deed(self.board, self.step.terms, said)
        assert isinstance(meaning, BorderChange)
        self.deeds.setdefault(meaning, []).append((power, said))
        if chosen.forced:
            self.forced.add((power, said))

    def _last(self, power: str, entries: tuple[Entry, ...]) -> Entry | None:
        """The event that counts: a forced one, else the only one. Two different ones void each other."""
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
        said = entry.statement
        assert isinstance(said, Placement)
        refusal = self.step.refusal(self.position, power, said)
        same = [one for one in entries if one.statement.slot == said.slot]
        last = next((one for one in reversed(same) if one.forced), same[-1])
        if refusal is not None:
            self._set_aside(power, entry, Outcome.ILLEGAL, cause(refusal), secret=True)
        elif entry is not last:
            self._set_aside(power, entry, Outcome.SUPERSEDED, secret=True)
        else:
            self.placements.append((power, said))

    def _set_aside(
        self, power: str, entry: Entry, outcome: Outcome, why: Cause | None = None, *, secret: bool = False
    ) -> None:
        audience = frozenset((power,)) if secret else None
        result = OrderResult(power, entry.statement, outcome, why, forced=entry.forced, audience=audience)
        self.aside.append(result)

    def near(self, one: BorderChange) -> tuple[str, ...]:
        return tuple(said.near for _, said in self.deeds[one] if isinstance(said, Separation | Release) and said.near)

    def took(self, given: Separation | Release, done: list[BorderChange]) -> bool:
        return deed(self.board, self.step.terms, given) in done

    def results(self, against: Mapping[BorderChange, tuple[BorderChange, ...]]) -> Iterator[OrderResult]:
        for one, authors in self.deeds.items():
            for author in authors:
                if against[one]:
                    blocking = tuple(other for by in against[one] for other in self.deeds[by])
                    outcome, why = Outcome.VOID, Cause("inadmissible", orders=blocking)
                else:
                    others = tuple(other for other in authors if other[0] != author[0])
                    outcome, why = (
                        Outcome.SUCCEEDS,
                        Cause("takes-place-with" if others else "takes-place", orders=others),
                    )
                power, said = author
                yield OrderResult(power, said, outcome, why, forced=author in self.forced)


def cause(refusal: BorderOrderRefusal) -> Cause:
    return Cause(refusal.key, places=refusal.places, borders=refusal.borders)


def _board(position: Position) -> PlanarBoard:
    assert isinstance(position.board, PlanarBoard), "a calendar with this step needs a board whose borders can be moved"
    return position.board


def _own(variant: Variant, board: PlanarBoard) -> PlanarBoard:
    """The variant's own board if the borders are as at the start, so that its caches are reused."""
    opening = variant.start.board
    return opening if isinstance(opening, PlanarBoard) and opening == board else board


def _fleet(position: Position, board: PlanarBoard, power: str, said: Placement) -> Unit | None:
    fleets = ashore(board, position.units_of(power))
    return next((unit for unit in fleets if unit.at.province == said.unit.at.province), None)


def _placed(power: str, said: Placement, berths: Mapping[Unit, PlacedFleet], *, held: bool) -> OrderResult:
    """The result of a placement, for its owner only."""
    fleet, berth = next((f, b) for f, b in berths.items() if f.at.province == said.unit.at.province)
    key = "placed" if berth.obeyed else "placement-open" if berth.needed and held else "placement-unneeded"
    outcome = Outcome.SUCCEEDS if berth.obeyed else Outcome.VOID
    return OrderResult(power, said, outcome, Cause(key), fleet, audience=frozenset((power,)))
