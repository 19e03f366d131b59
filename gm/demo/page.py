"""Writes the demo's page of letters: a list of steps with their letters, and the letter chosen beside it."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Iterable
from datetime import datetime
from email.message import EmailMessage
from itertools import groupby
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from gm.demo.stage import DemoLetter, text_of
from gm.demo.story import ZONE, Player

HEADERS = ("Date", "From", "To", "Reply-To", "Subject", "Message-ID", "In-Reply-To")


def write_page(folder: Path, letters: list[DemoLetter], people: Iterable[Player]) -> Path:
    """Writes folder/index.html and one file per letter. Pictures are inside the files; nothing comes from elsewhere."""
    seats = {p.address: p.seat for p in people}
    pages = _templates()
    (folder / "letters").mkdir(exist_ok=True)
    for number, sent in enumerate(letters, 1):
        text = text_of(sent.message) or sent.words
        letter = pages.get_template("letter.html")
        page = letter.render(sent=sent, text=text, rich=_html_with_pictures(sent.message), headers=HEADERS)
        (folder / _file_name(number)).write_text(page, encoding="utf-8")
    steps = [(step, [*rows]) for step, rows in groupby(enumerate(letters, 1), key=lambda entry: entry[1].scene)]
    index = folder / "index.html"
    opening = _opening(letters, seats)
    index.write_text(
        pages.get_template("page.html").render(steps=steps, seats=seats, opening=opening), encoding="utf-8"
    )
    return index


def _templates() -> Environment:
    pages = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    pages.filters |= {"clock": _clock, "file": _file_name}
    return pages


def _clock(at: datetime) -> str:
    return f"{at.astimezone(ZONE):%a %d %b %H:%M}"


def _file_name(number: int) -> str:
    return f"letters/{number:03}.html"


def _opening(letters: list[DemoLetter], seats: dict[str, str]) -> int:
    """Returns the number of the letter that the story opens the page with, else the first."""
    wanted = (n for n, sent in enumerate(letters, 1) if sent.by_master and sent.scene.opens == seats.get(sent.reader))
    return next(wanted, 1)


def _html_with_pictures(message: EmailMessage) -> str:
    """Returns the HTML part with its `cid:` pictures as data; "" for a letter of text alone."""
    part = message.get_body(("html",))
    if part is None:
        return ""
    pictures = {str(picture["Content-ID"]).strip("<> "): picture for picture in message.walk() if picture["Content-ID"]}

    def data(match: re.Match[str]) -> str:
        picture = pictures.get(html.unescape(match[1]))
        if picture is None:
            return match[0]
        content = base64.b64encode(picture.get_payload(decode=True)).decode("ascii")  # type: ignore[arg-type]
        return f'"data:{picture.get_content_type()};base64,{content}"'

    return re.sub(r'"cid:([^"]+)"', data, str(part.get_content()))
