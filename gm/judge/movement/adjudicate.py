"""Adjudicates a battle: decides which orders succeed, by the equations of DATC 3.0, 5.B.

`MovementRules` has one method per equation; every order that can fail has a state: True, False or None (unknown). While
some states are unknown, an order is evaluated twice: optimistically (everything unknown goes well for the order) and
pessimistically. If both agree, the order is decided, and the orders that depend on it are evaluated again.

What is left depends on itself: a ring of moves or a convoy paradox. All states of the innermost such cycle are tried; a
unique consistent solution is taken. Otherwise a cycle with convoys loses them (Szykman), and a ring of moves succeeds.
Causes are determined afterwards (`gm.judge.movement.causes`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

from gm.judge.model.events import Outcome
from gm.judge.movement.battle import Battle, Resolution
from gm.judge.movement.battlefield import BY_SEA, CONVOY, MOVE, NO_WAY, NOBODY, NOWHERE, STRANDED, SUPPORT, Battlefield
from gm.judge.movement.causes import explain
from gm.judge.movement.shortcuts import decide_easy_orders

MAX_TRIALS = 512
"""Guesses within a cycle before it counts as a paradox."""


def adjudicate(battle: Battle, *, shortcut: bool = True) -> Resolution:
    """`shortcut` False evaluates easy orders by the equations too; the result is the same."""
    walking: frozenset[int] = frozenset()
    while True:
        field = Battlefield(battle, walking)
        rules = MovementRules(field)
        if shortcut and not battle.decrees:
            decide_easy_orders(field, rules.state)
        if None in rules.state:
            rules.resolve()
        stranded = rules.stranded() if battle.rulebook.falls_back else frozenset()
        if not stranded:
            return explain(field, rules)
        walking |= stranded


class MovementRules:
    """`state` holds the decision per unit. `dependencies` collects the undecided orders that an evaluation read.

    `lost_convoys` are the fleets whose convoy failed in a paradox.
    """

    __slots__ = ("crosses", "dependencies", "field", "lost_convoys", "spares", "state", "trials")

    def __init__(self, field: Battlefield) -> None:
        self.field = field
        self.crosses = field.battle.rulebook.crosses
        self.spares = field.battle.rulebook.spares
        self.state: list[bool | None] = [True] * len(field.intents)
        self.dependencies: set[int] = set()
        self.lost_convoys: set[int] = set()
        self.trials = 0
        for i in field.movers:
            self.state[i] = None
        for i in field.assisting:
            if field.matched[i]:
                self.state[i] = None
        for i, outcome in field.decreed.items():
            if self.state[i] is None:
                self.state[i] = outcome is Outcome.SUCCEEDS

    def resolve(self) -> None:
        """Decides all orders."""
        waiting: dict[int, list[int]] = {}
        dependencies: dict[int, set[int]] = {}
        queue = [i for i, state in enumerate(self.state) if state is None]
        queue.reverse()
        while True:
            while queue:
                i = queue.pop()
                if self.state[i] is not None:
                    continue
                self.state[i] = self.decide(i)
                if self.state[i] is not None:
                    queue.extend(waiting.pop(i, ()))
                    continue
                dependencies[i] = self.dependencies
                for other in self.dependencies:
                    waiting.setdefault(other, []).append(i)
            undecided = [i for i, state in enumerate(self.state) if state is None]
            if not undecided:
                return
            cycle = innermost_cycle({i: dependencies[i] for i in undecided})
            self.break_cycle(cycle)
            for i in cycle:
                if self.state[i] is not None:
                    queue.extend(waiting.pop(i, ()))
            queue.extend(i for i in cycle if self.state[i] is None)

    def stranded(self) -> frozenset[int]:
        """Armies whose convoy failed and that can walk."""
        field = self.field
        sailing = (i for i in field.indirect if field.travel[i] == BY_SEA)
        return frozenset(i for i in sailing if field.can_walk(i) and not self.has_path(i, False))

    def decide(self, i: int) -> bool | None:
        """The decision, if it is certain by now; otherwise leaves in `dependencies` what it depends on."""
        self.dependencies = set()
        if not self.evaluate(i, True):
            return False
        if not self.dependencies or self.evaluate(i, False):
            return True
        return None

    def break_cycle(self, cycle: list[int]) -> None:
        self.trials = 0
        solutions = self.solutions(cycle)
        if len(solutions) == 1 and self.trials <= MAX_TRIALS:
            for i, state in zip(cycle, solutions[0], strict=True):
                self.state[i] = state
            return
        convoys = [i for i in cycle if self.field.actions[i] is CONVOY]
        self.lost_convoys.update(convoys)
        is_ring = all(self.field.actions[i] is MOVE for i in cycle)
        for i in convoys or cycle:
            self.state[i] = is_ring

    def solutions(self, cycle: list[int]) -> list[tuple[bool | None, ...]]:
        """Up to two consistent decisions of the cycle: each order's state follows from the others."""
        before = list(self.state)
        solutions: list[tuple[bool | None, ...]] = []
        self._search(cycle, [], solutions)
        self.state = before
        return solutions

    def _search(self, cycle: list[int], guessed: list[int], solutions: list[tuple[bool | None, ...]]) -> None:
        self.trials += 1
        if self.trials > MAX_TRIALS or not self._propagate(cycle, guessed):
            return
        undecided = [i for i in cycle if self.state[i] is None]
        if not undecided:
            solution = tuple(self.state[i] for i in cycle)
            if solution not in solutions:
                solutions.append(solution)
            return
        guess = next((i for i in undecided if self.field.actions[i] is CONVOY), undecided[0])
        reached = list(self.state)
        for state in (True, False):
            self.state = list(reached)
            self.state[guess] = state
            self._search(cycle, [*guessed, guess], solutions)
            if len(solutions) > 1:
                return

    def _propagate(self, cycle: list[int], guessed: list[int]) -> bool:
        """Decides what follows from the guesses; False if a guess is refuted."""
        changed = True
        while changed:
            changed = False
            for i in cycle:
                if self.state[i] is None:
                    self.state[i] = self.decide(i)
                    changed = changed or self.state[i] is not None
        return all(self.decide(i) in (None, self.state[i]) for i in guessed)

    # ---- the equations

    def evaluate(self, i: int, optimistic: bool) -> bool:
        action = self.field.actions[i]
        if action is MOVE:
            return self.move_succeeds(i, optimistic)
        if action is SUPPORT:
            return self.support_is_given(i, optimistic)
        return self.convoy_is_given(i, optimistic)

    def state_of(self, i: int, optimistic: bool) -> bool:
        state = self.state[i]
        if state is None:
            self.dependencies.add(i)
            return optimistic
        return state

    def move_succeeds(self, i: int, optimistic: bool) -> bool:
        """MOVE: stronger than the unit that stays there or comes the other way, and than all others that move there."""
        field = self.field
        goal = field.goal[i]
        if field.units[i] in field.battle.barred or not self.has_path(i, optimistic):
            return False
        if goal in field.adjacency.shared_spaces:
            return True
        attack = self.attack_strength(i, optimistic)
        rival = field.rival[i]
        if rival != NOBODY and field.decreed.get(rival) is Outcome.SUCCEEDS:
            return False
        # Against a rival head to head it is the DEFEND STRENGTH.
        against = self.strength(rival, not optimistic) if rival != NOBODY else self.hold_strength(goal, not optimistic)
        if attack <= against:
            return False
        return all(
            attack > self.prevent_strength(other, not optimistic) and field.decreed.get(other) is not Outcome.SUCCEEDS
            for other in field.claims[goal]
            if other != i
        )

    def support_is_given(self, i: int, optimistic: bool) -> bool:
        """SUPPORT: not cut. Own units do not cut it, nor does an attack from its target space, unless it dislodges.

        A convoyed army that spares the support by the rulebook does not cut it either.
        """
        field = self.field
        helped = field.target[i]
        if field.units[i] in field.battle.spoiled or i not in field.helpers[helped]:
            return False
        target_space = field.target_space(helped)
        for other in field.claims.get(field.home[i], ()):
            if field.travel[other] == BY_SEA and self.spares(field, i, other):
                continue
            if field.power[other] != field.power[i] and field.home[other] != target_space:
                if self.has_path(other, not optimistic):
                    return False
            elif self.state_of(other, not optimistic):
                return False
        return True

    def convoy_is_given(self, i: int, optimistic: bool) -> bool:
        """CONVOY: the fleet is not dislodged."""
        return not any(self.state_of(other, not optimistic) for other in self.field.claims.get(self.field.home[i], ()))

    def has_path(self, i: int, optimistic: bool) -> bool:
        """PATH: always by land; over water if undislodged fleets make a chain."""
        field = self.field
        travel = field.travel[i]
        if travel == NO_WAY:
            return False
        if travel != BY_SEA:
            return True
        decreed = field.decreed.get(i)
        if decreed is not None:
            return decreed not in STRANDED
        carriers = field.carriers[i]
        certain = [c for c in carriers if self.state[c]]
        if self.crosses(field, i, certain):
            return True
        possible = [c for c in carriers if self.state[c] is not False]
        if len(possible) == len(certain) or not self.crosses(field, i, possible):
            return False
        self.dependencies.update(c for c in possible if self.state[c] is None)
        return optimistic

    def hold_strength(self, space: int, optimistic: bool) -> int:
        field = self.field
        i = field.occupant[space]
        if i == NOBODY:
            return 0
        if field.goal[i] != NOWHERE:
            return 0 if self.state_of(i, not optimistic) else field.own_strength[i]
        return self.strength(i, optimistic)

    def prevent_strength(self, i: int, optimistic: bool) -> int:
        """PREVENT STRENGTH: 0 for a unit that has no path, or loses to the unit that comes the other way."""
        if not self.has_path(i, optimistic):
            return 0
        rival = self.field.rival[i]
        if rival != NOBODY and self.state_of(rival, not optimistic):
            return 0
        return self.strength(i, optimistic)

    def attack_strength(self, i: int, optimistic: bool) -> int:
        """ATTACK STRENGTH: no power dislodges its own unit or helps to dislodge it."""
        field = self.field
        there = field.occupant[field.goal[i]]
        if there in (NOBODY, i):
            return self.strength(i, optimistic)
        leaves = field.goal[there] != NOWHERE and field.rival[i] == NOBODY and self.state_of(there, optimistic)
        if leaves:
            return self.strength(i, optimistic)
        victim = field.power[there]
        return 0 if victim == field.power[i] else self.strength(i, optimistic, victim)

    def strength(self, i: int, optimistic: bool, victim: str = "") -> int:
        """Own strength and all given supports, without those of the power that would be harmed."""
        field = self.field
        total = field.own_strength[i]
        for helper in field.helpers[i]:
            if field.power[helper] != victim and self.state_of(helper, optimistic):
                total += field.weight[helper]
        return total + field.bought_strength(i, victim) if field.bought_supports else total


def innermost_cycle(dependencies: Mapping[int, Set[int]]) -> list[int]:
    """Undecided orders that depend on each other and on no other undecided order, sorted (Tarjan, not recursive).

    `dependencies` maps every undecided order to orders it depends on. It must not be empty.
    """
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    first = min(dependencies)
    path: list[tuple[int, Iterator[int]]] = [(first, iter(sorted(dependencies[first])))]
    index[first] = low[first] = 0
    stack.append(first)
    while path:
        node, rest = path[-1]
        for other in rest:
            if other not in dependencies:
                continue
            if other not in index:
                index[other] = low[other] = len(index)
                stack.append(other)
                path.append((other, iter(sorted(dependencies[other]))))
                break
            low[node] = min(low[node], index[other])
        else:
            path.pop()
            if low[node] == index[node]:
                return sorted(stack[stack.index(node) :])
            parent = path[-1][0]
            low[parent] = min(low[parent], low[node])
    return sorted(dependencies)
