"""A movement phase on the ground and in the air, step by step.

1. Bombings and interceptions, from the orders alone (`gm.judge.mechanics.wings.bombing`).
2. Bombs spoil the supports of other powers' units on the ground below.
3. Wings that hold back the friendly unit below them, unless another power's wing flies at them. Their supports by order
   are ordinary ones, which an attack in the air cuts.
4. The battles on the ground.
5. The ground's supports of the air, half ones: cut like any other.
6. The bases, now that it is known who stands where on the ground.
7. The battles in the air. A wing may not enter what is no base of its power; it bounces and cuts all the same.
8. Wings ride on the fleets they stand on (`gm.judge.mechanics.wings.landing`).
9. Who has no base must go. Nothing that is lost here takes back a support given in this phase.

What the ground needs of the air (1 to 3) follows from the orders, so that there is no circle.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from gm.judge.board.board import AIR, GROUND
from gm.judge.mechanics.wings.air_bases import AirBases
from gm.judge.mechanics.wings.bombing import BombingRaids, flown, struck
from gm.judge.mechanics.wings.landing import WingsAfterTurn, carrier, landed, marked, refuges
from gm.judge.mechanics.wings.options import HOLDS, PLAIN, Friends, WingOptions, own_alone
from gm.judge.mechanics.wings.order_warnings import air_problems, off_both
from gm.judge.mechanics.wings.wing_events import Bombed, Rode
from gm.judge.mechanics.wings.wing_orders import Bomb, Intercept
from gm.judge.model.events import Cause, Outcome
from gm.judge.model.orders import Hold, Statement
from gm.judge.model.position import Dislodged, LedgerKey, Position, Unit
from gm.judge.model.sheets import Problem, Submissions
from gm.judge.movement.battle import Battle, BoughtSupport, Intent, IntentKind, Resolution
from gm.judge.movement.legality import IllegalOrder, LegalityChecker
from gm.judge.movement.movement_step import MovementAftermath, MovementStep, dislodgements, left_standing
from gm.judge.movement.order_rights import CollectedOrders, OrderRight
from gm.judge.movement.rounds import BattleRound, resolve
from gm.judge.steps.build_rules import left_of

if TYPE_CHECKING:
    from gm.judge.model.variant import Variant


class AirMoves(MovementStep, frozen=True):
    """`doctrine` is what the variant chose about wings, `friends` for whom they hold what is below them."""

    doctrine: WingOptions = PLAIN
    friends: Friends = own_alone

    @property
    def also(self) -> tuple[str, ...]:
        return (*self.rights.grammars, "wings")

    def check(
        self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]
    ) -> tuple[Problem, ...]:
        found = MovementStep.check(self, position, variant, power, sheet)
        bases = AirBases.now(position, variant.kinds, self.doctrine.base_lost)
        checker = LegalityChecker.of(position, variant.kinds, variant.edition)
        return (*found, *air_problems(checker, bases, power, sheet))

    def contest(
        self, position: Position, variant: Variant, book: Submissions
    ) -> tuple[Battle, CollectedOrders, dict[Unit, IllegalOrder]]:
        contest, marshalled, faults = MovementStep.contest(self, position, variant, book)
        contest = self._tethered(contest, marshalled, faults)
        raids = self._raids(contest, marshalled)
        spoilers = _cut_from_above(contest, raids)
        backings = (*contest.backings, *self._guards(position, contest, marshalled, raids))
        contest = replace(contest, spoiled=contest.spoiled | set(spoilers), spoilers=spoilers, backings=backings)
        hits = struck(position, raids, self.doctrine)
        events = tuple(Bombed(code, by, left_of(position, code, 1)) for code, by in hits.items())
        postings = tuple((LedgerKey(self.doctrine.purse, "", code), 1) for code in hits)
        marshalled = replace(
            marshalled,
            postings=(*marshalled.postings, *postings),
            verdicts={**marshalled.verdicts, **dict(_verdicts(raids, contest, hits))},
            events=(*marshalled.events, *events),
        )
        return contest, marshalled, faults

    def _tethered(self, contest: Battle, marshalled: CollectedOrders, faults: dict[Unit, IllegalOrder]) -> Battle:
        """Wings on fleets that are to move stay within range of where they are and of where the fleet goes."""
        by_unit = {intent.unit: intent for intent in contest.intents}
        intents = list(contest.intents)
        for i, intent in enumerate(intents):
            entry = marshalled.orders.get(intent.unit)
            if entry is None or contest.kinds[intent.unit.kind].layer != AIR or intent.unit in faults:
                continue
            fleet = carrier(intent.unit, by_unit, contest.kinds)
            fault = off_both(contest.board, intent, entry.statement, fleet, contest.kinds)
            if fault is not None:
                faults[intent.unit] = fault
                intents[i] = Intent(intent.unit, aside=True)
        return replace(contest, intents=tuple(intents))

    def _raids(self, contest: Battle, marshalled: CollectedOrders) -> BombingRaids:
        bombs: dict[Unit, str] = {}
        patrols: dict[Unit, tuple[str, ...]] = {}
        for intent in contest.intents:
            entry = marshalled.orders.get(intent.unit)
            if entry is None or intent.aside:
                continue
            if isinstance(entry.statement, Bomb):
                bombs[intent.unit] = entry.statement.target
            elif isinstance(entry.statement, Intercept):
                patrols[intent.unit] = entry.statement.over
        return flown(contest.board, self.doctrine, bombs, patrols)

    def _guards(
        self, position: Position, contest: Battle, marshalled: CollectedOrders, raids: BombingRaids
    ) -> Iterator[BoughtSupport]:
        """What wings that hold, by order or in confusion, give the friends below them that stay."""
        attacked = {(i.to.province, i.unit.power) for i in contest.intents if i.to is not None and i.to.slot == AIR}
        below = {i.unit.at.province: i.unit for i in contest.intents if contest.kinds[i.unit.kind].layer == GROUND}
        for intent in contest.intents:
            wing, entry = intent.unit, marshalled.orders.get(intent.unit)
            kind = contest.kinds[wing.kind]
            if entry is None or kind.layer != AIR or intent.aside:
                continue
            lost = wing in raids.confused and self.doctrine.confused == HOLDS
            friend = below.get(wing.at.province)
            if not (isinstance(entry.statement, Hold) or lost) or friend is None:
                continue
            flown_at = any(place == wing.at.province and power != wing.power for place, power in attacked)
            if friend.power in self.friends(position, wing.power) and not flown_at:
                yield BoughtSupport(wing.power, friend, None, kind.support.get(GROUND, 0))

    def fight(self, position: Position, contest: Battle) -> MovementAftermath:
        """The ground first; then the air, where the ground has left bases."""

        def bases_after(earlier: tuple[Resolution, ...]) -> AirBases:
            standing = left_standing(contest, earlier[0])
            return AirBases(contest.board, contest.kinds, position.centres, standing, self.doctrine.base_lost)

        def to_bases(asked: Battle, earlier: tuple[Resolution, ...]) -> Battle:
            bases = bases_after(earlier)
            barred = {
                i.unit
                for i in asked.intents
                if i.to is not None and i.to.slot == AIR and not bases.has(i.unit.power, i.to.province)
            }
            return replace(asked, barred=asked.barred | barred)

        resolution = resolve(contest, (*self.rounds, BattleRound(frozenset({AIR}), to_bases)))
        bases = bases_after((resolution,))
        skies = landed(contest, resolution, bases)
        return _aftermath(contest, resolution, bases, skies)


def _cut_from_above(contest: Battle, raids: BombingRaids) -> Mapping[Unit, tuple[Unit, ...]]:
    """Who loses a support to whose bombs."""
    found: dict[Unit, tuple[Unit, ...]] = {}
    for intent in contest.intents:
        unit = intent.unit
        if intent.act is IntentKind.SUPPORT and contest.kinds[unit.kind].layer == GROUND:
            above = tuple(raid.bomber for raid in raids.fallen if raid.target == unit.at.province)
            enemies = tuple(bomber for bomber in above if bomber.power != unit.power)
            if enemies:
                found[unit] = enemies
    return found


def _verdicts(
    raids: BombingRaids, contest: Battle, hits: Mapping[str, tuple[Unit, ...]]
) -> Iterator[tuple[Unit, OrderRight]]:
    for bomber, target, stopped_by in raids.raids:
        cut = tuple(unit for unit, by in contest.spoilers.items() if bomber in by)
        if stopped_by:
            yield bomber, OrderRight(Outcome.DISRUPTED, Cause("intercepted", stopped_by, places=(target,)))
        elif bomber in hits.get(target, ()):
            yield (
                bomber,
                OrderRight(
                    Outcome.SUCCEEDS, Cause("bombs-centre-cut" if cut else "bombs-centre", cut, places=(target,))
                ),
            )
        elif cut:
            yield bomber, OrderRight(Outcome.SUCCEEDS, Cause("bombs-cut", cut, places=(target,)))
        else:
            yield bomber, OrderRight(Outcome.SUCCEEDS, Cause("bombs-nothing", places=(target,)))
    for wing, bomber in raids.met.items():
        yield wing, OrderRight(Outcome.SUCCEEDS, Cause("intercepts", (bomber,)))
    for wing in raids.confused:
        yield wing, OrderRight(Outcome.VOID, Cause("confused"))


def _aftermath(contest: Battle, resolution: Resolution, bases: AirBases, skies: WingsAfterTurn) -> MovementAftermath:
    """The ground's end as ever, the air's by who has a base."""

    def flies(unit: Unit) -> bool:
        return contest.kinds[unit.kind].layer == AIR

    below = tuple(unit for unit in left_standing(contest, resolution) if not flies(unit))
    standing = (*below, *skies.aloft.values())
    driven = [
        dislodgement for dislodgement in dislodgements(contest, resolution, standing) if not flies(dislodgement.unit)
    ]
    waiting = [Dislodged(one.unit, one.by, one.retreats) for one in driven if one.retreats]
    afloat = {one.unit.at.province for one in waiting}
    aloft = frozenset(wing.at.province for wing in skies.aloft.values())
    for lost in skies.homeless:
        found = refuges(contest.board, lost, bases, aloft, resolution.contested)
        driven.append(found)
        if found.retreats or (lost.rides and lost.wing.at.province in afloat):
            waiting.append(Dislodged(found.unit, found.by, found.retreats))
    fates = tuple(marked(contest, resolution, skies.homeless))
    events = tuple(Rode(wing, to) for wing, to in skies.rode)
    return MovementAftermath(replace(resolution, fates=fates), standing, tuple(driven), tuple(waiting), events)
