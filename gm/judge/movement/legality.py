"""What a unit can try at all: orders -> intents, or the reason why not.

An order is legal if it could work whatever the others were ordered, with the units where they stand (DATC 3.0,
4.E.1): so an army may be ordered over water only where fleets lie that could carry it.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple
from weakref import WeakKeyDictionary

from msgspec import Struct

from gm.judge.board.board import AIR, STRANDED, Adjacency, Board, Location, Place, UnitKind, locations
from gm.judge.board.convoy_routes import ConvoySteps, SeaRegion, has_route, shortest_route
from gm.judge.model.events import Cause
from gm.judge.model.orders import Convoy, Hold, Move, Statement, Support, UnitOrder, UnitRef
from gm.judge.model.position import Position, Unit, by_province
from gm.judge.model.rulebooks import DATC, Rulebook
from gm.judge.movement.battle import Intent, IntentKind


class IllegalOrder(Struct, frozen=True):
    """Why an order cannot be obeyed. `key` names a sentence; `reach` are places that would do instead."""

    key: str
    places: tuple[str, ...] = ()
    reach: tuple[str, ...] = ()

    def cause(self) -> Cause:
        return Cause(self.key, places=self.places)


class PlainOrderFacts(NamedTuple):
    """What is known of orders on one board, whoever else stands there. By a kind of unit and where it is: the locations
    that a place may mean to it and those of them that are one step away. By statement (its identity, which is quicker
    to look up than its value): what the unit that was last ordered so tries, if that hangs on no units but the ones
    that the order names.
    """

    kinds: Mapping[str, UnitKind]
    goals: dict[tuple[str, Location, Place], tuple[tuple[Location, ...], tuple[Location, ...]]]
    intents: dict[int, tuple[Statement, Intent]]


MOST_PLAIN = 16_384
UNKNOWN = None, None
_PLAIN: WeakKeyDictionary[Board, PlainOrderFacts] = WeakKeyDictionary()


def _plain(board: Board, kinds: Mapping[str, UnitKind]) -> PlainOrderFacts:
    found = _PLAIN.get(board)
    if found is None or found.kinds != kinds:
        found = _PLAIN[board] = PlainOrderFacts(kinds, {}, {})
    return found


def _by_others(statement: Statement) -> bool:
    """Whether it is the edition's to say how the order is meant, or the order's own."""
    return isinstance(statement, SpecialOrder) or (
        isinstance(statement, Move) and (statement.via or bool(statement.route))
    )


def _named(ref: UnitRef, here: tuple[Unit, ...], power: str) -> tuple[Unit, ...]:
    """Those of the power named (else of the writer's, if any) that have this number."""
    whose = ref.power or power
    mine = tuple(u for u in here if u.power == whose) if whose else here
    mine = mine if mine or ref.power else here
    return tuple(u for u in mine if max(u.number, 1) == (ref.number or 1))


class LegalityChecker:
    """A board with units on it, made ready for questions about orders."""

    __slots__ = (
        "_carriers",
        "_plain",
        "_standing",
        "_units",
        "_waters",
        "adjacency",
        "board",
        "edition",
        "kinds",
        "legs",
    )

    def __init__(
        self,
        board: Board,
        kinds: Mapping[str, UnitKind],
        units: tuple[Unit, ...],
        edition: Rulebook = DATC,
        standing: Mapping[str, tuple[Unit, ...]] | None = None,
    ) -> None:
        """`standing`: the units by province, where that is known already."""
        self.board = board
        self.kinds = kinds
        self.edition = edition
        self.adjacency: Adjacency = board.adjacency
        self._units = units
        self._standing = by_province(units) if standing is None else standing
        self.legs: ConvoySteps = self.adjacency.convoys_from
        self._carriers: frozenset[Location] | None = None
        self._waters: SeaRegion | None = None
        self._plain = _plain(board, kinds)

    @classmethod
    def of(cls, position: Position, kinds: Mapping[str, UnitKind], edition: Rulebook = DATC) -> LegalityChecker:
        """Kept with the position: many ask it one after the other."""
        known = position.__dict__
        found: LegalityChecker | None = known.get("_theatre")
        if found is None or found.kinds is not kinds or found.edition is not edition:
            found = known["_theatre"] = cls(position.board, kinds, position.units, edition, position.standing)
        return found

    @property
    def carriers(self) -> frozenset[Location]:
        """Where fleets lie that can convoy; worked out when first asked for."""
        if self._carriers is None:
            kinds, legs = self.kinds, self.adjacency.convoys
            self._carriers = frozenset([u.at for u in self._units if kinds[u.kind].convoys and legs.get(u.at)])
        return self._carriers

    @property
    def waters(self) -> SeaRegion:
        if self._waters is None:
            self._waters = SeaRegion(self.legs, self.carriers)
        return self._waters

    def own(self, statement: Statement, power: str) -> Unit | None:
        """The power's unit that an order names, where that is plain to see; None is no answer."""
        if not isinstance(statement, UnitOrder):
            return None
        named = statement.unit
        here = self._standing.get(named.at.province)
        if here is None or named.number or len(here) != 1:
            return None
        unit = here[0]
        return unit if unit.kind == named.kind and unit.power == power else None

    def find(self, ref: UnitRef, power: str = "") -> Unit | None:
        """The unit an order names. Its kind is not insisted on where only one unit (of the power) stands there, of the
        same layer.
        """
        here = self._standing.get(ref.at.province)
        if here is None:
            return None
        if not ref.number and len(here) == 1 and here[0].kind == ref.kind:  # nearly always
            return here[0]
        if ref.number or (ref.power and len(here) > 1):
            here = _named(ref, here, power)
        if len(here) > 1:
            own = tuple(u for u in here if u.power == power) if power else ()
            here = own or here
            same = tuple(u for u in here if u.kind == ref.kind)
            layer = tuple(u for u in here if ref.kind in self.kinds and self._layer(u) == self.kinds[ref.kind].layer)
            here = same or layer or here
            if len(here) > 1 and here[0].number:
                return min(here, key=lambda u: u.number)
        if here and here[0].kind != ref.kind and not self.alike(here[0].kind, ref.kind):
            return None
        return here[0] if here else None

    def alike(self, kind: str, named: str) -> bool:
        """Whether one may be written for the other by mistake: they contend for the same spaces."""
        return named not in self.kinds or self.kinds[kind].layer == self.kinds[named].layer

    def at(self, location: Location) -> Unit | None:
        return next((u for u in self._standing.get(location.province, ()) if u.at == location), None)

    def aloft(self, province: str) -> Unit | None:
        """The unit in the air there."""
        return next((u for u in self._standing.get(province, ()) if self._layer(u) == AIR), None)

    def _layer(self, unit: Unit) -> str:
        return self.kinds[unit.kind].layer

    def reach(self, unit: Unit) -> tuple[str, ...]:
        """Places it can go without help, sorted."""
        return tuple(sorted(str(at.place) for at in self.adjacency.moves.get(unit.at, ()) if self.stands(unit, at)))

    def stands(self, unit: Unit, at: Location) -> bool:
        return self.kinds[unit.kind].stands(at.slot)

    def intent(self, unit: Unit, statement: Statement) -> Intent | IllegalOrder:
        """What the statement has the unit try. Orders that hang on no other units are looked at once a board."""
        intents = self._plain.intents
        said, known = intents.get(id(statement), UNKNOWN)
        if known is not None and said is statement:
            target = known.target
            if known.unit == unit and (target is None or self._standing.get(target.at.province) == (target,)):
                return known
            again = self._again(known, unit, statement)
            if again is not None:
                intents[id(statement)] = statement, again
                return again
        found = self._intent(unit, statement)
        if isinstance(found, Intent) and self.is_plain(found) and not _by_others(statement) and self._alone(found):
            if len(intents) >= MOST_PLAIN:
                intents.clear()
            intents[id(statement)] = statement, found
        return found

    def _again(self, known: Intent, unit: Unit, statement: Statement) -> Intent | None:
        """What the same order has a unit try that differs in nothing but whose it is, as may the one that it helps."""
        before, target = known.unit, known.target
        if unit.kind != before.kind or unit.at != before.at:
            return None
        if target is not None:
            now = self.find(statement.target) if isinstance(statement, Support | Convoy) else None
            if now is None or now.kind != target.kind or now.at != target.at:
                return None
            target = now
        return Intent(unit, known.act, known.to, target, known.goal, known.via)

    def _alone(self, found: Intent) -> bool:
        """Whether the unit helped is the only one that its place could mean, whoever helps it."""
        return found.target is None or found.target.at.province not in self.adjacency.shared

    def is_plain(self, found: Intent) -> bool:
        """Whether nobody else on the board could have made the order impossible."""
        moves = self.adjacency.moves
        if found.act is IntentKind.HOLD:
            return True
        if found.act is IntentKind.MOVE:
            return not found.via and found.to in moves[found.unit.at]
        target, goal = found.target, found.goal
        if target is None:
            return False
        if found.act is IntentKind.CONVOY:
            return goal is not None and self._ferries(found.unit, target, goal)
        return goal is None or self._near(target, goal)

    def _near(self, unit: Unit, to: Place) -> bool:
        """Whether the place is one step away, on whichever of its coasts."""
        goals = self._goals(unit, to)
        return not isinstance(goals, IllegalOrder) and bool(goals[1])

    def _ferries(self, fleet: Unit, army: Unit, to: Place) -> bool:
        """Whether the fleet by itself joins two shores between which no army walks."""
        goals = self._goals(army, to)
        if isinstance(goals, IllegalOrder) or goals[1]:
            return False
        near = self.legs(fleet.at)
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
        """Naming a route asks for the convoy; whether it then has to be that route is the edition's (DATC 4.A.6)."""
        via = self.edition.via and (order.via or bool(order.route))
        path = self._path(order.route) if self.edition.binding else ()
        end = self.destination(unit, order.to, via=via, path=path)
        if isinstance(end, IllegalOrder):
            return end
        if self.edition.named and not order.route and (via or end not in self.adjacency.moves[unit.at]):
            seas = shortest_route(self.legs, unit.at, end, self.carriers) or ()
            return IllegalOrder("route-missing", (unit.at.province, end.province), tuple(at.province for at in seas))
        return Intent(unit, IntentKind.MOVE, end, via=via, path=path or ())

    def _path(self, route: tuple[str, ...]) -> tuple[Location, ...] | None:
        """The fleets' locations in the provinces of a route; None where one of them holds no fleet that convoys."""
        fleets = {at.province: at for at in self.carriers}
        return tuple(fleets[sea] for sea in route) if all(sea in fleets for sea in route) else None

    def by_decree(self, unit: Unit, statement: Statement) -> Intent | None:
        """A move that the game master's word makes possible: to wherever such a unit can stand."""
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
        """Where a move would end. `without`: not by a route over this sea; `path`: by that one (None: by an
        impossible one).
        """
        goals = self._goals(unit, to)
        if isinstance(goals, IllegalOrder):
            return goals
        ends, direct = goals
        if len(direct) > 1:
            return IllegalOrder("which-coast", (to.province,), tuple(str(at.place) for at in direct))
        if direct and not via:
            return direct[0]
        kind = self.kinds[unit.kind]
        if direct and not kind.convoyed:
            return IllegalOrder("not-carried", (unit.at.province, to.province))
        if kind.convoyed and len(ends) == 1:
            if self._carried(unit.at, ends[0], without) if path == () else self._chained(unit.at, ends[0], path):
                return ends[0]
            if direct or (self.legs(unit.at) and self.legs(ends[0])):
                return IllegalOrder("no-fleets", (unit.at.province, to.province), self.reach(unit))
        others = [at for at in locations(self.board, kind, to.province) if at in self.adjacency.moves[unit.at]]
        if to.coast and others and not direct:
            return IllegalOrder("wrong-coast", (str(to),), tuple(str(at.place) for at in others))
        if beyond := self.beyond(unit, to.province):
            return beyond
        if unit.at.province in self.adjacency.shared:
            return IllegalOrder("not-adjacent-ocean", (unit.at.province, to.province), self.reach(unit))
        return IllegalOrder("not-adjacent", (unit.at.province, to.province), self.reach(unit))

    def beyond(self, unit: Unit, province: str) -> IllegalOrder | None:
        """For a kind that crosses several provinces: why this one is too far off; None where it is not.

        The fault's places are both provinces, the steps between them and how many the kind can go.
        """
        reach = self.kinds[unit.kind].reach
        steps = self.adjacency.distances(frozenset({unit.at.province})).get(province)
        if reach == 1 or (steps is not None and steps <= reach):
            return None
        return IllegalOrder("out-of-range", (unit.at.province, province, str(steps or ""), str(reach)))

    def end(self, unit: Unit, to: Place, *, via: bool) -> Place | None:
        """Where a move goes to a place with coasts, or the place itself if it cannot. None: it hangs on who carries."""
        goals = self._goals(unit, to)
        if isinstance(goals, IllegalOrder) or unit.at.slot == STRANDED:
            return to
        ends, direct = goals
        sails = via and self.edition.via
        if len(direct) == 1 and not sails:
            return direct[0].place
        if (direct and not sails) or len(ends) > 1 or not self.kinds[unit.kind].convoyed:
            return to
        return to if ends[0].place == to else None

    def _goals(self, unit: Unit, to: Place) -> tuple[tuple[Location, ...], tuple[Location, ...]] | IllegalOrder:
        """Locations the place may mean, and those of them that are one step away."""
        key = unit.kind, unit.at, to
        found = self._plain.goals.get(key)
        if found is None:
            ends = self._ends(unit, to)
            if isinstance(ends, IllegalOrder):
                return ends
            near = self.adjacency.moves[unit.at]
            if len(self._plain.goals) >= MOST_PLAIN:
                self._plain.goals.clear()
            found = self._plain.goals[key] = ends, tuple([at for at in ends if at in near])
        return found

    def _ends(self, unit: Unit, to: Place) -> tuple[Location, ...] | IllegalOrder:
        """Locations the place may mean. A coast that the province lacks, or the unit does not need, is overlooked."""
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

    def _carried(self, start: Location, end: Location, without: Location | None) -> bool:
        fleets = self.carriers - {without} if without else self.carriers
        return bool(fleets) and has_route(self.legs, start, end, fleets)

    def _chained(self, start: Location, end: Location, path: tuple[Location, ...] | None) -> bool:
        if path is None:
            return False
        stops = (start, *path, end)
        return all(there in self.legs(here) for here, there in pairwise(stops))

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
        if goal and not self._near(target, goal):
            end = self.destination(target, goal, without=unit.at)
            if isinstance(end, IllegalOrder):
                return IllegalOrder("target-cannot", (str(target.at.place), str(goal)))
        if (province, layer) not in self.adjacency.supports[unit.at]:
            return IllegalOrder(_too_far(unit, own, layer, province), (province,), self.reach(unit))
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
        # could not, the word is laxer: Egypt - Smyrna by Suez is legal, though one fleet would do (Youngstown, 13).
        serves = self.waters.is_needed if ends[0] in direct else self.waters.is_on_chain
        if not serves(target.at, ends[0], unit.at):
            return IllegalOrder("convoy-useless", (target.at.province, order.to.province))
        return Intent(unit, IntentKind.CONVOY, target=target, goal=order.to)


def _too_far(unit: Unit, own: str, layer: str, province: str) -> str:
    """Why no support reaches this space. From the ground it is given to the air right above only, and from the air to
    the ground below and beside it.
    """
    if layer == own:
        return "support-reach"
    if own == AIR:
        return "support-below"
    return "support-above" if province != unit.at.province else "support-from-centre"


class SpecialOrder(UnitOrder, frozen=True):
    """An order that takes no part in the battle for spaces. Its step knows what comes of it."""

    def attempt(self, checker: LegalityChecker, unit: Unit) -> Intent | IllegalOrder:
        """That the unit stays where it is, or why it cannot do this."""
        raise NotImplementedError
