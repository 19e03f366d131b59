"""How a queued letter gets its map, or is sent without it.

A letter is queued before its map is drawn. Its text and HTML hold the words for both cases between marks: a line of its
own in the text, a comment in the HTML. Quoted or escaped words of persons can't form such marks. When the letter is
handed over, one case is chosen for good.
"""

from __future__ import annotations

import re
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from gm.game.model.ports import Store
from gm.game.model.records import LetterPart, OutboxRow, OutLetter, Picture
from gm.language.rendering.views import MapView

TYPES = {"png": "image/png", "svg": "image/svg+xml"}
MAP_CASES = re.compile(
    r"(?:^::map-with\n|<!--map-with-->)(?P<with>.*?)(?:^::map-without\n|<!--map-without-->)"
    r"(?P<without>.*?)(?:^::map-end\n|<!--map-end-->)",
    re.DOTALL | re.MULTILINE,
)


class AttachedMap(Struct, frozen=True):
    """A requested map: the picture's id, how long the letter waits for it, and its view."""

    picture: int
    until: datetime
    view: MapView


def content_id(message_id: str) -> str:
    """The Content-ID by which the HTML of a letter refers to its map."""
    return f"map.{message_id}"


def decide_map(store: Store, row: OutboxRow) -> OutboxRow:
    """Decides whether the letter goes with its map, and records that."""
    letter = row.letter
    if not letter.picture:
        return row
    picture = store.pictures.get(letter.picture)
    shown = bool(picture and picture.content) if row.pictured is None else row.pictured
    if row.pictured is None:
        store.outbox.record_picture(row.id, shown=shown)
    return replace(row, letter=attach_map(letter, picture if shown else None), pictured=shown)


def attach_map(letter: OutLetter, picture: Picture | None) -> OutLetter:
    """Attaches the map, or chooses the words for a letter without one."""
    case = "with" if picture is not None else "without"
    text, html = (MAP_CASES.sub(lambda match: match[case], words) for words in (letter.text, letter.html))
    if picture is None:
        return replace(letter, text=text, html=html)
    ending = letter.picture_name.rpartition(".")[2]
    cid = content_id(letter.message_id)
    part = LetterPart(TYPES[ending], letter.picture_name, picture.content, cid if f"cid:{cid}" in html else "")
    return replace(letter, text=text, html=html, parts=(part, *letter.parts))
