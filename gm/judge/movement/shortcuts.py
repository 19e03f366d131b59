"""Fast path: decides the easy orders before the full resolver runs. Same results; only for speed.

A space is decided once everything it depends on is known: who arrives, which supports are given, whether the unit there
leaves. Nothing is guessed. Rings, paradoxes and most battles about a convoy are left to `MovementRules`.
"""

from __future__ import annotations

from gm.judge.movement.battlefield import BY_SEA, CONVOY, NOBODY, NOWHERE, SUPPORT, Battlefield


def decide_easy_orders(field: Battlefield, state: list[bool | None]) -> None:
    """Fills `state`, as `MovementRules` would. Must not be used with decrees, which break the rules."""
    _EasyOrders(field, state).run()


class _EasyOrders:
    """`arrives` says of every mover whether it has a path; None while its fleets may still be dislodged."""

    __slots__ = ("arrives", "barred", "decided", "field", "pending", "state")

    def __init__(self, field: Battlefield, state: list[bool | None]) -> None:
        self.field = field
        self.state = state
        self.barred = field.battle.barred
        self.arrives: list[bool | None] = [True] * len(field.travel)
        self.pending = list(field.claims)
        self.decided: set[int] = set()

    def run(self) -> None:
        field, state, claims, home = self.field, self.state, self.field.claims, self.field.home
        plain = not field.battle.closed and not field.battle.spoiled
        attacked: list[int] = []
        for i in field.assisting:
            if state[i] is None:
                if home[i] not in claims and (plain or field.actions[i] is CONVOY):
                    state[i] = True
                else:
                    attacked.append(i)
        for i in field.indirect:
            self.arrives[i] = field.travel[i] == BY_SEA and self.crosses(i)
        for i in attacked:
            if field.actions[i] is SUPPORT:
                state[i] = self.support_is_given(i)
        self.decide_spaces()

    def decide_spaces(self) -> None:
        """Works through the pending spaces. The commonest case comes first: one unit moves in, and no unit stays."""
        field, state, claims, home = self.field, self.state, self.field.claims, self.field.home
        occupant, goal, rival, arrives, pending = field.occupant, field.goal, field.rival, self.arrives, self.pending
        easy, own_strength = not self.barred, field.own_strength
        while pending:
            space = pending.pop()
            comers = claims[space]
            if easy and len(comers) == 1:
                i = comers[0]
                if state[i] is not None:
                    continue
                there = occupant[space]
                is_free = there == NOBODY or (goal[there] != NOWHERE and state[there])
                if is_free and arrives[i] and rival[i] == NOBODY and own_strength[i]:
                    state[i] = True
                    if home[i] in claims:
                        pending.append(home[i])
                    continue
            if space not in self.decided and self.decide_space(space, comers):
                self.decided.add(space)

    def crosses(self, i: int) -> bool | None:
        carriers, crosses = self.field.carriers[i], self.field.battle.rulebook.crosses
        certain = [c for c in carriers if self.state[c]]
        if crosses(self.field, i, certain):
            return True
        possible = [c for c in carriers if self.state[c] is not False]
        return None if len(possible) > len(certain) and crosses(self.field, i, possible) else False

    def support_is_given(self, i: int) -> bool | None:
        field = self.field
        helped = field.target[i]
        if i not in field.helpers[helped] or field.units[i] in field.battle.spoiled:
            return False
        comers = field.claims.get(field.home[i])
        if not comers:
            return True
        target_space, power = field.target_space(helped), field.power[i]
        is_given: bool | None = True
        for other in comers:
            arrives = self.arrives[other]
            if arrives is False or field.power[other] == power:
                continue
            if self.state[other] is False and field.home[other] == target_space:
                continue
            if field.travel[other] == BY_SEA and field.battle.rulebook.spares(field, i, other):
                continue
            if (arrives and field.home[other] != target_space) or self.state[other]:
                return False
            is_given = None
        return is_given

    def decide_space(self, space: int, comers: list[int]) -> bool:
        """Decides all moves to this space; False if some are still unknown."""
        field, state, arrives, helpers = self.field, self.state, self.arrives, self.field.helpers
        there = field.occupant[space]
        if there != NOBODY and field.goal[there] != NOWHERE:
            if state[there] is None:
                self.decide_rival(there)
                return False
            if state[there]:
                there = NOBODY
        for i in comers:
            if arrives[i] is None or (helpers[i] and not self.strength_is_known(i)):
                return False
        if there != NOBODY and not self.strength_is_known(there):
            return False
        winner = self.winner(comers, there)
        for i in comers:
            if state[i] is None:
                self.set_state(i, i == winner)
        if there != NOBODY and state[there] is None:
            self.recheck(there)
        return True

    def winner(self, comers: list[int], there: int) -> int:
        """The unit that takes a space where this unit stays, or NOBODY; all strengths are known."""
        i, against = comers[0], 0
        if len(comers) > 1:
            (against, _), (_, i) = sorted([(self.prevent_strength(comer), comer) for comer in comers])[-2:]
        if not self.arrives[i] or (self.barred and self.field.units[i] in self.barred):
            return NOBODY
        rival = self.field.rival[i]
        if there == NOBODY:
            # With a rival, the unit that came the other way got through.
            return i if rival == NOBODY and self.strength(i) > against else NOBODY
        attack = self.attack_strength(i, there)
        return i if attack > against and attack > self.hold_strength(there, rival) else NOBODY

    def strength_is_known(self, i: int) -> bool:
        helpers = self.field.helpers[i]
        return not helpers or None not in [self.state[helper] for helper in helpers]

    def decide_rival(self, there: int) -> None:
        """Head to head, the move that is not stronger fails whatever the other orders do."""
        i = self.field.rival[there]
        if (
            i == NOBODY
            or self.state[i] is not None
            or not (self.strength_is_known(i) and self.strength_is_known(there))
        ):
            return
        if self.attack_strength(i, there) <= self.strength(there):
            self.set_state(i, False)

    def hold_strength(self, there: int, rival: int) -> int:
        if self.field.goal[there] != NOWHERE and there != rival:
            return self.field.own_strength[there]
        return self.strength(there)

    def prevent_strength(self, i: int) -> int:
        rival = self.field.rival[i]
        if not self.arrives[i] or (rival != NOBODY and self.state[rival]):
            return 0
        return self.strength(i)

    def attack_strength(self, i: int, there: int) -> int:
        victim = self.field.power[there]
        return 0 if victim == self.field.power[i] else self.strength(i, victim)

    def strength(self, i: int, victim: str = "") -> int:
        field = self.field
        total = field.own_strength[i]
        for helper in field.helpers[i]:
            if self.state[helper] and field.power[helper] != victim:
                total += field.weight[helper]
        if field.bought_supports:
            total += field.bought_strength(i, victim)
        return total

    def set_state(self, i: int, state: bool) -> None:
        self.state[i] = state
        self.requeue(self.field.home[i])

    def recheck(self, there: int) -> None:
        """Decides the support or convoy of a unit after the moves to its space are decided."""
        field = self.field
        if there == NOBODY or self.state[there] is not None:
            return
        helped = field.target[there]
        if field.actions[there] is SUPPORT:
            self.state[there] = self.support_is_given(there)
        elif field.actions[there] is CONVOY:
            comers = field.claims.get(field.home[there], [])
            if any(self.state[i] for i in comers):
                self.state[there] = False
            elif all(self.state[i] is False for i in comers):
                self.state[there] = True
            self.arrives[helped] = self.crosses(helped) if field.travel[helped] == BY_SEA else self.arrives[helped]
            self.recheck(field.occupant[field.goal[helped]])
        if self.state[there] is not None:
            self.requeue(field.home[helped])
            self.requeue(field.target_space(helped))

    def requeue(self, space: int) -> None:
        if space in self.field.claims and space not in self.decided:
            self.pending.append(space)
