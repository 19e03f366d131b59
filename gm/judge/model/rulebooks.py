"""Rulebooks: the choices in which they differ (DATC 3.0, chapter 4).

A rulebook is chosen when a variant is composed; the adjudicator calls its functions and never asks for its name.

* 4.A.1, convoys with several routes: `crosses`. 1971: fails if any of its fleets is lost; later: if no route is left.
* 4.A.2, paradoxes: `spares`, which supports a convoyed army does not cut by the text of the rulebook. What the text
  leaves open, and everything in the DATC's own preferences, follows Szykman: the convoys of the paradox fail.
* 4.A.3, armies that could walk: `sails`, and `falls_back` after a failed convoy. 1971: by convoy if the unit there
  comes the other way and the convoy succeeds; later: if the army's own power asks for it, by VIA or by a fleet.
* 4.A.6, the route named in an order: `binding` if no other route will do. No rulebook has it; a variant may. `named`:
  a convoyed army's order must name a route, as in the older mail judges.
* 4.D.8, removals by the rules: `far`, from which centres distances count, and whether fleets count over land.

The rulebooks before 2023 do not decide 4.A.4, 4.A.5, 4.A.7 and 4.B.4, or are ambiguous; there the DATC's preferences
hold for all (a convoyed army comes from where it stood; a unit it dislodges may retreat there; it stands others off at
its goal; a support may leave out the coast).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from gm.judge.model.position import Position


class BattleFacts(Protocol):
    """The part of `Battlefield` that rulebooks use. Units and spaces are numbers; -1: none."""

    @property
    def home(self) -> Sequence[int]: ...

    @property
    def goal(self) -> Sequence[int]: ...

    @property
    def target(self) -> Sequence[int]: ...

    @property
    def power(self) -> Sequence[str]: ...

    @property
    def occupant(self) -> Sequence[int]: ...

    @property
    def carriers(self) -> Sequence[Sequence[int]]: ...

    def names_convoy(self, i: int) -> bool: ...

    def names_route(self, i: int) -> bool: ...

    def is_fleet(self, i: int) -> bool: ...

    def route(self, i: int, fleets: Sequence[int]) -> object | None: ...

    def needed_carriers(self, i: int) -> Iterable[int]: ...


class RemovalDistance(NamedTuple):
    """How distances count for removals. `home`: from home centres, else from owned ones; `afloat`: fleets go by sea and
    coast only.
    """

    home: bool = False
    afloat: bool = False


Crossing: TypeAlias = "Callable[[BattleFacts, int, Sequence[int]], bool]"
"""Whether an army crosses if only these of its carriers are not dislodged."""
Sparing: TypeAlias = "Callable[[BattleFacts, int, int], bool]"
"""Whether the attack of a convoyed army (the second) never cuts a support (the first)."""
Sailing: TypeAlias = "Callable[[BattleFacts, int], bool]"
"""Whether an army that could walk goes by convoy."""


def by_any_route(field: BattleFacts, i: int, fleets: Sequence[int]) -> bool:
    return field.route(i, fleets) is not None


def by_every_route(field: BattleFacts, i: int, fleets: Sequence[int]) -> bool:
    return field.route(i, fleets) is not None and all(c in fleets for c in field.needed_carriers(i))


def spares_none(field: BattleFacts, i: int, army: int) -> bool:
    return False


def spares_of_1971(field: BattleFacts, i: int, army: int) -> bool:
    """A fleet that supports a fleet which attacks one of the army's convoying fleets."""
    helped = field.target[i]
    return (
        field.is_fleet(i)
        and field.is_fleet(helped)
        and any(field.home[c] == field.goal[helped] for c in field.carriers[army])
    )


def spares_of_1982(field: BattleFacts, i: int, army: int) -> bool:
    """A fleet that supports anything in a body of water where a fleet convoys."""
    helped = field.target[i]
    there = field.occupant[field.home[helped] if field.goal[helped] < 0 else field.goal[helped]]
    return field.is_fleet(i) and there >= 0 and any(there in carriers for carriers in field.carriers)


def spares_of_2000(field: BattleFacts, i: int, army: int) -> bool:
    """A unit that supports an attack on a fleet that the army's convoy needs."""
    goal = field.goal[field.target[i]]
    carriers = field.carriers[army]
    return any(
        field.home[c] == goal and field.route(army, [other for other in carriers if other != c]) is None
        for c in carriers
    )


def sails_if_meant(field: BattleFacts, i: int) -> bool:
    """By VIA, or because a fleet of its own power convoys it."""
    return field.names_convoy(i) or any(field.power[c] == field.power[i] for c in field.carriers[i])


def sails_to_swap(field: BattleFacts, i: int) -> bool:
    """The unit at its goal comes the other way, and fleets make a route."""
    other = field.occupant[field.goal[i]]
    return other >= 0 and field.goal[other] == field.home[i] and field.route(i, field.carriers[i]) is not None


def sails_if_routed(field: BattleFacts, i: int) -> bool:
    """Its order names the fleets of its route."""
    return field.names_route(i)


FROM_OWNED = RemovalDistance()
FROM_HOME = RemovalDistance(home=True, afloat=True)


class Rulebook(Struct, frozen=True):
    """`falls_back`: an army whose convoy fails walks where it can. `via`: whether an order can ask for the convoy."""

    name: str
    crosses: Crossing = by_any_route
    spares: Sparing = spares_none
    sails: Sailing = sails_if_meant
    falls_back: bool = False
    via: bool = True
    binding: bool = False
    named: bool = False
    far: RemovalDistance = FROM_OWNED

    def with_named_routes(self) -> Rulebook:
        """An army whose order names no route walks; one that names a route goes by it."""
        return replace(self, binding=True, named=True, via=True, sails=sails_if_routed)


DATC = Rulebook("DATC")
"""The DATC's preferences: the 2023 rulebook with Szykman's rule for paradoxes."""

RULEBOOKS: Mapping[str, Rulebook] = {
    rulebook.name: rulebook
    for rulebook in (
        Rulebook("1971", by_every_route, spares_of_1971, sails_to_swap, falls_back=True, via=False, far=FROM_HOME),
        Rulebook("1982", spares=spares_of_1982, far=FROM_HOME),
        Rulebook("2000", spares=spares_of_2000, far=FROM_HOME),
        Rulebook("2023", spares=spares_of_2000),
        DATC,
    )
}


class BuildRule(Struct, frozen=True):
    """`grounds` returns the provinces, sorted, where a power may build if it owns them and they are empty. `refusal` is
    the key of the reason why it may not build elsewhere.
    """

    name: str
    grounds: Callable[[Position, str], tuple[str, ...]]
    refusal: str
