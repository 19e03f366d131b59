"""Events of wings other than results of orders."""

from __future__ import annotations

from gm.judge.model.events import Event
from gm.judge.model.position import Unit


class Bombed(Event, frozen=True):
    """A supply centre was bombed, once a turn. `left` is its production left this year, in half points."""

    province: str
    by: tuple[Unit, ...]
    left: int


class Rode(Event, frozen=True):
    """A fleet carried a wing along. `wing` is as it stood before."""

    wing: Unit
    to: str


class BaseLost(Event, frozen=True):
    """A wing lost its base at a census. `by` is the unit that stands in it, if any."""

    wing: Unit
    by: Unit | None
