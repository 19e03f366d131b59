"""Centres of every power by year: for the chart, the final table, SUMMARY and the public site."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from gm.game.model.records import Snapshot
from gm.judge.model.events import CentresCounted
from gm.judge.model.variant import Variant
from gm.language.formats import stored_values


class CentreHistory(Struct, frozen=True):
    """`rows` are the centres of each power that ever owned one: at the start and after the census of each year."""

    years: tuple[int, ...]
    rows: tuple[tuple[str, tuple[int, ...]], ...]

    @property
    def counts(self) -> Mapping[str, tuple[int, ...]]:
        """The rows by power."""
        return dict(self.rows)

    def eliminated(self, power: str) -> int:
        """The year since which the power has had no centre; 0 for a survivor."""
        row = self.counts.get(power, ())
        at = max((at for at, count in enumerate(row) if count), default=-1)
        return self.years[at] if 0 <= at < len(self.years) else 0


def centre_history(variant: Variant, snapshots: Iterable[Snapshot]) -> CentreHistory:
    """`snapshots` from the start of the game on. The last census of a year counts."""
    first, *later = snapshots
    start = stored_values.position_from_text(first.position, variant)
    censuses: dict[int, Mapping[str, int]] = {}
    for snapshot in later:
        legs = stored_values.events_from_text(snapshot.events)
        counted = [event for _, events in legs for event in events if isinstance(event, CentresCounted)]
        if counted and snapshot.resolved:
            year, _ = variant.phase_at(snapshot.resolved)
            censuses[year] = {count.power: len(count.centres) for count in counted}
    counts = {
        power: (len(start.centres_of(power)), *(census.get(power, 0) for census in censuses.values()))
        for power in variant.owners
    }
    return CentreHistory(tuple(censuses), tuple((power, row) for power, row in counts.items() if any(row)))
