"""Who wrote no orders: told to everybody with the results, and counted for STATUS.

It is taken from the results that the reader sees anyway: a power all of whose moves were left to the rules. So it
tells nothing of points, bids or messages that the power did write. Retreats and builds do not count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from gm.game.model.recipient import Recipient
from gm.game.views.turn_events import StepView, TurnView
from gm.judge.model.events import OrderResult
from gm.language.rendering.views import BulletsView, ParagraphView, SectionView

MOVES = "M"


def powers_without_orders(legs: Iterable[StepView], powers: Iterable[str]) -> Iterator[str]:
    """Powers without a single order of their own, once for each movement phase, in the order given."""
    for leg in legs:
        if leg.phase[-1:] != MOVES:
            continue
        written: dict[str, bool] = {}
        for result in leg.of(OrderResult):
            written[result.power] = written.get(result.power, False) or result.given
        yield from (power for power in powers if written.get(power) is False)


def sections(scene: TurnView) -> tuple[SectionView, ...]:
    """For a results letter."""
    reader, powers = scene.reader, _players(scene.reader)
    now = tuple(dict.fromkeys(powers_without_orders(scene.legs, powers)))
    if not now or scene.snapshot.replaces:
        return ()
    title = reader.say("silent.title")
    if len(now) == len(powers):
        return (SectionView(title, (ParagraphView(reader.say("silent.all")),)),)
    return (SectionView(title, (BulletsView(tuple(map(reader.called, now))),)),)


def missed_phases(reader: Recipient, scenes: Iterable[TurnView]) -> tuple[ParagraphView, ...]:
    """How often each has written no moves; nothing where everybody always has."""
    counts: Counter[str] = Counter()
    for scene in scenes:
        counts.update(powers_without_orders(scene.legs, _players(reader)))
    if not counts:
        return ()
    sentences = (reader.say("silent.times", power=power, n=count) for power, count in sorted(counts.items()))
    return (ParagraphView(reader.say("silent.count", powers=", ".join(sentences))),)


def _players(reader: Recipient) -> tuple[str, ...]:
    """Powers that somebody plays now."""
    held = {seat.power for seat in reader.store.games.seats(reader.game.id) if seat.person is not None}
    return tuple(power.name for power in reader.variant.powers if power.name in held)
