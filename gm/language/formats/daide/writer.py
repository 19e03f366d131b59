"""A position with its order sheets in DAIDE's language, for programs that play: what a server would send, and what
its clients would.

    MAP ('standard')
    MDF (AUS ENG …) (((AUS BUD TRI VIE) … (UNO BEL …)) (ADR AEG …)) ((ADR (FLT ALB …)) …)
    NOW (SPR 1901) (AUS AMY BUD) (RUS FLT (STP SCS)) (AUS FLT TRI MRT (ADR ALB)) …
    SCO (AUS BUD TRI VIE) … (UNO BEL BUL …)
    SUB (SPR 1901) ((AUS AMY BUD) MTO GAL) ((ENG AMY YOR) CTO NWY VIA (NTH)) …

There is a SUB for each power with orders. `gm.language.formats.daide.reader` reads them back. Points, lines for
later and what one
power writes for another are not told; MDF says where units may move, but not by which rules.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from gm.judge.board.board import AIR, LAND, STRANDED, Location, Place, Use, locate
from gm.judge.model.orders import Build, Convoy, Disband, Hold, Move, Retreat, Statement, Support, UnitRef, Waive
from gm.judge.model.position import Position, Unit
from gm.judge.model.variant import Variant
from gm.language.formats.common import Exported, NoPhase, meant, parted, sheets, untold, waived
from gm.language.formats.daide.tokens import Tokens, language, tokens
from gm.language.formats.json_position import phase_to_json
from gm.language.rendering import order_text as canonical

WIDTH = 78


def map_name(variant: Variant) -> str:
    """DAIDE's names of maps have letters, figures and underscores only."""
    return re.sub(r"\W", "_", variant.id)


def turn_of(phase: str) -> str | None:
    """ "S1901M" -> "(SPR 1901)"; None where DAIDE has no such turn."""
    word = language().turns.get(phase[:1] + phase[-1:])
    return f"({word} {phase[1:-1]})" if word is not None else None


def knows(unit: Unit) -> bool:
    return unit.kind in language().kinds and unit.at.place.coast in ("", *language().coasts)


def write(variant: Variant, position: Position, document: Mapping[str, Any]) -> Exported:
    turn = turn_of(phase_to_json(variant, position))
    if turn is None:
        raise NoPhase
    made = _Writer(variant, position, document, tokens(variant, position.board))
    told = sheets(variant, position, document, made.order)
    messages = [
        f"MAP ('{map_name(variant)}')",
        " ".join(("MDF", *made.definition())),
        " ".join(("NOW", turn, *made.now())),
        " ".join(("SCO", *made.owners())),
        *(" ".join(("SUB", turn, *lines)) for lines in told.lines.values()),
    ]
    text = "\n\n".join(
        textwrap.fill(message, WIDTH, break_long_words=False, break_on_hyphens=False, subsequent_indent="  ")
        for message in messages
    )
    words, areas = made.words, position.board.provinces
    return Exported(
        f"{text}\n",
        (*untold(position, knows), *told.unsaid),
        tuple(made.ways),
        tuple((word, power) for power, word in words.powers.items()),
        tuple((word, f"{code} ({areas[code].name})") for code, word in words.provinces.items() if word != code.upper()),
    )


class _Writer(Struct, frozen=True):
    """`ways` are the moves by sea for which a way was chosen, as they were written."""

    variant: Variant
    position: Position
    document: Mapping[str, Any]
    words: Tokens
    ways: list[str] = field(default_factory=list)

    # ---- the map

    def definition(self) -> Iterator[str]:
        yield f"({' '.join(self.words.powers.values())})"
        provinces = [
            province for province in self.position.board.provinces.values() if province.code in self.words.provinces
        ]
        homes: dict[str, list[str]] = {power: [] for power in (*self.words.powers, "")}
        for province in provinces:
            if province.centre:
                homes[province.home or ""].append(self.words.provinces[province.code])
        groups = " ".join(f"({' '.join((self._power(home), *codes))})" for home, codes in homes.items() if codes)
        others = " ".join(self.words.provinces[province.code] for province in provinces if not province.centre)
        yield f"(({groups}) ({others}))"
        lines = (f"({self.words.provinces[one.code]} {self._borders(one.locations)})" for one in provinces)
        yield f"({' '.join(lines)})"

    def _borders(self, at: Iterable[Location]) -> str:
        """An army's neighbours, and a fleet's: from each of its coasts where there are several."""
        kinds = language().kinds
        found = []
        for location in at:
            coast = language().coasts.get(location.place.coast)
            if location.slot not in (AIR, STRANDED) and (coast is not None or not location.place.coast):
                fleet = f"({kinds['F']} {coast})" if coast is not None else kinds["F"]
                word = kinds["A"] if location.slot == LAND else fleet
                ends = self.position.board.neighbours(location, Use.MOVE)
                words = dict.fromkeys(filter(None, (self.words.place(end.place) for end in ends)))
                found.append(f"({' '.join((word, *words))})")
        return " ".join(found)

    def _power(self, name: str) -> str:
        return self.words.powers.get(name, language().unowned)

    # ---- the position

    def now(self) -> Iterator[str]:
        yield from map(self.unit, parted(self.position, knows)[0])
        for one in self.position.dislodged:
            if knows(one.unit):
                ends = " ".join(filter(None, (self.words.place(at.place) for at in one.retreats)))
                yield f"{self.unit(one.unit)[:-1]} MRT ({ends}))"

    def unit(self, unit: Unit) -> str:
        """ "(RUS FLT (STP SCS))", of one that DAIDE knows."""
        return f"({self.words.powers[unit.power]} {language().kinds[unit.kind]} {self.words.place(unit.at.place)})"

    def owners(self) -> Iterator[str]:
        board = self.position.board
        owned = {power: codes for power in self.words.powers if (codes := self.position.centres_of(power))}
        for power, codes in owned.items():
            yield f"({' '.join((self.words.powers[power], *(self.words.provinces[code] for code in codes)))})"
        free = [
            province.code
            for province in board.provinces.values()
            if province.centre and province.code not in self.position.centres
        ]
        if free:
            yield f"({' '.join((language().unowned, *(self.words.provinces[code] for code in free)))})"

    # ---- orders

    def order(self, power: str, order: Statement) -> tuple[str, ...] | None:
        if isinstance(order, Waive):
            count = waived(self.variant, self.position, self.document, power, order)
            return (f"({self.words.powers[power]} WVE)",) * count
        if isinstance(order, Build):
            new = self._new(power, order.unit)
            return (f"({new} BLD)",) if new is not None else None
        if not isinstance(order, Hold | Move | Support | Convoy | Retreat | Disband):
            return None
        unit = self._ordered(order.unit, power) if self._has_words(order) else None
        rest = self._rest(unit, order) if unit is not None else None
        return (f"({self.unit(unit)} {rest})",) if unit is not None and rest is not None else None

    def _has_words(self, order: Statement) -> bool:
        """Not for a province that nothing can stand in."""
        to, route = getattr(order, "to", None), getattr(order, "route", ())
        return {*route, *((to.province,) if to is not None else ())} <= self.words.provinces.keys()

    def _ordered(self, ref: UnitRef, power: str = "") -> Unit | None:
        """The unit on the board that is meant, if it is one that NOW tells."""
        unit = meant(self.position, ref, power)
        told = (*parted(self.position, knows)[0], *(one.unit for one in self.position.dislodged if knows(one.unit)))
        return unit if unit in told else None

    def _new(self, power: str, ref: UnitRef) -> str | None:
        at = locate(self.position.board, self.variant.kinds[ref.kind], ref.at)
        unit = Unit(power, ref.kind, at) if at is not None else None
        return self.unit(unit) if unit is not None and knows(unit) else None

    def _rest(self, unit: Unit, order: Statement) -> str | None:
        match order:
            case Hold():
                return "HLD"
            case Move():
                return self._move(unit, order)
            case Support(_, target, to):
                other = self._ordered(target)
                towards = f" MTO {self.words.provinces[to.province]}" if to is not None else ""
                return f"SUP {self.unit(other)}{towards}" if other is not None else None
            case Convoy(_, target, to):
                other = self._ordered(target)
                return f"CVY {self.unit(other)} CTO {self.words.provinces[to.province]}" if other is not None else None
            case Retreat(_, to):
                end = self._end(unit, to)
                return f"RTO {end}" if end is not None else None
            case Disband():
                return "REM" if self.variant.step(self.position).letter == canonical.ADJUSTMENTS else "DSB"
        return None

    def _move(self, unit: Unit, order: Move) -> str | None:
        """By land or along a coast, or by sea over those that fleets are ordered to convoy it across."""
        if not order.via and self._beside(unit, order.to):
            end = self._end(unit, order.to)
            return f"MTO {end}" if end is not None else None
        if not self.variant.kinds[unit.kind].convoyed:
            return None
        way = order.route or self._way(unit, order.to)
        if not way:
            return None
        if not order.route:
            self.ways.append(canonical.statement(Move(order.unit, order.to, order.via, way)))
        seas = " ".join(self.words.provinces[sea] for sea in way)
        return f"CTO {self.words.provinces[order.to.province]} VIA ({seas})"

    def _beside(self, unit: Unit, to: Place) -> bool:
        return any(end.province == to.province for end in self.position.board.neighbours(unit.at, Use.MOVE))

    def _end(self, unit: Unit, to: Place) -> str | None:
        """With its coast where there is a choice: that of the order, or the only one within reach."""
        ends = [at for at in self.position.board.neighbours(unit.at, Use.MOVE) if at.province == to.province]
        fits = [at for at in ends if at.place.coast == to.coast] or (ends if not to.coast else [])
        return self.words.place(fits[0].place) if len(fits) == 1 else None

    def _way(self, unit: Unit, to: Place) -> tuple[str, ...]:
        """The shortest one over fleets with an order to convoy this unit there; empty where there is none."""
        board = self.position.board
        ferries = self._ferries(unit, to)
        queue: list[tuple[Location, tuple[str, ...]]] = [(unit.at, ())]
        seen: set[str] = set()
        for at, way in queue:
            for end in board.neighbours(at, Use.CONVOY):
                if way and end.province == to.province:
                    return way
                if end.province in ferries and end.province not in seen:
                    seen.add(end.province)
                    queue.append((end, (*way, end.province)))
        return ()

    def _ferries(self, unit: Unit, to: Place) -> set[str]:
        found: set[str] = set()

        def note(power: str, order: Statement) -> tuple[str, ...]:
            if isinstance(order, Convoy) and (order.to.province, meant(self.position, order.target)) == (
                to.province, unit,
            ):  # fmt: skip
                found.add(order.unit.at.province)
            return ()

        sheets(self.variant, self.position, self.document, note)
        return found
