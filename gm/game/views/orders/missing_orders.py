"""Powers without orders (NMR): a section of the results, and a count in STATUS.

Taken from results that the reader sees anyway: a power without a single move of its own. So it reveals nothing about
points, bids or messages that the power did send. Retreats and builds do not count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from gm.game.model.recipient import Recipient
from gm.game.views.turns.turn_events import StepView, TurnView
from gm.judge.model.events import OrderResult
from gm.language.orders.phase_names import MOVES
from gm.language.rendering.views import BulletsView, ParagraphView, SectionView


def powers_without_orders(legs: Iterable[StepView], powers: Iterable[str]) -> Iterator[str]:
    """Yield the powers that gave no order, once for each movement phase."""
    for leg in legs:
        if leg.phase[-1:] != MOVES:
            continue
        written: dict[str, bool] = {}
        for result in leg.of(OrderResult):
            written[result.power] = written.get(result.power, False) or result.given
        yield from (power for power in powers if written.get(power) is False)


def sections(scene: TurnView) -> tuple[SectionView, ...]:
    """The section of a results letter; () for corrected results."""
    reader, powers = scene.reader, _players(scene.reader)
    now = tuple(dict.fromkeys(powers_without_orders(scene.legs, powers)))
    if not now or scene.snapshot.replaces:
        return ()
    title = reader.say("silent.title")
    if len(now) == len(powers):
        return (SectionView(title, (ParagraphView(reader.say("silent.all")),)),)
    return (SectionView(title, (BulletsView(tuple(map(reader.called, now))),)),)


def missed_phases(reader: Recipient, scenes: Iterable[TurnView]) -> tuple[ParagraphView, ...]:
    """How many movement phases each power has missed; () if none."""
    counts: Counter[str] = Counter()
    for scene in scenes:
        counts.update(powers_without_orders(scene.legs, _players(reader)))
    if not counts:
        return ()
    sentences = (reader.say("silent.times", power=power, n=count) for power, count in sorted(counts.items()))
    return (ParagraphView(reader.say("silent.count", powers=", ".join(sentences))),)


def _players(reader: Recipient) -> tuple[str, ...]:
    """Powers that have a player now."""
    held = {seat.power for seat in reader.store.games.seats(reader.game.id) if seat.person is not None}
    return tuple(power for power in reader.variant.seated if power in held)
