"""The demo from the first letter to the page."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from gm.demo.show import Terminal, write_page
from gm.demo.stage import DemoLetter, open_stage
from gm.demo.story import load_story
from gm.errors import GmError

STORY = Path(__file__).with_name("story.toml")
MARK = ".gm-demo"


def play_demo(folder: Path, detail: int) -> None:
    """Raises GmError where the folder is not ours to empty, or a letter that the story needs did not come."""
    _empty(folder)
    story = load_story(STORY)
    terminal = Terminal(story.people, len(story.scenes), detail)
    letters: list[DemoLetter] = []
    with open_stage(folder, story) as stage:
        for number, scene in enumerate(story.scenes, 1):
            terminal.scene(number, scene.at, scene.title)
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
    """Only a folder that an earlier demo made is emptied."""
    try:
        if folder.exists() and any(folder.iterdir()) and not (folder / MARK).exists():
            raise GmError(f"{folder} holds other files; give the demo a folder of its own with --folder")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / MARK).touch()
    except OSError as error:
        raise GmError(f"{folder}: cannot be written ({error.strerror}); give another with --folder") from None
