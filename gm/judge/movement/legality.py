"""Checks orders: turns an order into an `Intent`, or gives the reason why it is impossible.

An order is legal if it could succeed whatever the other orders are, with the units where they stand (DATC 3.0, 4.E.1).
So an army may be ordered over water only where fleets lie that could convoy it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from itertools import pairwise
from weakref import WeakKeyDictionary

from msgspec import Struct

from gm.judge.board.board import AIR, STRANDED, Adjacency, Board, Location, Place, UnitKind, locations
from gm.judge.board.convoy_routes import ConvoySteps, SeaRegion, has_route, shortest_route
from gm.judge.model.events import Cause
from gm.judge.model.orders import Convoy, Hold, Move, Statement, Support, UnitOrder, UnitRef
from gm.judge.model.position import Position, Unit, alone_by_province, by_province
from gm.judge.model.rulebooks import DATC, Rulebook
from gm.judge.model.sheets import Problem, ProblemEffect
from gm.judge.movement.battle import Intent, IntentKind

NOT_ORDERED = frozenset({"wrong-phase", "no-unit", "no-unit-to-retreat", "not-dislodged", "not-yours"})
"""Keys of orders for no unit that the power may order now: the line is no line of its sheet."""


class IllegalOrder(Struct, frozen=True):
    """Why an order is impossible. `key` names a sentence; `reach` are places that would be possible instead."""

    key: str
    places: tuple[str, ...] = ()
    reach: tuple[str, ...] = ()

    def cause(self) -> Cause:
        return Cause(self.key, places=self.places)

    def problem(self, statement: Statement) -> Problem:
        effect = ProblemEffect.REFUSE_LINE if self.key in NOT_ORDERED else ProblemEffect.VOID_LINE
        return Problem(self.key, effect, statement, self.places, self.reach)


class LegalityCache(Struct, frozen=True):
    """Results of checks on one board, whichever units stand there; only for speed.

    `goals`: by a unit's kind, its location and a place, the locations that the place may mean and those of them that
    are one step away. `intents`: what a statement makes a unit try, if that depends only on the units that it names.
    """

    kinds: Mapping[str, UnitKind]
    goals: dict[tuple[str, Location, Place], tuple[tuple[Location, ...], tuple[Location, ...]]]
    intents: dict[Statement, Intent]


MAX_CACHED = 16_384
_CACHES: WeakKeyDictionary[Board, LegalityCache] = WeakKeyDictionary()


def _cache_of(board: Board, kinds: Mapping[str, UnitKind]) -> LegalityCache:
    cache = _CACHES.get(board)
    if cache is None or cache.kinds != kinds:
        cache = _CACHES[board] = LegalityCache(kinds, {}, {})
    return cache


def _depends_on_rulebook(statement: Statement) -> bool:
    """Whether the rulebook, or the order's own class, decides what the order means."""
    return isinstance(statement, SpecialOrder) or (
        isinstance(statement, Move) and (statement.via or bool(statement.route))
    )


def _numbered_units(ref: UnitRef, here: tuple[Unit, ...], power: str) -> tuple[Unit, ...]:
    """The units with this number of the power named (else of the writer, if any)."""
    owner = ref.power or power
    mine = tuple(u for u in here if u.power == owner) if owner else here
    mine = mine if mine or ref.power else here
    return tuple(u for u in mine if max(u.number, 1) == (ref.number or 1))


class LegalityChecker:
    """Answers questions about orders for the units on a board."""

    __slots__ = (
        "_alone", "_cache", "_carriers", "_sea_region", "_standing", "_units", "adjacency", "board", "convoy_steps",
        "kinds", "rulebook",
    )  # fmt: skip

    def __init__(
        self,
        board: Board,
        kinds: Mapping[str, UnitKind],
        units: tuple[Unit, ...],
        rulebook: Rulebook = DATC,
        alone: Mapping[str, Unit] | None = None,
    ) -> None:
        """`alone`: the units that stand alone in their province, if known already."""
        self.board = board
        self.kinds = kinds
        self.rulebook = rulebook
        self.adjacency: Adjacency = board.adjacency
        self._units = units
        self._alone = alone_by_province(units) if alone is None else alone
        self._standing: Mapping[str, tuple[Unit, ...]] | None = None
        self.convoy_steps: ConvoySteps = self.adjacency.convoys_from
        self._carriers: frozenset[Location] | None = None
        self._sea_region: SeaRegion | None = None
        self._cache = _cache_of(board, kinds)

    @classmethod
    def of(cls, position: Position, kinds: Mapping[str, UnitKind], rulebook: Rulebook = DATC) -> LegalityChecker:
        """Cached with the position, only for speed."""
        derived = position.__dict__
        checker: LegalityChecker | None = derived.get("_checker")
        if checker is None or checker.kinds is not kinds or checker.rulebook is not rulebook:
            checker = derived["_checker"] = cls(position.board, kinds, position.units, rulebook, position.alone)
        return checker

    @property
    def carriers(self) -> frozenset[Location]:
        """Locations of fleets that can convoy."""
        if self._carriers is None:
            kinds, steps = self.kinds, self.adjacency.convoys
            self._carriers = frozenset([u.at for u in self._units if kinds[u.kind].convoys and steps.get(u.at)])
        return self._carriers

    @property
    def sea_region(self) -> SeaRegion:
        if self._sea_region is None:
            self._sea_region = SeaRegion(self.convoy_steps, self.carriers)
        return self._sea_region

    @property
    def standing(self) -> Mapping[str, tuple[Unit, ...]]:
        """The units by province."""
        if self._standing is None:
            self._standing = by_province(self._units)
        return self._standing

    def find(self, ref: UnitRef, power: str = "") -> Unit | None:
        """The unit an order names. A wrong kind is ignored if the unit is the only one of its layer there."""
        alone = self._alone.get(ref.at.province)
        if alone is not None and alone.kind == ref.kind and not ref.number:  # nearly always
            return alone
        here = self.standing.get(ref.at.province)
        if here is None:
            return None
        if ref.number or (ref.power and len(here) > 1):
            here = _numbered_units(ref, here, power)
        if len(here) > 1:
            own = tuple(u for u in here if u.power == power) if power else ()
            here = own or here
            same = tuple(u for u in here if u.kind == ref.kind)
            layer = tuple(u for u in here if ref.kind in self.kinds and self._layer(u) == self.kinds[ref.kind].layer)
            here = same or layer or here
            if len(here) > 1 and here[0].number:
                return min(here, key=lambda u: u.number)
        if here and here[0].kind != ref.kind and not self.same_layer(here[0].kind, ref.kind):
            return None
        return here[0] if here else None

    def unnumbered(self, ref: UnitRef, power: str) -> tuple[Unit, ...]:
        """The units that a name without a number may mean where a power has several in one place; else ()."""
        here = self.standing.get(ref.at.province, ())
        if ref.number or len(here) == 1 or ref.at.province not in self.adjacency.shared:
            return ()
        mine = ref.power or power
        owner = mine if ref.power or any(unit.power == mine for unit in here) else here[0].power
        crowd = [unit for unit in here if unit.power == owner and unit.kind == ref.kind]
        return tuple(sorted(crowd, key=lambda unit: unit.number)) if len(crowd) > 1 else ()

    def same_layer(self, kind: str, named: str) -> bool:
        """Whether one kind may be written for the other by mistake: they compete for the same spaces."""
        return named not in self.kinds or self.kinds[kind].layer == self.kinds[named].layer

    def unit_at(self, location: Location) -> Unit | None:
        return next((u for u in self.standing.get(location.province, ()) if u.at == location), None)

    def unit_in_air(self, province: str) -> Unit | None:
        return next((u for u in self.standing.get(province, ()) if self._layer(u) == AIR), None)

    def _layer(self, unit: Unit) -> str:
        return self.kinds[unit.kind].layer

    def reach(self, unit: Unit) -> tuple[str, ...]:
        """Places that the unit can move to without a convoy, sorted."""
        return tuple(sorted(str(at.place) for at in self.adjacency.moves.get(unit.at, ()) if self.stands(unit, at)))

    def stands(self, unit: Unit, at: Location) -> bool:
        return self.kinds[unit.kind].stands(at.slot)

    def intent(self, unit: Unit, statement: Statement) -> Intent | IllegalOrder:
        """What the statement makes the unit try. Results that depend on no other units are cached, only for speed."""
        intents = self._cache.intents
        known = intents.get(statement)
        if known is not None:
            mover, target = known.unit, known.target
            helped = self._alone.get(target.at.province) if target is not None else None
            if mover is unit and helped is target:
                return known
            if unit.is_like(mover) and (target is None or (helped is not None and helped.is_like(target))):
                known = intents[statement] = Intent(unit, known.action, known.to, helped, known.goal, known.via)
                return known
        intent = self._intent(unit, statement)
        if (
            isinstance(intent, Intent)
            and self.is_independent(intent)
            and not _depends_on_rulebook(statement)
            and (intent.target is None or intent.target.at.province not in self.adjacency.shared)
        ):
            if len(intents) >= MAX_CACHED:
                intents.clear()
            intents[statement] = intent
        return intent

    def is_independent(self, intent: Intent) -> bool:
        """Whether the order is possible wherever the units stand that it does not name."""
        moves = self.adjacency.moves
        if intent.action is IntentKind.HOLD:
            return True
        if intent.action is IntentKind.MOVE:
            return not intent.via and intent.to in moves[intent.unit.at]
        target, goal = intent.target, intent.goal
        if target is None:
            return False
        if intent.action is IntentKind.CONVOY:
            return goal is not None and self._is_only_carrier(intent.unit, target, goal)
        return goal is None or self._is_near(target, goal)

    def _is_near(self, unit: Unit, to: Place) -> bool:
        """Whether the place is one step away, on any of its coasts."""
        goals = self._goals(unit, to)
        return not isinstance(goals, IllegalOrder) and bool(goals[1])

    def _is_only_carrier(self, fleet: Unit, army: Unit, to: Place) -> bool:
        """Whether the fleet alone joins two shores between which no army can walk."""
        goals = self._goals(army, to)
        if isinstance(goals, IllegalOrder) or goals[1]:
            return False
        near = self.convoy_steps(fleet.at)
        return army.at in near and goals[0][0] in near

    def _intent(self, unit: Unit, statement: Statement) -> Intent | IllegalOrder:
        if unit.at.slot == STRANDED and not isinstance(statement, Hold):
            return IllegalOrder("trapped", (unit.at.province,))
        match statement:
            case Hold():
                return Intent(unit)
            case Move():
                return self._move(unit, statement)
            case Support():
                return self._support(unit, statement)
            case Convoy():
                return self._convoy(unit, statement)
            case SpecialOrder():
                return statement.attempt(self, unit)
            case _:
                return IllegalOrder("wrong-phase")

    def _move(self, unit: Unit, order: Move) -> Intent | IllegalOrder:
        """Naming a route asks for a convoy; whether the route is binding is the rulebook's choice (DATC 4.A.6)."""
        via = self.rulebook.via and (order.via or bool(order.route))
        path = self._path(order.route) if self.rulebook.binding else ()
        end = self.destination(unit, order.to, via=via, path=path)
        if isinstance(end, IllegalOrder):
            return end
        if self.rulebook.named and not order.route and (via or end not in self.adjacency.moves[unit.at]):
            seas = shortest_route(self.convoy_steps, unit.at, end, self.carriers) or ()
            return IllegalOrder("route-missing", (unit.at.province, end.province), tuple(at.province for at in seas))
        return Intent(unit, IntentKind.MOVE, end, via=via, path=path or ())

    def _path(self, route: tuple[str, ...]) -> tuple[Location, ...] | None:
        """The fleets' locations in the provinces of a route; None if one of them has no fleet that can convoy."""
        fleets = {at.province: at for at in self.carriers}
        return tuple(fleets[sea] for sea in route) if all(sea in fleets for sea in route) else None

    def decreed_move(self, unit: Unit, statement: Statement) -> Intent | None:
        """A move that only the game master's decree makes possible: to wherever such a unit can stand."""
        if not isinstance(statement, Move):
            return None
        ends = self._ends(unit, statement.to)
        return Intent(unit, IntentKind.MOVE, ends[0]) if not isinstance(ends, IllegalOrder) and len(ends) == 1 else None

    def destination(
        self,
        unit: Unit,
        to: Place,
        *,
        via: bool = False,
        without: Location | None = None,
        path: tuple[Location, ...] | None = (),
    ) -> Location | IllegalOrder:
        """Where a move would end. `without`: no route through this sea; `path`: by these fleets (None: by a route that
        lacks fleets).
        """
        goals = self._goals(unit, to)
        if isinstance(goals, IllegalOrder):
            return goals
        ends, direct = goals
        if len(direct) > 1:
            return _which_coast(direct)
        if direct and not via:
            return direct[0]
        kind = self.kinds[unit.kind]
        if direct and not kind.convoyed:
            return IllegalOrder("not-carried", (unit.at.province, to.province))
        if kind.convoyed and len(ends) == 1:
            has_fleets = (
                self._has_route(unit.at, ends[0], without) if path == () else self._has_path(unit, ends[0], path)
            )
            if has_fleets:
                return ends[0]
            if direct or (self.convoy_steps(unit.at) and self.convoy_steps(ends[0])):
                return IllegalOrder("no-fleets", (unit.at.province, to.province), self.reach(unit))
        others = [at for at in locations(self.board, kind, to.province) if at in self.adjacency.moves[unit.at]]
        if to.coast and others and not direct:
            return _wrong_coast(to, others)
        if too_far := self.out_of_range(unit, to.province):
            return too_far
        if unit.at.province in self.adjacency.shared:
            return IllegalOrder("not-adjacent-ocean", (unit.at.province, to.province), self.reach(unit))
        return IllegalOrder("not-adjacent", (unit.at.province, to.province), self.reach(unit))

    def retreat(self, unit: Unit, to: Place, free: tuple[Location, ...]) -> Location | IllegalOrder:
        """Where a retreat would end; a coast is read as in a move. `free` are the locations open to the unit."""
        ends = self._ends(unit, to)
        meant = () if isinstance(ends, IllegalOrder) else tuple(at for at in ends if at in free)
        if len(meant) > 1:
            return _which_coast(meant)
        if meant:
            return meant[0]
        others = tuple(at for at in free if at.province == to.province)
        if others:
            return _wrong_coast(to, others)
        return IllegalOrder("no-retreat-there", (str(to),), tuple(str(at.place) for at in free))

    def out_of_range(self, unit: Unit, province: str) -> IllegalOrder | None:
        """Why a province is too far for a kind that crosses several; None if it is in range.

        Its places are both provinces, the distance and the kind's range.
        """
        reach = self.kinds[unit.kind].reach
        steps = self.adjacency.steps_from(unit.at.province).get(province)
        if reach == 1 or (steps is not None and steps <= reach):
            return None
        return IllegalOrder("out-of-range", (unit.at.province, province, str(steps or ""), str(reach)))

    def end(self, unit: Unit, to: Place, *, via: bool) -> Place | None:
        """The coast that a move reaches, or `to` if it is impossible. None: it depends on the convoy."""
        goals = self._goals(unit, to)
        if isinstance(goals, IllegalOrder) or unit.at.slot == STRANDED:
            return to
        ends, direct = goals
        sails = via and self.rulebook.via
        if len(direct) == 1 and not sails:
            return direct[0].place
        if (direct and not sails) or len(ends) > 1 or not self.kinds[unit.kind].convoyed:
            return to
        return to if ends[0].place == to else None

    def _goals(self, unit: Unit, to: Place) -> tuple[tuple[Location, ...], tuple[Location, ...]] | IllegalOrder:
        """Locations that the place may mean, and those of them that are one step away."""
        key = unit.kind, unit.at, to
        goals = self._cache.goals.get(key)
        if goals is None:
            ends = self._ends(unit, to)
            if isinstance(ends, IllegalOrder):
                return ends
            near = self.adjacency.moves[unit.at]
            if len(self._cache.goals) >= MAX_CACHED:
                self._cache.goals.clear()
            goals = self._cache.goals[key] = ends, tuple([at for at in ends if at in near])
        return goals

    def _ends(self, unit: Unit, to: Place) -> tuple[Location, ...] | IllegalOrder:
        """Locations that the place may mean. A coast that the province lacks, or the unit does not need, is ignored."""
        area = self.board.provinces.get(to.province)
        if area is None:
            return IllegalOrder("unknown-place", (to.province,))
        kind = self.kinds[unit.kind]
        ends = locations(self.board, kind, to.province)
        if not ends:
            if not area.slots:
                return IllegalOrder("impassable", (to.province,), self.reach(unit))
            return IllegalOrder("wrong-ocean" if area.shared else "wrong-ground", (to.province,), self.reach(unit))
        if to.province == unit.at.province:
            return IllegalOrder("same-place", (to.province,), self.reach(unit))
        return tuple(at for at in ends if at.slot == to.coast) or ends

    def _has_route(self, start: Location, end: Location, without: Location | None) -> bool:
        fleets = self.carriers - {without} if without else self.carriers
        return bool(fleets) and has_route(self.convoy_steps, start, end, fleets)

    def _has_path(self, unit: Unit, end: Location, path: tuple[Location, ...] | None) -> bool:
        if path is None:
            return False
        return all(there in self.convoy_steps(here) for here, there in pairwise((unit.at, *path, end)))

    def _support(self, unit: Unit, order: Support) -> Intent | IllegalOrder:
        target = self.find(order.target, unit.power if order.target.at.province in self.adjacency.shared else "")
        if target is None:
            return IllegalOrder("no-unit-there", (order.target.at.province,))
        if target == unit:
            return IllegalOrder("support-self")
        goal = order.to
        province = goal.province if goal else target.at.province
        layer, own = self.kinds[target.kind].layer, self.kinds[unit.kind].layer
        if province in self.adjacency.shared:
            return IllegalOrder("support-ocean", (province,))
        if goal and province == unit.at.province and layer == own:
            return IllegalOrder("support-own-place", (province,))
        if goal and not self._is_near(target, goal):
            end = self.destination(target, goal, without=unit.at)
            if isinstance(end, IllegalOrder):
                return IllegalOrder("target-cannot", (str(target.at.place), str(goal)))
        if (province, layer) not in self.adjacency.supports[unit.at]:
            return IllegalOrder(_too_far_key(unit, own, layer, province), (province,), self.reach(unit))
        if not self.kinds[unit.kind].support.get(layer):
            return IllegalOrder("support-kind", (province,))
        return Intent(unit, IntentKind.SUPPORT, target=target, goal=goal)

    def _convoy(self, unit: Unit, order: Convoy) -> Intent | IllegalOrder:
        if not self.kinds[unit.kind].convoys:
            return IllegalOrder("convoy-by-kind")
        if unit.at not in self.carriers:
            return IllegalOrder("convoy-on-coast", (unit.at.province,))
        target = self.find(order.target)
        if target is None:
            return IllegalOrder("no-unit-there", (order.target.at.province,))
        if not self.kinds[target.kind].convoyed:
            return IllegalOrder("convoy-kind", (target.at.province,))
        goals = self._goals(target, order.to)
        if isinstance(goals, IllegalOrder):
            return IllegalOrder("target-cannot", (str(target.at.place), str(order.to)))
        ends, direct = goals
        # Where the army could walk, a fleet that no route needs must not make it sail (DATC 3.0, 6.G.19). Where it
        # could not, the rule is laxer: Egypt - Smyrna by Suez is legal, though one fleet would do (Youngstown, 13).
        serves = self.sea_region.is_needed if ends[0] in direct else self.sea_region.is_on_chain
        if not serves(target.at, ends[0], unit.at):
            return IllegalOrder("convoy-useless", (target.at.province, order.to.province))
        return Intent(unit, IntentKind.CONVOY, target=target, goal=order.to)


def _which_coast(ends: Sequence[Location]) -> IllegalOrder:
    return IllegalOrder("which-coast", (ends[0].province,), tuple(str(at.place) for at in ends))


def _wrong_coast(to: Place, others: Sequence[Location]) -> IllegalOrder:
    return IllegalOrder("wrong-coast", (str(to),), tuple(str(at.place) for at in others))


def _too_far_key(unit: Unit, own: str, layer: str, province: str) -> str:
    """Why no support reaches a space. Ground units support only the air right above them; wings support the ground
    below and beside them.
    """
    if layer == own:
        return "support-reach"
    if own == AIR:
        return "support-below"
    return "support-above" if province != unit.at.province else "support-from-centre"


class SpecialOrder(UnitOrder, frozen=True):
    """An order that takes no part in the battle for spaces; its step decides its outcome."""

    @abstractmethod
    def attempt(self, checker: LegalityChecker, unit: Unit) -> Intent | IllegalOrder:
        """The intent to hold, or why the unit cannot carry out this order."""
