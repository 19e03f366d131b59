"""Explains why every order ended as it did, after all orders are decided.

The keys of causes name sentences of the catalogue (`cause.<key>`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from gm.judge.model.events import Cause, Outcome
from gm.judge.model.position import Unit
from gm.judge.movement.battle import OrderOutcome, Resolution
from gm.judge.movement.battlefield import (
    BY_SEA,
    CONVOY,
    HOLD,
    MOVE,
    NO_WAY,
    NOBODY,
    NOWHERE,
    SUPPORT,
    Battlefield,
)  # fmt: skip

SUCCEEDS, BOUNCED, CUT, VOID = Outcome.SUCCEEDS, Outcome.BOUNCED, Outcome.CUT, Outcome.VOID
UNOPPOSED = OrderOutcome(SUCCEEDS)
DECREED = Cause("decreed")


class SettledBattle(Protocol):
    """The adjudicator's rules once every state is known."""

    @property
    def state(self) -> list[bool | None]: ...
    @property
    def lost_convoys(self) -> set[int]: ...
    def has_path(self, i: int, optimistic: bool) -> bool: ...


def explain(field: Battlefield, rules: SettledBattle) -> Resolution:
    return _Explanation(field, rules).resolution()


class _Explanation:
    """`strength` includes all given supports. `arrives`: whether a mover had a path (the army of a failed convoy has
    none). `moved` are the units whose move succeeded, `winners` those of them that took a space, by the space.
    `opposed` are the units whose order failed or met resistance, or that went by sea; the others need no cause.
    `crowded` are the spaces that several units tried to enter.
    """

    __slots__ = ("arrives", "crowded", "field", "lost_convoys", "moved", "opposed", "state", "strength", "winners")

    def __init__(self, field: Battlefield, rules: SettledBattle) -> None:
        self.field = field
        self.lost_convoys = rules.lost_convoys
        self.state = state = rules.state
        self.arrives = [True] * len(state)
        for i in field.indirect:
            self.arrives[i] = rules.has_path(i, False)
        goal, shared = field.goal, field.adjacency.shared_spaces
        moved = [i for i in field.movers if state[i]]
        self.moved = frozenset(moved)
        self.winners = {goal[i]: i for i in moved if goal[i] not in shared}
        self.opposed = set(field.movers).difference(moved).union(field.indirect)
        self.crowded: list[int] = []
        self.strength = list(field.own_strength)
        self._count_supports()
        self._find_meetings()

    def _count_supports(self) -> None:
        field, state, target, weight = self.field, self.state, self.field.target, self.field.weight
        for i in field.assisting:
            if not state[i] or not field.matched[i]:
                self.opposed.add(i)
            elif weight[i]:
                self.strength[target[i]] += weight[i]
            elif field.actions[i] is CONVOY and field.travel[target[i]] != BY_SEA:
                self.opposed.add(i)
        for i in field.bought_supports:
            self.strength[i] += field.bought_strength(i)

    def _find_meetings(self) -> None:
        occupant, moved = self.field.occupant, self.moved
        for space, claims in self.field.claims.items():
            there = occupant[space]
            if len(claims) > 1:
                self.crowded.append(space)
                self.opposed.update(claims)
            if there != NOBODY and there not in moved:
                self.opposed.update((there, *claims))

    def resolution(self) -> Resolution:
        outcomes = [UNOPPOSED] * len(self.state)
        for i in range(len(outcomes)) if self.field.decreed else self.opposed:
            outcomes[i] = self.outcome(i)
        return Resolution(tuple(outcomes), frozenset(self.contested()))

    def contested(self) -> list[tuple[str, str]]:
        """Spaces that no unit took although two reached them."""
        field, winners = self.field, self.winners
        return [
            field.space(space)
            for space in self.crowded
            if space not in winners and sum([self.prevent_strength(i) > 0 for i in field.claims[space]]) > 1
        ]

    def outcome(self, i: int) -> OrderOutcome:
        field, action = self.field, self.field.actions[i]
        decreed = i in field.decreed
        outcome: Outcome
        cause: Cause | None
        if decreed:
            outcome, cause = field.decreed[i], DECREED
        elif action is MOVE:
            outcome, cause = self._moved(i) if self.state[i] else self._stopped(i)
        elif action is SUPPORT:
            outcome, cause = self._supported(i)
        elif action is CONVOY:
            outcome, cause = self._carried(i)
        else:
            outcome, cause = SUCCEEDS, self._held(i)
        sailed = field.travel[i] == BY_SEA
        by = self._dislodger(i)
        if by == NOBODY:
            return OrderOutcome(outcome, cause, None, None, sailed, decreed)
        return OrderOutcome(outcome, cause, field.units[by], self._dislodgement(i, by), sailed, decreed)

    def _dislodger(self, i: int) -> int:
        return NOBODY if i in self.moved else self.winners.get(self.field.home[i], NOBODY)

    def _dislodgement(self, i: int, by: int) -> Cause:
        if by in self.field.decreed:
            return Cause("dislodged", self._units([by]))
        helpers = self._helpers(by)
        attack, against = self.attack_strength(by), self._resistance(i, by)
        return Cause("dislodged", (self.field.units[by], *helpers), attack, against, (), helpers, self._cut_helpers(i))

    def _resistance(self, i: int, by: int) -> int:
        """The strength against this attack of a unit that stayed, or failed to leave."""
        leaving = self.field.goal[i] != NOWHERE and self.field.rival[by] != i
        return self.field.own_strength[i] if leaving else self.strength[i]

    def attack_strength(self, i: int) -> int:
        field = self.field
        there = field.occupant[field.goal[i]]
        if there in (NOBODY, i) or (there in self.moved and field.rival[i] == NOBODY):
            return self.strength[i]
        victim = field.power[there]
        if victim == field.power[i]:
            return 0
        if not field.helpers[i] and not field.bought_supports:
            return self.strength[i]
        own = sum(field.weight[h] for h in field.helpers[i] if self.state[h] and field.power[h] == victim)
        return self.strength[i] - own - (field.bought_strength(i) - field.bought_strength(i, victim))

    def prevent_strength(self, i: int) -> int:
        rival = self.field.rival[i]
        if not self.arrives[i] or (rival != NOBODY and self.state[rival]):
            return 0
        return self.strength[i]

    def arriving(self, space: int) -> list[int]:
        return [i for i in self.field.claims.get(space, ()) if self.arrives[i]]

    def _moved(self, i: int) -> tuple[Outcome, Cause | None]:
        field = self.field
        route = self._route(i) if field.travel[i] == BY_SEA else ()
        goal, against = field.goal[i], 0
        opponents: list[int] = []
        for other in field.claims.get(goal, ()):
            if other != i and (force := self.prevent_strength(other)):
                opponents.append(other)
                against = max(against, force)
        there = field.occupant[goal]
        if there != NOBODY and there not in self.moved:
            opponents.append(there)
            against = max(against, self._resistance(there, i))
        if not opponents and not route:
            return SUCCEEDS, None
        if not opponents:
            return SUCCEEDS, Cause("convoyed", route=route)
        force = self.attack_strength(i)
        by = self._units(opponents)
        return SUCCEEDS, Cause("won", by, force, against, (), self._helpers(i), (), route)

    def _stopped(self, i: int) -> tuple[Outcome, Cause]:
        field = self.field
        if not self.arrives[i]:
            return self._stranded(i)
        barred, rival = field.battle.barred, field.rival[i]
        if barred and field.units[i] in barred:
            return BOUNCED, Cause("barred", places=(self._goal(i),))
        full = self.strength[i]
        if rival != NOBODY and self.state[rival]:
            return BOUNCED, self._compared("head-to-head", i, [rival], self.attack_strength(i), self.strength[rival])
        goal, attack = field.goal[i], self.attack_strength(i)
        there, claims = field.occupant[goal], field.claims[goal]
        if len(claims) == 1 and there != NOBODY:
            return BOUNCED, self._repelled(i, there, attack)
        winner = self.winners.get(goal, NOBODY)
        if winner in field.decreed:
            return BOUNCED, Cause("lost-by-decree", self._units([winner]))
        strongest, named = _best([o for o in claims if o != i and self.arrives[o]], self.prevent_strength)
        if winner != NOBODY:
            named = [winner]
        elif there not in (NOBODY, i) and there not in self.moved and self._resistance(there, i) >= attack:
            if not self._is_outshone(i, there, strongest, attack):
                return BOUNCED, self._repelled(i, there, attack)
            if field.goal[there] == NOWHERE and field.power[there] == field.power[i]:
                named.insert(0, there)  # a unit that stays keeps out its own power's units whatever the rivals do
        if 0 < attack <= strongest < full:
            return BOUNCED, self._compared("contest-own", i, named, attack, strongest)
        return BOUNCED, self._compared("contest", i, named, full, strongest)

    def _is_outshone(self, i: int, there: int, strongest: int, attack: int) -> bool:
        """Whether the stand-off with others explains more than the unit there, which may have stayed because of it."""
        full, resistance = self.strength[i], self._resistance(there, i)
        if strongest < full:
            return False
        would_leave = self.field.goal[there] != NOWHERE and self.field.rival[i] != there
        own = self.field.power[there] == self.field.power[i] or attack < full
        return strongest > resistance or would_leave or own

    def _repelled(self, i: int, there: int, force: int) -> Cause:
        """The cause of a bounce against the unit that was there."""
        field = self.field
        by, helpers, action = (field.units[there],), self._helpers(i), field.actions[there]
        resistance, full = self._resistance(there, i), self.strength[i]
        if field.power[there] == field.power[i]:
            return Cause("own-unit", by, full, resistance, (), helpers)
        if full > resistance >= force:
            return Cause("own-support", by, full, resistance, (), helpers)
        key = "held"
        if field.rival[i] == there:
            key = "head-to-head"
        elif action is MOVE:
            key = "did-not-leave"
        elif action is SUPPORT and field.decreed.get(there) is SUCCEEDS:
            return Cause("cut-nothing", by, force, resistance, (), helpers)
        elif action is SUPPORT and not self.state[there] and field.matched[there]:
            return Cause("stayed-cut", by, force, resistance, (), helpers)
        elif action is not HOLD:
            key = "stayed"
        return Cause(key, by, force, resistance, (), helpers, self._cut_helpers(i))

    def _compared(self, key: str, i: int, by: list[int], force: int, against: int) -> Cause:
        if not self.field.helpers[i]:
            return Cause(key, self._units(by), force, against)
        return Cause(key, self._units(by), force, against, (), self._helpers(i), self._cut_helpers(i))

    def _stranded(self, i: int) -> tuple[Outcome, Cause]:
        """The cause for an army without a convoy to its goal."""
        field = self.field
        route = field.route(i, field.carriers[i])
        intent = field.intents[i]
        walks = not intent.via and intent.to in field.adjacency.moves[intent.unit.at]
        if not field.carriers[i] and (field.travel[i] == NO_WAY or (walks and field.battle.closed)):
            return Outcome.NO_ROUTE, Cause("closed", places=(self._goal(i),))
        if route is None:
            fleets = self._units(field.carriers[i])
            return Outcome.NO_ROUTE, Cause("convoy-incomplete" if fleets else "no-convoy", fleets)
        failed = [c for c in field.carriers[i] if not self.state[c]]
        if any(c in self.lost_convoys for c in failed):
            return Outcome.DISRUPTED, Cause("paradox", self._units(failed))
        if any(c in field.decreed for c in failed):
            return Outcome.DISRUPTED, Cause("convoy-decreed", self._units(failed))
        attackers = {self._dislodger(c) for c in failed} - {NOBODY}
        return Outcome.DISRUPTED, Cause("convoy-dislodged", self._units(failed), helpers=self._units(sorted(attackers)))

    def _held(self, i: int) -> Cause | None:
        field = self.field
        if self._dislodger(i) != NOBODY:
            return None
        failed = [o for o in self.arriving(field.home[i]) if o not in self.moved]
        against, strongest = _best(failed, self.attack_strength)
        if not against:
            return None
        by, helpers, force = self._units(strongest), self._helpers(i), self.strength[i]
        if force < against and field.battle.barred.issuperset(by):
            return Cause("attackers-barred", by, places=(field.space(field.home[i]).province,))
        key = "beleaguered" if force < against and len(by) > 1 else "withstood"
        return Cause(key, by, force, against, (), helpers)

    def _supported(self, i: int) -> tuple[Outcome, Cause | None]:
        field = self.field
        if not field.matched[i]:
            return VOID, self._mismatch(i)
        if self.state[i]:
            return SUCCEEDS, self._spared(i)
        if field.units[i] in field.battle.spoiled:
            by = field.battle.spoilers.get(field.units[i], ())
            return CUT, Cause("spoiled-by" if by else "spoiled", by)
        target_space = field.target_space(field.target[i])
        if i not in field.helpers[field.target[i]]:
            return VOID, Cause("closed", places=(field.space(target_space).province,))
        spares = field.battle.rulebook.spares
        cutters = [
            o for o in self.arriving(field.home[i])
            if (self.state[o] or (field.power[o] != field.power[i] and field.home[o] != target_space))
            and not (field.travel[o] == BY_SEA and spares(field, i, o))
        ]  # fmt: skip
        victor = self._dislodger(i)
        if cutters == [victor] and field.home[victor] == target_space:
            return CUT, Cause("dislodged-support", self._units([victor]))
        return CUT, Cause("attacked", self._units(cutters))

    def _spared(self, i: int) -> Cause | None:
        """Convoyed armies that reached a supporting unit and did not cut the support, by the rulebook."""
        field = self.field
        target_space, mine, spares = field.target_space(field.target[i]), field.power[i], field.battle.rulebook.spares
        landed = [o for o in self.arriving(field.home[i]) if field.travel[o] == BY_SEA]
        armies = [o for o in landed if field.power[o] != mine and field.home[o] != target_space and spares(field, i, o)]
        return Cause("spared", self._units(armies)) if armies else None

    def _carried(self, i: int) -> tuple[Outcome, Cause | None]:
        field = self.field
        if not field.matched[i]:
            return VOID, self._mismatch(i)
        if i in self.lost_convoys:
            return Outcome.DISRUPTED, Cause("paradox", self._units([field.target[i]]))
        if field.travel[field.target[i]] != BY_SEA:
            return VOID, Cause("went-by-land", self._units([field.target[i]]))
        if not self.state[i]:
            victor = self._dislodger(i)
            return Outcome.DISRUPTED, Cause("fleet-dislodged", self._units([victor] if victor != NOBODY else []))
        return SUCCEEDS, None

    def _mismatch(self, i: int) -> Cause:
        """The cause for a support or convoy of something that its target did not do."""
        field = self.field
        intent = field.intents[i]
        helped = field.target[i]
        if helped == NOBODY:
            return Cause("no-unit-there")
        other = field.intents[helped]
        by = (other.unit,)
        if other.aside:
            return Cause("set-aside", by)
        if other.to is None:
            return Cause("does-not-move", by)
        place = (str(other.to.place),)
        if intent.goal is None:
            return Cause("moves-away", by, places=place)
        if other.to.province == intent.goal.province:
            return Cause("other-coast", by, places=place)
        return Cause("moves-elsewhere", by, places=place)

    def _goal(self, i: int) -> str:
        return self.field.space(self.field.goal[i]).province

    def _units(self, numbers: Sequence[int]) -> tuple[Unit, ...]:
        units = self.field.units
        return (units[numbers[0]],) if len(numbers) == 1 else tuple([units[i] for i in numbers])

    def _helpers(self, i: int) -> tuple[Unit, ...]:
        helpers, state = self.field.helpers[i], self.state
        return self._units([h for h in helpers if state[h]]) if helpers else ()

    def _cut_helpers(self, i: int) -> tuple[Unit, ...]:
        helpers, state = self.field.helpers[i], self.state
        return self._units([h for h in helpers if not state[h]]) if helpers else ()

    def _route(self, i: int) -> tuple[str, ...]:
        if self.field.travel[i] != BY_SEA:
            return ()
        route = self.field.route(i, [c for c in self.field.carriers[i] if self.state[c]])
        return tuple(at.province for at in route or ())


def _best(units: Iterable[int], strength: Callable[[int], int]) -> tuple[int, list[int]]:
    """The greatest strength of these units, and those that have it; 0 for none."""
    best = 0
    strongest: list[int] = []
    for i in units:
        force = strength(i)
        if force > best:
            best, strongest = force, [i]
        elif force == best:
            strongest.append(i)
    return best, strongest
