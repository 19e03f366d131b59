"""What the forms of other programs have in common: armies and fleets, one to a province, and the plain orders.

Nothing is left out unsaid: a form tells what it had no words for (`Exported.unsaid`), and the letter passes it on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from msgspec import Struct

from gm.judge.board.board import Location, Use
from gm.judge.model.orders import Build, Statement, UnitRef, Waive
from gm.judge.model.position import Dislodged, Position, Unit
from gm.judge.model.variant import Variant
from gm.language.formats.json_position import ExchangeError
from gm.language.lines.letter_contents import LetterContext, LineError
from gm.language.orders.sheet_reader import read_order
from gm.language.rendering.order_text import unit as written

Speak: TypeAlias = "Callable[[str, Statement], Iterable[str] | None]"
"""(power, its order) -> the lines that say so in a form's words; None where it has none."""
Knows: TypeAlias = "Callable[[Unit], bool]"
"""Whether a form has words for a unit of that kind, where it stands."""


class NoPhase(Exception):
    """The form has no name for the open phase, so it can tell nothing."""


class Exported(Struct, frozen=True):
    """A file's text, and what its letter says about it.

    `unsaid` are the units and lines that are not in it; `ways` those moves by sea for which a way was chosen, as the
    form must name one; `powers` and `provinces` what the form calls them, where that is not plain. `ranks` are the
    powers in the order of the file, where it tells them by their places in it.
    """

    text: str
    unsaid: tuple[str, ...] = ()
    ways: tuple[str, ...] = ()
    powers: tuple[tuple[str, str], ...] = ()
    provinces: tuple[tuple[str, str], ...] = ()
    ranks: tuple[str, ...] = ()


class Sheets(NamedTuple):
    """`lines` are by power, in the form's words."""

    lines: Mapping[str, tuple[str, ...]]
    unsaid: tuple[str, ...]


def statement(variant: Variant, position: Position, whose: str, text: str) -> Statement | None:
    """A line of the document's "orders" as an order; `whose` is "Germany" or "Germany/Poland"."""
    read = read_order(text, LetterContext(variant, position, whose.rpartition("/")[2], any_unit=True))
    return None if isinstance(read, LineError) else read


def sheets(variant: Variant, position: Position, document: Mapping[str, Any], speak: Speak) -> Sheets:
    """Every sheet in a form's words. What one power writes for another has no place in such a form."""
    lines: dict[str, tuple[str, ...]] = {}
    unsaid: list[str] = []
    for whose, texts in document.get("orders", {}).items():
        found: list[str] = []
        for text in texts:
            order = statement(variant, position, whose, text) if whose in variant.nations else None
            said = speak(whose, order) if order is not None else None
            found.extend(said or ())
            if said is None:
                unsaid.append(f"{whose}: {text}")
        if found:
            lines[whose] = tuple(found)
    return Sheets(lines, tuple(unsaid))


def waived(variant: Variant, position: Position, document: Mapping[str, Any], power: str, order: Waive) -> int:
    """How many builds a line leaves unused: forms that know no "all" say it once for each."""
    if order.count is not None:
        return order.count
    step = variant.step(position)
    owed = step.due(position, variant).get(power)
    lines = document.get("orders", {}).get(power, ())
    built = sum(isinstance(statement(variant, position, power, text), Build) for text in lines)
    return max(owed.builds - built, 0) if owed is not None else 0


def parted(position: Position, knows: Knows) -> tuple[tuple[Unit, ...], tuple[Unit, ...]]:
    """Units that such a form can tell, and the others: those it does not know, and all but the first of a province."""
    first: dict[str, Unit] = {}
    for unit in filter(knows, position.units):
        first.setdefault(unit.at.province, unit)
    told = tuple(unit for unit in position.units if first.get(unit.at.province) is unit)
    return told, tuple(unit for unit in position.units if first.get(unit.at.province) is not unit)


def untold(position: Position, knows: Knows) -> tuple[str, ...]:
    """Units that are not in the file, as its letter names them."""
    driven = (one.unit for one in position.dislodged if not knows(one.unit))
    return tuple(named(unit) for unit in (*parted(position, knows)[1], *driven))


def with_untold(position: Position, knows: Knows, units: dict[str, list[str]]) -> dict[str, list[str]]:
    """What a file cannot tell stays as it is in the game."""
    found = {power: list(texts) for power, texts in units.items()}
    for unit in parted(position, knows)[1]:
        found.setdefault(unit.power, []).append(written(unit))
    return found


def named(unit: Unit) -> str:
    return f"{unit.power}: {written(unit)}"


def meant(position: Position, ref: UnitRef, power: str = "") -> Unit | None:
    """The unit that an order names, those that must retreat first; only of that power where one is named."""
    every = (*(one.unit for one in position.dislodged), *position.units)
    wanted = ref.power or power
    return next(
        (
            unit
            for unit in every
            if (unit.kind, unit.at.province) == (ref.kind, ref.at.province) and wanted in ("", unit.power)
        ),
        None,
    )


class DislodgedUnit(NamedTuple):
    """A unit that must retreat, as a form tells it that does not say who drove it out."""

    power: str
    kind: str
    place: str
    retreats: tuple[str, ...]


def driven_out(
    variant: Variant,
    position: Position,
    driven: Iterable[DislodgedUnit],
    units: Mapping[str, Iterable[str]],
    knows: Knows,
) -> dict[str, list[dict[str, Any]]]:
    """The document's "dislodged", with those that the form cannot tell as they are in the game. Who drove a unit out is
    what the game itself knows of the same unit. Otherwise it is the unit that stands there now, from a province beside
    it: one that is closed to the retreat, empty and its own power's if there is such a one.
    """
    found: dict[str, list[dict[str, Any]]] = {}
    left: set[str] = set()
    for one in driven:
        if (province := one.place.partition("/")[0]) in left:
            raise ExchangeError(f"two units must retreat from {province}")
        left.add(province)
        by = _known(position, one) or _guess(variant, position, one, units)
        if by is None:
            raise ExchangeError(f"nothing can have driven {one.kind} {one.place} of {one.power} out")
        item = {"unit": f"{one.kind} {one.place}", "by": by, "retreats": list(one.retreats)}
        found.setdefault(one.power, []).append(item)
    for other in position.dislodged:
        if not knows(other.unit):
            ends = [str(at.place) for at in other.retreats]
            item = {"unit": written(other.unit), "by": written(other.by), "retreats": ends}
            found.setdefault(other.unit.power, []).append(item)
    return found


def _known(position: Position, one: DislodgedUnit) -> str | None:
    def same(other: Dislodged) -> bool:
        unit = other.unit
        return (unit.power, unit.kind, str(unit.at.place)) == (one.power, one.kind, one.place)

    return next((written(other.by) for other in position.dislodged if same(other)), None)


def _guess(variant: Variant, position: Position, one: DislodgedUnit, units: Mapping[str, Iterable[str]]) -> str | None:
    standing = {_province(text): (power, text.partition(" ")[0]) for power, texts in units.items() for text in texts}
    power, code = standing.get(_province(f"{one.kind} {one.place}"), ("", ""))
    if code not in variant.kinds:
        return None
    closed = {place.partition("/")[0] for place in one.retreats}
    starts = [at for at in _beside(variant, position, code, one) if at.province not in closed]
    homes = position.board.provinces
    best = min(starts, key=lambda at: (at.province in standing, homes[at.province].home != power), default=None)
    return f"{code} {best.place}" if best is not None else None


def _beside(variant: Variant, position: Position, code: str, one: DislodgedUnit) -> Iterator[Location]:
    """From where a unit of that kind could have moved in."""
    board, kind = position.board, variant.kinds[code]
    for start in (at for area in board.provinces.values() for at in area.locations if kind.stands(at.slot)):
        if any(end.province == one.place.partition("/")[0] for end in board.neighbours(start, Use.MOVE)):
            yield start


def _province(unit: str) -> str:
    """ "F StP/sc" -> "StP"."""
    return unit.partition(" ")[2].partition("/")[0]
