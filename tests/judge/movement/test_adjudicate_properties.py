"""What holds for every battle: trying every way gives the same, and nothing depends on how it is written down."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from support.random_battles import battle, paradox
from support.reference_adjudicator import Oracle

from gm.judge.board.board import Location
from gm.judge.model.events import Outcome
from gm.judge.model.position import Unit
from gm.judge.model.rulebooks import RULEBOOKS
from gm.judge.model.variant import Variant
from gm.judge.movement.adjudicate import MovementRules, adjudicate
from gm.judge.movement.battle import Battle, Intent, IntentKind, OrderOutcome, Resolution
from gm.judge.movement.battlefield import Battlefield

SEEDS = st.integers(0, 2**32)
MANY = settings(max_examples=400, deadline=None)


def states(contest: Battle) -> tuple[dict[Unit, bool | None], MovementRules]:
    field = Battlefield(contest)
    rules = MovementRules(field)
    rules.resolve()
    return {field.units[i]: state for i, state in enumerate(rules.state)}, rules


def standing(contest: Battle, resolution: Resolution) -> list[Unit]:
    pairs = zip(contest.intents, resolution.outcomes, strict=True)
    return [
        replace(i.unit, at=i.to) if i.to and result.outcome is Outcome.SUCCEEDS else i.unit
        for i, result in pairs
        if result.dislodged_by is None
    ]


ENUMERATED = sorted(RULEBOOKS.keys() - {"1971"})
"""The editions that the oracle knows."""


@MANY
@given(SEEDS, st.sampled_from(ENUMERATED))
def test_one_consistent_way_is_the_way(standard: Variant, seed: int, name: str) -> None:
    for contest in (battle(standard, seed), paradox(standard, seed)):
        agrees(replace(contest, rulebook=RULEBOOKS[name]))


@MANY
@given(SEEDS)
def test_paradoxes_lose_their_convoys_and_nothing_else(standard: Variant, seed: int) -> None:
    contest = paradox(standard, seed)
    agrees(contest)
    _, rules = states(contest)
    if rules.lost_convoys:
        cause = frozenset(contest.intents[i].unit for i in rules.lost_convoys)
        lame = tuple(
            replace(i, action=IntentKind.HOLD, target=None, goal=None) if i.unit in cause else i
            for i in contest.intents
        )
        again = replace(contest, intents=lame)
        agrees(again)
        stranded = {i.target for i in contest.intents if i.unit in cause}
        by_sea = {i.unit for i, f in zip(lame, adjudicate(again).outcomes, strict=True) if f.convoyed}
        if stranded <= by_sea:  # no army that lost its convoy can walk instead: the fleets might as well have held
            ours, theirs = (standing(c, adjudicate(c)) for c in (contest, again))
            assert sorted(ours) == sorted(theirs)


def agrees(contest: Battle) -> None:
    oracle = Oracle(contest)
    ways = oracle.consistent()
    ours, rules = states(contest)
    mine = {unit: ours[unit] for unit in oracle.open}
    if len(ways) == 1:
        assert mine == ways[0]
    elif not rules.lost_convoys:
        assert mine in ways  # a ring of moves: it goes round
    else:
        assert all(contest.intents[i].action is IntentKind.CONVOY for i in rules.lost_convoys)


@MANY
@given(SEEDS)
def test_units_are_conserved_and_no_two_share_a_space(standard: Variant, seed: int) -> None:
    contest = battle(standard, seed, most=14)
    resolution = adjudicate(contest)
    left = standing(contest, resolution)
    gone = [f for f in resolution.outcomes if f.dislodged_by is not None]
    assert len(left) + len(gone) == len(contest.intents)
    assert len({u.at.province for u in left}) == len(left)
    for intent, result in zip(contest.intents, resolution.outcomes, strict=True):
        if result.dislodged_by is not None:
            assert result.dislodged_by.power != intent.unit.power
            assert any(u.at.province == intent.unit.at.province for u in left)


@MANY
@given(SEEDS)
def test_order_of_units_does_not_matter(standard: Variant, seed: int) -> None:
    contest = battle(standard, seed, most=12)
    intents = list(contest.intents)
    Random(seed + 1).shuffle(intents)
    again = replace(contest, intents=tuple(intents))
    ours, theirs = adjudicate(contest), adjudicate(again)
    outcome = {i.unit: (f.outcome, f.dislodged_by) for i, f in zip(contest.intents, ours.outcomes, strict=True)}
    other = {i.unit: (f.outcome, f.dislodged_by) for i, f in zip(again.intents, theirs.outcomes, strict=True)}
    assert outcome == other
    assert ours.contested == theirs.contested


@MANY
@given(SEEDS)
def test_an_idle_unit_far_away_changes_nothing(standard: Variant, seed: int) -> None:
    contest = battle(standard, seed, most=12)
    near = {place.province for i in contest.intents for place in around(contest, i)}
    slots = [(p.code, slot) for p in standard.start.board.provinces.values() for slot in p.slots if p.code not in near]
    code, slot = Random(seed).choice(slots)
    idle = Unit("Turkey", "A" if slot == "land" else "F", Location(code, slot))
    for intents in ((*contest.intents, Intent(idle)), (Intent(idle), *contest.intents)):
        ours, theirs = adjudicate(contest), adjudicate(replace(contest, intents=intents))
        outcomes = dict(zip((i.unit for i in intents), theirs.outcomes, strict=True))
        assert outcomes.pop(idle) == OrderOutcome(Outcome.SUCCEEDS)
        assert outcomes == dict(zip((i.unit for i in contest.intents), ours.outcomes, strict=True))
        assert ours.contested == theirs.contested


def around(contest: Battle, intent: Intent) -> list[Location]:
    """Where a unit stands, where it goes, and everything that touches either."""
    here = [at for at in (intent.unit.at, intent.to) if at is not None]
    return here + [b.end for b in contest.board.borders if b.start in here]


@MANY
@given(SEEDS)
def test_names_of_powers_do_not_matter(standard: Variant, seed: int) -> None:
    contest = battle(standard, seed, most=12)
    names = [p.name for p in standard.powers]
    others = dict(zip(names, Random(seed).sample(names, len(names)), strict=True))

    def renamed(unit: Unit) -> Unit:
        return replace(unit, power=others[unit.power])

    again = replace(
        contest,
        intents=tuple(
            replace(i, unit=renamed(i.unit), target=renamed(i.target) if i.target else None) for i in contest.intents
        ),
    )
    ours, theirs = adjudicate(contest), adjudicate(again)
    assert [f.outcome for f in ours.outcomes] == [f.outcome for f in theirs.outcomes]
    assert [f.dislodged_by and renamed(f.dislodged_by) for f in ours.outcomes] == [
        f.dislodged_by for f in theirs.outcomes
    ]


@MANY
@given(SEEDS, st.sampled_from(sorted(RULEBOOKS)))
def test_every_edition_is_consistent(standard: Variant, seed: int, name: str) -> None:
    """The shortcut changes nothing, no two units meet in one space, nobody is lost, and every failure says why."""
    for contest in (battle(standard, seed, most=14), paradox(standard, seed)):
        contest = replace(contest, rulebook=RULEBOOKS[name])
        resolution = adjudicate(contest)
        assert resolution == adjudicate(contest, shortcut=False)
        left = standing(contest, resolution)
        assert len({u.at.province for u in left}) == len(left)
        gone = [f for f in resolution.outcomes if f.dislodged_by is not None]
        assert len(left) + len(gone) == len(contest.intents)
        assert all(f.cause is not None for f in resolution.outcomes if f.outcome is not Outcome.SUCCEEDS)


@MANY
@given(SEEDS)
def test_the_shortcut_changes_nothing(standard: Variant, seed: int) -> None:
    for contest in (battle(standard, seed, most=16), paradox(standard, seed)):
        assert adjudicate(contest) == adjudicate(contest, shortcut=False)


@MANY
@given(SEEDS)
def test_every_failure_says_why(standard: Variant, seed: int) -> None:
    contest = battle(standard, seed, most=14)
    for result in adjudicate(contest).outcomes:
        if result.outcome is not Outcome.SUCCEEDS:
            assert result.cause is not None
            silent = ("no-convoy", "set-aside", "decreed", "closed", "barred")
            assert result.cause.by or result.cause.key in silent, result


@MANY
@given(SEEDS, st.integers(2, 5))
def test_scaling_all_strengths_changes_nothing(standard: Variant, seed: int, factor: int) -> None:

    contest = battle(standard, seed, most=12)
    kinds = {
        code: replace(
            kind,
            strength=kind.strength * factor,
            support={layer: weight * factor for layer, weight in kind.support.items()},
        )
        for code, kind in contest.kinds.items()
    }
    ours, theirs = adjudicate(contest), adjudicate(replace(contest, kinds=kinds))
    assert [f.outcome for f in ours.outcomes] == [f.outcome for f in theirs.outcomes]
