"""Positions as the JSON documents of `gm adjudicate`, for other programs; the format is stable.

    {"variant": "standard", "phase": "S1901M", "units": {"Austria": ["A Bud", "F Tri"]},
     "centers": {"Austria": ["Bud"]},
     "dislodged": {"Austria": [{"unit": "F Tri", "by": "A Ven", "retreats": ["Alb", "ADR"]}]}, "seed": 0,
     "ledger": [{"purse": "still", "amount": 2}],     (with "power" and "subject" where an account has them)
     "humans": [["Chile", "Great Britain"]],         (powers that one human plays together)
     "borders": {"Por": [["MAO", "Spa"]], …},         (where borders move: see json_borders.py)
     "ahead": {"France": ["Por & Bre connect"]}}      (lines that wait for a later step, by power)

Several fleets of one power in one ocean are written "F NAT#1", "F NAT#2"; without numbers they are numbered in order.

Names are read without regard to case, provinces also by name and alias; they are written as on the map.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from gm.judge.board.board import GROUND, Board, Location, Place, Space, Use, locate, locations
from gm.judge.model.orders import Entry
from gm.judge.model.position import Dislodged, LedgerKey, Position, Unit
from gm.judge.model.unit_numbers import LAST, numbered
from gm.judge.model.variant import Minor, Power, Variant
from gm.judge.steps.retreats import RetreatStep
from gm.language.formats.json_borders import borders_to_json, codes_by_name, plain_name, read_board
from gm.language.formats.json_planned_orders import ahead_from_json, ahead_to_json
from gm.language.formats.json_values import ExchangeError, clipped, read_list, read_object, read_text
from gm.language.rendering.order_text import unit as written

MOST_READERS = 16
MEMO = 8192
"""Units that a reader caches for a power: more than in all positions of a few hundred games."""


def position_to_json(variant: Variant, position: Position) -> dict[str, Any]:
    powers = variant.nations
    return {
        "variant": variant.id,
        "phase": phase_to_json(variant, position),
        "units": {power: [written(u) for u in units] for power in powers if (units := position.units_of(power))},
        "centers": {power: list(codes) for power in powers if (codes := position.centres_of(power))},
    } | besides_to_json(variant, position)


def besides_to_json(variant: Variant, position: Position) -> dict[str, Any]:
    """The part of the document behind units and centres."""
    document: dict[str, Any] = {
        "dislodged": _driven_by_power(variant.nations, position.dislodged) if position.dislodged else {},
    }
    if position.seed:
        document["seed"] = position.seed
    if position.ledger:
        document["ledger"] = [_account(key, amount) for key, amount in position.ledger.items()]
    if position.humans:
        document["humans"] = [list(group) for group in position.humans]
    borders = borders_to_json(position.board)
    if borders is not None:
        document["borders"] = borders
    if position.ahead:
        document["ahead"] = ahead_to_json(position)
    if variant.options:
        document["options"] = dict(variant.options)
    return document


def options_from_json(document: Mapping[str, Any]) -> dict[str, str]:
    """The options of the variant that the position was written with. Raises ExchangeError."""
    options = document.get("options")
    return {str(key): str(value) for key, value in read_object({} if options is None else options, "options").items()}


def phase_to_json(variant: Variant, position: Position) -> str:
    """The step that comes next, or the next after it that players have a name for."""
    steps = len(variant.calendar)
    for ahead in range(steps):
        at = position.at + ahead
        step = variant.calendar[at % steps]
        if step.letter:
            return f"{step.season[0]}{position.year + at // steps}{step.letter}"
    return ""


def _driven_by_power(powers: Iterable[str], dislodged: tuple[Dislodged, ...]) -> dict[str, list[dict[str, Any]]]:
    """In the variant's order; a power that has none is left out."""
    by_power = {power: [_driven(d) for d in dislodged if d.unit.power == power] for power in powers}
    return {power: items for power, items in by_power.items() if items}


def _driven(dislodged: Dislodged) -> dict[str, Any]:
    return {
        "unit": written(dislodged.unit),
        "by": written(dislodged.by),
        "retreats": [str(at.place) for at in dislodged.retreats],
    }


def _account(key: LedgerKey, amount: int) -> dict[str, Any]:
    return {name: value for name, value in zip(LedgerKey._fields, key, strict=True) if value} | {"amount": amount}


def power_names(powers: Iterable[Power | Minor]) -> Mapping[str, str]:
    """Names of powers in lower case: name, adjective, aliases and initial."""
    listed = tuple(powers)
    letters = {p.letter.casefold(): p.name for p in listed if isinstance(p, Power)}
    return letters | {name.casefold(): p.name for p in listed for name in (*p.aliases, p.adjective, p.name)}


def position_from_json(variant: Variant, document: object) -> Position:
    """ExchangeError, one line, where the document is no position of this variant."""
    fields = read_object(document, "position")
    return _reader(variant, read_board(variant, fields)).position(fields)


@lru_cache(maxsize=MOST_READERS)
def _reader(variant: Variant, board: Board) -> _Reader:
    """Only for speed: the readers for the last few boards are cached."""
    return _Reader(variant, board)


class _Reader:
    """Reads the documents of one variant. The meanings of units and centres are cached."""

    def __init__(self, variant: Variant, board: Board) -> None:
        self.variant = variant
        self.powers = power_names(variant.powers)
        self.minors = {
            name.casefold(): minor for minor in variant.minors for name in (*minor.aliases, minor.adjective, minor.name)
        }
        self.poor = tuple(minor for minor in variant.minors if not minor.homes)
        self.board = board
        self.codes = codes_by_name(board)
        self._units: dict[str, dict[str, Unit]] = {}
        self._centres: dict[str, str] = {}
        self._phases: dict[str, tuple[int, int]] = {}
        self._nations = {name: name for name in variant.nations}

    def position(self, document: Mapping[str, Any]) -> Position:
        phase = read_text(document.get("phase"), "phase")
        year, at = self._phases.get(phase) or self._phase(phase)
        units = self.units(document)
        centres = self.centres(document)
        dislodged = tuple(
            self._dislodged(power, item, units)
            for power, items in self._by_power(document, "dislodged")
            for item in items
        )
        seed = document.get("seed", 0)
        if isinstance(seed, bool) or not isinstance(seed, int):
            raise ExchangeError("seed must be a whole number")
        if dislodged:
            self._retreating(phase, at, units, dislodged)
        position = Position(
            year, at, self.board, units, centres, dislodged, before=centres, ledger=self._ledger(document), seed=seed,
            humans=self._humans(document),
        )  # fmt: skip
        if len(position.alone) < len(units):
            self._check_crowds(units)
        return replace(position, ahead=self._ahead(position, document)) if document.get("ahead") else position

    def _phase(self, name: str) -> tuple[int, int]:
        try:
            phase = self.variant.phase_at(name)
        except ValueError:
            raise ExchangeError(f"no phase {clipped(name)} in {self.variant.title}") from None
        if len(self._phases) >= MEMO:
            self._phases.clear()
        self._phases[name] = phase
        return phase

    def _ahead(self, position: Position, document: Mapping[str, Any]) -> Mapping[str, tuple[Entry, ...]]:
        lines = {
            power: [read_text(text, f"a line ahead of {power}") for text in texts]
            for power, texts in self._by_power(document, "ahead")
        }
        return ahead_from_json(self.variant, position, lines)

    def _humans(self, document: Mapping[str, Any]) -> tuple[tuple[str, ...], ...]:
        groups = read_list(document.get("humans") or [], "humans")
        named = [
            [self.power(read_text(name, "a power of humans")) for name in read_list(group, "humans")]
            for group in groups
        ]
        seats = tuple(tuple(sorted(set(group))) for group in named if len(set(group)) > 1)
        if sum(map(len, seats)) != len({name for group in seats for name in group}):
            raise ExchangeError("humans: a power is played by one human")
        return seats

    def _ledger(self, document: Mapping[str, Any]) -> dict[LedgerKey, int]:
        ledger: dict[LedgerKey, int] = {}
        for item in read_list(document.get("ledger") or [], "ledger"):
            account = read_object(item, "an account of the ledger")
            power, amount = read_text(account.get("power", ""), "an account's power"), account.get("amount")
            if isinstance(amount, bool) or not isinstance(amount, int):
                raise ExchangeError("an account's amount must be a whole number")
            key = LedgerKey(
                read_text(account.get("purse"), "an account's purse"),
                self.nation(power) if power else "",
                read_text(account.get("subject", ""), "an account's subject"),
            )
            ledger[key] = amount
        return ledger

    def nation(self, name: str) -> str:
        """A power, or a minor power that has units without a seat."""
        key = name.casefold()
        minor = self.minors.get(key) if key not in self.powers else None
        return minor.name if minor else self.power(name)

    def power(self, name: str) -> str:
        power = self.powers.get(name.casefold())
        if power is None:
            known = ", ".join(each.name for each in self.variant.powers)
            raise ExchangeError(f"no power {clipped(name)} in {self.variant.title}; there are {known}")
        return power

    def _by_power(self, document: Mapping[str, Any], key: str) -> Iterator[tuple[str, list[Any]]]:
        table = document.get(key)
        for name, items in () if table is None or table == [] else read_object(table, key).items():
            if not isinstance(items, list):
                raise ExchangeError(f"{key} of {clipped(name)} must be a list")
            yield self._nations.get(name) or self.nation(name), items

    def units(self, document: Mapping[str, Any]) -> tuple[Unit, ...]:
        units: list[Unit] = []
        for power, texts in self._by_power(document, "units"):
            known = self._units.setdefault(power, {})
            for text in texts:
                unit = known.get(text) if type(text) is str else None
                units.append(unit or self._standing(power, read_text(text, f"a unit of {power}")))
        return numbered(self.board, units)

    def _check_crowds(self, units: Iterable[Unit]) -> None:
        """No two in one space, unless their province is shared."""
        taken: dict[Space, Unit] = {}
        for unit in units:
            space = self._space(unit.kind, unit.at)
            if space in taken:
                raise ExchangeError(f"two units in {space.province}: {written(taken[space])} and {written(unit)}")
            if space is not None:
                taken[space] = unit

    def _standing(self, power: str, text: str) -> Unit:
        unit = self._unit(power, text)
        known = self._units[power]
        if len(known) >= MEMO:
            known.clear()
        known[text] = unit
        return unit

    def _unit(self, power: str, text: str) -> Unit:
        unit = self._named(power, text)
        minor = self.minors.get(power.casefold())
        if minor is not None and minor.name == power and not minor.homes and unit.at.province != minor.home:
            raise ExchangeError(
                f"{clipped(text)}: {minor.name} is a minor power, whose one unit stands in {minor.home}"
            )
        return unit

    def _named(self, power: str, text: str) -> Unit:
        code, _, written_place = text.strip().partition(" ")
        kind = self.variant.kinds.get(code.upper())
        if kind is None:
            known = ", ".join(self.variant.kinds)
            raise ExchangeError(f"{clipped(text)}: no kind of unit {clipped(code)}; there are {known}")
        written_place, hash_, digits = written_place.partition("#")
        if hash_ and not (digits.strip().isdigit() and 0 < int(digits[:9]) < LAST):
            raise ExchangeError(f"{clipped(text)}: a unit's number is a whole number from 1")
        place = self._place(written_place, text)
        at = locate(self.board, kind, place)
        if at is None:
            coasts = [str(location.place) for location in locations(self.board, kind, place.province)]
            why = f"which coast? {' or '.join(coasts)}" if coasts else f"a unit of kind {kind.name} cannot stand there"
            raise ExchangeError(f"{clipped(text)}: {why}")
        if hash_ and not self.board.provinces[at.province].shared:
            raise ExchangeError(f"{clipped(text)}: only where several units may stand they have numbers")
        return Unit(power, kind.code, at, int(digits) if hash_ else 0)

    def _place(self, text: str, whole: str) -> Place:
        name, _, coast = text.strip().removesuffix(")").replace("(", "/").partition("/")
        code = self.codes.get(name.strip().casefold()) or self.codes.get(plain_name(name))
        if code is None:
            raise ExchangeError(f"{clipped(whole)}: no province {clipped(name.strip())}")
        mark = coast.strip().casefold()
        marked = self.board.marks.get(code, {}).get(self.codes.get(mark, ""), "")
        return Place(code, marked or mark)

    def centres(self, document: Mapping[str, Any]) -> dict[str, str]:
        known = self._centres
        owners: dict[str, str] = {}
        for power, items in self._by_power(document, "centers"):
            for item in items:
                seen = known.get(item) if type(item) is str else None
                code = seen or self._centre(read_text(item, f"a centre of {power}"))
                if owners.setdefault(code, power) != power:
                    raise ExchangeError(f"{code} belongs to {owners[code]} and to {power}")
        for minor in self.poor:
            self._is_nobodys(minor, owners)
        return {code: owners[code] for code in sorted(owners)}

    @staticmethod
    def _is_nobodys(minor: Minor, owners: dict[str, str]) -> None:
        """The centre of a minor power that owns none has no owner; a document may give it to that power only."""
        for code in [code for code, owner in owners.items() if owner == minor.name]:
            if code != minor.home:
                raise ExchangeError(f"{minor.name} is a minor power and owns no {code}")
            del owners[code]

    def _centre(self, text: str) -> str:
        code = self._place(text, text).province
        if not self.board.provinces[code].centre:
            raise ExchangeError(f"{code} is no supply centre")
        if len(self._centres) >= MEMO:
            self._centres.clear()
        self._centres[text] = code
        return code

    def _dislodged(self, power: str, item: object, units: tuple[Unit, ...]) -> Dislodged:
        fields = read_object(item, f"dislodged of {power}")
        unit = self._unit(power, read_text(fields.get("unit"), f"dislodged of {power}: unit"))
        text = read_text(fields.get("by"), f"{written(unit)}: by")
        kind = self._named(power, text).kind
        there = (u for u in units if u.at.province == unit.at.province)
        winner = next((u for u in there if self._alike(u.kind, kind)), None)
        by = self._unit(winner.power if winner else power, text)
        retreats = read_list(fields.get("retreats", []), f"{written(unit)}: retreats")
        return Dislodged(
            unit, by, tuple(self._retreat(unit, read_text(at, f"{written(unit)}: retreats")) for at in retreats)
        )

    def _retreating(self, phase: str, at: int, units: tuple[Unit, ...], dislodged: tuple[Dislodged, ...]) -> None:
        """No two units may come to stand in one place. What else is open is the position's word: a game master may have
        allowed where the attacker came from, or have taken it off the board.
        """
        if not isinstance(self.variant.calendar[at], RetreatStep):
            raise ExchangeError(f"dislodged: nobody retreats in {clipped(phase)}; only a phase of retreats has any")
        taken = {space: unit for unit in units if (space := self._space(unit.kind, unit.at)) is not None}
        left: set[Space | Unit] = set()
        for out in dislodged:
            space = Space(out.unit.at.province, self.variant.kinds[out.unit.kind].layer)
            once = space if space.layer == GROUND else out.unit  # of two wings in one place both may lose their base
            if once in left:
                raise ExchangeError(f"dislodged: two units of {space.province}")
            left.add(once)
            for end in out.retreats:
                if why := self._bar(out, end, taken):
                    raise ExchangeError(f"{written(out.unit)} cannot retreat to {end.place}: {why}")

    def _bar(self, out: Dislodged, end: Location, taken: Mapping[Space, Unit]) -> str:
        """Why the unit cannot retreat there; "" where it can."""
        layer = self.variant.kinds[out.unit.kind].layer
        there = taken.get(Space(end.province, layer))
        if out.retreats.count(end) > 1:
            return "it stands there twice"
        if end not in self.board.neighbours(out.unit.at, Use.MOVE):
            return f"it does not border {out.unit.at.place}"
        if there is not None:
            return f"{there.power}'s {written(there)} stands there"
        return ""

    def _space(self, kind: str, at: Location) -> Space | None:
        """The space that a unit takes up; None where there is room for any number."""
        shared = self.board.provinces[at.province].shared
        return None if shared else Space(at.province, self.variant.kinds[kind].layer)

    def _alike(self, kind: str, other: str) -> bool:
        return self.variant.kinds[kind].layer == self.variant.kinds[other].layer

    def _retreat(self, unit: Unit, text: str) -> Location:
        at = locate(self.board, self.variant.kinds[unit.kind], self._place(text, text))
        if at is None:
            raise ExchangeError(f"{written(unit)} cannot stand in {clipped(text)}")
        return at
