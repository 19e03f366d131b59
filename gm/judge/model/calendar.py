"""The walk round the calendar: one step with its submissions, then every step for which nobody owes anything."""

from __future__ import annotations

from gm.judge.model.position import Position
from gm.judge.model.sheets import ResolvedStep, Submissions, Turn
from gm.judge.model.variant import Step, Variant


def writers(step: Step, position: Position, variant: Variant, power: str) -> tuple[str, ...]:
    """The powers with a seat whose players write this power's sheet now: itself, or those it is a ward of."""
    if power in variant.seated:
        return (power,)
    return tuple(one for one in variant.seated if power in step.controlled(position, variant, one))


def walk(variant: Variant, position: Position, book: Submissions) -> tuple[ResolvedStep, ...]:
    """Resolve the current step with the book, then every step that nobody owes anything for.

    The last leg's position stands at the next step at which somebody owes orders, or has ended.
    A game in which nobody can ever owe anything again stops after one whole calendar.
    """
    legs: list[ResolvedStep] = []
    while position.ended is None and len(legs) <= len(variant.calendar):
        step = variant.calendar[position.at]
        if legs and step.due(position, variant):
            break
        phase = variant.phase_name(position)
        turn = step.resolve(position, variant, Submissions() if legs else book)
        position = turn.position if turn.position.ended else _following(variant, turn.position)
        legs.append(ResolvedStep(phase, Turn(position, turn.events)))
    return tuple(legs)


def _following(variant: Variant, position: Position) -> Position:
    at = position.at + 1
    if at < len(variant.calendar):
        return position.having(at=at)
    return position.having(at=0, year=position.year + 1)
