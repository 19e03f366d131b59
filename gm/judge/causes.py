"""Why every order ended as it did, told after all is decided: nothing here decides anything.

The keys of causes are the names of the sentences in the catalogue (`cause.<key>`).
"""

from __future__ import annotations

from typing import Protocol

from gm.judge.battlefield import BY_SEA, NO_WAY, NOBODY, Battlefield
from gm.judge.board import Space
from gm.judge.contest import Act, Fate, Resolution
from gm.judge.events import Cause, Outcome
from gm.judge.position import Unit

DECREED = Cause("decreed")


class Decided(Protocol):
    """The rules after they have settled: every state is known."""

    @property
    def state(self) -> list[bool | None]: ...
    @property
    def lost(self) -> set[int]: ...
    def arrives(self, i: int, hope: bool) -> bool: ...
    def attack(self, i: int, hope: bool) -> int: ...
    def helped(self, i: int, hope: bool) -> int: ...
    def holds(self, space: Space, hope: bool) -> int: ...
    def prevents(self, i: int, hope: bool) -> int: ...


def explain(field: Battlefield, rules: Decided) -> Resolution:
    return _Account(field, rules).whole()


class _Account:
    __slots__ = ("arriving", "field", "rules", "state", "victors")

    def __init__(self, field: Battlefield, rules: Decided) -> None:
        self.field = field
        self.rules = rules
        self.state = [bool(state) for state in rules.state]
        self.arriving = {
            space: [i for i in claims if rules.arrives(i, False)] for space, claims in field.claims.items()
        }
        """Who really reached for a space: the army of a broken convoy did not."""
        self.victors = {
            space: next((i for i in claims if self.state[i]), NOBODY) for space, claims in field.claims.items()
        }

    def whole(self) -> Resolution:
        fates = tuple(self.fate(i) for i in range(len(self.field.intents)))
        contested = frozenset(
            (space.province, space.layer)
            for space, arriving in self.arriving.items()
            if self.victors[space] == NOBODY and sum(self._stands_off(i) for i in arriving) > 1
        )
        return Resolution(fates, contested)

    def _stands_off(self, i: int) -> bool:
        """Whether a move that failed has force where it went: not if the one who came the other way won."""
        return self.rules.prevents(i, True) > 0

    def fate(self, i: int) -> Fate:
        field = self.field
        outcome, cause = self._outcome(i)
        by = self._dislodger(i)
        driven = by != NOBODY
        return Fate(
            outcome,
            cause,
            field.unit(by) if driven else None,
            self._dislodgement(i, by) if driven else None,
            field.acts[i] is Act.MOVE and field.way[i] == BY_SEA,
            i in field.decreed,
        )

    def _dislodger(self, i: int) -> int:
        if self.field.acts[i] is Act.MOVE and self.state[i]:
            return NOBODY
        home = self.field.home[i]
        return NOBODY if home.province in self.field.atlas.shared else self.victors.get(home, NOBODY)

    def _dislodgement(self, i: int, by: int) -> Cause:
        helpers = self._helpers(by)
        if by in self.field.decreed:
            return Cause("dislodged", self._units(by))
        force, against = self.rules.attack(by, True), self._resistance(i, by)
        return Cause("dislodged", (self.field.unit(by), *helpers), force, against, helpers=helpers, cut=self._cut(i))

    def _resistance(self, i: int, by: int) -> int:
        field = self.field
        if field.rival[by] == i:
            return self.rules.helped(i, True)
        return self.rules.holds(field.home[i], True)

    def _outcome(self, i: int) -> tuple[Outcome, Cause | None]:
        field = self.field
        decreed = field.decreed.get(i)
        if decreed is not None:
            return decreed, DECREED
        if field.acts[i] is Act.MOVE:
            return self._moved(i) if self.state[i] else self._stopped(i)
        if field.acts[i] is Act.SUPPORT:
            return self._supported(i)
        if field.acts[i] is Act.CONVOY:
            return self._carried(i)
        return Outcome.SUCCEEDS, self._held(i)

    # ---- moves

    def _moved(self, i: int) -> tuple[Outcome, Cause | None]:
        field = self.field
        helpers = self._helpers(i)
        route = self._route(i)
        opponents = [o for o in self.arriving.get(self._goal(i), []) if o != i and self.rules.prevents(o, True)]
        against = max((self.rules.prevents(o, True) for o in opponents), default=0)
        there = field.occupant.get(self._goal(i), NOBODY)
        if there not in (NOBODY, i) and not (field.acts[there] is Act.MOVE and self.state[there]):
            opponents.append(there)
            against = max(against, self._resistance(there, i))
        if not opponents and not route:
            return Outcome.SUCCEEDS, None
        if not opponents:
            return Outcome.SUCCEEDS, Cause("convoyed", route=route)
        force = self.rules.attack(i, True)
        by = self._units(*opponents)
        return Outcome.SUCCEEDS, Cause("won", by, force, against, helpers=helpers, route=route)

    def _stopped(self, i: int) -> tuple[Outcome, Cause]:
        field = self.field
        if not self.rules.arrives(i, False):
            return self._stranded(i)
        if field.unit(i) in field.contest.barred:
            return Outcome.BOUNCED, Cause("barred", places=(self._goal(i).province,))
        if field.rival[i] != NOBODY and self.state[field.rival[i]]:
            rival = field.rival[i]
            return Outcome.BOUNCED, self._compared("head-to-head", i, [rival], self.rules.helped(rival, True))
        rivals = [o for o in self.arriving[self._goal(i)] if o != i]
        winner = [o for o in rivals if self.state[o]]
        if winner and winner[0] in field.decreed:
            return Outcome.BOUNCED, Cause("lost-by-decree", self._units(*winner))
        strongest = max((self.rules.prevents(o, True) for o in rivals), default=0)
        there = self._blocker(i)
        if there != NOBODY and not winner and not self._outshone(i, there, strongest):
            return Outcome.BOUNCED, self._repelled(i, there)
        named = winner or [o for o in rivals if self.rules.prevents(o, True) == strongest]
        attack, full = self.rules.attack(i, True), self.rules.helped(i, True)
        key = "contest-own" if 0 < attack <= strongest < full else "contest"
        return Outcome.BOUNCED, self._compared(key, i, named, strongest)

    def _blocker(self, i: int) -> int:
        """Who stayed where this unit wanted to go, and was strong enough to keep it out."""
        there = self.field.occupant.get(self._goal(i), NOBODY)
        if there in (NOBODY, i) or (self.field.acts[there] is Act.MOVE and self.state[there]):
            return NOBODY
        return there if self._resistance(there, i) >= self.rules.attack(i, True) else NOBODY

    def _outshone(self, i: int, there: int, strongest: int) -> bool:
        """Whether a stand-off with others says more than that somebody stayed: he may have stayed because of it."""
        full, resistance = self.rules.helped(i, True), self._resistance(there, i)
        if strongest < full:
            return False
        would_leave = self.field.acts[there] is Act.MOVE and self.field.rival[i] != there
        own = self.field.power[there] == self.field.power[i] or self.rules.attack(i, True) < full
        return strongest > resistance or would_leave or own

    def _repelled(self, i: int, there: int) -> Cause:
        """Thrown back by the unit that was there."""
        field = self.field
        force, resistance = self.rules.attack(i, True), self._resistance(there, i)
        full = self.rules.helped(i, True)
        if field.power[there] == field.power[i]:
            return Cause("own-unit", self._units(there), full, resistance, helpers=self._helpers(i))
        if full > resistance >= force:
            return Cause("own-support", self._units(there), full, resistance, helpers=self._helpers(i))
        key = "held"
        if field.rival[i] == there:
            key = "head-to-head"
        elif field.acts[there] is Act.MOVE:
            key = "did-not-leave"
        elif field.acts[there] is not Act.HOLD:
            key = "stayed"
        cause = self._compared(key, i, [there], resistance)
        lost = field.acts[there] is Act.SUPPORT and not self.state[there] and field.matched[there]
        spared = field.acts[there] is Act.SUPPORT and field.decreed.get(there) is Outcome.SUCCEEDS
        if spared and field.power[there] != field.power[i]:
            return Cause("cut-nothing", cause.by, force, resistance, helpers=cause.helpers)
        return cause if not lost else Cause("stayed-cut", cause.by, force, resistance, helpers=cause.helpers)

    def _compared(self, key: str, i: int, by: list[int], against: int) -> Cause:
        force = self.rules.helped(i, True) if key == "contest" else self.rules.attack(i, True)
        return Cause(key, self._units(*by), force, against, helpers=self._helpers(i), cut=self._cut(i))

    def _stranded(self, i: int) -> tuple[Outcome, Cause]:
        """An army that nobody carried to its goal."""
        field = self.field
        route = field.route(i, field.carriers[i])
        if field.way[i] == NO_WAY and not field.carriers[i]:
            return Outcome.NO_ROUTE, Cause("closed", places=(self._goal(i).province,))
        if route is None:
            fleets = self._units(*field.carriers[i])
            return Outcome.NO_ROUTE, Cause("convoy-incomplete" if fleets else "no-convoy", fleets)
        failed = [c for c in field.carriers[i] if not self.state[c]]
        if any(c in self.rules.lost for c in failed):
            return Outcome.DISRUPTED, Cause("paradox", self._units(*failed))
        if any(c in field.decreed for c in failed):
            return Outcome.DISRUPTED, Cause("convoy-decreed", self._units(*failed))
        attackers = {self._dislodger(c) for c in failed} - {NOBODY}
        return Outcome.DISRUPTED, Cause(
            "convoy-dislodged", self._units(*failed), helpers=self._units(*sorted(attackers))
        )

    # ---- the others

    def _held(self, i: int) -> Cause | None:
        against, by = self._attacks(i)
        helpers = self._helpers(i)
        if not against or self._dislodger(i) != NOBODY:
            return None
        force = self.rules.helped(i, True)
        key = "beleaguered" if force < against and len(by) > 1 else "withstood"
        return Cause(key, by, force, against, helpers=helpers)

    def _attacks(self, i: int) -> tuple[int, tuple[Unit, ...]]:
        """The strongest attack that did not get in, and who made it."""
        arriving = [o for o in self.arriving.get(self.field.home[i], []) if not self.state[o]]
        best = max((self.rules.attack(o, True) for o in arriving), default=0)
        return best, self._units(*(o for o in arriving if self.rules.attack(o, True) == best))

    def _supported(self, i: int) -> tuple[Outcome, Cause | None]:
        field = self.field
        if not field.matched[i]:
            return Outcome.VOID, self._mismatch(i)
        if self.state[i]:
            return Outcome.SUCCEEDS, None
        if field.unit(i) in field.contest.spoiled:
            return Outcome.CUT, Cause("spoiled")
        if i not in field.helpers[field.target[i]]:
            return Outcome.VOID, Cause("closed", places=(self._aim(field.target[i]).province,))
        aim = self._aim(field.target[i])
        cutters = [
            o for o in self.arriving.get(field.home[i], [])
            if self.state[o] or (field.power[o] != field.power[i] and field.home[o] != aim)
        ]  # fmt: skip
        victor = self._dislodger(i)
        if victor != NOBODY and field.home[victor] == aim:
            return Outcome.CUT, Cause("dislodged-support", self._units(victor))
        return Outcome.CUT, Cause("attacked", self._units(*cutters))

    def _carried(self, i: int) -> tuple[Outcome, Cause | None]:
        field = self.field
        if not field.matched[i]:
            return Outcome.VOID, self._mismatch(i)
        if i in self.rules.lost:
            return Outcome.DISRUPTED, Cause("paradox", self._units(field.target[i]))
        if field.way[field.target[i]] != BY_SEA:
            return Outcome.VOID, Cause("went-by-land", self._units(field.target[i]))
        if not self.state[i]:
            return Outcome.DISRUPTED, Cause("fleet-dislodged", self._units(self._dislodger(i)))
        return Outcome.SUCCEEDS, None

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

    def _goal(self, i: int) -> Space:
        goal = self.field.goal[i]
        assert goal is not None
        return goal

    def _aim(self, i: int) -> Space:
        return self.field.goal[i] or self.field.home[i]

    def _units(self, *numbers: int) -> tuple[Unit, ...]:
        return tuple(self.field.unit(i) for i in numbers if i != NOBODY)

    def _helpers(self, i: int) -> tuple[Unit, ...]:
        return self._units(*(h for h in self.field.helpers[i] if self.state[h]))

    def _cut(self, i: int) -> tuple[Unit, ...]:
        return self._units(*(h for h in self.field.helpers[i] if not self.state[h]))

    def _route(self, i: int) -> tuple[str, ...]:
        if self.field.way[i] != BY_SEA:
            return ()
        route = self.field.route(i, [c for c in self.field.carriers[i] if self.state[c]])
        return tuple(at.province for at in route or ())
