"""Trying orders out: as the real thing where everything is supposed, and blind to what only others know."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace
from support import scripted_players as player
from support.shipped import LIBRARY

from gm.judge.gm_changes.what_if import try_orders, without_secrets
from gm.judge.model.events import Dislodgement, Event, OrderResult, visible
from gm.judge.model.orders import Statement
from gm.judge.model.position import COLLAPSED, LedgerKey, Position
from gm.judge.model.variant import Variant

SHELF = LIBRARY
OPTIONS = {"europe-1933": {"wings": "on", "hidden_control": "on"}}
VARIANTS = [SHELF.variant(name, OPTIONS.get(name, {})) for name in SHELF.ids()]


def turns(variant: Variant, seed: int) -> list[tuple[Position, dict[str, tuple[Statement, ...]], tuple[Event, ...]]]:
    """Movement phases of a random game: the position, every power's sheet, and what really happened."""
    phases = []
    for position, book, legs in player.game(variant, seed, 12):
        if variant.step(position).letter == "M":
            sheets = {power: tuple(entry.statement for entry in entries) for (_, power), entries in book.sheets.items()}
            phases.append((position, sheets, legs[0].turn.events))
    return phases


def stirred(position: Position, power: str, variant: Variant, dice: Random) -> Position:
    """Everything secret of others otherwise: what they own, what they have written for later, and the lots."""
    majors = [country.name for country in variant.powers if country.name != power]
    kept = {k: n for k, n in position.ledger.items() if k.power not in majors or k.purse == COLLAPSED}
    budgets = sorted({key.purse for key in position.ledger} - {COLLAPSED}) or ["IP"]
    subjects = [minor.name for minor in variant.minors] or [""]
    for _ in range(6):
        kept[LedgerKey(dice.choice(budgets), dice.choice(majors), dice.choice(subjects))] = dice.randint(1, 9)
    lines = tuple(entry for entries in position.ahead.values() for entry in entries)
    ahead = {major: lines for major in majors if lines}
    own = {owner: entries for owner, entries in position.ahead.items() if owner == power}
    return replace(position, ledger=kept, ahead={**ahead, **own}, seed=dice.randint(1, 10**6))


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
def test_a_trial_does_not_depend_on_the_knowledge_of_others(variant: Variant) -> None:
    dice = Random(5)
    for position, sheets, _ in turns(variant, 3):
        for power in (country.name for country in variant.powers[:3]):
            guesses = {owner: sheet for owner, sheet in sheets.items() if owner == power or dice.random() < 0.3}
            first = try_orders(position, variant, power, guesses)
            second = try_orders(stirred(position, power, variant, dice), variant, power, guesses)
            assert first is not None
            assert second is not None
            assert visible(first.events, power) == visible(second.events, power)


def test_supposing_everything_is_the_real_thing(standard: Variant) -> None:
    for position, sheets, events in turns(standard, 11):
        turn = try_orders(position, standard, standard.powers[0].name, sheets)
        assert turn is not None
        for kind in (OrderResult, Dislodgement):
            assert [e for e in turn.events if isinstance(e, kind)] == [e for e in events if isinstance(e, kind)]


def test_units_without_a_supposed_order_hold(standard: Variant) -> None:
    for position, sheets, _ in turns(standard, 2):
        power = standard.powers[2].name
        turn = try_orders(position, standard, power, {power: sheets.get(power, ())})
        assert turn is not None
        results = {event.unit: event for event in turn.events if isinstance(event, OrderResult)}
        assert all(not results[unit].given for unit in position.units if unit.power != power)


def test_only_movement_is_tried_out(standard: Variant) -> None:
    for position, _, _ in player.game(standard, 4, 30):
        turn = try_orders(position, standard, standard.powers[0].name, {})
        assert (turn is None) == (standard.step(position).letter != "M")


def test_one_s_own_secrets_stay(locarno: Variant) -> None:
    power, other = locarno.powers[0].name, locarno.powers[1].name
    ledger = {LedgerKey("DP", power): 2, LedgerKey("DP", other): 3, LedgerKey(COLLAPSED, other): 1}
    here = replace(locarno.start, ledger=ledger, ahead={power: (), other: ()})
    seen = without_secrets(here, locarno, power)
    assert seen.ledger == {LedgerKey("DP", power): 2, LedgerKey(COLLAPSED, other): 1}
    assert set(seen.ahead) == {power}
