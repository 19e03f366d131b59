"""Precomputed tables of a battle for the adjudicator: which orders match, who meets whom head to head, who sails.

Units are numbered in the battle's order, spaces as in `Adjacency`. Everything that does not depend on the outcome of an
order is computed here. Lists indexed by number are used instead of dictionaries of values, for speed.
"""

from __future__ import annotations

from collections.abc import Sequence

from gm.judge.board.board import Location, Place, Space, Use
from gm.judge.board.convoy_routes import SeaRegion, shortest_route
from gm.judge.model.events import Outcome
from gm.judge.model.position import Unit
from gm.judge.movement.battle import Battle, BoughtSupport, Intent, IntentKind

NOBODY = -1
NOWHERE = -1

BY_LAND = 0
BY_SEA = 1
NO_WAY = 2

HOLD, MOVE, SUPPORT, CONVOY = IntentKind.HOLD, IntentKind.MOVE, IntentKind.SUPPORT, IntentKind.CONVOY
SET_ASIDE = (Outcome.VOID, Outcome.ILLEGAL, Outcome.SUPERSEDED)
STRANDED = (Outcome.NO_ROUTE, Outcome.DISRUPTED)


class Battlefield:
    """`home` and `goal` are spaces (goal NOWHERE for units that do not move).

    `occupant` is the unit in a space, `claims` the units that move there; spaces of shared provinces have neither.
    `helpers` are the units that support a unit in what it does, `carriers` the fleets that convoy an army where it
    goes, `rival` is the unit that comes the other way by land. `matched` is False for a support or convoy of something
    that its target does not do. `movers` and `assisting` (supports and convoys) are the units with such orders.
    `travel` is BY_LAND, BY_SEA or NO_WAY; `indirect` are the movers that do not travel by land. `decreed` are outcomes
    fixed by the game master. `walking` are armies whose convoy failed and that walk instead, where the rulebook lets
    them.
    """

    __slots__ = (
        "_routes", "actions", "adjacency", "assisting", "battle", "bought_supports", "carriers", "claims", "decreed",
        "goal", "helpers", "home", "indirect", "intents", "matched", "movers", "occupant", "own_strength", "power",
        "rival", "target", "travel", "units", "walking", "weight",
    )  # fmt: skip

    def __init__(self, battle: Battle, walking: frozenset[int] = frozenset()) -> None:
        self.battle = battle
        self.walking = walking
        self.adjacency = battle.board.adjacency
        self.units: Sequence[Unit] = [intent.unit for intent in battle.intents]
        self.decreed: dict[int, Outcome] = {}
        self.intents = self._decree(battle) if battle.decrees else battle.intents
        size = len(self.units)
        self.actions = [intent.action for intent in self.intents]
        self.power = [unit.power for unit in self.units]
        strengths = {code: kind.strength for code, kind in battle.kinds.items()}
        self.own_strength = [strengths[unit.kind] for unit in self.units]
        numbers = self.adjacency.space_numbers
        self.home = [numbers[unit.at] for unit in self.units]
        self.goal = [NOWHERE] * size
        self.occupant = [NOBODY] * len(self.adjacency.spaces)
        self.claims: dict[int, list[int]] = {}
        self.movers: list[int] = []
        self.assisting: list[int] = []
        self._set_places()
        self.helpers: list[Sequence[int]] = [()] * size
        self.carriers: list[Sequence[int]] = [()] * size
        self.bought_supports: dict[int, list[BoughtSupport]] = {}
        self.target = [NOBODY] * size
        self.weight = [0] * size
        self.matched = [True] * size
        self._set_helpers()
        self.travel = [BY_LAND] * size
        self.rival = [NOBODY] * size
        self.indirect: list[int] = []
        self._routes: dict[tuple[int, ...], tuple[Location, ...] | None] = {}
        self._set_travel()

    def _decree(self, battle: Battle) -> tuple[Intent, ...]:
        """The intents; a unit whose order is decreed void or impossible holds."""
        intents = list(battle.intents)
        for unit, outcome in battle.decrees:
            if unit not in self.units:
                continue
            i = self.units.index(unit)
            self.decreed[i] = outcome
            if outcome in SET_ASIDE:
                intents[i] = Intent(unit, aside=True)
        return tuple(intents)

    def _set_places(self) -> None:
        numbers, occupant, claims = self.adjacency.space_numbers, self.occupant, self.claims
        for i, here in enumerate(self.home):
            occupant[here] = i
        movers, goal = self.movers, self.goal
        for i, intent in enumerate(self.intents):
            to = intent.to
            if to is None:
                if intent.action is not HOLD:
                    self.assisting.append(i)
                continue
            movers.append(i)
            goal[i] = there = numbers[to]
            if there in claims:
                claims[there].append(i)
            else:
                claims[there] = [i]
        for space in self.adjacency.shared_spaces:
            occupant[space] = NOBODY
            claims.pop(space, None)

    def _set_helpers(self) -> None:
        intents, kinds, units, closed = self.intents, self.battle.kinds, self.units, self.battle.closed
        occupant, numbers, helpers = self.occupant, self.adjacency.space_numbers, self.helpers
        for i in self.assisting:
            intent = intents[i]
            unit, target = intent.unit, intent.target
            helped = occupant[numbers.get(target.at, 0)] if target is not None else NOBODY
            if target is not None and (helped == NOBODY or units[helped] != target):
                helped = self.find(target)
            self.target[i] = helped
            if helped == NOBODY or not self._matches(intents[helped], intent.goal):
                self.matched[i] = False
            elif intent.action is CONVOY:
                path = intents[helped].path
                if not path or unit.at in path:
                    self.carriers[helped] = (*self.carriers[helped], i)
            elif not closed or self._reaches_target(unit, helped):
                self.weight[i] = kinds[unit.kind].support.get(kinds[units[helped].kind].layer, 0)
                helpers[helped] = (*helpers[helped], i)
        for support in self.battle.bought_supports:
            helped = self.find(support.target)
            if helped != NOBODY and self._matches(intents[helped], support.goal):
                self.bought_supports.setdefault(helped, []).append(support)

    def _set_travel(self) -> None:
        """How every unit travels, and who meets head to head."""
        moves, intents, carriers = self.adjacency.moves, self.intents, self.carriers
        special = bool(self.decreed or self.battle.closed)
        occupant, goal, home, rival = self.occupant, self.goal, self.home, self.rival
        for i in self.movers:
            other = occupant[goal[i]]
            if other != NOBODY and goal[other] == home[i] and occupant[home[i]] == i:
                rival[i] = other
            intent = intents[i]
            if special or carriers[i] or intent.via or intent.to not in moves[intent.unit.at]:
                self.travel[i] = travel = self._travel_of(i)
                if travel != BY_LAND:
                    self.indirect.append(i)
        for i in self.indirect:
            other = rival[i]
            if other != NOBODY:
                rival[i] = rival[other] = NOBODY

    def _travel_of(self, i: int) -> int:
        """By land if it can walk and the rulebook does not make it sail, else by sea if possible."""
        if self.decreed.get(i) in STRANDED:
            return NO_WAY
        if self.can_walk(i) and (i in self.walking or not self.battle.rulebook.sails(self, i)):
            return BY_LAND
        if self.battle.kinds[self.units[i].kind].convoyed:
            return BY_SEA
        return BY_LAND if self.decreed.get(i) is Outcome.SUCCEEDS else NO_WAY

    def _matches(self, helped: Intent, goal: Place | None) -> bool:
        """A coast named by the supporter must be the one taken; a coast that the unit does not need is ignored."""
        to = helped.to
        if goal is None:
            return to is None
        if to is None or to.province != goal.province:
            return False
        if not goal.coast or to.slot == goal.coast:
            return True
        coasts = self.battle.board.provinces[goal.province].coasts
        return goal.coast not in coasts or to.slot not in coasts

    def _reaches_target(self, unit: Unit, helped: int) -> bool:
        """Whether a support crosses a border that is not closed."""
        goal = self.space(self.target_space(helped))
        return any(
            Use.SUPPORT in b.uses and b.name not in self.battle.closed and b.end.province == goal.province
            for b in self.battle.board.leaving(unit.at)
        )

    def bought_strength(self, i: int, victim: str = "") -> int:
        """The weight of the unit's bought supports, without those of the power that would be harmed."""
        total, has_single = 0, False
        for support in self.bought_supports.get(i, ()):
            if support.power != victim and not (support.single and has_single):
                total += support.weight
                has_single = has_single or support.single
        return total

    def find(self, unit: Unit) -> int:
        """The number of a unit, or NOBODY."""
        here = self.adjacency.space_numbers.get(unit.at, NOWHERE)
        i = self.occupant[here]
        if here != NOWHERE and i != NOBODY and self.units[i] == unit:
            return i
        return self.units.index(unit) if unit in self.units else NOBODY

    def space(self, number: int) -> Space:
        return self.adjacency.spaces[number]

    def target_space(self, i: int) -> int:
        """The space that a support for this unit must reach: where it moves, or else where it stands."""
        goal = self.goal[i]
        return self.home[i] if goal == NOWHERE else goal

    def names_convoy(self, i: int) -> bool:
        return self.intents[i].via

    def names_route(self, i: int) -> bool:
        return bool(self.intents[i].path)

    def is_fleet(self, i: int) -> bool:
        return self.battle.kinds[self.units[i].kind].convoys

    def convoy_steps(self, at: Location) -> tuple[Location, ...]:
        if not self.battle.closed:
            return self.adjacency.convoys.get(at, ())
        leaving = self.battle.board.leaving(at)
        return tuple(b.end for b in leaving if Use.CONVOY in b.uses and b.name not in self.battle.closed)

    def can_walk(self, i: int) -> bool:
        """Whether an open border leads to its goal."""
        start, end = self.units[i].at, self.intents[i].to
        if end not in self.adjacency.moves[start]:
            return False
        if not self.battle.closed:
            return True
        leaving = self.battle.board.leaving(start)
        return any(b.end == end and Use.MOVE in b.uses and b.name not in self.battle.closed for b in leaving)

    def route(self, i: int, fleets: Sequence[int]) -> tuple[Location, ...] | None:
        """The seas of a route for this army through these carriers. Cached only for speed."""
        if not fleets:
            return None
        key = (i, *fleets)
        if key not in self._routes:
            self._routes[key] = self._route(self.intents[i], fleets)
        return self._routes[key]

    def _route(self, intent: Intent, fleets: Sequence[int]) -> tuple[Location, ...] | None:
        if intent.to is None:
            return None
        if len(fleets) == 1 and not intent.path:
            sea = self.units[fleets[0]].at
            return (sea,) if sea in self.convoy_steps(intent.unit.at) and intent.to in self.convoy_steps(sea) else None
        seas = {self.units[f].at for f in fleets}
        if intent.path:
            return intent.path if seas.issuperset(intent.path) else None
        return shortest_route(self.convoy_steps, intent.unit.at, intent.to, seas)

    def needed_carriers(self, i: int) -> tuple[int, ...]:
        """The carriers that some minimal route uses."""
        intent = self.intents[i]
        if intent.to is None:
            return ()
        region = SeaRegion(self.convoy_steps, frozenset(self.units[c].at for c in self.carriers[i]))
        start, end = intent.unit.at, intent.to
        return tuple(c for c in self.carriers[i] if region.is_needed(start, end, self.units[c].at))
