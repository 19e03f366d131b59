"""EXPORT: the position as a file, in the form that `gm adjudicate` reads, for a game master's other tools."""

from __future__ import annotations

import json
from collections.abc import Iterable

from gm.desk.reader import Reader
from gm.desk.records import Part
from gm.desk.report import Insert
from gm.judge.position import Position
from gm.text.exchange import position_to_json
from gm.text.views import Para, Section

EXPORT = "export"


def sections(reader: Reader, position: Position | None, topic: str) -> tuple[Section, ...]:
    return (Section(reader.say("export.title"), (Para(reader.say("export.attached", name=_name(reader))),)),)


def parts(reader: Reader, position: Position | None, inserts: Iterable[Insert]) -> tuple[Part, ...]:
    """The file, where it was asked for. It holds all that is secret, so it is a game master's alone."""
    if position is None or reader.power is not None or not any(one.kind == EXPORT for one in inserts):
        return ()
    text = json.dumps(position_to_json(reader.variant, position), ensure_ascii=False, indent=1)
    return (Part("application/json", _name(reader), text.encode()),)


def _name(reader: Reader) -> str:
    return "-".join(filter(None, (reader.game.name, reader.game.phase))) + ".json"
