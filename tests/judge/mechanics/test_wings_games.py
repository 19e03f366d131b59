"""Whole games with wings by dice: who stands where, what bombs cost, and that nothing else matters."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from msgspec.structs import replace
from support import scripted_wing_players as pilots

from gm import resources
from gm.judge.mechanics.wings.air_board import AirBases
from gm.judge.mechanics.wings.wing_events import Bombed
from gm.judge.model.calendar import resolve_phase
from gm.judge.model.events import Dislodgement, OrderResult
from gm.judge.model.position import LedgerKey, Position
from gm.judge.model.sheets import ResolvedStep, Submissions
from gm.judge.model.variant import Variant
from gm.judge.steps.build_rules import BOMBED, upkeep
from gm.language.formats import json_position as exchange
from gm.language.formats import stored_values as codec
from gm.language.i18n.catalogue import load
from gm.language.orders.sheet_reader import KnownOrdersReader
from gm.language.rendering import order_text as write
from gm.variant_files.library import Library

OPTIONS = (
    {"wings": "on"},
    {"wings": "on", "wing_base_lost": "occupation", "intercept_own_space": "true", "confused_wing": "idle"},
    {"wings": "on", "bombing_affects": "builds-only", "bomb_own_centre": "no-effect"},
)


@pytest.fixture(scope="module", params=range(len(OPTIONS)))
def flown(request: pytest.FixtureRequest, shelf: Library) -> Variant:
    return shelf.variant("europe-1933", OPTIONS[request.param])


@pytest.mark.parametrize("seed", range(4))
def test_every_wing_has_a_base_and_every_point_its_unit(flown: Variant, seed: int) -> None:
    seen: Counter[str] = Counter()
    for position, _, legs in pilots.game(flown, seed, 60):
        alone(position, flown)
        for leg in legs:
            if leg.phase.endswith("M"):
                assert based(leg.turn.position, flown)
            seen.update(type(event).__name__ for event in leg.turn.events)
        if not flown.phase_name(legs[-1].turn.position).startswith("S") or legs[0].phase.endswith("Q"):
            waiting = {driven.unit.power for driven in legs[-1].turn.position.dislodged}
            assert waiting or based(legs[-1].turn.position, flown)
        accounted(position, legs)
        ledger = legs[-1].turn.position.ledger
        assert all(amount >= 0 for key, amount in ledger.items() if key.purse != "annexed")
        if legs[0].phase.endswith("A"):
            afforded(position, legs[0].turn.position, flown)
    late = () if flown.options.get("wing_base_lost") == "occupation" else ("BaseLost",)
    assert min(seen[name] for name in ("Bombed", "Rode", "Dislodgement", *late)) > 0


def alone(position: Position, variant: Variant) -> None:
    """No two in one space."""
    spaces = Counter((unit.at.province, variant.kinds[unit.kind].layer) for unit in position.units)
    assert max(spaces.values()) == 1


def based(position: Position, variant: Variant) -> bool:
    """Whoever is in the air after a turn is over a base; the others wait for their retreat."""
    bases = AirBases.now(position, variant.kinds, variant.options.get("wing_base_lost", "control"))
    return all(bases.has(u.power, u.at.province) for u in position.units if u.kind == "W")


def accounted(before: Position, legs: tuple[ResolvedStep, ...]) -> None:
    """No unit comes from nowhere, and none goes without a word."""
    events = [event for event in legs[0].turn.events if isinstance(event, OrderResult)]
    gone = [e for e in events if e.outcome in ("destroyed", "bounced") or e.dislodged_by]
    assert len({e.unit for e in events if e.unit}) >= len(before.dislodged)
    if legs[0].phase.endswith("M"):
        driven = [event for event in legs[0].turn.events if isinstance(event, Dislodgement)]
        assert len(driven) == len([e for e in gone if e.dislodged_by])
        assert len(legs[0].turn.position.units) + len(driven) == len(before.units)
        bombed = [event for event in legs[0].turn.events if isinstance(event, Bombed)]
        assert len({event.province for event in bombed}) == len(bombed)
        assert all(0 <= event.left < 2 for event in bombed)


def afforded(before: Position, after: Position, variant: Variant) -> None:
    """In Winter nobody keeps more than his centres feed, in half points; and the year's bombs are forgotten."""
    for power in variant.owners:
        turns = [before.ledger.get(LedgerKey(BOMBED, "", code), 0) for code in before.centres_of(power)]
        produced = sum(max(0, 2 - n) for n in turns)
        assert upkeep(after, variant, power) <= max(produced, 0)
    assert not any(key.purse in ("bombed", "hindered") for key in after.ledger)


def test_the_order_of_units_and_lines_does_not_matter(flown: Variant) -> None:
    dice = Random(7)
    for position, book, legs in pilots.game(flown, 11, 25):
        units, waiting = list(position.units), list(position.dislodged)
        dice.shuffle(units)
        dice.shuffle(waiting)
        sheets = {
            who: tuple(dice.sample(entries, len(entries))) for who, entries in reversed(list(book.sheets.items()))
        }
        mixed = replace(position, units=tuple(units), dislodged=tuple(waiting))
        if legs[0].phase.endswith("A"):
            continue  # the first of two builds for one point is built
        other = resolve_phase(flown, mixed, Submissions(sheets))
        assert telling(other) == telling(legs)
        assert sorted(other[-1].turn.position.units) == sorted(legs[-1].turn.position.units)


def telling(legs: tuple[ResolvedStep, ...]) -> list[tuple[object, ...]]:
    events = [event for event in legs[0].turn.events if isinstance(event, OrderResult)]
    return sorted((str(e.unit), e.outcome, str(e.dislodged_by), e.cause.key if e.cause else "") for e in events)


def test_without_wings_the_ground_is_as_ever(flown: Variant, shelf: Library) -> None:
    """The same orders on both boards."""
    plain = shelf.variant("europe-1933")
    for position, book, _ in pilots.game(flown, 3, 30):
        if not flown.phase_name(position).endswith("M"):
            continue
        units = tuple(u for u in position.units if u.kind != "W")
        year, at = plain.phase_at(flown.phase_name(position))
        sheets = {
            who: tuple(e for e in entries if getattr(e.statement, "unit", None) in {pilots.ref(u) for u in units})
            for who, entries in book.sheets.items()
        }
        here = replace(position, units=units)
        there = replace(here, board=plain.start.board, year=year, at=at)
        ours = flown.step(here).resolve(here, flown, Submissions(sheets))
        theirs = plain.step(there).resolve(there, plain, Submissions(sheets))
        assert sorted(ours.position.units) == sorted(theirs.position.units)
        assert sorted(ours.position.dislodged) == sorted(theirs.position.dislodged)


def test_everything_can_be_written_stored_and_put_into_sentences(flown: Variant) -> None:
    catalogue = load(resources.folder("templates") / "sentences", "en")
    for position, book, legs in pilots.game(flown, 5, 40):
        letter = flown.step(position).letter
        reader = KnownOrdersReader(flown, position, any_unit=True)
        for (_, power), entries in book.sheets.items():
            statements = [entry.statement for entry in entries]
            assert reader.orders(power, [write.statement(statement, letter) for statement in statements]) == statements
        assert codec.position_from_text(codec.position_to_text(position, flown), flown) == position
        assert codec.book_from_text(codec.book_to_text(book)) == book
        assert codec.events_from_text(codec.events_to_text(legs)) == tuple((g.phase, g.turn.events) for g in legs)
        restored = exchange.position_from_json(flown, exchange.position_to_json(flown, position))
        assert sorted(restored.units) == sorted(position.units)
        assert in_full(restored) == in_full(position)
        for leg in legs:
            for event in leg.turn.events:
                if isinstance(event, OrderResult):
                    assert write.full_sentence(catalogue, event, flown)


def in_full(position: Position) -> list[tuple[object, ...]]:
    """All of a dislodgement that a document tells: of who did it not the power, where he had to go himself."""
    return sorted((driven.unit, driven.by.kind, driven.by.at, driven.retreats) for driven in position.dislodged)
