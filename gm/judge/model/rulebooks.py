"""The rulebooks' choices where they differ: DATC 3.0, chapter 4, as named editions.

An edition is chosen when a variant is composed; the machinery is handed its functions and never asks which it is.

* 4.A.1, convoy of several routes: `crosses`. 1971: lost when one of its fleets is; later: when no route is left.
* 4.A.2, paradoxes: `spares`, whose support a convoyed army leaves alone by the rulebook's own words. What the words
  leave open, and all of it in the DATC's own edition, goes by Szykman: the convoys of the paradox fail.
* 4.A.3, an army that could walk: `sails` before the battle, `lands` after it. 1971: by convoy where the unit there
  comes the other way and the convoy gets through; later: where the army's own power says so, by VIA or by a fleet.
* 4.A.6, the route named in an order: `binding` if no other way will do. No rulebook has it so; a variant may. `named`:
  a convoyed army's order has to name one, as the older mail judges ask.
* 4.D.8, removals by the rules: `far`, from which centres, and whether a fleet is counted over land.

In all else the editions leave no mark here. The rulebooks before 2023 do not speak of 4.A.4, 4.A.5, 4.A.7 and 4.B.4,
or speak of them in two ways: for them the choices of the DATC hold in every edition (a convoyed army comes from where
it stood; one dislodged by it may go there; it stands others off where it went; a support may leave out the coast).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from gm.judge.model.position import Position


class BattleFacts(Protocol):
    """What a rulebook asks about a battle (`gm.judge.movement.battlefield`). Units and spaces are numbers; -1: none."""

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
    """How far a unit is when the rules choose whom to remove. `home`: from home centres, else from those owned;
    `afloat`: fleets go by sea and coast only.
    """

    home: bool = False
    afloat: bool = False


Crossing: TypeAlias = "Callable[[BattleFacts, int, Sequence[int]], bool]"
"""Whether an army gets across when only these of its carriers stay."""
Sparing: TypeAlias = "Callable[[BattleFacts, int, int], bool]"
"""Whether the attack of a convoyed army (the second) leaves a support (the first) uncut in any case."""
Sailing: TypeAlias = "Callable[[BattleFacts, int], bool]"
"""Whether an army that could walk goes by convoy."""


# ---- 4.A.1


def by_any_route(field: BattleFacts, i: int, fleets: Sequence[int]) -> bool:
    return field.route(i, fleets) is not None


def by_every_route(field: BattleFacts, i: int, fleets: Sequence[int]) -> bool:
    return field.route(i, fleets) is not None and all(c in fleets for c in field.needed_carriers(i))


# ---- 4.A.2


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
    """A fleet that supports anything in a body of water where some fleet convoys."""
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


# ---- 4.A.3


def sails_if_meant(field: BattleFacts, i: int) -> bool:
    """By VIA, or because a fleet of its own power convoys it: meant to sail, it does not walk."""
    return field.names_convoy(i) or any(field.power[c] == field.power[i] for c in field.carriers[i])


def sails_to_swap(field: BattleFacts, i: int) -> bool:
    """The unit where it goes comes the other way, and fleets are there to carry it."""
    other = field.occupant[field.goal[i]]
    return other >= 0 and field.goal[other] == field.home[i] and field.route(i, field.carriers[i]) is not None


def sails_if_routed(field: BattleFacts, i: int) -> bool:
    """Its order names the fleets that are to carry it."""
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

    def with_binding_routes(self) -> Rulebook:
        return replace(self, binding=True)

    def with_named_routes(self) -> Rulebook:
        """Who names no route walks, whoever would carry him; who names one goes by that one."""
        return replace(self, binding=True, named=True, via=True, sails=sails_if_routed)


DATC = Rulebook("DATC")
"""The DATC's preferences, which are the 2023 rulebook with Szykman's rule for paradoxes."""

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
    """`grounds` are the provinces, sorted, where a power may build if they are its own and empty. `refusal` is the key
    of why it may not elsewhere.
    """

    name: str
    grounds: Callable[[Position, str], tuple[str, ...]]
    refusal: str
