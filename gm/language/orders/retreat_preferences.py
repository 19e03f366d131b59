"""Reads retreat preferences, best first: "RETREAT A Mun: Ber, Kie, disband".

Also "A Mun retreats to Ber, Kie or OTB if dislodged", and in brackets behind an order: "A Mun H (retreat: Ber, Kie)".
Every place is read like an order of a retreat sheet, for a position in which all units of the writer are dislodged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from gm.judge.board.board import Use
from gm.judge.model.orders import Disband, Preferences, Retreat
from gm.judge.model.position import Dislodged, Position, Unit
from gm.judge.model.variant import Variant
from gm.language.lines.letter_contents import LetterContext, LineError
from gm.language.orders.sheet_reader import KnownOrdersReader

MOVES, RETREATS = "M", "R"
SHEET = "retreats"
"""The grammar of retreat sheets."""
MOST_WISHES = 12
MOST_DISLODGED = 8
LIST = re.compile(r"\s*(?:[,;]\s*(?:then|or|else|and)?\b|\bor\b|\bthen\b|\belse\b|\band\b)\s*", re.IGNORECASE)
DRIVEN = ("dislodged", "beaten", "driven out")
IF_DISLODGED = rf"\s*[,;]?\s*\b(?:if|when)\s+(?:(?:it|this)\s+(?:is|gets)\s+|it's\s+)?(?:{'|'.join(DRIVEN)})"
BRACKETS = re.compile(
    r"[(\[]\s*(?:r|ret|retreats?|rto)\b[\s:]*(?:to\b)?\s*(?P<places>[^()\[\]]*?)\s*[)\]]", re.IGNORECASE
)
WISH = re.compile(
    r"(?:if\s+dislodged\s*[,:]?\s*)?(?:retreats?\b\s*:?\s*)?(?P<unit>[^:>,]+?)\s*"
    r"(?::|-+>?|>|\bretreats?\s+to\b|\bto\b)\s*"
    rf"(?P<places>[^:]+?)(?P<dislodged>{IF_DISLODGED})?[.\s]*$",
    re.IGNORECASE,
)
OFF = frozenset({"disband", "disbands", "disbanded", "otb", "off the board", "off board", "off", "d", "remove"})


def is_retreat_wish(body: str) -> bool:
    """Whether a line says that it is for a unit that is dislodged."""
    low = body.strip().lower()
    match = WISH.match(body.strip()) if any(map(low.__contains__, DRIVEN)) else None
    return bool(match and (match["dislodged"] or low.startswith("if dislodged")))


def bracketed(body: str) -> str:
    """The text in the brackets behind an order; "" where there are none."""
    match = BRACKETS.search(body)
    return match["places"] if match else ""


def unit_of_wish(body: str) -> str:
    """The words for the unit in a line about its retreat."""
    match = WISH.match(body.strip())
    return match["unit"].strip() if match else ""


def read_retreat_wish(body: str, context: LetterContext) -> Preferences | LineError | None:
    """None where the line is no list of places to retreat to. `context` is a retreat phase's."""
    match = WISH.match(body.strip())
    return preferences(match["unit"].strip(), match["places"], context) if match else None


def preferences(unit: str, places: str, context: LetterContext) -> Preferences | LineError:
    listed = [place.strip() for place in LIST.split(places.strip().rstrip(".")) if place.strip()][:MOST_WISHES]
    lines = [f"{unit} disband" if place.lower() in OFF else f"{unit} - {place}" for place in dict.fromkeys(listed)]
    reader = KnownOrdersReader(context.variant, context.position, any_unit=context.any_unit)
    orders = reader.orders(context.power, lines)
    wrong = next((place for place in orders if isinstance(place, LineError)), None)
    if wrong is not None:
        return wrong
    retreats = [place for place in orders if isinstance(place, Retreat | Disband)]
    if not retreats:
        return LineError(0, places, 0, 0, "wish-without-places")
    ends = tuple(retreat.to if isinstance(retreat, Retreat) else None for retreat in retreats)
    return Preferences(retreats[0].unit, tuple(dict.fromkeys(ends)))


def choices(wanted: Preferences) -> Iterator[Retreat | Disband]:
    """The retreats and disbands of a preference, best first."""
    for to in wanted.to:
        yield Disband(wanted.unit) if to is None else Retreat(wanted.unit, to)


def next_retreats(variant: Variant, position: Position) -> str:
    """The retreat phase that follows the open movement phase; "" where none does."""
    if variant.step(position).letter != MOVES:
        return ""
    for at in range(position.at + 1, len(variant.calendar)):
        letter = variant.calendar[at].letter
        if letter == MOVES:
            break
        if letter == RETREATS:
            return variant.phase_name(position.having(at=at))
    return ""


_DISLODGED: dict[tuple[int, str, tuple[str, ...], str], tuple[Position, LetterContext]] = {}


def if_dislodged(context: LetterContext, phase: str) -> LetterContext:
    """The retreat phase, with all units of the writer and their controlled powers dislodged and free to retreat.

    The last few positions are cached, by identity.
    """
    key = (id(context.position), context.power, context.controlled, phase)
    known = _DISLODGED.get(key)
    if known is not None and known[0] is context.position and known[1].variant is context.variant:
        return known[1]
    made = _all_dislodged(context, phase)
    while len(_DISLODGED) >= MOST_DISLODGED:
        _DISLODGED.pop(next(iter(_DISLODGED)), None)
    _DISLODGED[key] = context.position, made
    return made


def _all_dislodged(context: LetterContext, phase: str) -> LetterContext:
    position, variant = context.position, context.variant
    mine = context.powers
    gone = tuple(_gone(variant, position, unit) for unit in position.units if unit.power in mine)
    year, at = variant.phase_at(phase)
    return replace(context, position=replace(position, year=year, at=at, dislodged=gone))


def _gone(variant: Variant, position: Position, unit: Unit) -> Dislodged:
    kind = variant.kinds[unit.kind]
    near = (at for at in position.board.neighbours(unit.at, Use.MOVE) if kind.stands(at.slot))
    return Dislodged(unit, unit, tuple(near))
