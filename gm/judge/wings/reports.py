"""What can happen in the air beside orders' results."""

from __future__ import annotations

from dataclasses import dataclass

from gm.judge.events import Audience
from gm.judge.position import Unit


@dataclass(frozen=True, slots=True)
class Bombed:
    """Bombs on a supply centre, once a turn however many they are. `left` is what it still produces this year, in half
    points (an ordinary unit costs 2).
    """

    province: str
    by: tuple[Unit, ...]
    left: int
    audience: Audience = None


@dataclass(frozen=True, slots=True)
class Rode:
    """A wing went along with the fleet below it. `wing` as it stood before."""

    wing: Unit
    to: str
    audience: Audience = None


@dataclass(frozen=True, slots=True)
class BaseLost:
    """A wing that lost its base when centres changed hands. `by` stands in it; None: nobody does."""

    wing: Unit
    by: Unit | None
    audience: Audience = None
