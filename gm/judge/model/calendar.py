"""Walks through a variant's calendar: resolves the current step and all following steps without due orders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from gm.judge.model.events import CentresCounted
from gm.judge.model.position import Position, Unit
from gm.judge.model.sheets import ResolvedStep, Submissions, Turn
from gm.judge.model.variant import Step, Variant

MOVES = "M"
RETREATS, ADJUSTMENTS = "retreats", "adjustments"
"""Grammars of sheets."""


def sheet_writers(step: Step, position: Position, variant: Variant, power: str) -> tuple[str, ...]:
    """The powers whose players write this power's sheet now: itself, or those that control it."""
    if power in variant.seated:
        return (power,)
    return tuple(seated for seated in variant.seated if power in step.controlled(position, variant, seated))


def resolve_phase(variant: Variant, position: Position, book: Submissions) -> tuple[ResolvedStep, ...]:
    """Resolves the current step with the submissions, then every step for which no orders are due.

    The position of the last one is the next step with due orders, or the end of the game. If no orders can ever be due
    again, it stops after one whole calendar.
    """
    steps: list[ResolvedStep] = []
    while position.ended is None and len(steps) <= len(variant.calendar):
        step = variant.calendar[position.at]
        if steps and step.due(position, variant):
            break
        phase = variant.phase_name(position)
        turn = step.resolve(position, variant, Submissions() if steps else book)
        if variant.influence is not None:
            turn = variant.influence.published(turn, variant)
        position = turn.position if turn.position.ended else following_step(variant, turn.position)
        steps.append(ResolvedStep(phase, Turn(position, turn.events)))
    return tuple(steps)


def positions_ahead(variant: Variant, position: Position) -> Iterator[Position]:
    """The position at each step that may get a phase of its own after the open one, up to the next movement step; none
    where the open phase is one.

    Nobody knows yet what the open phase changes, so units and centres are those of now. Second retreats are not
    foreseen.
    """
    ahead = position.having(dislodged=())
    for _ in variant.calendar:
        if variant.step(ahead).letter == MOVES:
            return
        ahead = following_step(variant, ahead)
        step = variant.step(ahead)
        if step.ends_game(ahead):
            return
        if step.grammar != RETREATS and step.may_be_due(ahead, variant):
            yield ahead


def following_step(variant: Variant, position: Position) -> Position:
    """The same position at the next step of the calendar."""
    at = position.at + 1
    if at < len(variant.calendar):
        return position.having(at=at)
    return position.having(at=0, year=position.year + 1)


def census_by_retreat(variant: Variant, position: Position, power: str) -> tuple[tuple[Unit, str, CentresCounted], ...]:
    """The only dislodged unit of a power, each province where it can go ("" if it disbands), and its power's count.

    () for several such units, or where no census follows the retreats. Other powers' units disband.
    """
    gone = [dislodged for dislodged in position.dislodged if dislodged.unit.power == power]
    counts: list[tuple[Unit, str, CentresCounted]] = []
    for dislodged in gone if len(gone) == 1 else ():
        ends: dict[str, tuple[Unit, ...]] = {
            at.province: (replace(dislodged.unit, at=at),) for at in reversed(dislodged.retreats)
        }
        for province, retreated in (*reversed(ends.items()), ("", ())):
            turn = early_census(variant, position, retreated)
            events = turn.events if turn is not None else ()
            own = [event for event in events if isinstance(event, CentresCounted) and event.power == power]
            counts += ((dislodged.unit, province, count) for count in own)
    return tuple(counts)


def early_census(variant: Variant, position: Position, retreated: Iterable[Unit] = ()) -> Turn | None:
    """Holds the census that follows the open retreats as if nobody retreated but these; None if none follows them."""
    at = position.at + 1
    if position.ended is not None or not position.dislodged:
        return None
    if at >= len(variant.calendar) or variant.calendar[at].letter:
        return None
    cleared = position.having(at=at, dislodged=(), units=(*position.units, *retreated))
    turn = variant.calendar[at].resolve(cleared, variant, Submissions())
    return turn if any(isinstance(event, CentresCounted) for event in turn.events) else None


def adjustments_are_sure(variant: Variant, position: Position) -> bool:
    """Whether some player will have builds or removals after the open retreats, wherever these go.

    True as well where no census follows the open phase.
    """
    turn = early_census(variant, position)
    if turn is None:
        return True
    moving = {dislodged.unit.power for dislodged in position.dislodged}
    goals = {at.province for dislodged in position.dislodged for at in dislodged.retreats}
    counts = (event for event in turn.events if isinstance(event, CentresCounted))
    return any(
        count.builds and count.power in variant.seated and count.power not in moving and goals.isdisjoint(count.centres)
        for count in counts
    )
