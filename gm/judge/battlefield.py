"""A contest laid out for the adjudicator: everything by number, and who bears on whom.

Units are numbered in the contest's order. Whatever does not depend on the outcome of an order is worked out here:
which supports and convoys match what their unit does, who meets whom head to head, who goes over water.
"""

from __future__ import annotations

from gm.judge.atlas import atlas
from gm.judge.board import Location, Place, Space, Use
from gm.judge.contest import Act, Backing, Contest, Intent
from gm.judge.events import Outcome
from gm.judge.position import Unit
from gm.judge.routes import shortest

NOBODY = -1
ON_FOOT = "foot"
BY_SEA = "sea"
NO_WAY = "none"
SET_ASIDE = (Outcome.VOID, Outcome.ILLEGAL, Outcome.SUPERSEDED)
STRANDED = (Outcome.NO_ROUTE, Outcome.DISRUPTED)


class Battlefield:
    """`home` and `goal` are spaces (goal None for whoever does not move); in a shared province nobody is in the way.

    `occupant` is who stands in a space, `claims` who moves there, `helpers` who supports a unit in what it does,
    `carriers` which fleets convoy an army where it goes, `rival` who comes the other way by land.
    `matched` is False for a support or convoy of something else than what its unit does.
    `decreed` is the outcome that is given for an order, as far as it has one.
    """

    __slots__ = (
        "acts", "atlas", "backings", "carriers", "claims", "contest", "decreed", "goal", "helpers", "home", "intents",
        "matched", "number", "occupant", "power", "rival", "strength", "target", "way", "weight",
    )  # fmt: skip

    def __init__(self, contest: Contest) -> None:
        self.contest = contest
        self.atlas = atlas(contest.board)
        self.decreed: dict[int, Outcome] = {}
        self.number = {intent.unit: i for i, intent in enumerate(contest.intents)}
        self.intents = self._decree(contest)
        self.acts = [intent.act for intent in self.intents]
        self.power = [intent.unit.power for intent in self.intents]
        kinds = [contest.kinds[intent.unit.kind] for intent in self.intents]
        self.strength = [kind.strength for kind in kinds]
        self.home = [Space(i.unit.at.province, k.layer) for i, k in zip(self.intents, kinds, strict=True)]
        self.goal = [
            Space(i.to.province, k.layer) if i.to is not None else None
            for i, k in zip(self.intents, kinds, strict=True)
        ]
        self.occupant: dict[Space, int] = {}
        self.claims: dict[Space, list[int]] = {}
        for i, (home, goal) in enumerate(zip(self.home, self.goal, strict=True)):
            if home.province not in self.atlas.shared:
                self.occupant[home] = i
            if goal is not None and goal.province not in self.atlas.shared:
                self.claims.setdefault(goal, []).append(i)
        size = len(self.intents)
        self.helpers: list[list[int]] = [[] for _ in range(size)]
        self.carriers: list[list[int]] = [[] for _ in range(size)]
        self.backings: list[list[Backing]] = [[] for _ in range(size)]
        self.target = [NOBODY] * size
        self.weight = [0] * size
        self.matched = [True] * size
        self._help()
        self.way = [self._way(i) if act is Act.MOVE else ON_FOOT for i, act in enumerate(self.acts)]
        self.rival = [self._rival(i) for i in range(size)]

    def _decree(self, contest: Contest) -> tuple[Intent, ...]:
        """Orders decreed void or impossible leave their unit holding."""
        intents = list(contest.intents)
        for unit, outcome in contest.decrees:
            i = self.number.get(unit, NOBODY)
            if i == NOBODY:
                continue
            self.decreed[i] = outcome
            if outcome in SET_ASIDE:
                intents[i] = Intent(unit, aside=True)
        return tuple(intents)

    def _help(self) -> None:
        for i, intent in enumerate(self.intents):
            if intent.act not in (Act.SUPPORT, Act.CONVOY) or intent.target is None:
                continue
            helped = self.number.get(intent.target, NOBODY)
            self.target[i] = helped
            self.matched[i] = helped != NOBODY and self._matches(self.intents[helped], intent.goal)
            if not self.matched[i] or not self._open(intent, helped):
                continue
            if intent.act is Act.CONVOY:
                self.carriers[helped].append(i)
            else:
                kinds = self.contest.kinds
                self.weight[i] = kinds[intent.unit.kind].support.get(kinds[intent.target.kind].layer, 0)
                self.helpers[helped].append(i)
        for backing in self.contest.backings:
            helped = self.number.get(backing.target, NOBODY)
            if helped != NOBODY and self._matches(self.intents[helped], backing.goal):
                self.backings[helped].append(backing)

    def _matches(self, helped: Intent, goal: Place | None) -> bool:
        """A coast that the supporter named must be the one taken; one that the unit has no use for is overlooked."""
        if goal is None:
            return helped.to is None
        if helped.to is None or helped.to.province != goal.province:
            return False
        coasts = self.contest.board.provinces[goal.province].coasts
        return goal.coast not in coasts or helped.to.slot not in coasts or helped.to.slot == goal.coast

    def _open(self, intent: Intent, helped: int) -> bool:
        """Whether a support crosses a border that is not closed."""
        if not self.contest.closed or intent.act is Act.CONVOY:
            return True
        goal = self.goal[helped] or self.home[helped]
        return any(
            Use.SUPPORT in b.uses and b.name not in self.contest.closed and b.end.province == goal.province
            for b in self.contest.board.leaving(intent.unit.at)
        )

    def legs(self, at: Location) -> tuple[Location, ...]:
        if not self.contest.closed:
            return self.atlas.legs.get(at, ())
        leaving = self.contest.board.leaving(at)
        return tuple(b.end for b in leaving if Use.CONVOY in b.uses and b.name not in self.contest.closed)

    def walks(self, i: int) -> bool:
        """Whether one open border leads there."""
        intent = self.intents[i]
        start, end = intent.unit.at, intent.to
        if end not in self.atlas.moves[start]:
            return False
        if not self.contest.closed:
            return True
        leaving = self.contest.board.leaving(start)
        return any(b.end == end and Use.MOVE in b.uses and b.name not in self.contest.closed for b in leaving)

    def _way(self, i: int) -> str:
        """By sea if asked for or carried by an own fleet (DATC 4.A.3), else on foot, else by sea if need be."""
        if self.decreed.get(i) in STRANDED:
            return NO_WAY
        intent = self.intents[i]
        own = any(self.power[c] == self.power[i] for c in self.carriers[i])
        if not (intent.via or own) and self.walks(i):
            return ON_FOOT
        if self.contest.kinds[intent.unit.kind].convoyed:
            return BY_SEA
        return ON_FOOT if self.decreed.get(i) is Outcome.SUCCEEDS else NO_WAY

    def _rival(self, i: int) -> int:
        """Who moves from here to there while this unit moves from there to here, both on foot."""
        goal = self.goal[i]
        if goal is None or self.way[i] != ON_FOOT:
            return NOBODY
        other = self.occupant.get(goal, NOBODY)
        if other == NOBODY or self.goal[other] != self.home[i] or self.way[other] != ON_FOOT:
            return NOBODY
        return other

    def route(self, i: int, fleets: list[int]) -> tuple[Location, ...] | None:
        """The seas of a way for this army over these of its carriers."""
        intent = self.intents[i]
        if not fleets or intent.to is None:
            return None
        return shortest(self.legs, intent.unit.at, intent.to, {self.intents[f].unit.at for f in fleets})

    def unit(self, i: int) -> Unit:
        return self.intents[i].unit
