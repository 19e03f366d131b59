"""Shows the demo's correspondence in the terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

import click

from gm.demo.stage import DemoLetter, text_of
from gm.demo.story import ZONE, Player, StoryStep

WIDTH = 78


class Terminal:
    """Prints step by step. `detail` 0: a line for each step; 1: first words of letters too; 2: whole letters."""

    def __init__(self, people: Iterable[Player], steps: int, detail: int) -> None:
        self._seats = {p.address: f"{p.name} ({p.seat})" for p in people}
        self._steps = steps
        self._detail = detail

    def step(self, number: int, scene: StoryStep) -> None:
        if self._detail:
            click.echo()
        when = scene.at.astimezone(ZONE)
        click.secho(f"{number:2}/{self._steps}  {when:%a %d %b %H:%M}  {scene.title}", bold=bool(self._detail))

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
