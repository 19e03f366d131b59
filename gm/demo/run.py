"""`gm demo`: plays the story, from the first letter to the page of letters."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from gm.demo.page import write_page
from gm.demo.stage import DemoLetter, open_stage
from gm.demo.story import load_story
from gm.demo.terminal import Terminal
from gm.errors import GmError

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
