"""What can happen in the air beside orders' results."""

from __future__ import annotations

from msgspec import Struct

from gm.judge.model.events import Audience
from gm.judge.model.position import Unit


class Bombed(Struct, frozen=True):
    """Bombs on a supply centre, once a turn however many they are. `left` is what it still produces this year, in half
    points (an ordinary unit costs 2).
    """

    province: str
    by: tuple[Unit, ...]
    left: int
    audience: Audience = None


class Rode(Struct, frozen=True):
    """A wing went along with the fleet below it. `wing` as it stood before."""

    wing: Unit
    to: str
    audience: Audience = None


class BaseLost(Struct, frozen=True):
    """A wing that lost its base when centres changed hands. `by` stands in it; None: nobody does."""

    wing: Unit
    by: Unit | None
    audience: Audience = None
