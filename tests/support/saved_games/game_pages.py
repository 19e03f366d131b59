"""Games as other programs show or save them: pages of webDiplomacy and Backstabbr, the Java objects of jDip 1.6."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from xml.sax.saxutils import quoteattr

from gm.judge.board.board import Place
from gm.judge.model.events import OrderResult, Outcome
from gm.judge.model.orders import Build, Convoy, Disband, Hold, Move, Retreat, Support, UnitRef, Waive
from gm.judge.model.position import Position, Unit
from gm.judge.model.sheets import ResolvedStep, Submissions
from gm.judge.model.variant import Variant
from gm.language.rendering import order_text as write

Played = Iterable[tuple[Position, Submissions, tuple[ResolvedStep, ...]]]
THEIR_NAMES = {"LYO": "Gulf of Lyons", "HEL": "Heligoland Bight", "StP": "St. Petersburg", "SKA": "Skagerrack"}
COASTS = {"nc": "North Coast", "sc": "South Coast", "ec": "East Coast"}
KINDS = {"A": "army", "F": "fleet"}
PARTS = {"M": "Diplomacy", "R": "Retreats", "A": "Unit-placement"}
SEASONS = {"S": "Spring", "F": "Fall", "W": "Winter"}


def results(legs: tuple[ResolvedStep, ...]) -> Iterator[OrderResult]:
    return (event for event in legs[0].turn.events if isinstance(event, OrderResult))


def order_history(variant: Variant, played: Played) -> str:
    """The page "Orders" of webDiplomacy: an index, then the turns, the last one first."""
    turns: dict[str, dict[str, dict[str, list[str]]]] = {}
    for position, _, legs in played:
        phase = variant.phase_name(position)
        turn = turns.setdefault(f"{'Spring' if phase[0] == 'S' else 'Autumn'}, {phase[1:-1]}", {})
        for result in results(legs):
            turn.setdefault(result.power, {}).setdefault(phase[-1], []).append(_their_line(variant, result, phase[-1]))
    lines = ["webDiplomacy", "Home Forum Games Help", "Order history"]
    for title, powers in reversed(turns.items()):
        lines += [title, *(f"• {power}" for power in powers)]
    for title, powers in reversed(turns.items()):
        lines.append(f"{title} :")
        for power, parts in powers.items():
            lines.append(f"{power}:")
            for letter, name in PARTS.items():
                if letter in parts or letter == "M":
                    lines += [f"  • {name}", *(f"      • {line}" for line in parts.get(letter, ()))]
    return "\n".join(lines)


def _their_line(variant: Variant, result: OrderResult, letter: str) -> str:
    order = result.order
    failed = result.outcome is not Outcome.SUCCEEDS and not isinstance(order, Hold)
    flags = f"{' (fail)' if failed else ''}{' (dislodged)' if result.dislodged_by else ''}"

    def place(at: Place) -> str:
        name = THEIR_NAMES.get(at.province) or variant.start.board.provinces[at.province].name
        return f"{name} ({COASTS[at.coast]})" if at.coast else name

    def unit(named: UnitRef) -> str:
        return f"The {KINDS[named.kind]} at {place(named.at)}"

    match order:
        case Hold():
            text = f"{unit(order.unit)} hold."
        case Move():
            text = f"{unit(order.unit)} move to {place(order.to)}{' via convoy' if order.via else ''}."
        case Support(_, target, None):
            text = f"{unit(order.unit)} support hold to {place(target.at)}."
        case Support(_, target, Place() as to):
            text = f"{unit(order.unit)} support move to {place(to)} from {place(target.at)}."
        case Convoy(_, target, to):
            text = f"{unit(order.unit)} convoy to {place(to)} from {place(target.at)}."
        case Retreat(_, to):
            text = f"{unit(order.unit)} retreat to {place(to)}."
        case Disband() if letter == "R":
            text = f"{unit(order.unit)} disbandBuild fleet at {place(order.unit.at)}."
        case Disband():
            text = f"Destroy the unit at {place(order.unit.at)}{unit(order.unit)} destroy."
        case Build():
            text = f"Build {KINDS[order.unit.kind]} at {place(order.unit.at)}."
        case Waive():
            text = "Do not use build order."
        case _:
            raise AssertionError(order)
    return text + flags


def orders_by_season(variant: Variant, played: Played) -> str:
    """The orders of Backstabbr, season after season; some powers in one line, and some in lines of their own."""
    lines: list[str] = []
    season = ""
    for position, _, legs in played:
        phase = variant.phase_name(position)
        heading = f"{SEASONS[phase[0]]} {phase[1:-1]}"
        lines += [heading] if heading != season else []
        lines += ["Retreats"] if phase[-1] == "R" else []
        season = heading
        orders: dict[str, list[str]] = {}
        for result in results(legs):
            text = write.statement(result.order, phase[-1]).replace(" - ", "-")
            bounced = isinstance(result.order, Move) and result.outcome is not Outcome.SUCCEEDS
            orders.setdefault(result.power, []).append(f"{text} (bounced)" if bounced else text)
        for power, texts in orders.items():
            short = power in ("England", "France")
            lines += [f"{power.upper()}: {', '.join(texts)}"] if short else [f"{power} {len(texts)}", *texts]
    return "\n".join(lines)


class JavaObjects:
    """A game of jDip 1.6 with the turns of these positions: objects, and references to those written before."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.ids: dict[str, str] = {}

    def game(self, positions: list[Position]) -> str:
        turns = "".join(
            f'<object class="dip.world.Phase" id="p{n}"/>{self.turn(position, n)}'
            for n, position in enumerate(positions)
        )
        return (
            '<?xml version="1.0"?><jsx major="1" minor="1"><object class="dip.world.World" id="w">'
            '<default><object field="nonTurnData" class="java.util.HashMap" id="h"><string value="_variant_info_"/>'
            '<object class="dip.world.World$VariantInfo" id="v"><string field="variantName" value="Standard"/></object>'
            '</object><object field="turnStates" class="java.util.Collections$SynchronizedSortedMap" id="s">'
            f'<object field="m" class="java.util.TreeMap" id="t">{turns}</object></object></default></object></jsx>'
        )

    def once(self, key: str, field: str, element: str, inside: str) -> str:
        """The object, or a reference to it if it was written before."""
        if key in self.ids:
            return f'<reference {field} idref="{self.ids[key]}"/>'
        self.ids[key] = f"i{len(self.ids)}"
        return f'<object {field} class="{element}" id="{self.ids[key]}">{inside}</object>'

    def power(self, name: str, field: str) -> str:
        names = f'<array field="names" base="java.lang.String"><string value={quoteattr(name)}/></array>'
        return self.once(f"power {name}", field, "dip.world.Power", names)

    def province(self, code: str, field: str = "") -> str:
        name = self.variant.start.board.provinces[code].name
        short = "nor" if code == "Nwy" else code.lower()
        names = f'<array field="shortNames"><string value="{short}"/></array>'
        inside = f'<string field="fullName" value={quoteattr(name)}/>{names}'
        return self.once(f"province {code}", field, "dip.world.Province", inside)

    def coast(self, coast: str, kind: str) -> str:
        short = coast or ("mv" if kind == "A" else "xc")
        inside = f'<string field="abbreviation" value="{short}"/>'
        return self.once(f"coast {short}", 'field="coast"', "dip.world.Coast", inside)

    def unit(self, unit: Unit, field: str) -> str:
        name = f'<string field="internalName" value="{KINDS[unit.kind]}"/>'
        kind = f'<object field="type" class="dip.world.Unit$Type">{name}</object>'
        owner = self.power(unit.power, 'field="owner"')
        coast = self.coast(unit.at.place.coast, unit.kind)
        return f'<object field="{field}" class="dip.world.Unit"><default>{kind}{owner}{coast}</default></object>'

    def location(self, place: Place, field: str = "") -> str:
        inside = self.province(place.province, 'field="province"') + self.coast(place.coast, "F")
        return f'<object {field} class="dip.world.Location">{inside}</object>'

    def turn(self, position: Position, number: int) -> str:
        codes = list(position.board.provinces)
        provinces = "".join(self.province(code) for code in codes)
        array = "".join(self.data(position, code) for code in codes)
        phase = self.variant.phase_name(position)
        kind = {"M": "movement", "R": "retreat", "A": "adjustment"}[phase[-1]]
        season = 1000 if phase[0] == "S" else 2000
        return (
            f'<object class="dip.world.TurnState" id="turn{number}"><object field="phase" class="dip.world.Phase">'
            f'<object field="seasonType"><primitive field="position" type="int" value="{season}"/></object>'
            f'<object field="yearType"><primitive field="year" type="int" value="{phase[1:-1]}"/></object>'
            f'<object field="phaseType"><string field="constName" value="{kind}"/></object></object>'
            f'<collection field="resultList">{"".join(self.results(position))}</collection>'
            '<object field="position" class="dip.world.Position"><object field="map" class="dip.world.Map">'
            f'<array field="provinces" base="dip.world.Province">{provinces}</array></object>'
            f'<array field="provArray">{array}</array></object></object>'
        )

    def data(self, position: Position, code: str) -> str:
        inside = "".join(self.unit(unit, "unit") for unit in position.standing.get(code, ()))
        driven = (out.unit for out in position.dislodged if out.unit.at.province == code)
        inside += "".join(self.unit(unit, "dislodgedUnit") for unit in driven)
        owner = position.centres.get(code)
        inside += self.power(owner, 'field="SCOwner"') if owner else '<null field="SCOwner"/>'
        return f'<object class="dip.world.Position$ProvinceData">{inside}</object>' if inside else "<null/>"

    def results(self, position: Position) -> Iterator[str]:
        for out in position.dislodged:
            ends = "".join(self.location(at.place) for at in out.retreats)
            yield (
                '<object class="dip.order.result.DislodgedResult"><object field="order" class="dip.gui.order.GUIHold">'
                f"{self.location(out.unit.at.place, 'field=' + quoteattr('src'))}</object>"
                f"{self.province(out.by.at.province, 'field=' + quoteattr('dislodger'))}"
                f'<array field="retreatLocations">{ends}</array></object>'
            )
