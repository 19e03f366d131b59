"""Sections of a letter about border changes (Seismic), and the answer to NEIGHBOURS.

The events of the step have all the data; this module compares nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from gm.game.model.recipient import Recipient
from gm.judge.board.board import LAND, Use
from gm.judge.board.planar_board import PlanarBoard
from gm.judge.mechanics.moving_borders.border_events import (
    BordersMoved,
    BordersNumbered,
    BorderStretch,
    CoastDescription,
    CoastsChanged,
    FleetMoved,
    NeighboursChanged,
    SideBySide,
    describe_coasts,
    number_borders,
)
from gm.judge.model.events import Event
from gm.judge.model.position import Position, Unit
from gm.language.i18n.localized_variant import localized
from gm.language.i18n.place_names import LONGEST_NAME, words
from gm.language.orders.parsing.order_context import place_names
from gm.language.rendering.views import BulletsView, ParagraphView, SectionView

COAST = re.compile(r"\b(\w{3})/(\w{2})\b")


def sections(reader: Recipient, events_of: Callable[[type[Event]], Iterable[Event]]) -> tuple[SectionView, ...]:
    """One section for each kind of change, in the order of `BORDER_NEWS`; () without changes."""
    result: list[SectionView] = []
    for kind, (key, sentence_of) in BORDER_NEWS.items():
        lines = tuple(line for event in events_of(kind) for line in sentence_of(reader, event))
        if lines:
            result.append(SectionView(reader.say(f"shaken.{key}"), (BulletsView(lines),)))
    return tuple(result)


def _borders(reader: Recipient, event: BordersMoved) -> Iterator[str]:
    for key, stretches in (("gained", event.gained), ("lost", event.lost)):
        for stretch in stretches:
            yield reader.say(f"shaken.{key}", border=_border(reader, stretch))


def _border(reader: Recipient, stretch: BorderStretch) -> str:
    if not stretch.ends:
        return reader.say("shaken.loop", one=stretch.one, two=stretch.two)
    return reader.say("shaken.border", one=stretch.one, two=stretch.two, first=stretch.ends[0], last=stretch.ends[-1])


def _side_by_side(reader: Recipient, event: SideBySide) -> Iterator[str]:
    fields = {"province": event.province, "within": event.within, "islands": reader.every(event.islands)}
    yield reader.say("shaken.wished" if event.wished else "shaken.by-alphabet", **fields)


def _coasts(reader: Recipient, event: CoastsChanged) -> Iterator[str]:
    was, now = _all_coasts(reader, event.before), _all_coasts(reader, event.after)
    yield reader.say("shaken.coasts-changed", province=event.province, was=was, now=now)


def _all_coasts(reader: Recipient, coasts: tuple[CoastDescription, ...]) -> str:
    return reader.every(_coast(reader, coast) for coast in coasts) or reader.say("shaken.no-coast")


def coasts_meant(reader: Recipient, position: Position | None, lines: Iterable[str]) -> str:
    """Which seas the coasts lie on that lines name, where events move them; "" on other boards."""
    board = position.board if position is not None else None
    if not isinstance(board, PlanarBoard):
        return ""
    named = dict.fromkeys(match.groups() for line in lines for match in COAST.finditer(line))
    coasts = {(code, coast.name): coast for code, _ in named for coast in describe_coasts(board, code)}
    words = [
        reader.say("shaken.coast-meant", place=code, coast=_coast(reader, coasts[code, slot]))
        for code, slot in named
        if (code, slot) in coasts
    ]
    return " ".join(words)


def _coast(reader: Recipient, coast: CoastDescription) -> str:
    key = "coast" if coast.name else "only-coast"
    ends = reader.say("shaken.coast-ends", ends=reader.every(coast.ends)) if coast.ends else ""
    return reader.say(f"shaken.{key}", name=coast.name, seas=" ".join(coast.seas), ends=ends)


def _numbers(reader: Recipient, event: BordersNumbered) -> Iterator[str]:
    numbers = [f"#{at} {'–'.join(ends)}" for at, ends in enumerate(event.ends, 1)]
    yield reader.say("shaken.numbered", one=event.one, two=event.two, borders=", ".join(numbers))


def _fleets(reader: Recipient, event: FleetMoved) -> Iterator[str]:
    fields = {
        "fleet": _fleet_name(reader, event.before),
        "place": str(event.after.at.place),
    }
    yield reader.choose("shaken.fleet", event.why, **fields)


def _fleet_name(reader: Recipient, fleet: Unit) -> str:
    key = "shaken.yours" if reader.is_mine(fleet.power) else "outcome.theirs"
    return reader.say(key, power=fleet.power, unit=str(fleet))


def _neighbours(reader: Recipient, event: NeighboursChanged) -> Iterator[str]:
    yield reader.say("shaken.has", province=event.province, boundaries=_rings(reader, event.boundaries))


def _rings(reader: Recipient, boundaries: tuple[tuple[str, ...], ...]) -> str:
    return reader.say("shaken.boundaries", boundaries=" | ".join(" ".join(ring) for ring in boundaries))


BORDER_NEWS: Mapping[type, tuple[str, Callable[[Recipient, object], Iterator[str]]]] = {
    BordersMoved: ("borders", _borders),  # type: ignore[dict-item]
    SideBySide: ("rows", _side_by_side),  # type: ignore[dict-item]
    CoastsChanged: ("coasts", _coasts),  # type: ignore[dict-item]
    FleetMoved: ("fleets", _fleets),  # type: ignore[dict-item]
    BordersNumbered: ("numbers", _numbers),  # type: ignore[dict-item]
    NeighboursChanged: ("neighbours", _neighbours),  # type: ignore[dict-item]
}
"""For each class of event: the catalogue key of its title, and the function that writes its lines."""


# ---- NEIGHBOURS


def neighbours_sections(reader: Recipient, position: Position | None, topic: str) -> tuple[SectionView, ...]:
    """The neighbours of a province; on boards with moving borders also boundaries, coasts and numbered borders."""
    here = position if position is not None else reader.variant.start
    board = here.board
    named = words(topic.partition("/")[0])[:LONGEST_NAME]
    codes = place_names(board, localized(reader.variant, reader.catalogue.language)).find(named) if named else ()
    title = reader.say("shaken.neighbours-of", province=topic[:40])
    if len(codes) != 1:
        key = "shaken.unknown" if not codes else "shaken.which"
        return (SectionView(title, (ParagraphView(reader.say(key, word=topic[:40], places=reader.either(codes))),)),)
    area = board.provinces[codes[0]]
    lines: list[str] = []
    if isinstance(board, PlanarBoard):
        lines.append(_rings(reader, board.lists[area.code]))
        if LAND in area.slots:
            lines.append(reader.say("shaken.coasts-now", coasts=_all_coasts(reader, describe_coasts(board, area.code))))
        lines += [
            line
            for number in number_borders(board)
            if area.code in (number.one, number.two)
            for line in _numbers(reader, number)
        ]
    for at in area.locations:
        reach = sorted(str(end.place) for end in board.neighbours(at, Use.MOVE))
        kinds = [kind.name for kind in reader.variant.kinds.values() if kind.stands(at.slot)]
        places = ", ".join(reach) or reader.say("none")
        for kind in kinds:
            lines.append(reader.say("shaken.reach", kind=kind, place=str(at.place), places=places))
    title = reader.say("shaken.neighbours-of", province=area.name)
    return (SectionView(title, (BulletsView(tuple(lines) or (reader.say("shaken.closed"),)),)),)
