"""Events of wings other than results of orders."""

from __future__ import annotations

from msgspec import Struct

from gm.judge.model.events import Audience
from gm.judge.model.position import Unit


class Bombed(Struct, frozen=True):
    """A supply centre was bombed, once a turn. `left` is its production left this year, in half points."""

    province: str
    by: tuple[Unit, ...]
    left: int
    audience: Audience = None


class Rode(Struct, frozen=True):
    """A fleet carried a wing along. `wing` is as it stood before."""

    wing: Unit
    to: str
    audience: Audience = None


class BaseLost(Struct, frozen=True):
    """A wing lost its base at a census. `by` is the unit that stands in it, if any."""

    wing: Unit
    by: Unit | None
    audience: Audience = None
