"""Writes the demo's page of letters: a list of steps with their letters, and the letter chosen beside it."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Iterable
from email.message import EmailMessage
from itertools import groupby
from pathlib import Path
from string import Template

from gm.demo.stage import DemoLetter, text_of
from gm.demo.story import ZONE, Player, StoryStep

HEADERS = ("Date", "From", "To", "Reply-To", "Subject", "Message-ID", "In-Reply-To")


def write_page(folder: Path, letters: list[DemoLetter], people: Iterable[Player]) -> Path:
    """Writes folder/index.html and one file per letter. Pictures are inside the files; nothing comes from elsewhere."""
    seats = {p.address: p.seat for p in people}
    (folder / "letters").mkdir(exist_ok=True)
    steps = []
    opening = _opening(letters, seats)
    for scene, numbered in groupby(enumerate(letters, 1), key=lambda entry: entry[1].scene):
        rows = [_step_heading(scene)]
        for number, sent in numbered:
            (folder / _file_name(number)).write_text(_letter_page(sent), encoding="utf-8")
            rows.append(_row(number, sent, _correspondent(sent, seats), shown=number == opening))
        steps.append("<section>" + "\n".join(rows) + "</section>")
    page = folder / "index.html"
    text = _template("page.html").substitute(steps="\n".join(steps), opening=_file_name(opening))
    page.write_text(text, encoding="utf-8")
    return page


def _file_name(number: int) -> str:
    return f"letters/{number:03}.html"


def _correspondent(sent: DemoLetter, seats: dict[str, str]) -> str:
    return seats.get(sent.reader if sent.by_master else sent.sender, "?")


def _opening(letters: list[DemoLetter], seats: dict[str, str]) -> int:
    """Returns the number of the letter that the story opens the page with, else the first."""
    wanted = (n for n, sent in enumerate(letters, 1) if sent.by_master and sent.scene.opens == seats.get(sent.reader))
    return next(wanted, 1)


def _step_heading(scene: StoryStep) -> str:
    return f"<h2><time>{scene.at.astimezone(ZONE):%a %d %b %H:%M}</time> {html.escape(scene.title)}</h2>"


def _row(number: int, sent: DemoLetter, who: str, *, shown: bool) -> str:
    direction = "to" if sent.by_master else "from"
    mark = ' aria-current="page"' if shown else ""
    return (
        f'<a class="{direction}" target="letter" id="{number:03}" href="{_file_name(number)}"{mark}>'
        f"<b>{direction} {html.escape(who)}</b> {html.escape(str(sent.message['Subject']))}</a>"
    )


def _letter_page(sent: DemoLetter) -> str:
    heads = "".join(
        f"<tr><th>{key}</th><td>{html.escape(str(sent.message[key]))}</td></tr>" for key in HEADERS if sent.message[key]
    )
    text = f"<pre>{html.escape(text_of(sent.message) or sent.words)}</pre>"
    rich = _html_with_pictures(sent.message)
    frame = f'<iframe srcdoc="{html.escape(rich, quote=True)}" sandbox="allow-same-origin"></iframe>' if rich else text
    more = f"<details><summary>Text part</summary>{text}</details>" if rich else ""
    return _template("letter.html").substitute(
        step=_step_heading(sent.scene),
        sender=html.escape(str(sent.message["From"])),
        reader=html.escape(str(sent.message["To"])),
        subject=html.escape(str(sent.message["Subject"])),
        heads=heads,
        letter=frame,
        more=more,
    )


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


def _template(name: str) -> Template:
    return Template(Path(__file__).with_name(name).read_text(encoding="utf-8"))
