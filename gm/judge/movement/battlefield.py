"""A contest laid out for the adjudicator: everything by number, and who bears on whom.

Units are numbered in the contest's order, spaces as the adjacency has them. Whatever does not depend on the outcome
of an
order is worked out here: which supports and convoys match what their unit does, who meets whom head to head, who goes
over water. Lists by number instead of values as keys, because this is where the time goes.
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

ON_FOOT = 0
BY_SEA = 1
NO_WAY = 2

HOLD, MOVE, SUPPORT, CONVOY = IntentKind.HOLD, IntentKind.MOVE, IntentKind.SUPPORT, IntentKind.CONVOY
SET_ASIDE = (Outcome.VOID, Outcome.ILLEGAL, Outcome.SUPERSEDED)
STRANDED = (Outcome.NO_ROUTE, Outcome.DISRUPTED)


class Battlefield:
    """`home` and `goal` are spaces (goal NOWHERE for whoever does not move).

    `occupant` is who stands in a space, `claims` who moves there; in a shared province nobody is in the way.
    `helpers` are who supports a unit in what it does, `carriers` which fleets convoy an army where it goes, `rival` who
    comes the other way by land. `matched` is False for a support or convoy of something else than what its unit does.
    `movers` and `aides` (supports and convoys) are the units with such orders.
    `decreed` is the outcome that is given for an order, as far as it has one.
    `walking` are armies that walk although they might sail: their convoy has failed and the edition lets them.
    """

    __slots__ = (
        "acts",
        "adjacency",
        "aides",
        "backings",
        "carriers",
        "claims",
        "contest",
        "decreed",
        "goal",
        "helpers",
        "home",
        "intents",
        "matched",
        "movers",
        "occupant",
        "power",
        "rival",
        "strength",
        "target",
        "units",
        "walking",
        "way",
        "weight",
    )  # fmt: skip

    def __init__(self, contest: Battle, walking: frozenset[int] = frozenset()) -> None:
        self.contest = contest
        self.walking = walking
        self.adjacency = contest.board.adjacency
        self.units: Sequence[Unit] = [intent.unit for intent in contest.intents]
        self.decreed: dict[int, Outcome] = {}
        self.intents = self._decree(contest) if contest.decrees else contest.intents
        size = len(self.units)
        self.acts = [intent.act for intent in self.intents]
        self.power = [unit.power for unit in self.units]
        strengths = {code: kind.strength for code, kind in contest.kinds.items()}
        self.strength = [strengths[unit.kind] for unit in self.units]
        numbers = self.adjacency.space_numbers
        self.home = [numbers[unit.at] for unit in self.units]
        self.goal = [NOWHERE] * size
        self.occupant = [NOBODY] * len(self.adjacency.spaces)
        self.claims: dict[int, list[int]] = {}
        self.movers: list[int] = []
        self.aides: list[int] = []
        self._place()
        self.helpers: list[Sequence[int]] = [()] * size
        self.carriers: list[Sequence[int]] = [()] * size
        self.backings: dict[int, list[BoughtSupport]] = {}
        self.target = [NOBODY] * size
        self.weight = [0] * size
        self.matched = [True] * size
        self._help()
        self.way = [ON_FOOT] * size
        self.rival = [NOBODY] * size
        self._go()

    # ---- laying out

    def _decree(self, contest: Battle) -> tuple[Intent, ...]:
        """Orders decreed void or impossible leave their unit holding."""
        intents = list(contest.intents)
        for unit, outcome in contest.decrees:
            if unit not in self.units:
                continue
            i = self.units.index(unit)
            self.decreed[i] = outcome
            if outcome in SET_ASIDE:
                intents[i] = Intent(unit, aside=True)
        return tuple(intents)

    def _place(self) -> None:
        numbers, open_, occupant, claims = (
            self.adjacency.space_numbers,
            self.adjacency.shared_spaces,
            self.occupant,
            self.claims,
        )
        for i, here in enumerate(self.home):
            occupant[here] = i
        for i, act in enumerate(self.acts):
            if act is HOLD:
                continue
            to = self.intents[i].to
            if to is None:
                self.aides.append(i)
                continue
            self.movers.append(i)
            self.goal[i] = there = numbers[to]
            if there in claims:
                claims[there].append(i)
            else:
                claims[there] = [i]
        for space in open_:
            occupant[space] = NOBODY
            claims.pop(space, None)

    def _help(self) -> None:
        intents, kinds, units = self.intents, self.contest.kinds, self.units
        occupant, numbers = self.occupant, self.adjacency.space_numbers
        for i in self.aides:
            intent = intents[i]
            unit, act, target, goal = intent.unit, intent.act, intent.target, intent.goal
            helped = occupant[numbers.get(target.at, 0)] if target is not None else NOBODY
            if target is not None and (helped == NOBODY or units[helped] != target):
                helped = self.find(target)
            self.target[i] = helped
            if helped == NOBODY or not self._matches(intents[helped], goal):
                self.matched[i] = False
            elif act is CONVOY:
                path = intents[helped].path
                if not path or unit.at in path:
                    self.carriers[helped] = (*self.carriers[helped], i)
            elif not self.contest.closed or self._open(unit, helped):
                self.weight[i] = kinds[unit.kind].support.get(kinds[self.units[helped].kind].layer, 0)
                self.helpers[helped] = (*self.helpers[helped], i)
        for backing in self.contest.backings:
            helped = self.find(backing.target)
            if helped != NOBODY and self._matches(intents[helped], backing.goal):
                self.backings.setdefault(helped, []).append(backing)

    def _go(self) -> None:
        """How everyone travels, and then who meets head to head."""
        moves, intents, carriers = self.adjacency.moves, self.intents, self.carriers
        special = bool(self.decreed or self.contest.closed)
        occupant, goal, home, way = self.occupant, self.goal, self.home, self.way
        for i in self.movers:
            intent = intents[i]
            if carriers[i] or intent.via or intent.to not in moves[intent.unit.at] or special:
                way[i] = self._way(i)
        open_ = self.adjacency.shared_spaces
        for i in self.movers:
            other = occupant[goal[i]]
            if other == NOBODY or goal[other] != home[i] or home[i] in open_:
                continue
            if way[i] == way[other] == ON_FOOT:
                self.rival[i] = other

    def _way(self, i: int) -> int:
        """On foot if it can walk and the edition does not have it sail, else by sea if need be."""
        if self.decreed.get(i) in STRANDED:
            return NO_WAY
        if self.walks(i) and (i in self.walking or not self.contest.edition.sails(self, i)):
            return ON_FOOT
        if self.contest.kinds[self.units[i].kind].convoyed:
            return BY_SEA
        return ON_FOOT if self.decreed.get(i) is Outcome.SUCCEEDS else NO_WAY

    def _matches(self, helped: Intent, goal: Place | None) -> bool:
        """A coast that the supporter named must be the one taken; one that the unit has no use for is overlooked."""
        to = helped.to
        if goal is None:
            return to is None
        if to is None or to.province != goal.province:
            return False
        if not goal.coast or to.slot == goal.coast:
            return True
        coasts = self.contest.board.provinces[goal.province].coasts
        return goal.coast not in coasts or to.slot not in coasts

    def _open(self, unit: Unit, helped: int) -> bool:
        """Whether a support crosses a border that is not closed."""
        goal = self.space(self.aim(helped))
        return any(
            Use.SUPPORT in b.uses and b.name not in self.contest.closed and b.end.province == goal.province
            for b in self.contest.board.leaving(unit.at)
        )

    # ---- questions

    def backed(self, i: int, victim: str = "") -> int:
        """What the backings of this unit are worth, without those of the power that would be harmed."""
        total, single = 0, False
        for backing in self.backings.get(i, ()):
            if backing.power != victim and not (backing.single and single):
                total += backing.weight
                single = single or backing.single
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

    def aim(self, i: int) -> int:
        """The space that help for this unit goes to: where it moves, or else stands."""
        goal = self.goal[i]
        return self.home[i] if goal == NOWHERE else goal

    def names_convoy(self, i: int) -> bool:
        return self.intents[i].via

    def names_route(self, i: int) -> bool:
        return bool(self.intents[i].path)

    def afloat(self, i: int) -> bool:
        return self.contest.kinds[self.units[i].kind].convoys

    def legs(self, at: Location) -> tuple[Location, ...]:
        if not self.contest.closed:
            return self.adjacency.convoys.get(at, ())
        leaving = self.contest.board.leaving(at)
        return tuple(b.end for b in leaving if Use.CONVOY in b.uses and b.name not in self.contest.closed)

    def walks(self, i: int) -> bool:
        """Whether one open border leads there."""
        start, end = self.units[i].at, self.intents[i].to
        if end not in self.adjacency.moves[start]:
            return False
        if not self.contest.closed:
            return True
        leaving = self.contest.board.leaving(start)
        return any(b.end == end and Use.MOVE in b.uses and b.name not in self.contest.closed for b in leaving)

    def route(self, i: int, fleets: Sequence[int]) -> tuple[Location, ...] | None:
        """The seas of a way for this army over these of its carriers."""
        intent = self.intents[i]
        if not fleets or intent.to is None:
            return None
        if len(fleets) == 1 and not intent.path:
            sea = self.units[fleets[0]].at
            return (sea,) if sea in self.legs(intent.unit.at) and intent.to in self.legs(sea) else None
        seas = {self.units[f].at for f in fleets}
        if intent.path:
            return intent.path if seas.issuperset(intent.path) else None
        return shortest_route(self.legs, intent.unit.at, intent.to, seas)

    def routes(self, i: int) -> tuple[int, ...]:
        """Those of its carriers that some route needs."""
        intent = self.intents[i]
        if intent.to is None:
            return ()
        waters = SeaRegion(self.legs, frozenset(self.units[c].at for c in self.carriers[i]))
        start, end = intent.unit.at, intent.to
        return tuple(c for c in self.carriers[i] if waters.is_needed(start, end, self.units[c].at))
