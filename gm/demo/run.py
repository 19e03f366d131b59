"""`gm demo`: plays the story, from the first letter to the page of letters."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterable
from pathlib import Path

import click

from gm.demo.page import write_page
from gm.demo.stage import DemoLetter, open_stage, text_of
from gm.demo.story import ZONE, Player, StoryStep, load_story
from gm.errors import GmError

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


STORY = Path(__file__).with_name("story.toml")
MARK = ".gm-demo"


def play_demo(folder: Path, detail: int) -> None:
    """Plays the story; `detail` as for `Terminal`.

    Raises GmError if the folder is not a demo's, or an expected letter did not come.
    """
    _empty(folder)
    story = load_story(STORY)
    terminal = Terminal(story.people, len(story.scenes), detail)
    letters: list[DemoLetter] = []
    with open_stage(folder, story) as stage:
        for number, scene in enumerate(story.scenes, 1):
            terminal.step(number, scene)
            for sent in stage.play(scene):
                letters.append(sent)
                terminal.letter(sent)
    page = write_page(folder, letters, story.people)
    written = sum(not sent.by_master for sent in letters)
    click.echo()
    click.secho(f"{written} letters in, {len(letters) - written} letters out.", bold=True)
    click.echo(f"All letters in a browser:  {page.absolute()}")
    click.echo(f"Each player's Maildir:     {(folder / 'maildirs').absolute()}")


def _empty(folder: Path) -> None:
    """Empties the folder if an earlier demo made it."""
    try:
        if folder.exists() and any(folder.iterdir()) and not (folder / MARK).exists():
            raise GmError(f"{folder} holds other files; name another folder with --folder")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / MARK).touch()
    except OSError as error:
        raise GmError(f"{folder}: cannot be written ({error.strerror}); name another with --folder") from None
