"""EXPORT: the position and the sheets as a file for a game master's other tools. IMPORT reads each form back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from gm.game.model.letter_report import AnswerInsert
from gm.game.model.recipient import Recipient
from gm.game.model.records import LetterPart
from gm.judge.model.position import Position
from gm.language.formats import csv as spreadsheet
from gm.language.formats import njudge
from gm.language.formats.common import Exported, NoPhase
from gm.language.formats.daide import writer as daide
from gm.language.formats.json_position import position_to_json
from gm.language.formats.realpolitik import writer as realpolitik
from gm.language.rendering.views import Block, BulletsView, ParagraphView, SectionView

EXPORT = "export"
JSON = "json"
BESIDES = ("ledger", "ahead", "humans", "borders")
"""What a document may hold besides units, centres and sheets; only some forms have words for it."""
SHOWN = 40
"""Lines that are left out, told one by one."""


class ExportFormat(NamedTuple):
    """`besides`: what of BESIDES it tells."""

    mime: str
    ending: str
    write: Callable[[Recipient, Position, dict[str, Any]], Exported]
    besides: tuple[str, ...] = ()


def _njudge(reader: Recipient, position: Position, document: dict[str, Any]) -> Exported:
    due = reader.game.due_at.astimezone(reader.settings.zone) if reader.game.due_at is not None else None
    return Exported(njudge.write(reader.variant, position, document, reader.game.name, due))


FORMS: Mapping[str, ExportFormat] = {
    JSON: ExportFormat(
        "application/json", "json",
        lambda r, p, document: Exported(json.dumps(document, ensure_ascii=False, indent=1)), BESIDES,
    ),
    "csv": ExportFormat("text/csv", "csv", lambda r, p, document: Exported(spreadsheet.write(document)), ("ledger",)),
    "njudge": ExportFormat("text/plain", "txt", _njudge),
    "realpolitik": ExportFormat(
        "text/plain", "dpy", lambda r, p, document: realpolitik.write(r.variant, p, document, r.game.name)
    ),
    "daide": ExportFormat("text/plain", "daide", lambda r, p, document: daide.write(r.variant, p, document),
    ("borders",)),
}  # fmt: skip
"""By the word behind EXPORT. The first is that of `gm adjudicate`, with the sheets under "orders"."""


def sections(reader: Recipient, position: Position | None, topic: str) -> tuple[SectionView, ...]:
    """What the letter says of the file; it may quote sheets, so it is a game master's alone, as the file is."""
    name = topic or JSON
    if position is None or reader.power is not None:
        return ()
    document = _document(reader, position)
    try:
        made = FORMS[name].write(reader, position, dict(document))
    except NoPhase:
        said = reader.say("export.no-phase", form=name, phase=reader.game.phase)
        return (SectionView(reader.say("export.title"), (ParagraphView(said),)),)
    attached = reader.choose("export.attached", name, name=_name(reader, FORMS[name]))
    blocks = (ParagraphView(attached), *_words(reader, made), *_left_out(reader, FORMS[name], document, made))
    return (SectionView(reader.say("export.title"), (*blocks, ParagraphView(reader.say("export.back")))),)


def _words(reader: Recipient, made: Exported) -> Iterator[Block]:
    """What the file calls powers and provinces, and in which order the powers stand in it."""
    if made.ranks:
        yield ParagraphView(reader.say("export.ranks", title=reader.variant.title, powers=", ".join(made.ranks)))
    if made.powers:
        yield ParagraphView(reader.say("export.powers", words=_equal(made.powers)))
    if made.provinces:
        yield ParagraphView(reader.say("export.provinces", words=_equal(made.provinces)))


def _equal(words: Iterable[tuple[str, str]]) -> str:
    return ", ".join(f"{word} = {meant}" for word, meant in words)


def _left_out(reader: Recipient, form: ExportFormat, document: Mapping[str, Any], made: Exported) -> Iterator[Block]:
    lost = [name for name in BESIDES if document.get(name) and name not in form.besides]
    if lost:
        yield ParagraphView(
            reader.say("export.lost", what=", ".join(reader.say(f"export.besides.{name}") for name in lost))
        )
    for key, lines in (("unsaid", made.unsaid), ("ways", made.ways)):
        if lines:
            yield ParagraphView(reader.say(f"export.{key}", n=len(lines)))
            yield BulletsView(lines[:SHOWN])
            if len(lines) > SHOWN:
                yield ParagraphView(reader.say("export.more", n=len(lines) - SHOWN))


def parts(reader: Recipient, position: Position | None, inserts: Iterable[AnswerInsert]) -> tuple[LetterPart, ...]:
    """The files asked for. They hold all that is secret, so they are a game master's alone."""
    if position is None or reader.power is not None:
        return ()
    wanted = dict.fromkeys(insert.topic or JSON for insert in inserts if insert.kind == EXPORT)
    if not wanted:
        return ()
    document = _document(reader, position)
    return tuple(filter(None, (_part(reader, position, FORMS[name], document) for name in wanted)))


def _part(reader: Recipient, position: Position, form: ExportFormat, document: Mapping[str, Any]) -> LetterPart | None:
    try:
        made = form.write(reader, position, dict(document))
    except NoPhase:
        return None
    return LetterPart(form.mime, _name(reader, form), made.text.encode())


def _document(reader: Recipient, position: Position) -> dict[str, Any]:
    return position_to_json(reader.variant, position) | {"orders": _orders(reader)}


def _orders(reader: Recipient) -> dict[str, list[str]]:
    """What is on file for the open phase; a sheet for a power without a seat below "Germany/Poland"."""
    sheets = reader.store.turns.sheets(reader.game.id, reader.game.snapshot)
    return {
        sheet.power if sheet.author == sheet.power else f"{sheet.author}/{sheet.power}": [
            line.text for line in sheet.lines
        ]
        for sheet in sheets
        if sheet.lines
    }


def _name(reader: Recipient, form: ExportFormat) -> str:
    return f"{'-'.join(filter(None, (reader.game.name, reader.game.phase)))}.{form.ending}"
