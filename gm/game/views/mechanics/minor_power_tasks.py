"""Tasks for minor powers that the reader controls: what their sheets need, and how to write it.

The letter has a section for each. No other player's letter shows who controls one.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from gm.game.model.recipient import Recipient
from gm.game.model.setting_types import PressMode
from gm.game.views.mechanics import influence
from gm.game.views.orders.task import Task
from gm.game.views.turns.turn_events import sorted_units
from gm.judge.board.board import AIR, Use, locations
from gm.judge.model.influence_boxes import BIDS
from gm.judge.model.orders import Build, Disband, Hold, Move, Retreat, Statement, UnitRef
from gm.judge.model.position import Position, Unit
from gm.judge.model.sheets import DueOrders, ProblemEffect
from gm.language.rendering import order_text
from gm.language.rendering.views import ParagraphView, RowsView, RowView, SectionView

EXAMPLES_MOST = 8


def minors_due_orders(reader: Recipient, position: Position) -> dict[str, DueOrders]:
    """What the reader must order for minor powers, by power."""
    if position.ended is not None or reader.power is None:
        return {}
    step = reader.variant.step(position)
    controlled = step.controlled(position, reader.variant, reader.power)
    due = step.due(position, reader.variant) if controlled else {}
    return {power: due[power] for power in controlled if due.get(power)}


def sections(reader: Recipient, position: Position) -> tuple[SectionView, ...]:
    """One section for each minor power that needs orders from the reader."""
    tasks = tuple(
        _section(reader, position, power, debt) for power, debt in minors_due_orders(reader, position).items()
    )
    return (
        (*tasks[:-1], replace(tasks[-1], blocks=(*tasks[-1].blocks, *_press_hint(reader, position)))) if tasks else ()
    )


def _press_hint(reader: Recipient, position: Position) -> tuple[ParagraphView, ...]:
    """How to write press in their names; only in the phase after the bids."""
    names = reader.variant.press.names(position, reader.variant, reader.power or "")[1:]
    fresh = reader.variant.calendar[position.at - 1].letter == BIDS
    if not (names and fresh and reader.settings.press is not PressMode.NONE):
        return ()
    other = next(power for power in reader.variant.seated if power != reader.power)
    return (
        ParagraphView(reader.say("wards.press", powers=reader.every(names), first=names[0], other=other, n=len(names))),
    )


def _section(reader: Recipient, position: Position, power: str, debt: DueOrders) -> SectionView:
    letter = reader.variant.step(position).letter
    lines = [order_text.statement(example, letter=letter) for example in _examples(reader, position, power, debt)]
    rows = RowsView(tuple(RowView(line) for line in (f"{reader.called(power)}:", *lines[:EXAMPLES_MOST])))
    share = next(
        (box for box in influence.visible_boxes(reader, position) if box.minor == power and box.members > 1), None
    )
    votes = (ParagraphView(reader.say("wards.votes", n=share.members, power=power)),) if share else ()
    words = ParagraphView(reader.choose("wards.how", letter, power=power, **_counts(debt)))
    title = reader.say("wards.title", power=power)
    return SectionView(title, (words, rows, *votes))


def _counts(debt: DueOrders) -> dict[str, object]:
    units = sorted_units(debt.units)
    return {
        "units": ", ".join(map(str, units)),
        "n": len(units) or debt.builds or debt.removals,
        "what": "",
    }


def minors_task(reader: Recipient, position: Position) -> Task | None:
    """The task of a reader who has nothing to order for their own power; None without any."""
    debts = minors_due_orders(reader, position)
    if not debts:
        return None
    letter = reader.variant.step(position).letter
    names, units = reader.every(debts), [unit for debt in debts.values() for unit in sorted_units(debt.units)]
    retreating = bool(units) and letter != "M"
    about = {
        "power": names,
        "units": reader.every(map(str, units)),
        "n": len(units) if retreating else len(debts),
    }
    lead = reader.choose("wards.lead", letter, due=reader.due(), **about)
    return Task(
        short=reader.choose("wards.short", letter, **about),
        sentence=lead,
        section=sections(reader, position)[0],
        label=reader.say("wards.button", power=names),
        body=f"{next(iter(debts))}:\n",
    )


def _examples(reader: Recipient, position: Position, power: str, debt: DueOrders) -> Iterator[Statement]:
    """Legal orders for the sheet of a minor power."""
    if debt.units and position.dislodged:
        for dislodged in position.dislodged:
            ref = UnitRef(dislodged.unit.kind, dislodged.unit.at.place)
            if dislodged.unit.power == power:
                yield from (Retreat(ref, at.place) for at in dislodged.retreats)
                yield Disband(ref)
    elif debt.units:
        yield from (_order(reader, position, unit) for unit in sorted_units(debt.units))
    elif debt.builds:
        yield from legal_builds(reader, position, power)
    else:
        units = sorted_units(position.units_of(power))
        yield from (Disband(UnitRef(unit.kind, unit.at.place)) for unit in units)


def _order(reader: Recipient, position: Position, unit: Unit) -> Statement:
    """A move to an empty adjacent province, or a hold."""
    kind, taken = reader.variant.kinds[unit.kind], {other.at.province for other in position.units}
    ref = UnitRef(unit.kind, unit.at.place)
    near = (at for at in position.board.neighbours(unit.at, Use.MOVE) if kind.stands(at.slot))
    free = next((at for at in near if at.province not in taken), None)
    return Move(ref, free.place) if free else Hold(ref)


def legal_builds(reader: Recipient, position: Position, power: str) -> Iterator[Build]:
    """Yield all builds that the step accepts for a power, by province."""
    step, homes = reader.variant.step(position), position.board.provinces
    owned = (*position.centres_of(power), *(code for code, area in homes.items() if area.home == power))
    for centre in dict.fromkeys(owned):
        for kind in reader.variant.kinds.values():
            for at in locations(position.board, kind, centre):
                if at.slot == AIR and kind.layer != AIR:
                    continue
                build = Build(UnitRef(kind.code, at.place), kind.layer)
                problems = step.check(position, reader.variant, power, (build,))
                if all(problem.effect is ProblemEffect.WARN for problem in problems):
                    yield build
