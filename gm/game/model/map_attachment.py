"""How a queued letter gets its map, or is sent without it.

A letter is queued before its map is drawn. Its text and HTML hold the words for both cases between marks: a line of its
own in the text, a comment in the HTML. Quoted or escaped words of persons can't form such marks. When the letter is
handed over, one case is chosen for good.
"""

from __future__ import annotations

import base64
import re
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from gm.game.model.ports import Store
from gm.game.model.records import EVERYBODY, LetterPart, OutboxRow, OutLetter, Picture
from gm.language.rendering.views import MapView

PNG = "png"
HTML = "text/html"
TYPES = {PNG: "image/png", "svg": "image/svg+xml"}
CASES = {
    mark: tuple(
        re.compile(
            rf"{begin}{mark}-with{end}(?P<with>.*?){begin}{mark}-without{end}(?P<without>.*?)"
            rf"{begin}{mark}-end{end}(?P<gap>\n*)",
            re.DOTALL | re.MULTILINE,
        )
        for begin, end in (("^::", "\n"), ("<!--", "-->"))
    )
    for mark in ("map", "crop", "chart")
}
"""How the words for both cases are marked in the text and in the HTML. One expression for both is ten times slower."""
WHOLE = re.compile(rb"cid:picture-(\d+)")
"""The content of a part that becomes a picture when the letter is handed over."""
SHOWN = re.compile(rb'(?<=src=")cid:picture-(\d+)(?=")')
"""Where an attached HTML file shows a picture. Escaped words of persons hold no such quotes."""
ORDERS = "orders-"
"""Begins the form of a picture of one player's orders; another picture with an audience is a crop round its units."""


class AttachedMap(Struct, frozen=True):
    """A requested map: the picture's id, how long the letter waits for it, and its view.

    A player's letter waits for the crop round their units, which is drawn after the whole picture.
    """

    picture: int
    until: datetime
    view: MapView

    def shown_in(self, message_id: str) -> MapView:
        """The view in this letter, with its Content-IDs."""
        crop = content_id(message_id, "crop") if self.view.crop else ""
        return replace(self.view, cid=content_id(message_id), crop=crop)


def content_id(message_id: str, what: str = "map") -> str:
    """The Content-ID by which the HTML of a letter refers to its map, the crop of that, or its chart."""
    return f"{what}.{message_id}"


def place_of(picture: AttachedMap) -> bytes:
    """What stands for a picture in a part until the letter is handed over."""
    return f"cid:picture-{picture.picture}".encode()


def chart_part(message_id: str, chart: AttachedMap) -> LetterPart:
    """The part that becomes the chart when the letter is handed over."""
    return LetterPart(TYPES[PNG], chart.view.name, place_of(chart), content_id(message_id, "chart"))


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
    letter = _with_pictures(store, letter, shown=shown)
    return replace(row, letter=attach_map(letter, map_file if shown else b"", crop), pictured=shown)


def _files(store: Store, picture: Picture) -> tuple[bytes, bytes]:
    """The map, and the crop of it."""
    if picture.audience == EVERYBODY or picture.form.startswith(ORDERS):
        return picture.content, b""
    return store.pictures.content(picture.snapshot, EVERYBODY, picture.form), picture.content


def attach_map(letter: OutLetter, map_file: bytes, crop: bytes = b"") -> OutLetter:
    """Attaches the map, and a crop of it for small screens, or chooses the words for a letter without one."""
    letter = _choose(_choose(letter, "map", shown=bool(map_file)), "crop", shown=bool(crop))
    if not map_file or not letter.picture_name:
        return letter
    name, _, ending = letter.picture_name.rpartition(".")
    files = (("map", f"{name}.{ending}", map_file), ("crop", f"{name}-crop.{ending}", crop))
    parts = [
        LetterPart(TYPES[ending], file, content, cid if f"cid:{cid}" in letter.html else "")
        for what, file, content in files
        if content and (cid := content_id(letter.message_id, what))
    ]
    return replace(letter, parts=(*parts, *letter.parts))


def _choose(letter: OutLetter, mark: str, *, shown: bool) -> OutLetter:
    """The letter with the words for one case of a picture, and the blank line below them unless they end with one."""
    case = "with" if shown else "without"

    def words(match: re.Match[str]) -> str:
        return match[case] + ("" if match[case][-2:] in ("", "\n\n") else match["gap"])

    def chosen(marked: re.Pattern[str], written: str) -> str:
        return marked.sub(words, written) if f"{mark}-with" in written else written  # "in" is far faster

    in_text, in_html = CASES[mark]
    return replace(letter, text=chosen(in_text, letter.text), html=chosen(in_html, letter.html))


def _with_pictures(store: Store, letter: OutLetter, *, shown: bool) -> OutLetter:
    """The letter with the pictures of its parts; those that cannot be had are left out."""

    def content(place: re.Match[bytes]) -> bytes:
        picture = store.pictures.get(int(place[1])) if shown else None
        return picture.content if picture is not None else b""

    def data(place: re.Match[bytes]) -> bytes:
        return b"data:image/png;base64," + base64.b64encode(content(place))

    parts: list[LetterPart] = []
    for part in letter.parts:
        whole = WHOLE.fullmatch(part.content)
        if whole is not None:
            parts += [replace(part, content=drawn)] if (drawn := content(whole)) else []
        else:
            parts.append(replace(part, content=SHOWN.sub(data, part.content)) if part.mime == HTML else part)
    charted = any(part.cid == content_id(letter.message_id, "chart") for part in parts)
    return _choose(replace(letter, parts=tuple(parts)), "chart", shown=charted)
