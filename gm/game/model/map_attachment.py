"""How a queued letter gets its map, or is sent without it.

A letter is queued before its map is drawn. Its text and HTML hold the words for both cases between marks: a line of its
own in the text, a comment in the HTML. Quoted or escaped words of persons can't form such marks. When the letter is
handed over, one case is chosen for good.
"""

from __future__ import annotations

import re
from datetime import datetime
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from gm.game.model.ports import Store
from gm.game.model.records import EVERYBODY, LetterPart, OutboxRow, OutLetter, Picture
from gm.language.rendering.views import MapView

TYPES = {"png": "image/png", "svg": "image/svg+xml"}
MAP_CASES = re.compile(
    r"(?:^::map-with\n|<!--map-with-->)(?P<with>.*?)(?:^::map-without\n|<!--map-without-->)"
    r"(?P<without>.*?)(?:^::map-end\n|<!--map-end-->)(?P<gap>\n*)",
    re.DOTALL | re.MULTILINE,
)


CROP_CASE = re.compile(r"<!--crop-->.*?<!--crop-end-->", re.DOTALL)
ORDERS = "orders-"
"""Begins the form of a picture of one player's orders; another picture with an audience is a crop round its units."""


class AttachedMap(Struct, frozen=True):
    """A requested map: the picture's id, how long the letter waits for it, and its view.

    A player's letter waits for the crop round their units, which is drawn after the whole picture.
    """

    picture: int
    until: datetime
    view: MapView


def content_id(message_id: str) -> str:
    """The Content-ID by which the HTML of a letter refers to its map."""
    return f"map.{message_id}"


def crop_id(message_id: str) -> str:
    """The Content-ID of the crop."""
    return f"crop.{message_id}"


def decide_map(store: Store, row: OutboxRow) -> OutboxRow:
    """Decides whether the letter goes with its map, and records that."""
    letter = row.letter
    if not letter.picture:
        return row
    picture = store.pictures.get(letter.picture)
    map_file, crop = _files(store, picture) if picture is not None else (b"", b"")
    shown = bool(map_file) if row.pictured is None else row.pictured
    if row.pictured is None:
        store.outbox.record_picture(row.id, shown=shown)
        if picture is not None and shown and not crop:
            store.pictures.finish(picture.id, store.now(), b"", "its letter has left")
    return replace(row, letter=attach_map(letter, map_file if shown else b"", crop), pictured=shown)


def _files(store: Store, picture: Picture) -> tuple[bytes, bytes]:
    """The map, and the crop of it."""
    if picture.audience == EVERYBODY or picture.form.startswith(ORDERS):
        return picture.content, b""
    return store.pictures.content(picture.snapshot, EVERYBODY, picture.form), picture.content


def attach_map(letter: OutLetter, map_file: bytes, crop: bytes = b"") -> OutLetter:
    """Attaches the map, and a crop of it for small screens, or chooses the words for a letter without one."""
    case = "with" if map_file else "without"
    text, html = (MAP_CASES.sub(partial(_words, case), words) for words in (letter.text, letter.html))
    html = html if crop else CROP_CASE.sub("", html)
    if not map_file:
        return replace(letter, text=text, html=html)
    name, _, ending = letter.picture_name.rpartition(".")
    parts = [_part(letter, html, f"{name}.{ending}", map_file)]
    if crop and f"cid:{crop_id(letter.message_id)}" in html:
        parts.append(LetterPart(TYPES[ending], f"{name}-crop.{ending}", crop, crop_id(letter.message_id)))
    return replace(letter, text=text, html=html, parts=(*parts, *letter.parts))


def _words(case: str, match: re.Match[str]) -> str:
    """The words of a case, and the blank line below them unless they end with one."""
    return match[case] + ("" if match[case][-2:] in ("", "\n\n") else match["gap"])


def _part(letter: OutLetter, html: str, name: str, content: bytes) -> LetterPart:
    cid = content_id(letter.message_id)
    return LetterPart(TYPES[name.rpartition(".")[2]], name, content, cid if f"cid:{cid}" in html else "")
