"""EXPORT: the position and the sheets as a file for a game master's other tools. IMPORT reads each form back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from gm.desk.reader import Reader
from gm.desk.records import Part
from gm.desk.report import Insert
from gm.judge.position import Position
from gm.text import njudge, spreadsheet
from gm.text.exchange import position_to_json
from gm.text.views import Para, Section

EXPORT = "export"
JSON = "json"


class Form(NamedTuple):
    mime: str
    ending: str
    write: Callable[[Reader, Position, dict[str, Any]], str]


def _njudge(reader: Reader, position: Position, document: dict[str, Any]) -> str:
    due = reader.game.due_at.astimezone(reader.settings.zone) if reader.game.due_at is not None else None
    return njudge.write(reader.variant, position, document, reader.game.name, due)


FORMS: Mapping[str, Form] = {
    JSON: Form("application/json", "json", lambda r, p, document: json.dumps(document, ensure_ascii=False, indent=1)),
    "csv": Form("text/csv", "csv", lambda r, p, document: spreadsheet.write(document)),
    "njudge": Form("text/plain", "txt", _njudge),
}
"""By the word behind EXPORT. The first is that of `gm adjudicate`, with the sheets under "orders"."""


def sections(reader: Reader, position: Position | None, topic: str) -> tuple[Section, ...]:
    said = reader.choose("export.attached", topic or JSON, name=_name(reader, FORMS[topic or JSON]))
    return (Section(reader.say("export.title"), (Para(said), Para(reader.say("export.back")))),)


def parts(reader: Reader, position: Position | None, inserts: Iterable[Insert]) -> tuple[Part, ...]:
    """The files asked for. They hold all that is secret, so they are a game master's alone."""
    if position is None or reader.power is not None:
        return ()
    wanted = dict.fromkeys(one.topic or JSON for one in inserts if one.kind == EXPORT)
    if not wanted:
        return ()
    document = position_to_json(reader.variant, position) | {"orders": _orders(reader)}
    forms = (FORMS[name] for name in wanted)
    return tuple(
        Part(one.mime, _name(reader, one), one.write(reader, position, dict(document)).encode()) for one in forms
    )


def _orders(reader: Reader) -> dict[str, list[str]]:
    """What is on file for the open phase; a sheet for a power without a seat below "Germany/Poland"."""
    sheets = reader.store.turns.sheets(reader.game.id, reader.game.snapshot)
    return {
        one.power if one.author == one.power else f"{one.author}/{one.power}": [line.text for line in one.lines]
        for one in sheets
        if one.lines
    }


def _name(reader: Reader, form: Form) -> str:
    return f"{'-'.join(filter(None, (reader.game.name, reader.game.phase)))}.{form.ending}"
