"""Sections at the top of corrected results: the game master's decrees, and what differs from the earlier version.

The differences come from comparing the events of the two snapshots.
"""

from __future__ import annotations

from collections import Counter
from operator import attrgetter

from gm.game.model.recipient import Recipient
from gm.game.model.records import MASTER, DecreeRecord
from gm.game.views.turns.centres import count_centres
from gm.game.views.turns.turn_events import (
    TurnView,
    event_sentences,
    is_good,
    order_text,
    outcome_flags,
    outcome_with_reason,
    outcome_word,
)
from gm.judge.model.events import OrderResult, SecretEvent
from gm.language.rendering import plain_text
from gm.language.rendering.views import Block, BulletsView, ParagraphView, QuotedWordsView, SectionView

Key = tuple[str, str, object]


def changed_results(old: TurnView, new: TurnView) -> frozenset[OrderResult]:
    """The results of the new version that differ from the old version."""
    before = _results_by_key(old)
    now = _results_by_key(new).items()
    return frozenset(result for key, result in now if key not in before or _differ(before[key], result))


def sections(old: TurnView, new: TurnView) -> tuple[SectionView, ...]:
    decrees = _decree_section(old, new)
    items = (
        *_changed_orders(old, new),
        *_changed_retreats(old, new),
        *_changed_events(old, new),
        *_changed_centres(old, new),
        *_changed_phase(old, new),
    )
    reader = new.reader
    same = reader.say("changes.rest", version=old.snapshot.version)
    blocks: tuple[Block, ...] = (
        (BulletsView(items), ParagraphView(same)) if items else (ParagraphView(reader.say("changes.nothing")),)
    )
    return (*((decrees,) if decrees else ()), SectionView(reader.say("changes.title"), blocks))


def own_changes(old: TurnView, new: TurnView) -> tuple[str, ...]:
    """The reader's orders with another outcome: "A Bur - Bel moved (was: bounced, dislodged)"."""
    reader, before = new.reader, _results_by_key(old)
    lines: list[str] = []
    for phase, result in new.results:
        was = before.get((phase, result.power, result.order.slot))
        if not reader.is_mine(result.power) or was is None:
            continue
        now, then = outcome_word(reader, result, phase), outcome_word(reader, was, phase)
        if now != then or result.order != was.order:
            lines.append(reader.say("changes.own", order=order_text(result, phase), now=now, was=then))
    return tuple(lines)


def own_events_differ(old: TurnView, new: TurnView) -> bool:
    """Whether something else came out for the reader alone, such as the minor powers that they control."""
    return Counter(old.all(SecretEvent)) != Counter(new.all(SecretEvent))


def _results_by_key(scene: TurnView) -> dict[Key, OrderResult]:
    return {(phase, result.power, result.order.slot): result for phase, result in scene.results}


def _differ(before: OrderResult, now: OrderResult) -> bool:
    fate = attrgetter("order", "outcome", "cause", "dislodged_by", "dislodged_cause", "given", "decreed")
    if fate(before) == fate(now):
        return False
    if now.decreed != before.decreed:
        return True
    smooth = is_good(before) and is_good(now) and before.given == now.given
    return not smooth or before.order != now.order  # the cause of a success is not shown


def _decree_section(old: TurnView, new: TurnView) -> SectionView | None:
    """Each decree, the outcome before it, and the reason that the game master gave."""
    if not new.snapshot.decrees:
        return None
    blocks: list[Block] = []
    for decree in sorted(new.snapshot.decrees, key=lambda order: order in old.snapshot.decrees):
        blocks += _decree_blocks(old, new, decree)
    return SectionView(new.reader.say("decreed.title"), tuple(blocks), aside=gm_names(new.reader))


def _decree_blocks(old: TurnView, new: TurnView, decree: DecreeRecord) -> list[Block]:
    reader = new.reader
    after, before = _result_of_unit(new, decree.unit), _result_of_unit(old, decree.unit)
    if after is None:
        blocks: list[Block] = [ParagraphView(reader.say("decreed.unit", unit=decree.unit, outcome=decree.outcome))]
    else:
        phase, result = after
        was = outcome_with_reason(reader, before[1], before[0]) if before else ""
        key = "decreed.order-was" if was else "decreed.order"
        if decree in old.snapshot.decrees:
            key = "decreed.order-still"
        now, version = outcome_word(reader, result, phase), old.snapshot.version
        blocks = [ParagraphView(reader.say(key, order=order_text(result, phase), now=now, was=was, version=version))]
    return blocks + ([QuotedWordsView(decree.reason)] if decree.reason else [])


def _result_of_unit(scene: TurnView, unit: str) -> tuple[str, OrderResult] | None:
    results = ((phase, result) for phase, result in scene.results if result.unit is not None)
    return next(((phase, result) for phase, result in results if str(result.unit).lower() == unit.lower()), None)


def gm_names(reader: Recipient) -> str:
    seats = (seat for seat in reader.store.games.seats(reader.game.id) if seat.power == MASTER)
    names = (reader.store.people.get(seat.person).name for seat in seats if seat.person is not None)
    return ", ".join(plain_text.header(name, 60) for name in names)


def _changed_orders(old: TurnView, new: TurnView) -> tuple[str, ...]:
    reader, before = new.reader, _results_by_key(old)
    lines: list[str] = []
    for phase, result in new.results:
        was = before.get((phase, result.power, result.order.slot))
        if was is not None and not _differ(was, result):
            continue
        order = reader.say("changes.order-of", power=result.power, order=order_text(result, phase))
        now = outcome_with_reason(reader, result, phase)
        if was is None:
            lines.append(reader.say("changes.new", order=order, now=now))
        elif was.order != result.order:
            lines.append(reader.say("changes.other-order", order=order, now=now, was=order_text(was, phase)))
        elif outcome_flags(reader, was, phase) == outcome_flags(reader, result, phase):
            lines.append(reader.say("changes.still", order=order, now=now))
        else:
            lines.append(reader.say("changes.was", order=order, now=now, was=outcome_word(reader, was, phase)))
    return tuple(lines)


def _changed_retreats(old: TurnView, new: TurnView) -> tuple[str, ...]:
    reader = new.reader
    before = {dislodged.unit: dislodged for dislodged in old.after.dislodged}
    now = {dislodged.unit: dislodged for dislodged in new.after.dislodged}
    gone = [dislodged for unit, dislodged in before.items() if unit not in now]
    come = [dislodged for unit, dislodged in now.items() if unit not in before]
    lines: list[str] = []
    for keys, which in (("changes.retreat-off", gone), ("changes.retreat-on", come)):
        for dislodged in which:
            key = f"{keys}-yours" if reader.is_mine(dislodged.unit.power) else keys
            lines.append(reader.say(key, power=dislodged.unit.power, unit=str(dislodged.unit)))
    return tuple(lines)


def _changed_events(old: TurnView, new: TurnView) -> tuple[str, ...]:
    """What stands in words below the orders of only one version, such as who controls a minor power."""
    reader = new.reader
    then, now = ([line for leg in turn.legs for line in event_sentences(reader, leg)] for turn in (old, new))
    come = [reader.say("changes.event", event=line) for line in now if line not in then]
    return (*come, *(reader.say("changes.event-gone", event=line) for line in then if line not in now))


def _changed_centres(old: TurnView, new: TurnView) -> tuple[str, ...]:
    reader = new.reader
    counts, earlier = count_centres(new), count_centres(old)
    before = {count.power: count for count in earlier.counts} if earlier else {}
    lines: list[str] = []
    for count in counts.counts if counts else ():
        was = before.get(count.power)
        if was is None or (set(was.centres), was.builds) == (set(count.centres), count.builds):
            continue
        if (len(was.centres), was.builds) == (len(count.centres), count.builds):
            gone = " ".join(sorted(set(was.centres) - set(count.centres)))
            come = " ".join(sorted(set(count.centres) - set(was.centres)))
            lines.append(
                reader.say("changes.swapped", power=count.power, come=come, gone=gone, count=len(count.centres))
            )
        else:
            ends = "" if count.builds == 0 else "-build" if count.builds > 0 else "-remove"
            numbers = {"count": len(count.centres), "was": len(was.centres), "builds": abs(count.builds)}
            lines.append(reader.say(f"changes.centres{ends}", power=count.power, **numbers))
    return tuple(lines)


def _changed_phase(old: TurnView, new: TurnView) -> tuple[str, ...]:
    if old.snapshot.phase == new.snapshot.phase:
        return ()
    if new.after.ended is not None:
        return (new.reader.say("changes.over"),)
    reader = new.reader
    now = reader.phase_words("phase.long", new.snapshot.phase)
    was = reader.phase_words("phase.long", old.snapshot.phase) if old.snapshot.phase else ""
    return (reader.say("changes.phase", now=now, was=was),)
