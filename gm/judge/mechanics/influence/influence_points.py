"""Influence Points: the points of great powers in the minor powers' boxes, and the control they give.

The ledger holds everything. A stack is an account of `IP` (its power, the box); `BACKS` marks one that counts for
another power's total, `SHARE` how much of it; `CONTROL` says who writes a minor power's orders until the next bids
(several: a coalition). Letters show only what `Influence.seen` returns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from gm.judge.mechanics.influence.bid_orders import Belligerent, ControlPassed
from gm.judge.model.events import Event, OrderResult, Outcome
from gm.judge.model.influence_boxes import BIDS, BidTally, InfluenceStack, VisibleBox
from gm.judge.model.orders import Waive
from gm.judge.model.position import LedgerKey, Position
from gm.judge.model.sheets import Turn
from gm.judge.model.variant import Minor, Variant
from gm.judge.steps.build_rules import holder

IP = "IP"
BACKS = "backs"
"""The purse of (supporter, "Poland/Germany"): the supporter's stack in Poland's box counts for Germany."""
SHARE = "share"
"""The purse of (supporter, "Poland/Germany") where only so many of these points do."""
CONTROL = "control"
BELLIGERENT = "belligerent"
"""The purse of (power, minor power) for a power that took a home centre of a minor it controlled: the year."""
OWED = "annexed"
"""The purse of (power, minor power) for points added to, or removed from, a stack next Spring."""
BANK = "bank"
"""The purse of points kept from earlier years."""

Ledger = Mapping[LedgerKey, int]


class InfluenceCap(NamedTuple):
    """In `year` this power may put at most `most` points on one minor power."""

    power: str
    year: int
    most: int


def stacks(ledger: Ledger, minor: str) -> tuple[InfluenceStack, ...]:
    """The stacks in a box, the largest first."""
    backs = {key.power: key.subject.partition("/")[2] for key in ledger if _about(key, BACKS, minor)}
    shares = {key.power: amount for key, amount in ledger.items() if _about(key, SHARE, minor)}
    box = [
        InfluenceStack(key.power, amount, backs.get(key.power, ""), min(amount, shares.get(key.power, 0)))
        for key, amount in ledger.items()
        if key.purse == IP and key.subject == minor and amount > 0
    ]
    return tuple(sorted(box, key=lambda stack: (-stack.amount, stack.power)))


def _about(key: LedgerKey, purse: str, minor: str) -> bool:
    return key.purse == purse and key.subject.partition("/")[0] == minor


def halved(box: Mapping[str, int]) -> dict[str, int]:
    """Every stack after a year. Odd ones round up, or down if rounding up would tie with a larger stack.

    Equal stacks stay equal; empty ones are left in as 0.
    """
    after: dict[str, int] = {}
    for power, amount in sorted(box.items(), key=lambda item: -item[1]):
        up = (amount + 1) // 2
        tied = amount % 2 and any(box[other] > amount and kept == up for other, kept in after.items())
        after[power] = amount // 2 if tied else up
    return after


def tallies(box: Iterable[InfluenceStack]) -> tuple[BidTally, ...]:
    """The bidders' points with those of their supporters, the largest total first.

    A supporter of itself, of another supporter, or of a power without points there, counts for itself; so do the points
    beside the share of one who supports with a part.
    """
    stacks = {stack.power: stack for stack in box}
    given = {power: stack.share or stack.amount for power, stack in stacks.items() if supports(stack, stacks)}
    own = {power: stack.amount - given.get(power, 0) for power, stack in stacks.items()}
    support = dict.fromkeys(own, 0)
    for power, amount in given.items():
        support[stacks[power].backs] += amount
    counted = (BidTally(power, own[power], support[power]) for power in own)
    totals = [tally for tally in counted if tally.total]
    return tuple(sorted(totals, key=lambda tally: (-tally.total, -tally.own, tally.power)))


def supports(stack: InfluenceStack, box: Mapping[str, InfluenceStack]) -> bool:
    """Whether the stack counts for the power it is marked for."""
    helped = box.get(stack.backs)
    return helped is not None and helped.power != stack.power and not helped.backs and helped.amount > 0


def winners(counted: tuple[BidTally, ...], last: str | None) -> tuple[str, ...]:
    """The controllers of a box: those with the highest total; several are a coalition.

    `last`, the controller of the year before, keeps it in a tie, and if the box is empty.
    """
    if not counted:
        return (last,) if last else ()
    best = [tally.power for tally in counted if tally.total == counted[0].total]
    return (last,) if last in best else tuple(sorted(best))


def controllers(ledger: Ledger, minor: str) -> tuple[str, ...]:
    """Sorted; several are a coalition."""
    return tuple(sorted(key.power for key in ledger if key.purse == CONTROL and key.subject == minor))


def commanded(position: Position, power: str) -> frozenset[str]:
    """The power itself and the minor powers that it controls alone."""
    minors = {key.subject for key in position.ledger if key.purse == CONTROL and key.power == power}
    return frozenset({power, *(minor for minor in minors if controllers(position.ledger, minor) == (power,))})


def belligerent(ledger: Ledger, power: str, minor: str = "") -> int:
    """The year in which a power took a home centre of this (or any) minor power that it controlled; 0: never."""
    years = (n for key, n in ledger.items() if key.purse == BELLIGERENT and key.power == power)
    if minor:
        return ledger.get(LedgerKey(BELLIGERENT, power, minor), 0)
    return next(years, 0)


def with_controllers(ledger: Ledger, minor: str, powers: Iterable[str]) -> dict[LedgerKey, int]:
    """The ledger with these powers in control."""
    kept = {key: amount for key, amount in ledger.items() if not _about(key, CONTROL, minor)}
    return kept | {LedgerKey(CONTROL, power, minor): 1 for power in powers}


def boxes(position: Position, variant: Variant) -> tuple[Minor, ...]:
    """The minor powers that can be bid for. One with neither centre nor unit is gone, and its box is closed."""
    return tuple(minor for minor in variant.minors if minor.homes and position.survives(minor.name))


class Influence(Struct, frozen=True):
    """How points are earned and what they do. `per_centre`: points a year, `punished` for past belligerents.

    `yards` give points like centres to the power that holds them (`native`: only to their home power). `hidden`: points
    and control are secret; then the numbers are shown before the bids only, or always (`numbers_after`), and
    `members_known` shows a
    coalition's members to each other. `annexation` points are added to the controller's stack for each centre the minor
    power takes, and removed for each it loses; with `coalition_annexes` for each member of a coalition. `bank`: points
    not bid are kept. A minor power's centres count for its single controller if it is `lead` points ahead of the next.
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
        """The points of this year, with those kept from earlier ones."""
        provinces = position.board.provinces
        held = [
            code
            for code in self.yards
            if holder(position, code) == power and (not self.native or provinces[code].home == power)
        ]
        rate = self.punished if belligerent(position.ledger, power) else self.per_centre
        return rate * (len(position.centres_of(power)) + len(held)) + position.ledger.get(LedgerKey(BANK, power), 0)

    def accounts(self, variant: Variant) -> Mapping[str, tuple[str, ...]]:
        """The purses that hold points from one year to the next, each with its subjects."""
        boxed = {IP: tuple(minor.name for minor in variant.minors if minor.homes)}
        return boxed | ({BANK: ()} if self.bank else {})

    def most(self, position: Position, power: str) -> int | None:
        """The most points on one minor power; None: any number."""
        return next((cap.most for cap in self.caps if (cap.power, cap.year) == (power, position.year)), None)

    def start_year(self, position: Position, variant: Variant) -> Position:
        """Halves the stacks, adds last Winter's annexations, and closes the boxes of minor powers that are gone."""
        ledger = {key: n for key, n in position.ledger.items() if key.purse not in (IP, OWED)}
        ledger |= {key: (n + 1) // 2 for key, n in ledger.items() if key.purse == SHARE}
        open_boxes = {minor.name for minor in boxes(position, variant)}
        for minor in open_boxes:
            kept = halved({stack.power: stack.amount for stack in stacks(position.ledger, minor)})
            for key, amount in position.ledger.items():
                if key.purse == OWED and key.subject == minor:
                    kept[key.power] = max(0, kept.get(key.power, 0) + amount)
            ledger |= {LedgerKey(IP, power, minor): amount for power, amount in kept.items() if amount}
        closed = {key for key in ledger if key.purse in (BACKS, SHARE, CONTROL) and _box(key) not in open_boxes}
        return replace(position, ledger={key: n for key, n in sorted(ledger.items()) if key not in closed})

    def settle(self, position: Position, variant: Variant) -> Turn:
        """Records annexations after a census; every power that took a home centre of a minor power it controlled loses
        its influence. Then the minor powers that lost their controllers get others, from the boxes of all who are left.
        """
        takers = {minor.name: _takers(position, minor) for minor in variant.minors}
        belligerents = frozenset(power for powers in takers.values() for power in powers)
        ledger = _without_influence(self._with_annexations(position, variant), belligerents)
        events: list[Event] = []
        for minor, lost in ((minor, powers) for minor, powers in takers.items() if powers):
            events += (Belligerent(power, minor, position.year) for power in lost)
            ledger |= {LedgerKey(BELLIGERENT, power, minor): position.year for power in lost}
            left = tuple(power for power in controllers(ledger, minor) if power not in lost)
            left = left or winners(tallies(stacks(ledger, minor)), None)
            ledger = with_controllers(ledger, minor, left)
            events.append(self._control_passed(minor, left))
        return Turn(replace(position, ledger=dict(sorted(ledger.items()))), tuple(events))

    def _control_passed(self, minor: str, powers: tuple[str, ...]) -> Event:
        return ControlPassed(minor, powers, audience=frozenset(powers) if self.hidden else None)

    def _with_annexations(self, position: Position, variant: Variant) -> dict[LedgerKey, int]:
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
        """A power's centres for victory, with those of minor powers under its firm control."""
        firm = (m.name for m in boxes(position, variant) if self.firm_controller(position, m.name) == power)
        return len(position.centres_of(power)) + sum(len(position.centres_of(minor)) for minor in firm)

    def firm_controller(self, position: Position, minor: str) -> str | None:
        """The single controller of a minor power with a sufficient lead."""
        rulers = controllers(position.ledger, minor)
        counted = tallies(stacks(position.ledger, minor))
        mine = next((tally.total for tally in counted if (tally.power,) == rulers), 0)
        next_best = max((tally.total for tally in counted if (tally.power,) != rulers), default=0)
        return rulers[0] if mine - next_best >= self.lead else None

    def published(self, turn: Turn, variant: Variant) -> Turn:
        """With hidden control nothing shows whether somebody wrote for a minor power.

        A minor power without orders, beside the public list of powers that wrote nothing, would reveal its controller.
        So the orders that the rules supply look like written ones, and unused builds are not shown.
        """
        if not self.hidden:
            return turn
        names = {minor.name for minor in variant.minors}
        shown = (_as_if_written(event, names) for event in turn.events if not _waives(event, names))
        return replace(turn, events=tuple(shown))

    def seen(
        self, position: Position, variant: Variant, reader: str | None, *, master: bool = False
    ) -> tuple[VisibleBox, ...]:
        """The boxes, each as far as the reader may know it."""
        is_open = master or not self.hidden or self.numbers_after or variant.step(position).letter == BIDS
        seen = (self._visible_box(position, minor.name, reader, master) for minor in boxes(position, variant))
        return tuple(seen if is_open else (box._replace(tallies=(), is_open=False) for box in seen))

    def _visible_box(self, position: Position, minor: str, reader: str | None, master: bool) -> VisibleBox:
        box, rulers = stacks(position.ledger, minor), controllers(position.ledger, minor)
        counted = tallies(box)
        mine = next((stack for stack in box if stack.power == reader), None)
        if not self.hidden or master:
            return VisibleBox(minor, counted, mine, rulers, len(rulers))
        nameless = tuple(tally._replace(power="") for tally in counted)
        if reader not in rulers:
            return VisibleBox(minor, nameless, mine, ())
        return VisibleBox(minor, nameless, mine, rulers if self.members_known else (reader,), len(rulers))


BY_RULE = frozenset({"no-retreat-order", "removed-by-rule"})
"""Causes of results that say that an order was missing."""


def _waives(event: Event, minors: set[str]) -> bool:
    return isinstance(event, OrderResult) and isinstance(event.order, Waive) and event.power in minors


def _as_if_written(event: Event, minors: set[str]) -> Event:
    if not isinstance(event, OrderResult) or event.given or event.power not in minors:
        return event
    if event.cause is None or event.cause.key not in BY_RULE:
        return replace(event, given=True)
    return replace(event, given=True, outcome=Outcome.SUCCEEDS, cause=None)


def _box(key: LedgerKey) -> str:
    return key.subject.partition("/")[0]


def _takers(position: Position, minor: Minor) -> tuple[str, ...]:
    """Controllers that have just taken a home centre from the minor power."""
    rulers = controllers(position.ledger, minor.name)
    taken = {
        position.centres.get(code)
        for code in minor.homes
        if position.before.get(code) == minor.name and position.centres.get(code) != minor.name
    }
    return tuple(power for power in rulers if power in taken)


def _without_influence(ledger: Ledger, powers: frozenset[str]) -> dict[LedgerKey, int]:
    """The ledger without any influence of these powers."""
    lost = (IP, BACKS, SHARE, OWED)
    return {key: amount for key, amount in ledger.items() if not (key.purse in lost and key.power in powers)}


INFLUENCE = Influence()
