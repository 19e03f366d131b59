"""Shows the demo: the correspondence in the terminal, and a page of all letters for the browser."""

from __future__ import annotations

import html
import textwrap
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from string import Template

import click

from gm.demo.stage import DemoLetter, html_of, text_of
from gm.demo.story import ZONE, Player

WIDTH = 78


class Terminal:
    """Prints scene by scene. `detail` 0: progress only; 1: first words; 2: whole letters."""

    def __init__(self, people: Iterable[Player], scenes: int, detail: int) -> None:
        self._seats = {p.address: f"{p.name} ({p.seat})" for p in people}
        self._scenes = scenes
        self._detail = detail

    def scene(self, number: int, at: datetime, title: str) -> None:
        when = at.astimezone(ZONE)
        done = round(20 * number / self._scenes)
        bar = "#" * done + "." * (20 - done)
        click.echo()
        click.secho(f"[{bar}] {number}/{self._scenes}  {when:%a %d %b %H:%M}  {title}", bold=True)

    def letter(self, sent: DemoLetter) -> None:
        if not self._detail:
            return
        who = self._seats.get(sent.reader if sent.by_master else sent.sender, sent.reader)
        arrow, colour = ("<-- to", "cyan") if sent.by_master else ("--> from", "green")
        how = "" if sent.by_master else f"  [{sent.program}]"
        click.secho(f"  {arrow} {who}{how}: {sent.message['Subject']}", fg=colour)
        for line in self._lines(sent):
            click.echo(f"      {line}")

    def _lines(self, sent: DemoLetter) -> list[str]:
        text = text_of(sent.message) if self._detail > 1 else sent.words
        if self._detail > 1 or not sent.by_master:
            return text.splitlines()
        first = text.strip().split("\n\n")[0]
        return textwrap.wrap(" ".join(first.split()), WIDTH - 6)


def write_page(folder: Path, letters: list[DemoLetter], people: Iterable[Player]) -> Path:
    """Writes folder/index.html and one file per letter, without anything from elsewhere."""
    seats = {p.address: p.seat for p in people}
    rows = []
    (folder / "letters").mkdir(exist_ok=True)
    for number, sent in enumerate(letters, 1):
        name = f"letters/{number:03}.html"
        (folder / name).write_text(_letter_page(sent), encoding="utf-8")
        who = seats.get(sent.reader if sent.by_master else sent.sender, "?")
        rows.append(_row(sent, name, who))
    page = folder / "index.html"
    page.write_text(_template("page.html").substitute(rows="\n".join(rows)), encoding="utf-8")
    return page


def _row(sent: DemoLetter, name: str, who: str) -> str:
    direction = "to" if sent.by_master else "from"
    when = sent.at.astimezone(ZONE)
    return (
        f'<a class="{direction}" target="letter" href="{name}"><time>{when:%a %d %b %H:%M}</time> '
        f"<b>{direction} {html.escape(who)}</b> {html.escape(str(sent.message['Subject']))}</a>"
    )


def _letter_page(sent: DemoLetter) -> str:
    heads = "".join(
        f"<tr><th>{key}</th><td>{html.escape(str(sent.message[key]))}</td></tr>"
        for key in ("From", "To", "Reply-To", "Date", "Subject", "Message-ID", "In-Reply-To")
        if sent.message[key]
    )
    text = html.escape(text_of(sent.message) or sent.words)
    rich = html_of(sent.message)
    frame = f'<iframe srcdoc="{html.escape(rich, quote=True)}" sandbox></iframe>' if rich else ""
    return _template("letter.html").substitute(
        title=html.escape(str(sent.message["Subject"])), heads=heads, frame=frame, text=text
    )


def _template(name: str) -> Template:
    return Template(Path(__file__).with_name(name).read_text(encoding="utf-8"))
