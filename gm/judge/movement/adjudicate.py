"""Contest -> Resolution: which orders succeed, and why the others do not.

The rules are the equations of DATC 3.0, 5.B, one method each in `Rules`; every order that can fail is a yes or a no.
They are read twice where not all is known yet, once hoping (`hope` True: whatever is open goes well for the order in
question) and once fearing; where both agree, the order is decided, and orders that waited for it are looked at again.
What is then left hangs on itself: a ring of moves or a convoy paradox. The innermost such knot is tried in every way;
if one alone is consistent, it is taken. Else a knot with convoys loses them (Szykman), and a ring of moves goes round.
Causes are told after all is decided (`gm.judge.movement.causes`).
"""

from __future__ import annotations

from gm.judge.model.events import Outcome
from gm.judge.movement.battle import Battle, Resolution
from gm.judge.movement.battlefield import BY_SEA, CONVOY, MOVE, NO_WAY, NOBODY, NOWHERE, STRANDED, SUPPORT, Battlefield
from gm.judge.movement.causes import explain
from gm.judge.movement.dependency_cycles import innermost
from gm.judge.movement.shortcuts import glance

MOST_TRIALS = 512
"""How many ways of a knot are tried before it is called a paradox."""


def adjudicate(contest: Battle, *, shortcut: bool = True) -> Resolution:
    """`shortcut` False works everything out by the equations, the plain cases too; the answer is the same."""
    walking: frozenset[int] = frozenset()
    while True:
        field = Battlefield(contest, walking)
        rules = MovementRules(field)
        if shortcut and not contest.decrees:
            glance(field, rules.state)
        if None in rules.state:
            rules.settle()
        stranded = rules.stranded() if contest.edition.falls_back else frozenset()
        if not stranded:
            return explain(field, rules)
        walking |= stranded


class MovementRules:
    """`state` holds yes, no or not yet, per unit; `asked` collects the open orders that an answer hung on.

    `lost` are the fleets whose convoy a paradox undid.
    """

    __slots__ = ("asked", "crosses", "field", "lost", "spares", "state", "trials")

    def __init__(self, field: Battlefield) -> None:
        self.field = field
        self.crosses = field.contest.edition.crosses
        self.spares = field.contest.edition.spares
        self.state: list[bool | None] = [True] * len(field.intents)
        self.asked: set[int] = set()
        self.lost: set[int] = set()
        self.trials = 0
        for i in field.movers:
            self.state[i] = None
        for i in field.aides:
            if field.matched[i]:
                self.state[i] = None
        for i, outcome in field.decreed.items():
            if self.state[i] is None:
                self.state[i] = outcome is Outcome.SUCCEEDS

    # ---- deciding

    def settle(self) -> None:
        waiting: dict[int, list[int]] = {}
        asked: dict[int, set[int]] = {}
        queue = [i for i, state in enumerate(self.state) if state is None]
        queue.reverse()
        while True:
            while queue:
                i = queue.pop()
                if self.state[i] is not None:
                    continue
                self.state[i] = self.judge(i)
                if self.state[i] is not None:
                    queue.extend(waiting.pop(i, ()))
                    continue
                asked[i] = self.asked
                for other in self.asked:
                    waiting.setdefault(other, []).append(i)
            open_ = [i for i, state in enumerate(self.state) if state is None]
            if not open_:
                return
            knot = innermost({i: asked[i] for i in open_})
            self.untie(knot)
            for i in knot:
                if self.state[i] is not None:
                    queue.extend(waiting.pop(i, ()))
            queue.extend(i for i in knot if self.state[i] is None)

    def stranded(self) -> frozenset[int]:
        """Armies whose convoy failed and that can walk."""
        field = self.field
        sailing = [i for i in field.movers if field.way[i] == BY_SEA]
        return frozenset(i for i in sailing if field.walks(i) and not self.arrives(i, False))

    def judge(self, i: int) -> bool | None:
        """Yes or no if that is certain by now. Leaves in `asked` what it hangs on otherwise."""
        self.asked = set()
        if not self.answer(i, True):
            return False
        if not self.asked or self.answer(i, False):
            return True
        return None

    def untie(self, knot: list[int]) -> None:
        self.trials = 0
        ways = self.ways(knot)
        if len(ways) == 1 and self.trials <= MOST_TRIALS:
            for i, state in zip(knot, ways[0], strict=True):
                self.state[i] = state
            return
        convoys = [i for i in knot if self.field.acts[i] is CONVOY]
        self.lost.update(convoys)
        ring = all(self.field.acts[i] is MOVE for i in knot)
        for i in convoys or knot:
            self.state[i] = ring

    def ways(self, knot: list[int]) -> list[tuple[bool | None, ...]]:
        """Up to two ways to decide the knot in which every answer follows from the others."""
        before = list(self.state)
        found: list[tuple[bool | None, ...]] = []
        self._try(knot, [], found)
        self.state = before
        return found

    def _try(self, knot: list[int], guessed: list[int], found: list[tuple[bool | None, ...]]) -> None:
        self.trials += 1
        if self.trials > MOST_TRIALS or not self._follow(knot, guessed):
            return
        rest = [i for i in knot if self.state[i] is None]
        if not rest:
            way = tuple(self.state[i] for i in knot)
            if way not in found:
                found.append(way)
            return
        guess = next((i for i in rest if self.field.acts[i] is CONVOY), rest[0])
        reached = list(self.state)
        for state in (True, False):
            self.state = list(reached)
            self.state[guess] = state
            self._try(knot, [*guessed, guess], found)
            if len(found) > 1:
                return

    def _follow(self, knot: list[int], guessed: list[int]) -> bool:
        """Decide what follows from the guesses; False where one of them is refuted."""
        changed = True
        while changed:
            changed = False
            for i in knot:
                if self.state[i] is None:
                    self.state[i] = self.judge(i)
                    changed = changed or self.state[i] is not None
        return all(self.judge(i) in (None, self.state[i]) for i in guessed)

    # ---- the equations

    def answer(self, i: int, hope: bool) -> bool:
        act = self.field.acts[i]
        if act is MOVE:
            return self.enters(i, hope)
        if act is SUPPORT:
            return self.stands_by(i, hope)
        return self.stays(i, hope)

    def known(self, i: int, hope: bool) -> bool:
        state = self.state[i]
        if state is None:
            self.asked.add(i)
            return hope
        return state

    def enters(self, i: int, hope: bool) -> bool:
        """MOVE: stronger than whoever stays there, or comes the other way, and than everyone else who wants in."""
        field = self.field
        goal = field.goal[i]
        if field.units[i] in field.contest.barred or not self.arrives(i, hope):
            return False
        if goal in field.adjacency.shared_spaces:
            return True
        attack = self.attack(i, hope)
        rival = field.rival[i]
        if rival != NOBODY and field.decreed.get(rival) is Outcome.SUCCEEDS:
            return False
        against = self.defends(rival, not hope) if rival != NOBODY else self.holds(goal, not hope)
        if attack <= against:
            return False
        return all(
            attack > self.prevents(other, not hope) and field.decreed.get(other) is not Outcome.SUCCEEDS
            for other in field.claims[goal]
            if other != i
        )

    def stands_by(self, i: int, hope: bool) -> bool:
        """SUPPORT: not cut. Own units cut nothing, nor does an attack from where it is aimed, unless it dislodges.

        A convoyed army that the edition makes spare the support does not cut it, whatever else it does.
        """
        field = self.field
        helped = field.target[i]
        if field.units[i] in field.contest.spoiled or i not in field.helpers[helped]:
            return False
        aim = field.aim(helped)
        for other in field.claims.get(field.home[i], ()):
            if field.way[other] == BY_SEA and self.spares(field, i, other):
                continue
            if field.power[other] != field.power[i] and field.home[other] != aim:
                if self.arrives(other, not hope):
                    return False
            elif self.known(other, not hope):
                return False
        return True

    def stays(self, i: int, hope: bool) -> bool:
        """CONVOY: the fleet is not dislodged."""
        return not any(self.known(other, not hope) for other in self.field.claims.get(self.field.home[i], ()))

    def arrives(self, i: int, hope: bool) -> bool:
        """PATH: on foot always; over water if fleets that stay make a chain."""
        field = self.field
        way = field.way[i]
        if way == NO_WAY:
            return False
        if way != BY_SEA:
            return True
        decreed = field.decreed.get(i)
        if decreed is not None:
            return decreed not in STRANDED
        carriers = field.carriers[i]
        sure = [c for c in carriers if self.state[c]]
        if self.crosses(field, i, sure):
            return True
        perhaps = [c for c in carriers if self.state[c] is not False]
        if len(perhaps) == len(sure) or not self.crosses(field, i, perhaps):
            return False
        self.asked.update(c for c in perhaps if self.state[c] is None)
        return hope

    def holds(self, space: int, hope: bool) -> int:
        """HOLD STRENGTH of whoever may still be there."""
        field = self.field
        i = field.occupant[space]
        if i == NOBODY:
            return 0
        if field.goal[i] != NOWHERE:
            return 0 if self.known(i, not hope) else field.strength[i]
        return self.helped(i, hope)

    def prevents(self, i: int, hope: bool) -> int:
        """PREVENT STRENGTH: none for whoever does not arrive, or loses to the one who comes the other way."""
        if not self.arrives(i, hope):
            return 0
        rival = self.field.rival[i]
        if rival != NOBODY and self.known(rival, not hope):
            return 0
        return self.helped(i, hope)

    def defends(self, i: int, hope: bool) -> int:
        """DEFEND STRENGTH in a battle head to head."""
        return self.helped(i, hope)

    def attack(self, i: int, hope: bool) -> int:
        """ATTACK STRENGTH: nobody dislodges his own unit, nor helps to."""
        field = self.field
        there = field.occupant[field.goal[i]]
        if there in (NOBODY, i):
            return self.helped(i, hope)
        leaves = field.goal[there] != NOWHERE and field.rival[i] == NOBODY and self.known(there, hope)
        if leaves:
            return self.helped(i, hope)
        victim = field.power[there]
        return 0 if victim == field.power[i] else self.helped(i, hope, victim)

    def helped(self, i: int, hope: bool, victim: str = "") -> int:
        """Own strength and all supports that stand, without those of the power that would be harmed."""
        field = self.field
        total = field.strength[i]
        for helper in field.helpers[i]:
            if field.power[helper] != victim and self.known(helper, hope):
                total += field.weight[helper]
        return total + field.backed(i, victim) if field.backings else total
