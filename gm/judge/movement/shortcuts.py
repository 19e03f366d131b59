"""The orders whose outcome is plain to see: a shortcut for the adjudicator, which fills in what it would find anyway.

Space after space is decided while all that it hangs on is known: who arrives, which supports stand, whether the unit
there leaves. Nothing is guessed; what is left (rings, paradoxes, most battles about a convoy) is left to `Rules`.
"""

from __future__ import annotations

from gm.judge.movement.battlefield import BY_SEA, CONVOY, NOBODY, NOWHERE, ON_FOOT, SUPPORT, Battlefield


def glance(field: Battlefield, state: list[bool | None]) -> None:
    """Decide at sight what can be. Must not be used with decrees: they bend the rules."""
    _Glance(field, state).run()


class _Glance:
    """`lands` tells of every mover whether it reaches its goal; None while its fleets may yet be lost."""

    __slots__ = ("barred", "done", "field", "lands", "pending", "state")

    def __init__(self, field: Battlefield, state: list[bool | None]) -> None:
        self.field = field
        self.state = state
        self.barred = field.contest.barred
        self.lands: list[bool | None] = [way == ON_FOOT for way in field.way]
        self.pending = list(field.claims)
        self.done: set[int] = set()

    def run(self) -> None:
        field, state, claims, home = self.field, self.state, self.field.claims, self.field.home
        plain = not field.contest.closed and not field.contest.spoiled
        doubtful: list[int] = []
        for i in field.aides:
            if state[i] is None:
                if home[i] not in claims and (plain or field.acts[i] is CONVOY):
                    state[i] = True
                else:
                    doubtful.append(i)
        for i in field.movers:
            if field.way[i] == BY_SEA:
                self.lands[i] = self.crosses(i)
        for i in doubtful:
            if field.acts[i] is SUPPORT:
                state[i] = self.stands(i)
        self.sweep()

    def sweep(self) -> None:
        """The spaces, while one brings the next; the commonest case first: one comer, and nobody stays."""
        field, state, claims, home = self.field, self.state, self.field.claims, self.field.home
        occupant, goal, rival, lands, pending = field.occupant, field.goal, field.rival, self.lands, self.pending
        easy, strength = not self.barred, field.strength
        while pending:
            space = pending.pop()
            comers = claims[space]
            if easy and len(comers) == 1:
                i = comers[0]
                if state[i] is not None:
                    continue
                there = occupant[space]
                gone = there == NOBODY or (goal[there] != NOWHERE and state[there])
                if gone and lands[i] and rival[i] == NOBODY and strength[i]:
                    state[i] = True
                    if home[i] in claims:
                        pending.append(home[i])
                    continue
            if space not in self.done and self.decide(space, comers):
                self.done.add(space)

    def crosses(self, i: int) -> bool | None:
        carriers, crosses = self.field.carriers[i], self.field.contest.edition.crosses
        sure = [c for c in carriers if self.state[c]]
        if crosses(self.field, i, sure):
            return True
        perhaps = [c for c in carriers if self.state[c] is not False]
        return None if len(perhaps) > len(sure) and crosses(self.field, i, perhaps) else False

    def stands(self, i: int) -> bool | None:
        """Whether a support is given."""
        field = self.field
        helped = field.target[i]
        if i not in field.helpers[helped] or field.units[i] in field.contest.spoiled:
            return False
        comers = field.claims.get(field.home[i])
        if not comers:
            return True
        aim, power = field.aim(helped), field.power[i]
        certain: bool | None = True
        for other in comers:
            lands = self.lands[other]
            if lands is False or field.power[other] == power:
                continue
            if self.state[other] is False and field.home[other] == aim:
                continue
            if field.way[other] == BY_SEA and field.contest.edition.spares(field, i, other):
                continue
            if (lands and field.home[other] != aim) or self.state[other]:
                return False
            certain = None
        return certain

    def decide(self, space: int, comers: list[int]) -> bool:
        """Whether all moves to this space are decided now."""
        field, state, lands = self.field, self.state, self.lands
        there = field.occupant[space]
        leaves = there != NOBODY and field.goal[there] != NOWHERE
        if leaves and state[there] is None:
            self.outmatched(there)
            return False
        gone = there == NOBODY or bool(leaves and state[there])
        for i in comers:
            if lands[i] is None or not self.helped(i):
                return False
        if not gone and not self.helped(there):
            return False
        for i in comers:
            if state[i] is None:
                self.set(i, self.enters(i, comers, NOBODY if gone else there))
        if not gone and state[there] is None:
            self.seen(there)
        return True

    def helped(self, i: int) -> bool:
        """Whether it is known who helps this unit."""
        helpers = self.field.helpers[i]
        return not helpers or None not in [self.state[helper] for helper in helpers]

    def outmatched(self, there: int) -> None:
        """Of two who meet head to head, one who is not the stronger fails, whatever the others do."""
        i = self.field.rival[there]
        if i == NOBODY or self.state[i] is not None or not (self.helped(i) and self.helped(there)):
            return
        if self.attack(i, there) <= self.full(there):
            self.set(i, False)

    def enters(self, i: int, comers: list[int], there: int) -> bool:
        field = self.field
        if not self.lands[i] or field.units[i] in self.barred:
            return False
        rival = field.rival[i]
        if rival != NOBODY and there == NOBODY:  # who came the other way got through
            return False
        attack = self.full(i) if there == NOBODY else self.attack(i, there)
        if there != NOBODY and attack <= self.holds(there, rival):
            return False
        return len(comers) == 1 or all(attack > self.prevents(other) for other in comers if other != i)

    def holds(self, there: int, rival: int) -> int:
        if self.field.goal[there] != NOWHERE and there != rival:
            return self.field.strength[there]
        return self.full(there)

    def prevents(self, i: int) -> int:
        rival = self.field.rival[i]
        if not self.lands[i] or (rival != NOBODY and self.state[rival]):
            return 0
        return self.full(i)

    def attack(self, i: int, there: int) -> int:
        victim = self.field.power[there]
        return 0 if victim == self.field.power[i] else self.full(i, victim)

    def full(self, i: int, victim: str = "") -> int:
        field = self.field
        total = field.strength[i]
        for helper in field.helpers[i]:
            if self.state[helper] and field.power[helper] != victim:
                total += field.weight[helper]
        if field.backings:
            total += field.backed(i, victim)
        return total

    # ---- what follows

    def set(self, i: int, state: bool) -> None:
        self.state[i] = state
        self.again(self.field.home[i])

    def seen(self, there: int) -> None:
        """Look again at the support or convoy of a unit that the moves to its space may have touched."""
        field = self.field
        if there == NOBODY or self.state[there] is not None:
            return
        helped = field.target[there]
        if field.acts[there] is SUPPORT:
            self.state[there] = self.stands(there)
        elif field.acts[there] is CONVOY:
            comers = field.claims.get(field.home[there], [])
            if any(self.state[i] for i in comers):
                self.state[there] = False
            elif all(self.state[i] is False for i in comers):
                self.state[there] = True
            self.lands[helped] = self.crosses(helped) if field.way[helped] == BY_SEA else self.lands[helped]
            self.seen(field.occupant[field.goal[helped]])
        if self.state[there] is not None:
            self.again(field.home[helped])
            self.again(field.aim(helped))

    def again(self, space: int) -> None:
        if space in self.field.claims and space not in self.done:
            self.pending.append(space)
