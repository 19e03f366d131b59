"""EXPORT: the position and the sheets as a file for a game master's other tools. IMPORT reads each form back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from gm.game.model.letter_report import Insert
from gm.game.model.recipient import Reader
from gm.game.model.records import Part
from gm.judge.model.position import Position
from gm.language.formats import csv as spreadsheet
from gm.language.formats import njudge
from gm.language.formats.common import Exported, NoPhase
from gm.language.formats.daide import writer as daide
from gm.language.formats.json_position import position_to_json
from gm.language.formats.realpolitik import writer as realpolitik
from gm.language.rendering.views import Block, Bullets, Para, Section

EXPORT = "export"
JSON = "json"
BESIDES = ("ledger", "ahead", "humans", "borders")
"""What a document may hold besides units, centres and sheets; only some forms have words for it."""
SHOWN = 40
"""Lines that are left out, told one by one."""


class Form(NamedTuple):
    """`besides`: what of BESIDES it tells."""

    mime: str
    ending: str
    write: Callable[[Reader, Position, dict[str, Any]], Exported]
    besides: tuple[str, ...] = ()


def _njudge(reader: Reader, position: Position, document: dict[str, Any]) -> Exported:
    due = reader.game.due_at.astimezone(reader.settings.zone) if reader.game.due_at is not None else None
    return Exported(njudge.write(reader.variant, position, document, reader.game.name, due))


FORMS: Mapping[str, Form] = {
    JSON: Form(
        "application/json", "json",
        lambda r, p, document: Exported(json.dumps(document, ensure_ascii=False, indent=1)), BESIDES,
    ),
    "csv": Form("text/csv", "csv", lambda r, p, document: Exported(spreadsheet.write(document)), ("ledger",)),
    "njudge": Form("text/plain", "txt", _njudge),
    "realpolitik": Form(
        "text/plain", "dpy", lambda r, p, document: realpolitik.write(r.variant, p, document, r.game.name)
    ),
    "daide": Form("text/plain", "daide", lambda r, p, document: daide.write(r.variant, p, document), ("borders",)),
}  # fmt: skip
"""By the word behind EXPORT. The first is that of `gm adjudicate`, with the sheets under "orders"."""


def sections(reader: Reader, position: Position | None, topic: str) -> tuple[Section, ...]:
    """What the letter says of the file; it may quote sheets, so it is a game master's alone, as the file is."""
    name = topic or JSON
    if position is None or reader.power is not None:
        return ()
    document = _document(reader, position)
    try:
        made = FORMS[name].write(reader, position, dict(document))
    except NoPhase:
        said = reader.say("export.no-phase", form=name, phase=reader.game.phase)
        return (Section(reader.say("export.title"), (Para(said),)),)
    attached = reader.choose("export.attached", name, name=_name(reader, FORMS[name]))
    blocks = (Para(attached), *_words(reader, made), *_left_out(reader, FORMS[name], document, made))
    return (Section(reader.say("export.title"), (*blocks, Para(reader.say("export.back")))),)


def _words(reader: Reader, made: Exported) -> Iterator[Block]:
    """What the file calls powers and provinces, and in which order the powers stand in it."""
    if made.ranks:
        yield Para(reader.say("export.ranks", title=reader.variant.title, powers=", ".join(made.ranks)))
    if made.powers:
        yield Para(reader.say("export.powers", words=_equal(made.powers)))
    if made.provinces:
        yield Para(reader.say("export.provinces", words=_equal(made.provinces)))


def _equal(words: Iterable[tuple[str, str]]) -> str:
    return ", ".join(f"{word} = {meant}" for word, meant in words)


def _left_out(reader: Reader, form: Form, document: Mapping[str, Any], made: Exported) -> Iterator[Block]:
    lost = [name for name in BESIDES if document.get(name) and name not in form.besides]
    if lost:
        yield Para(reader.say("export.lost", what=", ".join(reader.say(f"export.besides.{name}") for name in lost)))
    for key, lines in (("unsaid", made.unsaid), ("ways", made.ways)):
        if lines:
            yield Para(reader.say(f"export.{key}", n=len(lines)))
            yield Bullets(lines[:SHOWN])
            if len(lines) > SHOWN:
                yield Para(reader.say("export.more", n=len(lines) - SHOWN))


def parts(reader: Reader, position: Position | None, inserts: Iterable[Insert]) -> tuple[Part, ...]:
    """The files asked for. They hold all that is secret, so they are a game master's alone."""
    if position is None or reader.power is not None:
        return ()
    wanted = dict.fromkeys(one.topic or JSON for one in inserts if one.kind == EXPORT)
    if not wanted:
        return ()
    document = _document(reader, position)
    return tuple(filter(None, (_part(reader, position, FORMS[name], document) for name in wanted)))


def _part(reader: Reader, position: Position, form: Form, document: Mapping[str, Any]) -> Part | None:
    try:
        made = form.write(reader, position, dict(document))
    except NoPhase:
        return None
    return Part(form.mime, _name(reader, form), made.text.encode())


def _document(reader: Reader, position: Position) -> dict[str, Any]:
    return position_to_json(reader.variant, position) | {"orders": _orders(reader)}


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
