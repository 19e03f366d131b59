"""Influence Points by tables and by properties: how stacks shrink, who wins a box, and whole random games."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from support import scripted_players as player

from gm.judge.mechanics.influence.bid_orders import Bid, BoxFilled
from gm.judge.mechanics.influence.bidding_step import BiddingStep
from gm.judge.mechanics.influence.influence_points import BACKS, CONTROL, INFLUENCE, IP, halved, tallies, winners
from gm.judge.model.calendar import resolve_phase
from gm.judge.model.events import OrderResult, Outcome, visible
from gm.judge.model.influence_boxes import InfluenceStack
from gm.judge.model.orders import Entry
from gm.judge.model.position import LedgerKey
from gm.judge.model.sheets import Submissions
from gm.variant_files.library import Library

POWERS = ("England", "France", "Germany", "Italy", "Russia")
SHRINKING = (
    ("8 7", "4 3"),
    ("9 8 7", "5 4 3"),
    ("7 6 5", "4 3 2"),
    ("8 7 6 5", "4 3 3 2"),
    ("3 2 1", "2 1 0"),
    ("9 9", "5 5"),
    ("11 10 9", "6 5 4"),
    ("1", "1"),
    ("", ""),
    ("2 2 1", "1 1 0"),
)


@pytest.mark.parametrize(("before", "after"), SHRINKING)
def test_stacks_after_a_year(before: str, after: str) -> None:
    box = dict(zip(POWERS, map(int, before.split()), strict=False))
    assert list(halved(box).values()) == [int(word) for word in after.split()]


BOXES = st.dictionaries(st.sampled_from(POWERS), st.integers(1, 40))


@given(BOXES)
def test_a_year_halves_influence_and_keeps_the_ranking(box: dict[str, int]) -> None:
    after = halved(box)
    assert set(after) == set(box)
    for power, amount in box.items():
        assert amount // 2 <= after[power] <= (amount + 1) // 2
        for other, others in box.items():
            assert after[power] >= after[other] if amount > others else True
            assert after[power] == after[other] if amount == others else True
            if amount > others and others % 2:
                assert after[other] < after[power] or after[other] == others // 2


STACKS = st.dictionaries(
    st.sampled_from(POWERS), st.tuples(st.integers(0, 20), st.sampled_from(("", "", *POWERS)), st.integers(0, 20))
).map(lambda stacks: [InfluenceStack(power, n, backs, min(n, share)) for power, (n, backs, share) in stacks.items()])


@given(STACKS, st.sampled_from((None, *POWERS)), st.randoms(use_true_random=False))
def test_a_box_is_counted_whole_and_in_any_order(box: list[InfluenceStack], last: str | None, dice: Random) -> None:
    counted = tallies(box)
    assert sum(tally.total for tally in counted) == sum(stack.amount for stack in box)
    again = box.copy()
    dice.shuffle(again)
    assert tallies(again) == counted
    won = winners(counted, last)
    best = max((tally.total for tally in counted), default=0)
    assert all(tally.total == best for tally in counted if tally.power in won) or won == (last,)
    assert len(won) < 2 or last not in won


@given(st.randoms(use_true_random=False))
def test_the_order_of_minor_powers_does_not_matter(shelf: Library, dice: Random) -> None:
    """After a census with random boxes, controllers and new owners, and in the bids of the next Spring."""
    variant = shelf.variant("europe-1933")
    names = [minor.name for minor in variant.minors]
    shuffled = replace(variant, minors=tuple(dice.sample(variant.minors, len(names))))
    homes = {code: minor.name for minor in variant.minors for code in minor.homes}
    ledger = {LedgerKey(IP, power, name): dice.randint(1, 12) for name in names for power in dice.sample(POWERS, 3)}
    ledger |= {
        LedgerKey(CONTROL, power, name): 1 for name in names for power in dice.sample(POWERS, dice.randint(0, 3))
    }
    ledger |= {LedgerKey(BACKS, "Italy", f"{name}/{dice.choice(POWERS)}"): 1 for name in names}
    now = {code: dice.choice((name, *POWERS)) for code, name in homes.items()}
    after_fall = variant.start.having(ledger=ledger, before=homes, centres=now)
    settled = [INFLUENCE.settle(after_fall, each) for each in (variant, shuffled)]
    assert settled[0].position == settled[1].position
    assert set(settled[0].events) == set(settled[1].events)
    springs = [INFLUENCE.start_year(settled[0].position, each) for each in (variant, shuffled)]
    assert springs[0] == springs[1]
    after_bids = [BiddingStep("Spring").resolve(springs[0], each, Submissions()) for each in (variant, shuffled)]
    assert after_bids[0].position == after_bids[1].position


@pytest.mark.parametrize("hidden", ["off", "on"])
@pytest.mark.parametrize("seed", range(6))
def test_random_games(shelf: Library, hidden: str, seed: int) -> None:
    variant = shelf.variant("europe-1933", {"hidden_control": hidden})
    seats = {power.name for power in variant.powers}
    for position, book, legs in player.game(variant, seed, 40):
        after = legs[-1].turn.position
        assert all(amount > 0 for key, amount in after.ledger.items() if key.purse in (IP, CONTROL))
        assert {key.power for key in after.ledger if key.purse in (IP, CONTROL)} <= seats
        counted = Counter(unit.at.province for unit in after.units)
        assert all(times == 1 for times in counted.values())
        step = variant.step(position)
        if not isinstance(step, BiddingStep):
            continue
        events = legs[0].turn.events
        for power in seats:
            spent = sum(
                event.order.points
                for event in events
                if isinstance(event, OrderResult) and event.power == power and isinstance(event.order, Bid)
                and event.outcome in (Outcome.SUCCEEDS, Outcome.VOID)
            )  # fmt: skip
            assert spent <= step.influence.collected(position, power)
            mine = visible(events, power)
            if hidden == "on":
                assert all(event.power == power for event in mine if isinstance(event, OrderResult))
                assert not [event for event in mine if isinstance(event, BoxFilled)]
        backwards = Submissions({who: tuple(reversed(sheet)) for who, sheet in reversed(list(book.sheets.items()))})
        if all(len({entry.statement.slot for entry in sheet}) == len(sheet) for sheet in book.sheets.values()):
            assert step.resolve(position, variant, backwards).position == step.resolve(position, variant, book).position


def test_bids_are_lost_or_banked(shelf: Library) -> None:
    """With a bank, what was not bid is there next Spring; it is collected with the rest."""
    variant = shelf.variant("europe-1933", {"bank_unspent_ips": "true"})
    step, position = variant.step(variant.start), variant.start
    assert step.budgets(position, variant, "Germany")[0].amount == 12
    book = Submissions({("Germany", "Germany"): (Entry(Bid("Poland", 5)),)})
    after = step.resolve(position, variant, book).position
    kept = replace(after, at=position.at, year=position.year + 1)
    assert step.budgets(kept, variant, "Germany")[0].amount == 19


@pytest.mark.parametrize("numbers_after", ["false", "true"])
def test_hidden_numbers_are_shown_before_the_bids_or_always(shelf: Library, numbers_after: str) -> None:
    variant = shelf.variant("europe-1933", {"hidden_control": "on", "hidden_numbers_after_bids": numbers_after})
    assert variant.influence is not None
    before = variant.start.having(
        ledger={LedgerKey(IP, "Russia", "Poland"): 5, LedgerKey(CONTROL, "Russia", "Poland"): 1}
    )
    after = resolve_phase(variant, before, Submissions())[0].turn.position
    for position, is_open in ((before, True), (after, numbers_after == "true")):
        for reader in ("Germany", "Russia", None):
            poland = next(box for box in variant.influence.seen(position, variant, reader) if box.minor == "Poland")
            assert [tally.own for tally in poland.tallies] == ([5] if is_open else [])
            assert (poland.mine is not None) == (reader == "Russia")
            assert not any(tally.power for tally in poland.tallies)
    assert variant.influence.seen(after, variant, None, master=True)[2].tallies
