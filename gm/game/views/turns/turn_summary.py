"""The first sentences of a results letter, and the section about the reader's own units.

Game masters read what needs attention, such as powers without orders.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from gm.game.views.mechanics import influence
from gm.game.views.orders.task import Task
from gm.game.views.turns import corrected_turn
from gm.game.views.turns.centres import own_centres_sentence
from gm.game.views.turns.turn_events import (
    StepView,
    TurnView,
    is_good,
    order_text,
    outcome_with_reason,
    result_sort_key,
    unit_with_owner,
)
from gm.judge.model.events import Dislodgement, OrderResult, Outcome
from gm.judge.model.influence_boxes import BIDS
from gm.judge.model.orders import Build, Move, Retreat, UnitOrder, Waive
from gm.judge.model.position import Position
from gm.language.rendering.order_text import halves
from gm.language.rendering.views import BulletsView, ParagraphView, SectionView


def opening_words(scene: TurnView, doing: Task | None, old: TurnView | None = None) -> str:
    """The lead: what is new, what to do, by when. `old` is the version that this one corrects."""
    if scene.after.ended is not None:
        return ending_words(scene)
    driven_out = bool(doing and scene.after.dislodged)  # the task sentence already says it
    parts = [_correction_summary(scene, old)] if old is not None else [] if driven_out else [_orders_summary(scene)]
    parts.append(doing.sentence if doing else _nothing_due(scene))
    return " ".join(part for part in parts if part)


def _correction_summary(scene: TurnView, old: TurnView) -> str:
    """How many decrees there are, and what they change for the reader."""
    reader = scene.reader
    decrees = len([decree for decree in scene.snapshot.decrees if decree not in old.snapshot.decrees])
    season = reader.season(scene.snapshot.resolved)
    sentence = reader.say("lead.anew", n=decrees, season=season) if decrees else reader.say("lead.again", season=season)
    if not reader.power or not scene.own:
        return sentence
    mine = corrected_turn.own_changes(old, scene)
    if scene.snapshot.resolved[-1:] == BIDS:
        outcome, was = (influence.bids_outcome(reader, turn.after) for turn in (scene, old))
        return f"{sentence} {outcome if outcome != was else reader.say('lead.anew-same')}"
    if not mine and corrected_turn.own_events_differ(old, scene):
        return sentence
    if not mine:
        return f"{sentence} {reader.say('lead.anew-same')}"
    named = mine if len(mine) <= NAMED_MOST else (reader.say("lead.orders-otherwise", n=len(mine)),)
    return f"{sentence} {reader.say('lead.anew-yours', changes=reader.every(named))}"


def _orders_summary(scene: TurnView) -> str:
    """The outcomes of the reader's orders in a few words, or only that the phase is over."""
    reader, own = scene.reader, scene.own
    if not reader.power or not own or scene.snapshot.resolved[-1:] == UNIT_PLACEMENT:
        return reader.phase_words("lead.resolved", scene.snapshot.resolved)
    season = reader.season(scene.snapshot.resolved)
    if scene.snapshot.resolved[-1:] == BIDS:
        return reader.say("boxes.score", season=season, outcome=influence.bids_outcome(reader, scene.after))
    if scene.snapshot.resolved[-1:] in NAMED_ORDER_PHASES:
        return reader.say("lead.deeds", season=season, deeds=reader.every(_retreats_and_builds(scene)))
    ordered = [result for result in own if result.given]
    if not ordered:
        return reader.phase_words("lead.no-orders", scene.snapshot.resolved)
    failed = [result for result in ordered if not is_good(result)]
    if not failed:
        return reader.say("lead.all-succeeded", n=len(ordered), season=season)
    rest = len(ordered) - len(failed)
    key = "lead.some-failed" if rest else "lead.all-failed"
    return reader.say(key, n=rest, season=season, failed=_named_failures(scene, failed))


UNIT_PLACEMENT = "U"
"""Last letter of the phase in which units are chosen, which neither succeeds nor fails."""
NAMED_ORDER_PHASES = ("R", "Q", "A")
"""Last letters of phases whose few orders the lead names one by one: retreats and adjustments."""
NAMED_MOST = 2
"""Number of orders with one outcome that the lead names; more are only counted."""


def _named_failures(scene: TurnView, failed: list[OrderResult]) -> str:
    """ "A Bur - Bel bounced and A Pic S A Bur - Bel was cut"."""
    reader = scene.reader
    fates: dict[str, list[str]] = {}
    for result in failed:
        fate = "dislodged" if result.outcome is Outcome.SUCCEEDS else result.outcome.value
        fates.setdefault(fate, []).append(order_text(result, scene.snapshot.resolved))
    sentences: list[str] = []
    for fate, orders in fates.items():
        count = len(orders)
        few = reader.every(orders) if count <= NAMED_MOST else reader.say("lead.orders", n=count)
        sentences.append(reader.choose("lead.fate", fate, n=count, orders=few))
    return reader.every(sentences)


def _retreats_and_builds(scene: TurnView) -> tuple[str, ...]:
    """Outcomes of the reader's retreats, builds and removals: "you built A Bud", "you waived one build"."""
    reader, letter = scene.reader, scene.snapshot.resolved[-1:]
    results_by_deed: dict[str, list[str]] = {}
    sentences: list[str] = []
    for result in scene.own:
        deed, order = _order_kind(result), result.order
        if deed == "retreated" and isinstance(order, Retreat):
            sentences.append(reader.say("deed.retreated", unit=str(order.unit), place=str(order.to)))
        elif isinstance(order, Waive) and deed != "failed":
            every = "waived-rest" if any(isinstance(other.order, Build) for other in scene.own) else "waived-all"
            results_by_deed.setdefault(deed if order.count else every, []).extend([""] * (order.count or 1))
        else:
            name = order.unit if isinstance(order, Build | UnitOrder) else order_text(result, letter)
            results_by_deed.setdefault(deed, []).append(str(name))
    sentences += (
        reader.choose(f"deed.{key}", letter, n=len(names), units=reader.every(names))
        for key, names in results_by_deed.items()
    )
    return tuple(sentences)


def _order_kind(result: OrderResult) -> str:
    if result.given and not is_good(result):
        return "failed"
    if isinstance(result.order, Waive):
        return "waived" if result.given else "unused"
    kinds: Mapping[type, str] = {Retreat: "retreated", Build: "built"}
    return kinds.get(type(result.order), "gone" if result.given else "gone-by-rule")


def out_sections(scene: TurnView) -> tuple[SectionView, ...]:
    """Who has lost their last unit and centre in this phase, for everybody."""
    reader, before = scene.reader, scene.before
    if before is None or not scene.snapshot.phase:
        return ()
    out = [power for power in reader.variant.seated if _lives(before, power) and not _lives(scene.after, power)]
    others = [reader.called(power) for power in out if power != reader.power]
    words = [reader.say("out.others", n=len(others), powers=reader.every(others))] if others else []
    words += [reader.say("out.you")] if reader.power in out else []
    return (SectionView(reader.say("out.title"), tuple(map(ParagraphView, words))),) if words else ()


def _lives(position: Position, power: str) -> bool:
    return bool(position.all_units_of(power) or position.centres_of(power))


def _nothing_due(scene: TurnView) -> str:
    reader = scene.reader
    if not scene.snapshot.phase:
        return ""
    due = reader.due()
    words = reader.phase_words("phase.due", scene.snapshot.phase, due=due)
    if not reader.power:
        return words
    gone = not scene.after.units_of(reader.power) and not scene.after.centres_of(reader.power)
    waiting = any(dislodged.unit.power == reader.power for dislodged in scene.after.dislodged)
    return reader.say("lead.out" if gone and not waiting else "lead.nothing-due", next=words)


def ending_words(scene: TurnView) -> str:
    """ "The game is over: France has won with 18 centres."."""
    reader, ending = scene.reader, scene.after.ended
    if ending is None:
        return ""
    count = len(scene.after.centres_of(ending.winners[0])) if ending.winners else 0
    return reader.choose(
        "ending", ending.why, winners=reader.every(ending.winners), centres=count, game=reader.game.name
    )


def own_events_section(scene: TurnView) -> SectionView | None:
    """The reader's own events, failures first; None if there are none."""
    reader = scene.reader
    if reader.power is None:
        items = _gm_items(scene)
        return SectionView(reader.say("happened.title-master"), (BulletsView(items),)) if items else None
    if reader.observes:
        return None
    if scene.snapshot.resolved[-1:] == BIDS:
        items = _failures(scene)  # the section on influence shows successful bids
        return SectionView(reader.say("happened.title"), (BulletsView(items),), aside=reader.role) if items else None
    items = (
        *_own_dislodgements(scene),
        *_failures(scene),
        *_orders_by_rule(scene),
        *_successes(scene),
        own_centres_sentence(scene),
    )
    items = tuple(item for item in items if item)
    return SectionView(reader.say("happened.title"), (BulletsView(items),), aside=reader.role) if items else None


def _own_dislodgements(scene: TurnView) -> tuple[str, ...]:
    reader = scene.reader
    sentences: list[str] = []
    for dislodgement in scene.all(Dislodgement):
        if not reader.is_mine(dislodgement.unit.power):
            continue
        why = next((r for r in scene.own if r.unit == dislodgement.unit), None)
        by_whom = attack_sentence(scene, dislodgement, why)
        key = "happened.dislodged" if dislodgement.retreats else "happened.destroyed"
        sentences.append(reader.say(key, unit=str(dislodgement.unit), how=by_whom))
    return tuple(sentences)


def attack_sentence(scene: TurnView, dislodgement: Dislodgement, result: OrderResult | None) -> str:
    """ "Germany's A Mun came in with the support of A Ruh, 2 against 1"."""
    reader, cause = scene.reader, result.dislodged_cause if result else None
    by = unit_with_owner(reader, dislodgement.by)
    if cause is None or cause.force is None or cause.against is None:
        return reader.say("happened.came-in", by=by)
    strengths = reader.say("strengths", force=halves(cause.force), against=halves(cause.against))
    helpers = [str(unit) for unit in cause.by if unit != dislodgement.by]
    if not helpers:
        return reader.say("happened.came-in-by", by=by, strengths=strengths)
    return reader.say("happened.came-in-with", by=by, helpers=reader.every(helpers), strengths=strengths)


def _failures(scene: TurnView) -> tuple[str, ...]:
    reader = scene.reader
    sentences: list[str] = []
    for leg in scene.legs:
        for result in leg.results_of(reader.power):
            alone = replace(result, dislodged_by=None, dislodged_cause=None)  # dislodgements have their own line
            if result.given and not is_good(alone):
                fate = outcome_with_reason(reader, alone, leg.phase)
                sentences.append(reader.say("happened.order", order=order_text(result, leg.phase), fate=fate))
    return tuple(sentences)


def _orders_by_rule(scene: TurnView) -> tuple[str, ...]:
    """The reader's units without an order, by phase."""
    reader = scene.reader
    sentences: list[str] = []
    for leg in scene.legs:
        lines = [order_text(result, leg.phase) for result in _own_results(scene, leg) if not result.given]
        if lines and not _is_in_opening(scene, leg):
            sentences.append(reader.phase_words("happened.silent", leg.phase, n=len(lines), orders=reader.every(lines)))
    return tuple(sentences)


def _successes(scene: TurnView) -> tuple[str, ...]:
    """Successful moves in one sentence; holds, supports and convoys in another."""
    reader = scene.reader
    sentences: list[str] = []
    for leg in scene.legs:
        if _is_in_opening(scene, leg):
            continue
        good = [result for result in _own_results(scene, leg) if result.given and is_good(result)]
        moved = [order_text(result, leg.phase) for result in good if isinstance(result.order, Move)]
        other = [order_text(result, leg.phase) for result in good if not isinstance(result.order, Move)]
        for orders in (moved, other):
            if orders:
                sentences.append(reader.say("happened.succeeded", n=len(orders), orders=", ".join(orders)))
    return tuple(sentences)


def _is_in_opening(scene: TurnView, leg: StepView) -> bool:
    """Does the lead name these orders one by one?"""
    return leg.phase[-1:] in NAMED_ORDER_PHASES and scene.after.ended is None


def _own_results(scene: TurnView, leg: StepView) -> tuple[OrderResult, ...]:
    return tuple(sorted(leg.results_of(scene.reader.power), key=result_sort_key))


def _gm_items(scene: TurnView) -> tuple[str, ...]:
    """Powers without orders, and open retreats."""
    reader = scene.reader
    sentences: list[str] = []
    for leg in scene.legs:
        by_power: dict[str, list[str]] = {}
        for result in leg.of(OrderResult):
            if not result.given:
                by_power.setdefault(result.power, []).append(order_text(result, leg.phase))
        for power, lines in sorted(by_power.items()):
            sentences.append(
                reader.phase_words("master.silent", leg.phase, n=len(lines), power=power, orders=reader.every(lines))
            )
    for driven in scene.waiting:
        places = reader.either(str(at.place) for at in driven.retreats)
        unit = driven.unit
        sentences.append(reader.say("master.retreat", power=unit.power, unit=str(unit), places=places))
    return tuple(sentences)
