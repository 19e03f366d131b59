"""Reads story.toml."""

from __future__ import annotations

import tomllib
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from msgspec import Struct

ZONE = ZoneInfo("Europe/Berlin")


class Player(Struct, frozen=True):
    seat: str
    name: str
    address: str
    program: str


class StoryStep(Struct, frozen=True):
    """`author` None: only time passes. `answers` None: a new letter; else words of the subject it replies to.

    `opens`: the seat whose letter of this step the page of letters shows first.
    """

    at: datetime
    title: str
    author: Player | None = None
    words: str = ""
    subject: str = ""
    answers: str | None = None
    opens: str = ""


class Story(Struct, frozen=True):
    people: tuple[Player, ...]
    scenes: tuple[StoryStep, ...]


def load_story(path: Path) -> Story:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    people = {entry["seat"]: Player(**entry) for entry in data["people"]}
    scenes = tuple(
        StoryStep(
            at=datetime.fromisoformat(entry["at"]).replace(tzinfo=ZONE).astimezone(UTC),
            title=entry["title"],
            author=people[entry["from"]] if "from" in entry else None,
            words=entry.get("words", "").strip("\n"),
            subject=entry.get("subject", ""),
            answers=entry.get("answers"),
            opens=entry.get("opens", ""),
        )
        for entry in data["scene"]
    )
    return Story(tuple(people.values()), scenes)
