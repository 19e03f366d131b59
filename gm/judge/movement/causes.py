"""Why every order ended as it did, told after all is decided: nothing here decides anything.

The keys of causes are the names of the sentences in the catalogue (`cause.<key>`).
"""

from __future__ import annotations

from typing import Protocol

from gm.judge.model.events import Cause, Outcome
from gm.judge.model.position import Unit
from gm.judge.movement.battle import IntentKind, OrderOutcome, Resolution
from gm.judge.movement.battlefield import (
    BY_SEA,
    CONVOY,
    HOLD,
    MOVE,
    NO_WAY,
    NOBODY,
    NOWHERE,
    ON_FOOT,
    SUPPORT,
    Battlefield,
)

SUCCEEDS, BOUNCED, CUT, VOID = Outcome.SUCCEEDS, Outcome.BOUNCED, Outcome.CUT, Outcome.VOID
QUIET = OrderOutcome(SUCCEEDS)
"""What most orders come to: nobody was in the way."""
DECREED = Cause("decreed")


class SettledBattle(Protocol):
    """The rules after they have settled: every state is known."""

    @property
    def state(self) -> list[bool | None]: ...
    @property
    def lost(self) -> set[int]: ...
    def arrives(self, i: int, hope: bool) -> bool: ...


def explain(field: Battlefield, rules: SettledBattle) -> Resolution:
    return _Account(field, rules).whole()


class _Account:
    """`force` is what every unit has with all its supports, `lands` whether a mover really reached for its goal (the
    army of a broken convoy did not), `victors` who took a space.
    """

    __slots__ = ("field", "force", "lands", "lost", "rules", "state", "victors")

    def __init__(self, field: Battlefield, rules: SettledBattle) -> None:
        self.field = field
        self.rules = rules
        self.lost = rules.lost
        self.state = state = rules.state
        self.lands = [way == ON_FOOT for way in field.way]
        self.victors: dict[int, int] = {}
        for i in field.movers:
            if field.way[i] != ON_FOOT:
                self.lands[i] = rules.arrives(i, False)
            if state[i] and field.goal[i] not in field.adjacency.shared_spaces:
                self.victors[field.goal[i]] = i
        self.force = list(field.strength)
        for i in field.aides:
            if state[i] and field.matched[i] and field.weight[i]:
                self.force[field.target[i]] += field.weight[i]
        for i in field.backings:
            self.force[i] += field.backed(i)

    def whole(self) -> Resolution:
        """Most orders meet with no resistance: those are told apart here, at little cost."""
        field, state = self.field, self.state
        acts, home, goal, way, occupant, claims = (
            field.acts, field.home, field.goal, field.way, field.occupant, field.claims,
        )  # fmt: skip
        decrees = bool(field.decreed)
        fates: list[OrderOutcome] = []
        for i, act in enumerate(acts):
            if not state[i] or decrees:
                quiet = False
            elif act is MOVE:
                there = occupant[goal[i]]
                alone = way[i] == ON_FOOT and len(claims.get(goal[i], ())) < 2
                quiet = alone and (there == NOBODY or (goal[there] != NOWHERE and bool(state[there])))
            else:
                quiet = home[i] not in claims and field.matched[i]
                quiet = quiet and (act is not CONVOY or way[field.target[i]] == BY_SEA)
            fates.append(QUIET if quiet else self.fate(i, act))
        return Resolution(tuple(fates), frozenset(self.contested()))

    def contested(self) -> list[tuple[str, str]]:
        """Spaces that nobody took although two reached for them."""
        return [
            self.field.space(space)
            for space, claims in self.field.claims.items()
            if len(claims) > 1 and space not in self.victors and sum(self.prevents(i) > 0 for i in claims) > 1
        ]

    def fate(self, i: int, act: IntentKind) -> OrderOutcome:
        field = self.field
        outcome: Outcome = SUCCEEDS
        cause: Cause | None = None
        if field.decreed and i in field.decreed:
            outcome, cause = field.decreed[i], DECREED
        elif act is MOVE:
            outcome, cause = self._moved(i) if self.state[i] else self._stopped(i)
        elif act is SUPPORT:
            outcome, cause = self._supported(i)
        elif act is CONVOY:
            outcome, cause = self._carried(i)
        else:
            cause = self._held(i)
        sailed = field.way[i] == BY_SEA
        by = self._dislodger(i)
        if by == NOBODY:
            return OrderOutcome(outcome, cause, None, None, sailed, i in field.decreed)
        return OrderOutcome(outcome, cause, field.units[by], self._dislodgement(i, by), sailed, i in field.decreed)

    def _dislodger(self, i: int) -> int:
        if self.state[i] and self.field.goal[i] != NOWHERE:
            return NOBODY
        return self.victors.get(self.field.home[i], NOBODY)

    def _dislodgement(self, i: int, by: int) -> Cause:
        helpers = self._helpers(by)
        if by in self.field.decreed:
            return Cause("dislodged", self._units(by))
        force, against = self.attack(by), self._resistance(i, by)
        return Cause("dislodged", (self.field.units[by], *helpers), force, against, (), helpers, self._cut(i))

    def _resistance(self, i: int, by: int) -> int:
        """What a unit that stayed, or at last did not leave, sets against this attack."""
        leaving = self.field.goal[i] != NOWHERE and self.field.rival[by] != i
        return self.field.strength[i] if leaving else self.force[i]

    def attack(self, i: int) -> int:
        """ATTACK STRENGTH, all being known."""
        field = self.field
        there = field.occupant[field.goal[i]]
        if there in (NOBODY, i) or (field.goal[there] != NOWHERE and self.state[there] and field.rival[i] == NOBODY):
            return self.force[i]
        victim = field.power[there]
        if victim == field.power[i]:
            return 0
        if not field.helpers[i] and not field.backings:
            return self.force[i]
        own = sum(field.weight[h] for h in field.helpers[i] if self.state[h] and field.power[h] == victim)
        return self.force[i] - own - (field.backed(i) - field.backed(i, victim))

    def prevents(self, i: int) -> int:
        """PREVENT STRENGTH, all being known."""
        rival = self.field.rival[i]
        if not self.lands[i] or (rival != NOBODY and self.state[rival]):
            return 0
        return self.force[i]

    def arriving(self, space: int) -> list[int]:
        return [i for i in self.field.claims.get(space, ()) if self.lands[i]]

    # ---- moves

    def _moved(self, i: int) -> tuple[Outcome, Cause | None]:
        field = self.field
        route = self._route(i) if field.way[i] == BY_SEA else ()
        goal, against = field.goal[i], 0
        opponents: list[int] = []
        for other in field.claims.get(goal, ()):
            if other != i and (force := self.prevents(other)):
                opponents.append(other)
                against = max(against, force)
        there = field.occupant[goal]
        if there not in (NOBODY, i) and not (field.goal[there] != NOWHERE and self.state[there]):
            opponents.append(there)
            against = max(against, self._resistance(there, i))
        if not opponents and not route:
            return SUCCEEDS, None
        if not opponents:
            return SUCCEEDS, Cause("convoyed", route=route)
        force = self.attack(i)
        by = self._units(*opponents)
        return SUCCEEDS, Cause("won", by, force, against, (), self._helpers(i), (), route)

    def _stopped(self, i: int) -> tuple[Outcome, Cause]:
        field = self.field
        if not self.lands[i]:
            return self._stranded(i)
        if field.units[i] in field.contest.barred:
            return BOUNCED, Cause("barred", places=(self._goal(i),))
        if field.rival[i] != NOBODY and self.state[field.rival[i]]:
            rival = field.rival[i]
            return BOUNCED, self._compared("head-to-head", i, [rival], self.force[rival])
        goal, attack = field.goal[i], self.attack(i)
        there = field.occupant[goal]
        if len(field.claims[goal]) == 1 and there != NOBODY:
            return BOUNCED, self._repelled(i, there, attack)
        rivals = [o for o in field.claims[goal] if o != i and self.lands[o]]
        winner = self.victors.get(goal, NOBODY)
        if winner in field.decreed:
            return BOUNCED, Cause("lost-by-decree", self._units(winner))
        strongest = 0
        for other in rivals:
            strongest = max(strongest, self.prevents(other))
        stands = there != i and self._blocks(there, i, attack)
        if stands and winner == NOBODY and not self._outshone(i, there, strongest, attack):
            return BOUNCED, self._repelled(i, there, attack)
        named = [o for o in rivals if self.prevents(o) == strongest] if winner == NOBODY else [winner]
        if stands and winner == NOBODY and field.goal[there] == NOWHERE and field.power[there] == field.power[i]:
            named.insert(0, there)  # who stays in any case keeps out his own power's units whatever the rivals do
        full = self.force[i]
        key = "contest-own" if 0 < attack <= strongest < full else "contest"
        return BOUNCED, self._compared(key, i, named, strongest)

    def _blocks(self, there: int, i: int, attack: int) -> bool:
        """Whether the unit there stayed, and was strong enough to keep this one out."""
        if there == NOBODY or (self.field.goal[there] != NOWHERE and self.state[there]):
            return False
        return self._resistance(there, i) >= attack

    def _outshone(self, i: int, there: int, strongest: int, attack: int) -> bool:
        """Whether a stand-off with others says more than that somebody stayed: he may have stayed because of it."""
        full, resistance = self.force[i], self._resistance(there, i)
        if strongest < full:
            return False
        would_leave = self.field.goal[there] != NOWHERE and self.field.rival[i] != there
        own = self.field.power[there] == self.field.power[i] or attack < full
        return strongest > resistance or would_leave or own

    def _repelled(self, i: int, there: int, force: int) -> Cause:
        """Thrown back by the unit that was there."""
        field = self.field
        by, helpers, act = (field.units[there],), self._helpers(i), field.acts[there]
        resistance, full = self._resistance(there, i), self.force[i]
        if field.power[there] == field.power[i]:
            return Cause("own-unit", by, full, resistance, (), helpers)
        if full > resistance >= force:
            return Cause("own-support", by, full, resistance, (), helpers)
        key = "held"
        if field.rival[i] == there:
            key = "head-to-head"
        elif act is MOVE:
            key = "did-not-leave"
        elif act is SUPPORT and field.decreed.get(there) is SUCCEEDS:
            return Cause("cut-nothing", by, force, resistance, (), helpers)
        elif act is SUPPORT and not self.state[there] and field.matched[there]:
            return Cause("stayed-cut", by, force, resistance, (), helpers)
        elif act is not HOLD:
            key = "stayed"
        return Cause(key, by, force, resistance, (), helpers, self._cut(i))

    def _compared(self, key: str, i: int, by: list[int], against: int) -> Cause:
        force = self.force[i] if key == "contest" else self.attack(i)
        return Cause(key, self._units(*by), force, against, (), self._helpers(i), self._cut(i))

    def _stranded(self, i: int) -> tuple[Outcome, Cause]:
        """An army that nobody carried to its goal."""
        field = self.field
        route = field.route(i, field.carriers[i])
        intent = field.intents[i]
        walks = not intent.via and intent.to in field.adjacency.moves[intent.unit.at]
        if not field.carriers[i] and (field.way[i] == NO_WAY or (walks and field.contest.closed)):
            return Outcome.NO_ROUTE, Cause("closed", places=(self._goal(i),))
        if route is None:
            fleets = self._units(*field.carriers[i])
            return Outcome.NO_ROUTE, Cause("convoy-incomplete" if fleets else "no-convoy", fleets)
        failed = [c for c in field.carriers[i] if not self.state[c]]
        if any(c in self.lost for c in failed):
            return Outcome.DISRUPTED, Cause("paradox", self._units(*failed))
        if any(c in field.decreed for c in failed):
            return Outcome.DISRUPTED, Cause("convoy-decreed", self._units(*failed))
        attackers = {self._dislodger(c) for c in failed} - {NOBODY}
        return Outcome.DISRUPTED, Cause(
            "convoy-dislodged", self._units(*failed), helpers=self._units(*sorted(attackers))
        )

    # ---- the others

    def _held(self, i: int) -> Cause | None:
        if self._dislodger(i) != NOBODY:
            return None
        against, by = self._attacks(i)
        if not against:
            return None
        helpers = self._helpers(i)
        force = self.force[i]
        key = "beleaguered" if force < against and len(by) > 1 else "withstood"
        return Cause(key, by, force, against, (), helpers)

    def _attacks(self, i: int) -> tuple[int, tuple[Unit, ...]]:
        """The strongest attack that did not get in, and who made it."""
        arriving = [o for o in self.arriving(self.field.home[i]) if not self.state[o]]
        attacks = [self.attack(o) for o in arriving]
        best = max(attacks, default=0)
        return best, self._units(*[o for o, attack in zip(arriving, attacks, strict=True) if attack == best])

    def _supported(self, i: int) -> tuple[Outcome, Cause | None]:
        field = self.field
        if not field.matched[i]:
            return VOID, self._mismatch(i)
        if self.state[i]:
            return SUCCEEDS, self._spared(i)
        if field.units[i] in field.contest.spoiled:
            by = field.contest.spoilers.get(field.units[i], ())
            return CUT, Cause("spoiled-by" if by else "spoiled", by)
        if i not in field.helpers[field.target[i]]:
            return VOID, Cause("closed", places=(field.space(field.aim(field.target[i])).province,))
        aim = field.aim(field.target[i])
        spares = field.contest.edition.spares
        cutters = [
            o for o in self.arriving(field.home[i])
            if (self.state[o] or (field.power[o] != field.power[i] and field.home[o] != aim))
            and not (field.way[o] == BY_SEA and spares(field, i, o))
        ]  # fmt: skip
        victor = self._dislodger(i)
        if cutters == [victor] and field.home[victor] == aim:
            return CUT, Cause("dislodged-support", self._units(victor))
        return CUT, Cause("attacked", self._units(*cutters))

    def _spared(self, i: int) -> Cause | None:
        """Convoyed armies that came to where a support was given, and by the edition's word left it alone."""
        field = self.field
        aim, mine, spares = field.aim(field.target[i]), field.power[i], field.contest.edition.spares
        landed = [o for o in self.arriving(field.home[i]) if field.way[o] == BY_SEA]
        armies = [o for o in landed if field.power[o] != mine and field.home[o] != aim and spares(field, i, o)]
        return Cause("spared", self._units(*armies)) if armies else None

    def _carried(self, i: int) -> tuple[Outcome, Cause | None]:
        field = self.field
        if not field.matched[i]:
            return VOID, self._mismatch(i)
        if i in self.lost:
            return Outcome.DISRUPTED, Cause("paradox", self._units(field.target[i]))
        if field.way[field.target[i]] != BY_SEA:
            return VOID, Cause("went-by-land", self._units(field.target[i]))
        if not self.state[i]:
            return Outcome.DISRUPTED, Cause("fleet-dislodged", self._units(self._dislodger(i)))
        return SUCCEEDS, None

    def _mismatch(self, i: int) -> Cause:
        """A support or convoy for something that its unit did not do."""
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

    # ---- words for numbers

    def _goal(self, i: int) -> str:
        return self.field.space(self.field.goal[i]).province

    def _units(self, *numbers: int) -> tuple[Unit, ...]:
        units = self.field.units
        if len(numbers) == 1 and numbers[0] != NOBODY:
            return (units[numbers[0]],)
        return tuple([units[i] for i in numbers if i != NOBODY])

    def _helpers(self, i: int) -> tuple[Unit, ...]:
        helpers = self.field.helpers[i]
        return self._units(*[h for h in helpers if self.state[h]]) if helpers else ()

    def _cut(self, i: int) -> tuple[Unit, ...]:
        helpers = self.field.helpers[i]
        return self._units(*[h for h in helpers if not self.state[h]]) if helpers else ()

    def _route(self, i: int) -> tuple[str, ...]:
        if self.field.way[i] != BY_SEA:
            return ()
        route = self.field.route(i, [c for c in self.field.carriers[i] if self.state[c]])
        return tuple(at.province for at in route or ())
