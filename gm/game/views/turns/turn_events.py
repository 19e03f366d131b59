"""A turn as one reader may see it: positions and events, as rows and sentences.

`TurnSteps` is the only place that filters events by audience. Game masters read all events.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, TypeVar, cast

from msgspec import Struct, field
from msgspec.structs import replace

from gm.game.model import result_notes
from gm.game.model.loaded_game import stored_position
from gm.game.model.recipient import Recipient
from gm.game.model.records import GameState, Snapshot
from gm.game.views.mechanics import influence, moving_borders
from gm.judge.board.board import Location
from gm.judge.mechanics.dips.dip_orders import InterceptMail, Protect
from gm.judge.model.events import Allocated, Dislodgement, Dismissed, Event, OrderResult, Outcome, visible
from gm.judge.model.influence_boxes import BIDS
from gm.judge.model.orders import Hold, Statement, UnitRef
from gm.judge.model.position import Position, Unit
from gm.judge.model.struct_fields import contents
from gm.language.formats import stored_values
from gm.language.i18n.catalogue import Catalogue
from gm.language.rendering import order_text as write
from gm.language.rendering.views import BulletsView, LegView, OrderRowView, PowerOrdersView, SectionView

E = TypeVar("E")


class StepView(Struct, frozen=True, eq=False):
    """The events of one step that a reader may see. `phase` is "" for a step without orders.

    Readers who may see the same events share it, and its `tables`: the orders of all powers, by language and by
    which orders have changed. `kinds` and `powers` are its events by class and its results by power, only for speed.
    """

    phase: str
    events: tuple[Event, ...]
    tables: dict[tuple[Catalogue, frozenset[OrderResult]], tuple[PowerOrdersView, ...]] = field(default_factory=dict)
    kinds: dict[type[Any], tuple[Any, ...]] = field(default_factory=dict)
    powers: dict[str | None, list[OrderResult]] = field(default_factory=dict)

    def of(self, kind: type[E]) -> tuple[E, ...]:
        events = self.kinds.get(kind)
        if events is None:
            events = self.kinds[kind] = tuple(event for event in self.events if isinstance(event, kind))
        return events

    @property
    def told_in_words(self) -> Iterable[Event]:
        """The events that may have a sentence of their own: results of orders stand in tables."""
        return (event for event in self.events if type(event) is not OrderResult)

    def results_of(self, power: str | None) -> Sequence[OrderResult]:
        if not self.powers:
            for result in self.of(OrderResult):
                self.powers.setdefault(result.power, []).append(result)
        return self.powers.get(power, ())


class TurnSteps:
    """The steps of a turn for its readers: `legs` are phases and all their events.

    Readers of the same audiences see the same events, and share what is made from them.
    """

    def __init__(self, legs: Iterable[tuple[str, tuple[Event, ...]]]) -> None:
        self._legs = tuple(legs)
        audiences = (event.audience for _, events in self._legs for event in events)
        self._audiences = tuple(dict.fromkeys(audience for audience in audiences if audience))
        self._seen: dict[tuple[frozenset[str], ...] | None, tuple[StepView, ...]] = {}

    def seen_by(self, reader: Recipient) -> tuple[StepView, ...]:
        power = reader.power
        everything = power is None or (reader.variant.revealed and reader.game.state is GameState.ENDED)
        audiences = None if everything else tuple(each for each in self._audiences if power in each)
        steps = self._seen.get(audiences)
        if steps is None:
            seen = ((phase, events if everything else visible(events, power)) for phase, events in self._legs)
            steps = self._seen[audiences] = _merge_unnamed_steps(StepView(phase, events) for phase, events in seen)
        return steps


class TurnView(Struct, frozen=True):
    """`before` is the position before the phase (None at the start), `after` the one after it."""

    reader: Recipient
    snapshot: Snapshot
    before: Position | None
    after: Position
    legs: tuple[StepView, ...]

    @classmethod
    def of(cls, reader: Recipient, snapshot: Snapshot, steps: TurnSteps | None = None) -> TurnView:
        """`steps`: those of this snapshot, where several readers share them."""
        before = stored_position(reader.store, snapshot.previous, reader.variant) if snapshot.previous else None
        after = stored_values.position_from_text(snapshot.position, reader.variant)
        counted = replace(snapshot, version=result_notes.version(reader.store, snapshot))
        steps = steps or TurnSteps(stored_values.events_from_text(snapshot.events))
        return cls(reader, counted, before, after, steps.seen_by(reader))

    def all(self, kind: type[E]) -> tuple[E, ...]:
        return tuple(event for leg in self.legs for event in leg.of(kind))

    @property
    def results(self) -> tuple[tuple[str, OrderResult], ...]:
        """The result of each order, behind its phase."""
        return tuple((leg.phase, result) for leg in self.legs for result in leg.of(OrderResult))

    @property
    def own(self) -> tuple[OrderResult, ...]:
        """Results of the reader's orders, without intercepts and protections."""
        apart = (InterceptMail, Protect)
        mine = (result for leg in self.legs for result in leg.results_of(self.reader.power))
        return tuple(result for result in mine if not isinstance(result.order, apart))

    @property
    def waiting(self) -> tuple[Dislodgement, ...]:
        """Dislodgements whose retreats are still open."""
        open_now = {dislodgement.unit for dislodgement in self.after.dislodged}
        return tuple(dislodgement for dislodgement in self.all(Dislodgement) if dislodgement.unit in open_now)

    def units_of(self, power: str) -> tuple[Unit, ...]:
        return sorted_units(self.after.units_of(power))


def _merge_unnamed_steps(legs: Iterable[StepView]) -> tuple[StepView, ...]:
    """Add the events of a step without a phase to the last step before it that has order results."""
    steps: list[StepView] = []
    for leg in legs:
        at = next((at for at in reversed(range(len(steps))) if steps[at].of(OrderResult)), None)
        if leg.phase or at is None:
            steps.append(leg)
        else:
            steps[at] = StepView(steps[at].phase, (*steps[at].events, *leg.events))
    return tuple(steps)


# ---- names


def unit_with_owner(reader: Recipient, unit: Unit) -> str:
    """ "Germany's A Mun", or only the unit where it is the reader's own."""
    if reader.is_mine(unit.power):
        return reader.say("unit.yours", unit=str(unit))
    return reader.say("unit.theirs", power=unit.power, unit=str(unit))


def long_name(reader: Recipient, unit: Unit, position: Position) -> str:
    """ "army in Burgundy"."""
    kind = reader.variant.kinds[unit.kind].name
    province = position.board.provinces[unit.at.province].name
    return reader.say("unit.long", kind=kind, province=province)


def order_text(result: OrderResult, phase: str) -> str:
    """The order in canonical text; only the unit if it held without an order."""
    if not result.given and isinstance(result.order, Hold):
        return str(result.order.unit)
    return write.statement(result.order, letter=phase[-1:])


def shown_order(reader: Recipient, result: OrderResult, phase: str) -> str:
    """`order_text` with the supports that were bought for it."""
    return " ".join((order_text(result, phase), *filter(None, [write.bought(reader.catalogue, result)])))


# ---- orders and their outcomes


def outcome_flags(reader: Recipient, result: OrderResult, phase: str) -> str:
    """The outcome in brackets; "" for an order that succeeded."""
    return ", ".join((*_fate(reader, result, phase), *_forced(reader, result)))


def outcome_word(reader: Recipient, result: OrderResult, phase: str) -> str:
    """The outcome in one word, also for a success; a forced order says so behind it."""
    fate = _fate(reader, result, phase) or [reader.choose("word", type(result.order).__name__.lower())]
    return ", ".join((*fate, *_forced(reader, result)))


def _fate(reader: Recipient, result: OrderResult, phase: str) -> list[str]:
    words: list[str] = []
    if not result.given:
        words.append(reader.choose("flag.not-given", phase[-1:]))
    elif result.outcome is not Outcome.SUCCEEDS:
        words.append(reader.choose("flag", result.outcome.value, word=result.outcome.value))
    if result.dislodged_by is not None:
        words.append(reader.say("flag.dislodged"))
    if result.gone and result.dislodged_by is None:  # a dislodged unit without a retreat has its own line
        words.append(reader.say("flag.destroyed"))
    return words


def _forced(reader: Recipient, result: OrderResult) -> list[str]:
    return [reader.choose("flag.forced", result.order.slot[0])] if result.forced else []


def outcome_with_reason(reader: Recipient, result: OrderResult, phase: str) -> str:
    """ "bounced (with England's A Yor, 1 against 1)"."""
    word, why = outcome_word(reader, result, phase), write.outcome_sentence(reader.catalogue, result, reader.variant)
    return reader.say("told", word=word, why=why) if why else word


def outcome_tone(result: OrderResult) -> str:
    if not is_good(result):
        return "bad"
    return "good" if result.given else "idle"


def is_good(result: OrderResult) -> bool:
    return result.outcome is Outcome.SUCCEEDS and result.dislodged_by is None


def leg_view(scene: TurnView, leg: StepView, changed: frozenset[OrderResult] = frozenset()) -> LegView | None:
    """The results of one step as tables; None if there were no orders."""
    reader, results = scene.reader, leg.of(OrderResult)
    after = leg_sections(reader, leg)
    if not leg.phase or not (results or after):
        return None
    version = scene.snapshot.version
    key = "results.title" if version < 2 else "results.title-again"
    title = reader.phase_words(key, leg.phase, game=reader.game.name, version=version)
    caption = reader.say("results.caption-again" if changed else "results.caption")
    caption = "" if leg.phase.endswith(BIDS) else caption
    shared = leg.tables.get((reader.catalogue, changed))
    if shared is None:
        shared = leg.tables[reader.catalogue, changed] = tuple(_power_orders(reader, leg, changed))
    mine = reader.called(reader.power or "")
    tables = tuple(replace(table, you=reader.say("results.you")) if table.power == mine else table for table in shared)
    return LegView(title, caption if results else "", tables, after)


def _power_orders(reader: Recipient, leg: StepView, changed: frozenset[OrderResult]) -> Iterator[PowerOrdersView]:
    """The orders of each power, the same for all readers; minor powers without homes together, at the end."""
    by_power: dict[str, list[OrderResult]] = {}
    together = frozenset(minor.name for minor in reader.variant.minors if not minor.homes)
    for result in leg.of(OrderResult):
        by_power.setdefault("" if result.power in together else result.power, []).append(result)
    for power in sorted(by_power, key=lambda power: (not power, power)):
        results = sorted(by_power[power], key=result_sort_key)
        rows = tuple(_row(reader, result, leg.phase, changed=result in changed) for result in results)
        title = power or reader.say("results.minors")
        yield PowerOrdersView(reader.called(title), rows, reader.hue(title))


def _row(reader: Recipient, result: OrderResult, phase: str, *, changed: bool) -> OrderRowView:
    return OrderRowView(
        order=shown_order(reader, result, phase),
        word=outcome_word(reader, result, phase),
        flags=outcome_flags(reader, result, phase),
        reason=write.outcome_sentence(reader.catalogue, result, reader.variant),
        changed=reader.say("results.changed") if changed else "",
        fate=outcome_tone(result),
    )


def result_sort_key(result: OrderResult) -> tuple[str, str]:
    """Sort key of a power's results: by province."""
    unit = getattr(result.order, "unit", None)
    province = unit.at.province if isinstance(unit, UnitRef) else ""
    return (province.lower(), str(result.order.slot))


def leg_sections(reader: Recipient, leg: StepView) -> tuple[SectionView, ...]:
    """Consequences of the orders: dislodged units, and events of the variant."""
    sections: list[SectionView] = []
    driven = leg.of(Dislodgement)
    if driven:
        gone = {unit for event in leg.of(Dismissed) for unit in event.units}
        lines = tuple(_dislodged(reader, dislodgement, dislodgement.unit in gone) for dislodgement in driven)
        sections.append(SectionView(reader.say("results.dislodged", n=len(driven)), (BulletsView(lines),)))
    elif leg.phase.endswith("M") and leg.of(OrderResult):
        sections.append(SectionView(reader.say("results.none-dislodged"), ()))
    secret = tuple(event_sentence(reader, event) for event in leg.of(Allocated)) if _is_masters(reader) else ()
    if others := tuple(line for line in event_sentences(reader, leg) if line not in secret):
        title = reader.choose("results.also", leg.phase[-1:])
        sections.append(SectionView(title, (BulletsView(others),)))
    if secret:
        sections.append(SectionView(reader.say("results.master-only"), (BulletsView(secret),)))
    return (*sections, *moving_borders.sections(reader, leg.of))


def _is_masters(reader: Recipient) -> bool:
    """Whether a letter is a game master's, who reads what every player keeps from the others."""
    return reader.power is None and not reader.observes and reader.game.state is GameState.RUNNING


def _dislodged(reader: Recipient, dislodgement: Dislodgement, dismissed: bool) -> str:
    names = {
        "power": dislodgement.unit.power,
        "unit": str(dislodgement.unit),
        "by": unit_with_owner(reader, dislodgement.by),
    }
    if dismissed or not dislodgement.retreats:
        return reader.say("dislodged.dismissed" if dismissed else "dislodged.destroyed", **names)
    places = reader.either(str(at.place) for at in dislodgement.retreats)
    return reader.say("dislodged.may-retreat", **names, places=places)


def event_sentences(reader: Recipient, leg: StepView) -> tuple[str, ...]:
    """The events of a variant in words."""
    return tuple(line for event in leg.told_in_words if (line := event_sentence(reader, event)))


@cache
def event_key(kind: type[Event]) -> str:
    """`event.<class-name>`: the key of the sentence about an event."""
    return "event." + "".join(f"-{char.lower()}" if char.isupper() else char for char in kind.__name__).lstrip("-")


def event_sentence(reader: Recipient, event: Event) -> str:
    """`event_key` of the catalogue with the event's fields, or the variant's own words; "" if it has none."""
    if (words := influence.box_event_sentence(reader, event)) is not None:
        return words
    key = event_key(type(event))
    if key not in reader.catalogue or not (parts := contents(event)):
        return ""
    fields = {name: _field_text(reader, part) for name, part in parts.items()}
    if isinstance(event, Allocated):
        fields["why"] = write.points_sentence(reader.catalogue, event)
    return reader.say(key, **fields)


def _field_text(reader: Recipient, value: object) -> object:
    if isinstance(value, Unit):
        return unit_with_owner(reader, value)
    if isinstance(value, Location):
        return str(value.place)
    if hasattr(value, "slot"):
        return write.statement(cast(Statement, value))
    if isinstance(value, tuple):
        return reader.every(str(_field_text(reader, part)) for part in value)
    return value


def sorted_units(units: Iterable[Unit]) -> tuple[Unit, ...]:
    return tuple(sorted(units, key=lambda unit: (unit.at.province.lower(), unit.kind, unit.number)))
