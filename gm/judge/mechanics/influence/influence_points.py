"""Influence Points: what great powers have put into the minor powers' boxes, and who controls a minor power by them.

All of it stands in the ledger. A stack is an account of `IP` (whose, in which box); one that works for another power's
total is marked by `BACKS`; `CONTROL` says who writes a minor power's orders until the next bids (several: a coalition).
Which of it a reader may see is asked of `seen`, and letters are given nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from gm.judge.mechanics.influence.bid_orders import Belligerent, ControlPassed
from gm.judge.model.events import Event
from gm.judge.model.influence_boxes import BidTally, InfluenceStack, VisibleBox
from gm.judge.model.position import LedgerKey, Position
from gm.judge.model.sheets import Turn
from gm.judge.model.variant import Minor, Variant
from gm.judge.steps.build_rules import holder

IP = "IP"
BACKS = "backs"
"""The purse of (supporter, "Poland/Germany"): his stack in Poland's box counts for Germany."""
CONTROL = "control"
BELLIGERENT = "belligerent"
"""The purse of (power, minor power) for who took a home centre of one that he controlled; the amount is the year."""
OWED = "annexed"
"""The purse of (power, minor power) for points that go into, or out of, a stack next Spring."""
BANK = "bank"
"""The purse of points collected in earlier years, where they may be kept."""

Ledger = Mapping[LedgerKey, int]


class InfluenceCap(NamedTuple):
    """In this year this power may put at most so many points on one minor power."""

    power: str
    year: int
    most: int


def stacks(ledger: Ledger, minor: str) -> tuple[InfluenceStack, ...]:
    """What lies in a box, the largest first."""
    backs = {key.power: key.subject.partition("/")[2] for key in ledger if _about(key, BACKS, minor)}
    found = [
        InfluenceStack(key.power, amount, backs.get(key.power, ""))
        for key, amount in ledger.items()
        if key.purse == IP and key.subject == minor and amount > 0
    ]
    return tuple(sorted(found, key=lambda one: (-one.amount, one.power)))


def _about(key: LedgerKey, purse: str, minor: str) -> bool:
    return key.purse == purse and key.subject.partition("/")[0] == minor


def halved(box: Mapping[str, int]) -> dict[str, int]:
    """Every stack after a year. Odd ones round up, unless that would tie with one that was larger before: then down.

    Two stacks that were as large as each other stay so; stacks that come to nothing are left in as 0.
    """
    after: dict[str, int] = {}
    for power, amount in sorted(box.items(), key=lambda one: -one[1]):
        up = (amount + 1) // 2
        tied = amount % 2 and any(box[other] > amount and kept == up for other, kept in after.items())
        after[power] = amount // 2 if tied else up
    return after


def tallies(box: Iterable[InfluenceStack]) -> tuple[BidTally, ...]:
    """Who has how many, supporters counted with the power they support, the largest total first.

    A supporter of himself, of somebody who supports another, or of somebody who has nothing of his own there, counts
    for himself.
    """
    found = {one.power: one for one in box}
    own = {power: one.amount for power, one in found.items() if not supports(one, found)}
    support = dict.fromkeys(own, 0)
    for power, one in found.items():
        if power not in own:
            support[one.backs] += one.amount
    counted = (BidTally(power, own[power], support[power]) for power in own)
    return tuple(sorted((one for one in counted if one.total), key=lambda one: (-one.total, -one.own, one.power)))


def supports(one: InfluenceStack, box: Mapping[str, InfluenceStack]) -> bool:
    """Whether the stack counts for the power it is marked for."""
    helped = box.get(one.backs)
    return helped is not None and helped.power != one.power and not helped.backs and helped.amount > 0


def winners(counted: tuple[BidTally, ...], last: str | None) -> tuple[str, ...]:
    """Who controls a box: the highest total. `last`, the controller of the year before, keeps it in a tie, and where
    nobody has anything. Several: a coalition; none: nobody.
    """
    if not counted:
        return (last,) if last else ()
    best = [one.power for one in counted if one.total == counted[0].total]
    return (last,) if last in best else tuple(sorted(best))


def controllers(ledger: Ledger, minor: str) -> tuple[str, ...]:
    """Sorted; several are a coalition."""
    return tuple(sorted(key.power for key in ledger if key.purse == CONTROL and key.subject == minor))


def commanded(position: Position, power: str) -> frozenset[str]:
    """The power itself and the minor powers that it controls alone."""
    minors = {key.subject for key in position.ledger if key.purse == CONTROL and key.power == power}
    return frozenset({power, *(minor for minor in minors if controllers(position.ledger, minor) == (power,))})


def belligerent(ledger: Ledger, power: str, minor: str = "") -> int:
    """The year in which he took a home centre of this minor power (of any) that he controlled; 0: he did not."""
    years = (n for key, n in ledger.items() if key.purse == BELLIGERENT and key.power == power)
    if minor:
        return ledger.get(LedgerKey(BELLIGERENT, power, minor), 0)
    return next(years, 0)


def ruled(ledger: Ledger, minor: str, powers: Iterable[str]) -> dict[LedgerKey, int]:
    """The ledger with these powers in control."""
    kept = {key: amount for key, amount in ledger.items() if not _about(key, CONTROL, minor)}
    return kept | {LedgerKey(CONTROL, power, minor): 1 for power in powers}


def alive(position: Position, minor: str) -> bool:
    """A minor power with neither centre nor unit is gone, and its box is closed."""
    return bool(position.units_of(minor) or position.centres_of(minor)) or any(
        one.unit.power == minor for one in position.dislodged
    )


def boxes(position: Position, variant: Variant) -> tuple[Minor, ...]:
    """The minor powers that can be bid for."""
    return tuple(minor for minor in variant.minors if minor.homes and alive(position, minor.name))


class Influence(Struct, frozen=True):
    """How points are earned and what they do. `per_centre`: points a year, `punished` for past belligerents.

    `yards` are build centres that give points as a centre does, to whoever holds them (`native`: to the power that may
    build there, while it does). `hidden`: who has what, and who controls whom, is secret; then `numbers_after` shows
    the numbers after the bids too, and `members_known` tells a coalition's members of each other.
    `annexation` points go into the controller's stack for each centre the minor power takes (out: that it loses); into
    each member's of a coalition where `coalition_annexes`. `bank`: points not bid are kept.
    A minor power's centres count for whoever controls it alone, `lead` points ahead of the next.
    """

    per_centre: int = 3
    punished: int = 2
    yards: tuple[str, ...] = ()
    native: bool = False
    caps: tuple[InfluenceCap, ...] = ()
    hidden: bool = False
    numbers_after: bool = False
    members_known: bool = False
    annexation: int = 3
    coalition_annexes: bool = False
    bank: bool = False
    lead: int = 10

    def collected(self, position: Position, power: str) -> int:
        """Points of this year, and those kept from earlier ones."""
        provinces = position.board.provinces
        held = [
            code
            for code in self.yards
            if holder(position, code) == power and (not self.native or provinces[code].home == power)
        ]
        rate = self.punished if belligerent(position.ledger, power) else self.per_centre
        return rate * (len(position.centres_of(power)) + len(held)) + position.ledger.get(LedgerKey(BANK, power), 0)

    def accounts(self, variant: Variant) -> Mapping[str, tuple[str, ...]]:
        """The purses that hold points from one year to the next, each with whom they lie with (nothing: nobody)."""
        boxed = {IP: tuple(minor.name for minor in variant.minors if minor.homes)}
        return boxed | ({BANK: ()} if self.bank else {})

    def most(self, position: Position, power: str) -> int | None:
        """On one minor power; None: any number."""
        return next((cap.most for cap in self.caps if (cap.power, cap.year) == (power, position.year)), None)

    # ---- a year

    def aged(self, position: Position, variant: Variant) -> Position:
        """A Spring's beginning: stacks halved, then annexations of last Winter; boxes of the dead are closed."""
        ledger = {key: n for key, n in position.ledger.items() if key.purse not in (IP, OWED)}
        open_boxes = {minor.name for minor in boxes(position, variant)}
        for minor in open_boxes:
            kept = halved({stack.power: stack.amount for stack in stacks(position.ledger, minor)})
            for key, amount in position.ledger.items():
                if key.purse == OWED and key.subject == minor:
                    kept[key.power] = max(0, kept.get(key.power, 0) + amount)
            ledger |= {LedgerKey(IP, power, minor): amount for power, amount in kept.items() if amount}
        closed = {key for key in ledger if key.purse in (BACKS, CONTROL) and _box(key) not in open_boxes}
        return replace(position, ledger={key: n for key, n in sorted(ledger.items()) if key not in closed})

    # ---- the count of centres

    def settle(self, position: Position, variant: Variant) -> Turn:
        """What a count of centres does to boxes: annexations are noted, and who took a home centre of a minor power
        that he controlled loses his influence.
        """
        ledger = self._annexed(position, variant)
        events: list[Event] = []
        for minor in variant.minors:
            takers = _takers(position, minor)
            if not takers:
                continue
            rulers = controllers(ledger, minor.name)
            events += (Belligerent(power, minor.name, position.year) for power in takers)
            ledger = _shorn(ledger, takers)
            ledger |= {LedgerKey(BELLIGERENT, power, minor.name): position.year for power in takers}
            left = tuple(power for power in rulers if power not in takers)
            left = left or winners(tallies(stacks(ledger, minor.name)), None)
            ledger = ruled(ledger, minor.name, left)
            events.append(self._passed(minor.name, left))
        return Turn(replace(position, ledger=dict(sorted(ledger.items()))), tuple(events))

    def _passed(self, minor: str, powers: tuple[str, ...]) -> Event:
        return ControlPassed(minor, powers, audience=frozenset(powers) if self.hidden else None)

    def _annexed(self, position: Position, variant: Variant) -> dict[LedgerKey, int]:
        ledger = dict(position.ledger)
        for minor in boxes(position, variant):
            rulers = controllers(ledger, minor.name)
            now = set(position.centres_of(minor.name))
            was = {code for code, owner in position.before.items() if owner == minor.name}
            change = self.annexation * (len(now - was) - len(was - now))
            for power in rulers if change and (len(rulers) == 1 or self.coalition_annexes) else ():
                ledger[LedgerKey(OWED, power, minor.name)] = change
        return ledger

    def size(self, position: Position, variant: Variant, power: str) -> int:
        """A power's centres for victory, those of minor powers under its firm influence counted."""
        firm = (m.name for m in boxes(position, variant) if self.firm(position, m.name) == power)
        return len(position.centres_of(power)) + sum(len(position.centres_of(minor)) for minor in firm)

    def firm(self, position: Position, minor: str) -> str | None:
        """Who controls a minor power alone, and far enough ahead of the next."""
        rulers = controllers(position.ledger, minor)
        counted = tallies(stacks(position.ledger, minor))
        mine = next((one.total for one in counted if (one.power,) == rulers), 0)
        next_best = max((one.total for one in counted if (one.power,) != rulers), default=0)
        return rulers[0] if mine - next_best >= self.lead else None

    # ---- who may know what

    def seen(
        self, position: Position, variant: Variant, reader: str | None, *, master: bool = False
    ) -> tuple[VisibleBox, ...]:
        """The boxes as a power's player may know them (None: somebody without a power; `master` knows all)."""
        return tuple(self._sight(position, minor.name, reader, master) for minor in boxes(position, variant))

    def _sight(self, position: Position, minor: str, reader: str | None, master: bool) -> VisibleBox:
        box, rulers = stacks(position.ledger, minor), controllers(position.ledger, minor)
        counted = tallies(box)
        mine = next((one for one in box if one.power == reader), None)
        if not self.hidden or master:
            return VisibleBox(minor, counted, mine, rulers, len(rulers))
        nameless = tuple(one._replace(power="") for one in counted)
        if reader not in rulers:
            return VisibleBox(minor, nameless, mine, ())
        return VisibleBox(minor, nameless, mine, rulers if self.members_known else (reader,), len(rulers))


def _box(key: LedgerKey) -> str:
    return key.subject.partition("/")[0]


def _takers(position: Position, minor: Minor) -> tuple[str, ...]:
    """Controllers who have just become owners of a home centre that was the minor power's until then."""
    rulers = controllers(position.ledger, minor.name)
    taken = {
        position.centres.get(code)
        for code in minor.homes
        if position.before.get(code) == minor.name and position.centres.get(code) != minor.name
    }
    return tuple(power for power in rulers if power in taken)


def _shorn(ledger: Ledger, powers: tuple[str, ...]) -> dict[LedgerKey, int]:
    """Without any influence of these powers."""
    lost = (IP, BACKS, OWED)
    return {key: amount for key, amount in ledger.items() if not (key.purse in lost and key.power in powers)}


INFLUENCE = Influence()
