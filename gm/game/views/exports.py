"""EXPORT: attaches the position as a file, in our formats with the order sheets. IMPORT reads each format back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from gm.game.model.letter_report import AnswerInsert
from gm.game.model.map_attachment import HTML, AttachedMap
from gm.game.model.recipient import Recipient
from gm.game.model.records import GameState, LetterPart
from gm.game.views import maps
from gm.game.views.chronicle.pages import chronicle_file_page
from gm.game.views.turns.turn_events import TurnView, sorted_units
from gm.judge.model.events import OrderResult
from gm.judge.model.position import Position
from gm.judge.model.variant import Variant
from gm.language.formats import csv, diplomacy_export, diplomacy_game, jdip, njudge
from gm.language.formats.json_position import position_from_json, position_to_json
from gm.language.rendering.site_pages import SiteTemplates
from gm.language.rendering.views import ParagraphView, SectionView, TableView

EXPORT = "export"
CHRONICLE = "chronicle"
JSON = "json"
OPTIONAL_KEYS = ("ledger", "ahead", "humans", "borders")
"""Keys of a document besides units, centres and sheets. Not every format can hold them."""


class ExportFormat(NamedTuple):
    """A file format of EXPORT. `carries` are the keys of `OPTIONAL_KEYS` that it can hold.

    `program` is the other program whose format it is, as in `Variant.elsewhere`: it holds the position without orders.
    """

    mime: str
    ending: str
    write: Callable[[Recipient, Position, dict[str, Any]], str]
    carries: tuple[str, ...] = ()
    program: str = ""


def _write_njudge(reader: Recipient, position: Position, document: dict[str, Any]) -> str:
    due = reader.game.due_at.astimezone(reader.settings.zone) if reader.game.due_at is not None else None
    return njudge.write(reader.variant, position, document, reader.game.name, due)


def _played(reader: Recipient) -> tuple[diplomacy_export.PlayedPhase, ...]:
    """The phases resolved so far, the oldest first."""
    snapshots = reversed(maps.snapshots_back(reader.store, reader.game))
    scenes = (TurnView.of(reader, snapshot) for snapshot in snapshots)
    return tuple(
        (scene.before, results)
        for scene in scenes
        if scene.before is not None and scene.legs and (results := scene.legs[0].of(OrderResult))
    )


EXPORT_FORMATS: Mapping[str, ExportFormat] = {
    JSON: ExportFormat(
        "application/json",
        "json",
        lambda r, p, document: json.dumps(document, ensure_ascii=False, indent=1),
        OPTIONAL_KEYS,
    ),
    "csv": ExportFormat("text/csv", "csv", lambda r, p, document: csv.write(document), ("ledger",)),
    "njudge": ExportFormat("text/plain", "txt", _write_njudge),
    "jdip": ExportFormat(
        "application/xml",
        "jdip",
        lambda r, p, document: jdip.write(r.variant, p, r.game.name),
        program=jdip.PROGRAM,
    ),
    "diplomacy": ExportFormat(
        "application/json",
        "diplomacy.json",
        lambda r, p, document: diplomacy_export.write(r.variant, p, r.game.name, _played(r)),
        program=diplomacy_game.PROGRAM,
    ),
}
"""By the argument of EXPORT. "json" is the input format of `gm adjudicate`, with the sheets under "orders"."""


def fitting_formats(variant: Variant) -> tuple[str, ...]:
    """The formats that can hold a game of the variant."""
    return tuple(name for name, form in EXPORT_FORMATS.items() if form.program in ("", *variant.elsewhere))


def sections(reader: Recipient, position: Position | None, topic: str) -> tuple[SectionView, ...]:
    """Text about the attached file. It can quote sheets, so only game masters get it."""
    if position is None or reader.power is not None:
        return ()
    name = topic or JSON
    document = _document(reader, position)
    lost = [key for key in OPTIONAL_KEYS if document.get(key) and key not in EXPORT_FORMATS[name].carries]
    lines = [reader.choose("export.attached", name, name=_file_name(reader, EXPORT_FORMATS[name]))]
    if lost:
        what = ", ".join(reader.say(f"export.besides.{key}") for key in lost)
        lines.append(reader.say("export.lost", what=what))
    lines.append(reader.say("export.back"))
    return (SectionView(reader.say("export.title"), tuple(map(ParagraphView, lines))),)


def imported_sections(reader: Recipient, position: Position | None, topic: str) -> tuple[SectionView, ...]:
    """The position that IMPORT read (`topic`, as JSON): the units and centres of each power."""
    if position is None or reader.power is not None or not topic:
        return ()
    read = position_from_json(reader.variant, json.loads(topic))
    rows = tuple(
        (reader.called(power), _standing(reader, read, power))
        for power in reader.variant.nations
        if read.units_of(power) or read.centres_of(power) or any(out.unit.power == power for out in read.dislodged)
    )
    title = reader.say("imported.title", phase=reader.phase_words("phase.said", reader.variant.phase_name(read)))
    return (SectionView(title, (TableView(rows),)),)


def _standing(reader: Recipient, position: Position, power: str) -> str:
    driven = (out.unit for out in position.dislodged if out.unit.power == power)
    units = [
        *map(str, sorted_units(position.units_of(power))),
        *(reader.say("imported.dislodged", unit=str(unit)) for unit in driven),
    ]
    centres = position.centres_of(power)
    fields = {"units": ", ".join(units) or "–", "n": len(centres), "centres": ", ".join(centres) or "–"}
    return reader.say("imported.row", **fields)


def export_files(
    reader: Recipient, position: Position | None, inserts: Iterable[AnswerInsert]
) -> tuple[LetterPart, ...]:
    """The attached files. They hold secret orders, so only game masters get them."""
    if position is None or reader.power is not None:
        return ()
    wanted = dict.fromkeys(insert.topic or JSON for insert in inserts if insert.kind == EXPORT)
    if not wanted:
        return ()
    document = _document(reader, position)
    return tuple(_part(reader, position, EXPORT_FORMATS[name], document) for name in wanted)


def chronicle_sections(reader: Recipient, position: Position | None, topic: str) -> tuple[SectionView, ...]:
    """Text about the attached chronicle, or that the game is not over."""
    over = reader.game.state is GameState.ENDED and reader.game.snapshot
    words = reader.say("export.chronicle" if over else "export.chronicle-later", name=f"{reader.game.name}.html")
    return (SectionView(reader.say("chronicle.title", game=reader.game.name), (ParagraphView(words),)),)


def chronicle_file(
    reader: Recipient, inserts: Iterable[AnswerInsert]
) -> tuple[tuple[LetterPart, ...], AttachedMap | None]:
    """The chronicle as one HTML file, where it is asked for, and the picture that the letter waits for."""
    over = reader.game.state is GameState.ENDED and reader.game.snapshot
    if not over or all(insert.kind != CHRONICLE for insert in inserts):
        return (), None
    chart, board = maps.centre_chart(reader), maps.board_map(reader)
    page = chronicle_file_page(reader, chart, board)
    file = SiteTemplates(reader.services.letters.folder).chronicle_file(page)
    return (LetterPart(HTML, f"{reader.game.name}.html", file.encode()),), board


def _part(reader: Recipient, position: Position, form: ExportFormat, document: Mapping[str, Any]) -> LetterPart:
    return LetterPart(form.mime, _file_name(reader, form), form.write(reader, position, dict(document)).encode())


def _document(reader: Recipient, position: Position) -> dict[str, Any]:
    return position_to_json(reader.variant, position) | {"orders": _orders_on_file(reader)}


def _orders_on_file(reader: Recipient) -> dict[str, list[str]]:
    """The orders on file for the open phase. Germany's sheet for Poland has the key "Germany/Poland"."""
    sheets = reader.store.turns.sheets(reader.game.id, reader.game.snapshot)
    return {
        sheet.power if sheet.author == sheet.power else f"{sheet.author}/{sheet.power}": [
            line.text for line in sheet.lines
        ]
        for sheet in sheets
        if sheet.lines
    }


def _file_name(reader: Recipient, form: ExportFormat) -> str:
    return f"{'-'.join(filter(None, (reader.game.name, reader.game.phase)))}.{form.ending}"
