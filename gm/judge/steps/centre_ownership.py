"""The census: supply centres change owners, and the game may end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from gm.judge.model.events import CentresCounted, DrawOffered, Event, GameEnded, StalemateNears
from gm.judge.model.position import Ending, LedgerKey, Position
from gm.judge.model.sheets import Submissions, Turn
from gm.judge.model.variant import AutomaticStep, Step, Variant
from gm.judge.steps.adjustments import allowance
from gm.judge.steps.build_rules import ledger_with_yards

UNCHANGED = LedgerKey("still", "")
"""The ledger's count of censuses in a row without a change of ownership, for `StalemateRule`."""
FIRST_WARNING = 2


class StalemateRule(Struct, frozen=True):
    """After `censuses` without a change of owners (0: never) the game is drawn, or (`offer`) a draw is offered."""

    censuses: int = 0
    offer: bool = False


class CensusRule(Protocol):
    """What follows from a census, and how many centres a power has for victory."""

    def settle(self, position: Position, variant: Variant) -> Turn: ...

    def size(self, position: Position, variant: Variant, power: str) -> int: ...


class OwnedCentresRule:
    """A power has the centres that it owns, and nothing else follows."""

    def settle(self, position: Position, variant: Variant) -> Turn:
        return Turn(position)

    def size(self, position: Position, variant: Variant, power: str) -> int:
        return len(position.centres_of(power))


OWN_CENTRES = OwnedCentresRule()


class LastYearRule(Struct, frozen=True):
    """The game ends with the first census of `year` or later (0: never): drawn between all powers with a centre, or
    (`most`) won by the powers with most centres.
    """

    year: int = 0
    most: bool = False

    def ends(self, year: int) -> bool:
        return 0 < self.year <= year


class Census(AutomaticStep, frozen=True):
    """The power whose unit stands in a centre owns it; an empty centre keeps its owner."""

    stalemate: StalemateRule = StalemateRule()
    closing: LastYearRule = LastYearRule()
    counting: CensusRule = OWN_CENTRES

    def ends_game(self, position: Position) -> bool:
        return self.closing.ends(position.year)

    def resolve(self, position: Position, variant: Variant, book: Submissions) -> Turn:
        before = position.centres
        after = position.having(
            centres=owners(position, variant), before=before, ledger=ledger_with_yards(position, variant)
        )
        settled = self.counting.settle(after, variant)
        after = settled.position
        powers = variant.seated_by_name
        minors = tuple(name for name in variant.owners if name not in powers)
        events: list[Event] = [count_centres(after, variant, power) for power in (*powers, *minors)]
        events += settled.events
        sizes = {power: self.counting.size(after, variant, power) for power in powers}
        best = max(powers, key=lambda power: sizes[power])
        if sizes[best] >= variant.victory and list(sizes.values()).count(sizes[best]) == 1:
            alone = len(after.centres_of(best)) >= variant.victory
            return _end_game(after, events, (best,), "solo" if alone else "influence")
        survivors = tuple(power for power in powers if after.centres_of(power))
        if self.closing.ends(position.year):
            winners = tuple(p for p in survivors if sizes[p] == sizes[best]) if self.closing.most else survivors
            return _end_game(after, events, winners, "most-centres" if self.closing.most else "time-up")
        if not self.stalemate.censuses:
            return Turn(after, tuple(events))
        return self._check_stalemate(after, events, survivors)

    def _check_stalemate(self, after: Position, before: Iterable[Event], survivors: tuple[str, ...]) -> Turn:
        count = after.ledger.get(UNCHANGED, 0) + 1 if after.centres == after.before else 0
        ledger = {key: amount for key, amount in after.ledger.items() if key != UNCHANGED}
        after = after.having(ledger=ledger | {UNCHANGED: count} if count else ledger)
        events, limit = list(before), self.stalemate.censuses
        if count >= limit and not self.stalemate.offer:
            return _end_game(after, events, survivors, "stalemate")
        if count >= limit:
            events.append(DrawOffered(count, survivors))
        elif count >= FIRST_WARNING:
            events.append(StalemateNears(count, limit))
        return Turn(after, tuple(events))


def last_year(variant: Variant) -> int:
    """The year with whose census the game ends; 0 for no such year."""
    return next((step.closing.year for step in variant.calendar if isinstance(step, Census)), 0)


def with_last_year(step: Step, year: int) -> Step:
    """The step; a census with that last year (0: none)."""
    return replace(step, closing=replace(step.closing, year=year)) if isinstance(step, Census) else step


def _end_game(after: Position, events: Iterable[Event], winners: tuple[str, ...], why: str) -> Turn:
    return Turn(after.having(ended=Ending(winners, why)), (*events, GameEnded(winners, why)))


def owners(position: Position, variant: Variant) -> Mapping[str, str]:
    """The owners of all centres at a census now. Collapsed powers own none."""
    centre_owners = dict(position.centres)
    if position.ledger:
        centre_owners = {code: owner for code, owner in centre_owners.items() if not position.collapsed(owner)}
    owning, ground_kinds, centres = variant.owners, variant.ground_kinds, position.board.adjacency.centres
    alone: dict[str, str] = {}
    for unit in position.units:
        code, power = unit.at.province, unit.power
        if code in centres and unit.kind in ground_kinds and power in owning:
            alone[code] = power if alone.get(code, power) == power else ""
    centre_owners.update({code: power for code, power in alone.items() if power})
    return {code: centre_owners[code] for code in sorted(centre_owners)}


def count_centres(position: Position, variant: Variant, power: str) -> CentresCounted:
    now, was = position.centres_of(power), position.centres_before(power)
    gained = tuple([c for c in now if c not in was]) if now != was else ()
    lost = tuple([c for c in was if c not in now]) if now != was else ()
    return CentresCounted(power, now, gained, lost, len(position.units_of(power)), allowance(position, variant, power))
