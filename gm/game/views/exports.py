"""EXPORT: attaches the position and order sheets as a file. IMPORT reads each format back."""

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
from gm.judge.model.position import Position
from gm.language.formats import csv, njudge
from gm.language.formats.json_position import position_to_json
from gm.language.rendering.site_pages import SiteTemplates
from gm.language.rendering.views import ParagraphView, SectionView

EXPORT = "export"
CHRONICLE = "chronicle"
JSON = "json"
OPTIONAL_KEYS = ("ledger", "ahead", "humans", "borders")
"""Keys of a document besides units, centres and sheets. Not every format can hold them."""


class ExportFormat(NamedTuple):
    """A file format of EXPORT. `carries` are the keys of `OPTIONAL_KEYS` that it can hold."""

    mime: str
    ending: str
    write: Callable[[Recipient, Position, dict[str, Any]], str]
    carries: tuple[str, ...] = ()


def _write_njudge(reader: Recipient, position: Position, document: dict[str, Any]) -> str:
    due = reader.game.due_at.astimezone(reader.settings.zone) if reader.game.due_at is not None else None
    return njudge.write(reader.variant, position, document, reader.game.name, due)


EXPORT_FORMATS: Mapping[str, ExportFormat] = {
    JSON: ExportFormat(
        "application/json",
        "json",
        lambda r, p, document: json.dumps(document, ensure_ascii=False, indent=1),
        OPTIONAL_KEYS,
    ),
    "csv": ExportFormat("text/csv", "csv", lambda r, p, document: csv.write(document), ("ledger",)),
    "njudge": ExportFormat("text/plain", "txt", _write_njudge),
}
"""By the argument of EXPORT. "json" is the input format of `gm adjudicate`, with the sheets under "orders"."""


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
