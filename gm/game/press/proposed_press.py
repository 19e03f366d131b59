"""The lines of a press command that a letter's words would be, as a YES takes them."""

from __future__ import annotations

from gm.game.session.session import LetterSession
from gm.language.commands import press_for_several


def press_lines(session: LetterSession, command: str, words: str, to: str = "") -> str:
    """The form of a row of commands in the writer's language, with these words; `to` are the readers that it names."""
    return press_for_several.press_lines(session.language, command, words, to)
