"""One position made ready for reading orders: who stands where, who writes, what a unit may try.

A check that fails raises `OrderError`; what was obeyed with a warning is collected in `OrderContext.warnings`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from weakref import WeakKeyDictionary

from msgspec import Struct, field
from msgspec.structs import replace

from gm.judge.board.board import AIR, Board, Location, Place, locations
from gm.judge.board.planar_board import PlanarBoard
from gm.judge.model.orders import Statement, UnitRef
from gm.judge.model.position import Dislodged, Position, Unit, ref
from gm.judge.model.variant import Variant
from gm.judge.movement.legality import LegalityChecker
from gm.language.i18n.place_names import PlaceNames
from gm.language.i18n.vocabulary import vocabulary_of
from gm.language.orders.parsing.lexer import WrittenPlace
from gm.language.orders.parsing.parse_tree import UnitNode
from gm.language.rendering import order_text as write


class OrderWarning(Struct, frozen=True):
    """An error or a warning of an order: columns, sentence key, fields, suggestions."""

    key: str
    start: int
    end: int
    fields: tuple[tuple[str, str], ...] = ()
    suggestions: tuple[str, ...] = ()


class OrderError(Exception):
    """The order cannot be obeyed as it stands."""

    def __init__(self, warning: OrderWarning) -> None:
        super().__init__(warning.key)
        self.warning = warning


def order_error(
    key: str, at: WrittenPlace | tuple[int, int], *, suggestions: Iterable[str] = (), **fields: str
) -> OrderError:
    start, end = (at.start, at.end) if isinstance(at, WrittenPlace) else at
    return OrderError(OrderWarning(key, start, end, tuple(fields.items()), tuple(suggestions)))


def only_province(name: WrittenPlace) -> str:
    """Raises OrderError for a name that several provinces have."""
    if len(name.provinces) > 1:
        raise order_error("which-place", name, word=name.text, places=" ".join(name.provinces))
    return name.provinces[0]


_NAMES: WeakKeyDictionary[Board, dict[str, PlaceNames]] = WeakKeyDictionary()


def place_names(board: Board, variant: Variant) -> PlaceNames:
    """The names of the board's provinces in the variant's language. A board belongs to one variant."""
    known = _NAMES.setdefault(board, {})
    names = known.get(variant.language)
    if names is None:
        called = variant.translation.provinces if variant.translation is not None else {}
        names = known[variant.language] = PlaceNames(
            board.provinces, board.marks, called, vocabulary_of(variant.language)
        )
    return names


class UnitsByProvince:
    """A position's units by province."""

    __slots__ = ("_checker", "_names", "alone", "dislodged", "position", "variant")

    def __init__(self, variant: Variant, position: Position) -> None:
        self.variant = variant
        self.position = position
        self.alone = position.alone
        self.dislodged: dict[str, tuple[Dislodged, ...]] = {}
        for out in position.dislodged:
            self.dislodged[out.unit.at.province] = (*self.dislodged.get(out.unit.at.province, ()), out)
        self._names: PlaceNames | None = None
        self._checker: LegalityChecker | None = None

    @property
    def units(self) -> Mapping[str, tuple[Unit, ...]]:
        return self.position.standing

    @property
    def names(self) -> PlaceNames:
        if self._names is None:
            self._names = place_names(self.position.board, self.variant)
        return self._names

    @property
    def checker(self) -> LegalityChecker:
        """Made for the first order that needs it."""
        if self._checker is None:
            self._checker = LegalityChecker.of(self.position, self.variant.kinds, self.variant.rulebook)
        return self._checker


class OrderContext(Struct):
    """What is known while one order is read: the units, the power that writes, and the warnings so far.

    `seen` are the provinces looked at, with their units; while `local` holds, nothing else mattered. `owners`: the line
    names powers, so that the owners of units matter. `transient`: more than units mattered.
    """

    here: UnitsByProvince
    power: str
    any_unit: bool = False
    warnings: list[OrderWarning] = field(default_factory=list)
    seen: dict[tuple[str, bool], tuple[Unit, ...]] = field(default_factory=dict)
    local: bool = True
    owners: bool = False
    transient: bool = False

    @property
    def position(self) -> Position:
        return self.here.position

    @property
    def variant(self) -> Variant:
        return self.here.variant

    def name(self, province: str) -> str:
        return self.position.board.provinces[province].name

    def places(self, written: WrittenPlace) -> tuple[Place, ...]:
        """The places that the words may mean; a coast that the province lacks is left out."""
        places = []
        for code in written.provinces:
            coasts = self.position.board.provinces[code].coasts
            coast = self.here.names.coast(code, written.coast, coasts) if written.coast and coasts else None
            if written.coast and not coasts and isinstance(self.position.board, PlanarBoard):
                self.warn("one-coast", written, place=self.name(code))
            places.append(Place(code, coast or ""))
        return tuple(places)

    def units_at(self, written: WrittenPlace, *, whose: bool) -> tuple[Unit, ...]:
        """`whose`: the owners of the units matter."""
        units: tuple[Unit, ...] = ()
        for code in written.provinces:
            there = self.seen[code, whose] = self.here.units.get(code, ())
            units += there
        return units

    def own(self, written: UnitNode) -> tuple[Unit, ...]:
        """The writer's units the words may mean, at least one; else an OrderError that says who stands there."""
        self.owners = self.owners or bool(written.nation)
        if written.nation and written.nation != self.power:
            raise order_error("other-power", written.name, power=written.nation, word=written.name.text)
        there = self.units_at(written.name, whose=True)
        mine = tuple([unit for unit in there if unit.power == self.power])
        mine = mine or self._beginning_so(written)
        if mine:
            return self._numbered(written, self._of_kind(written, mine))
        return self.nobody(written, there)

    def _beginning_so(self, written: UnitNode) -> tuple[Unit, ...]:
        """The only unit of the writer's whose province begins with the letters of another one's code: German "Liv" is
        Livonia, but an English army there is the one in Liverpool.
        """
        begins = self.here.names.beginning(written.name.text).difference(written.name.provinces)
        if not begins or self.any_unit:
            return ()
        self.transient = True
        here = tuple([unit for unit in self.position.units_of(self.power) if unit.at.province in begins])
        return here if len(here) == 1 and written.kind in ("", here[0].kind) else ()

    def nobody(self, written: UnitNode, there: tuple[Unit, ...]) -> tuple[Unit, ...]:
        """No unit of the writer's stands there: a made-up one where anything goes, else an OrderError."""
        if self.any_unit and len(written.name.provinces) == 1:
            return (there[0] if there else self.imagined(written),)
        if there:
            unit = there[0]
            raise order_error(
                "not-yours", written.name, power=unit.power, unit=self.call(unit), place=self.name(unit.at.province)
            )
        mine = " ".join(self.call(u).replace(" ", "_") for u in self.position.units_of(self.power))
        if len(written.name.provinces) > 1:
            raise order_error(
                "which-place", written.name, word=written.name.text, places=" ".join(written.name.provinces)
            )
        raise order_error("no-unit", written.name, place=self.name(written.name.provinces[0]), units=mine)

    def imagined(self, written: UnitNode) -> Unit:
        """A unit that is not there, as the words have it."""
        place = self.places(written.name)[0]
        kinds = self.variant.kinds
        fitting = [k for k in kinds if locations(self.position.board, kinds[k], place.province)] or list(kinds)
        flying = [k for k in fitting if kinds[k].layer == AIR] if written.name.coast == AIR else []
        kind = written.kind if written.kind in kinds else (flying or fitting)[0]
        spots = locations(self.position.board, kinds[kind], place.province)
        at = next((at for at in spots if at.slot == place.coast), spots[0] if spots else None)
        if at is None:
            raise order_error("wrong-ground", written.name, place=self.name(place.province), kind=kinds[kind].name)
        return Unit("", kind, at)

    def _of_kind(self, written: UnitNode, units: tuple[Unit, ...]) -> tuple[Unit, ...]:
        """Those of the kind written; where there is only one unit anyway it is meant, with a remark."""
        if len(units) == 1 and units[0].kind == written.kind:
            return units
        units = tuple(unit for unit in units if self.alike(written, unit))
        same = tuple(unit for unit in units if not written.kind or unit.kind == written.kind)
        if same:
            return same
        if not units:
            return self._no_such(written)
        if len(units) > 1:
            lines = " ".join(self.call(unit).replace(" ", "_") for unit in units)
            raise order_error("which-unit", written.name, word=written.name.text, units=lines)
        self.warn("wrong-kind", written.name, unit=self.call(units[0]), kind=self.variant.kinds[units[0].kind].name)
        return units

    def _own_first(self, written: UnitNode, units: tuple[Unit, ...]) -> tuple[Unit, ...]:
        """Of units that stand together and no named power, the writer's own. Raises OrderError where there are none."""
        crowds = {unit.at for unit in units if sum(other.at == unit.at for other in units) > 1}
        meant: list[Unit] = []
        for unit in units:
            powers = {other.power for other in units if other.at == unit.at}
            self.owners = self.owners or len(powers) > 1
            if unit.at not in crowds or len(powers) == 1 or unit.power == self.power:
                meant.append(unit)
            elif self.power not in powers:
                named = " ".join(sorted(power.replace(" ", "_") for power in powers))
                raise order_error("whose-unit", written.name, word=written.name.text, units=named)
        return tuple(meant)

    def _numbered(self, written: UnitNode, candidates: tuple[Unit, ...]) -> tuple[Unit, ...]:
        """The one with the number written; else one without a number for all that stand together."""
        number = written.name.number
        if number:
            same = tuple(unit for unit in candidates if max(unit.number, 1) == number)
            if not same and not self.any_unit:
                units = " ".join(self.call(unit).replace(" ", "_") for unit in candidates)
                raise order_error("no-such-number", written.name, word=written.name.text, units=units)
            return same or candidates[:1]
        if len(candidates) == 1 and not candidates[0].number:
            return candidates
        first: dict[Location, Unit] = {}
        for unit in sorted(candidates, key=lambda unit: unit.number):
            first.setdefault(unit.at, replace(unit, number=0))
        return tuple(first.values())

    def alike(self, written: UnitNode, unit: Unit) -> bool:
        """Whether the words can mean this unit, at most in the wrong kind: not an army for a wing."""
        kinds = self.variant.kinds
        if not written.kind:
            return written.name.coast != AIR or kinds[unit.kind].layer == AIR
        return written.kind not in kinds or kinds[written.kind].layer == kinds[unit.kind].layer

    def _no_such(self, written: UnitNode) -> tuple[Unit, ...]:
        """Units stand there, but none in that layer."""
        if self.any_unit and len(written.name.provinces) == 1:
            return (self.imagined(written),)
        aloft = written.name.coast == AIR or self.variant.kinds[written.kind].layer == AIR
        key = "no-wing-there" if aloft else "nobody-there"
        raise order_error(key, written.name, place=self.name(written.name.provinces[0]))

    def one_place(self, written: WrittenPlace, units: Sequence[Unit], lines: Iterable[str]) -> None:
        """Asks which unit is meant, where it is not the place that is in doubt: one on the ground, one in the air."""
        if len(units) > 1 and len({unit.at.province for unit in units}) == 1 and len(written.provinces) == 1:
            named = " ".join(self.call(unit).replace(" ", "_") for unit in units)
            raise order_error("which-unit", written, suggestions=lines, word=written.text, units=named)

    def others(self, written: UnitNode) -> tuple[Unit, ...]:
        """Units of anybody the words may mean, at least one."""
        there = self.units_at(written.name, whose=False)
        if written.nation:
            self.owners = True
            fitting = tuple(unit for unit in there if unit.power == written.nation)
            if there and not fitting:
                self._misnamed(written, there)
            there = fitting or there
        if there:
            units = self._of_kind(written, there)
            return self._numbered(written, self._own_first(written, units)) if len(units) > 1 else units
        if self.any_unit and len(written.name.provinces) == 1:
            return (self.imagined(written),)
        if len(written.name.provinces) > 1:
            raise order_error(
                "which-place", written.name, word=written.name.text, places=" ".join(written.name.provinces)
            )
        raise order_error("nobody-there", written.name, place=self.name(written.name.provinces[0]))

    def _misnamed(self, written: UnitNode, there: tuple[Unit, ...]) -> None:
        """The nation written has no unit there. It is overlooked (DATC 3.0, 4.C.6), except where units stand together:
        there it says which of them is meant.
        """
        fields = {"power": written.nation, "unit": self.call(there[0]), "owner": there[0].power}
        if len(there) > 1 and any(self.position.board.provinces[unit.at.province].shared for unit in there):
            raise order_error("not-of-nation", written.name, **fields)
        self.warn("other-nation", written.name, **fields)

    def warn(self, key: str, at: WrittenPlace, **fields: str) -> None:
        """Adds a warning to an order that is obeyed; the same one only once."""
        made = OrderWarning(key, at.start, at.end, tuple(fields.items()))
        if made not in self.warnings:
            self.warnings.append(made)

    def line(self, statement: Statement) -> str:
        """The statement as the sheet would show it."""
        return write.statement(statement, self.variant.step(self.position).letter)

    @staticmethod
    def ref(unit: Unit) -> UnitRef:
        return ref(unit)

    def ref_of(self, target: Unit) -> UnitRef:
        """A unit of anybody's: with its power where it stands with other powers' units, and is not the writer's."""
        there = self.here.units.get(target.at.province, ())
        if len(there) < 2 or not self.position.board.provinces[target.at.province].shared:
            return self.ref(target)
        self.owners = True
        mine = target.power == self.power or all(unit.power == target.power for unit in there)
        whose = "" if mine else target.power
        return replace(self.ref(target), power=whose)

    def call(self, unit: Unit) -> str:
        return str(self.ref(unit))
