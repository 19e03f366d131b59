"""The game master's address, secret and first day, the same in every test of the desk."""

from __future__ import annotations

from datetime import UTC, datetime

from gm.desk.post import Post
from gm.desk.records import OutLetter

START = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
POST = Post("gm@gm.example", b"a secret for tests")


def envelope(letter: OutLetter) -> str:
    return POST.bounce_address(letter.message_id)
