"""The movement phase with wings, on the ground and in the air.

1. Bombings and interceptions, decided from the orders alone (`gm.judge.mechanics.wings.bombing`).
2. Bombs spoil the supports of other powers' units on the ground below.
3. Wings that hold support the friendly unit below them, unless another power's wing attacks them. Ordered supports are
   ordinary ones, which an attack in the air cuts.
4. The battles on the ground.
5. Supports of the air from the ground, of half weight: cut like any other.
6. The bases, given the units now on the ground.
7. The battles in the air. A wing cannot enter a province that is not a base of its power; it still bounces and cuts.
8. Fleets carry the wings above them (`gm.judge.mechanics.wings.landing`).
9. Wings without a base must retreat. Supports they gave in this phase stand.

Steps 1 to 3 depend on the orders only, so there is no circular dependency.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from msgspec.structs import replace

from gm.judge.board.board import AIR, GROUND
from gm.judge.mechanics.wings.air_board import AirBases
from gm.judge.mechanics.wings.bombing import BombingRaids, bombed_centres, resolve_raids
from gm.judge.mechanics.wings.landing import WingsAfterTurn, carrier, land_wings, wing_retreats, with_lost_wings
from gm.judge.mechanics.wings.options import HOLDS, PLAIN, Friends, WingOptions, own_alone
from gm.judge.mechanics.wings.order_warnings import check_wings, out_of_both_ranges
from gm.judge.mechanics.wings.wing_events import Bombed, Rode
from gm.judge.mechanics.wings.wing_orders import Bomb, Intercept
from gm.judge.model.events import Cause, Outcome
from gm.judge.model.orders import Hold, Statement
from gm.judge.model.position import Dislodged, LedgerKey, Position, Unit
from gm.judge.model.sheets import Problem, Submissions
from gm.judge.model.variant import Variant
from gm.judge.movement.adjudicate import adjudicate
from gm.judge.movement.battle import Battle, BoughtSupport, Intent, IntentKind, Resolution
from gm.judge.movement.legality import IllegalOrder, LegalityChecker
from gm.judge.movement.movement_step import MovementAftermath, MovementStep, dislodgements, left_standing
from gm.judge.movement.order_rights import CollectedOrders, OrderRight
from gm.judge.steps.build_rules import production_left


class AirMoves(MovementStep, frozen=True):
    """`friends` are the powers whose units a power's holding wings support."""

    doctrine: WingOptions = PLAIN
    friends: Friends = own_alone

    @property
    def also(self) -> tuple[str, ...]:
        return (*self.rights.grammars, "wings")

    def check(
        self, position: Position, variant: Variant, power: str, sheet: tuple[Statement, ...]
    ) -> tuple[Problem, ...]:
        problems = MovementStep.check(self, position, variant, power, sheet)
        bases = AirBases.now(position, variant.kinds, self.doctrine.base_lost)
        checker = LegalityChecker.of(position, variant.kinds, variant.rulebook)
        return (*problems, *check_wings(checker, bases, power, sheet))

    def prepare_battle(
        self, position: Position, variant: Variant, book: Submissions
    ) -> tuple[Battle, CollectedOrders, dict[Unit, IllegalOrder]]:
        battle, collected, faults = MovementStep.prepare_battle(self, position, variant, book)
        battle = self._check_ranges(battle, collected, faults)
        raids = self._raids(battle, collected)
        spoilers = _bombed_supports(battle, raids)
        bought_supports = (*battle.bought_supports, *self._hold_supports(position, battle, collected, raids))
        battle = replace(
            battle, spoiled=battle.spoiled | set(spoilers), spoilers=spoilers, bought_supports=bought_supports
        )
        hits = bombed_centres(position, raids, self.doctrine)
        events = tuple(Bombed(code, by, production_left(position, code, 1)) for code, by in hits.items())
        postings = tuple((LedgerKey(self.doctrine.purse, "", code), 1) for code in hits)
        collected = replace(
            collected,
            postings=(*collected.postings, *postings),
            verdicts={**collected.verdicts, **dict(_verdicts(raids, battle, hits))},
            events=(*collected.events, *events),
        )
        return battle, collected, faults

    def _check_ranges(self, battle: Battle, collected: CollectedOrders, faults: dict[Unit, IllegalOrder]) -> Battle:
        """Sets aside orders of wings on moving fleets whose targets are not in range of both places."""
        by_unit = {intent.unit: intent for intent in battle.intents}
        intents = list(battle.intents)
        for i, intent in enumerate(intents):
            entry = collected.orders.get(intent.unit)
            if entry is None or battle.kinds[intent.unit.kind].layer != AIR or intent.unit in faults:
                continue
            fleet = carrier(intent.unit, by_unit, battle.kinds)
            fault = out_of_both_ranges(battle.board, intent, entry.statement, fleet, battle.kinds)
            if fault is not None:
                faults[intent.unit] = fault
                intents[i] = Intent(intent.unit, aside=True)
        return replace(battle, intents=tuple(intents))

    def _raids(self, battle: Battle, collected: CollectedOrders) -> BombingRaids:
        bombs: dict[Unit, str] = {}
        patrols: dict[Unit, tuple[str, ...]] = {}
        for intent in battle.intents:
            entry = collected.orders.get(intent.unit)
            if entry is None or intent.aside:
                continue
            if isinstance(entry.statement, Bomb):
                bombs[intent.unit] = entry.statement.target
            elif isinstance(entry.statement, Intercept):
                patrols[intent.unit] = entry.statement.over
        return resolve_raids(battle.board, self.doctrine, bombs, patrols)

    def _hold_supports(
        self, position: Position, battle: Battle, collected: CollectedOrders, raids: BombingRaids
    ) -> Iterator[BoughtSupport]:
        """The supports of wings that hold, by order or confused, for friendly units below them."""
        attacked = {(i.to.province, i.unit.power) for i in battle.intents if i.to is not None and i.to.slot == AIR}
        below = {i.unit.at.province: i.unit for i in battle.intents if battle.kinds[i.unit.kind].layer == GROUND}
        for intent in battle.intents:
            wing, entry = intent.unit, collected.orders.get(intent.unit)
            kind = battle.kinds[wing.kind]
            if entry is None or kind.layer != AIR or intent.aside:
                continue
            lost = wing in raids.confused and self.doctrine.confused == HOLDS
            friend = below.get(wing.at.province)
            if not (isinstance(entry.statement, Hold) or lost) or friend is None:
                continue
            is_attacked = any(place == wing.at.province and power != wing.power for place, power in attacked)
            if friend.power in self.friends(position, wing.power) and not is_attacked:
                yield BoughtSupport(wing.power, friend, None, kind.support.get(GROUND, 0))

    def resolve_battle(self, position: Position, battle: Battle) -> MovementAftermath:
        """Decides the ground first; then the air, with the bases that are left."""

        def bases_after(ground: Resolution) -> AirBases:
            standing = left_standing(battle, ground)
            return AirBases(battle.board, battle.kinds, position.centres, standing, self.doctrine.base_lost)

        def bar_from_lost_bases(battle: Battle, ground: Resolution) -> Battle:
            bases = bases_after(ground)
            barred = {
                i.unit
                for i in battle.intents
                if i.to is not None and i.to.slot == AIR and not bases.has(i.unit.power, i.to.province)
            }
            return replace(battle, barred=battle.barred | barred)

        resolution = adjudicate_layers(battle, bar_from_lost_bases)
        bases = bases_after(resolution)
        skies = land_wings(battle, resolution, bases)
        return _aftermath(battle, resolution, bases, skies)


def _bombed_supports(battle: Battle, raids: BombingRaids) -> Mapping[Unit, tuple[Unit, ...]]:
    """Units whose support is cut by bombs, with the bombers."""
    cut: dict[Unit, tuple[Unit, ...]] = {}
    for intent in battle.intents:
        unit = intent.unit
        if intent.action is IntentKind.SUPPORT and battle.kinds[unit.kind].layer == GROUND:
            above = tuple(raid.bomber for raid in raids.successful if raid.target == unit.at.province)
            enemies = tuple(bomber for bomber in above if bomber.power != unit.power)
            if enemies:
                cut[unit] = enemies
    return cut


def _verdicts(
    raids: BombingRaids, battle: Battle, hits: Mapping[str, tuple[Unit, ...]]
) -> Iterator[tuple[Unit, OrderRight]]:
    for bomber, target, stopped_by in raids.raids:
        cut = tuple(unit for unit, by in battle.spoilers.items() if bomber in by)
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
            enemies = tuple(unit for unit in _below(battle, target) if unit.power != bomber.power)
            key = "bombs-no-support" if enemies else "bombs-nothing"
            yield bomber, OrderRight(Outcome.SUCCEEDS, Cause(key, enemies, places=(target,)))
    for wing, bomber in raids.met.items():
        yield wing, OrderRight(Outcome.SUCCEEDS, Cause("intercepts", (bomber,)))
    for wing in raids.confused:
        yield wing, OrderRight(Outcome.VOID, Cause("confused"))


def _below(battle: Battle, province: str) -> Iterator[Unit]:
    units = (intent.unit for intent in battle.intents if intent.unit.at.province == province)
    return (unit for unit in units if battle.kinds[unit.kind].layer == GROUND)


def _aftermath(battle: Battle, resolution: Resolution, bases: AirBases, skies: WingsAfterTurn) -> MovementAftermath:
    """The aftermath: ground units as usual, wings by their bases."""

    def flies(unit: Unit) -> bool:
        return battle.kinds[unit.kind].layer == AIR

    below = tuple(unit for unit in left_standing(battle, resolution) if not flies(unit))
    standing = (*below, *skies.aloft.values())
    driven = [
        dislodgement for dislodgement in dislodgements(battle, resolution, standing) if not flies(dislodgement.unit)
    ]
    waiting = [Dislodged(d.unit, d.by, d.retreats) for d in driven if d.retreats]
    afloat = {d.unit.at.province for d in waiting}
    aloft = frozenset(wing.at.province for wing in skies.aloft.values())
    for lost in skies.homeless:
        dislodged = wing_retreats(battle.board, lost, bases, aloft, resolution.contested)
        driven.append(dislodged)
        if dislodged.retreats or (lost.rides and lost.wing.at.province in afloat):
            waiting.append(Dislodged(dislodged.unit, dislodged.by, dislodged.retreats))
    outcomes = tuple(with_lost_wings(battle, resolution, skies.homeless))
    events = tuple(Rode(wing, to) for wing, to in skies.rode)
    return MovementAftermath(replace(resolution, outcomes=outcomes), standing, tuple(driven), tuple(waiting), events)


def adjudicate_layers(battle: Battle, prepare_air: Callable[[Battle, Resolution], Battle]) -> Resolution:
    """Decides the ground first, then the air in the battle that `prepare_air` makes of the ground's resolution."""
    ground = adjudicate(battle)
    air = adjudicate(prepare_air(battle, ground))
    layers = [battle.kinds[intent.unit.kind].layer for intent in battle.intents]
    both = zip(layers, ground.outcomes, air.outcomes, strict=True)
    outcomes = [flown if layer == AIR else below for layer, below, flown in both]
    contested = {space for space in ground.contested if space[1] != AIR}
    return Resolution(tuple(outcomes), frozenset(contested | {space for space in air.contested if space[1] == AIR}))
