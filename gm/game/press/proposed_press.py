"""The lines of a press command that a letter's words would be, as a YES takes them."""

from __future__ import annotations

from gm.game.session.session import LetterSession
from gm.language.commands.table import table
from gm.language.i18n.vocabulary import vocabulary_of


def press_lines(session: LetterSession, command: str, words: str, to: str = "") -> str:
    """The form of a row of commands in the writer's language, with these words; `to` are the readers that it names."""
    english = (row.form for row in table().commands if row.name == command)
    form = vocabulary_of(session.language).forms.get(command) or next(english)
    first, _, rest = form.strip().partition("\n")
    return "\n".join((first.replace("{other}", to), words, rest.rpartition("\n")[2]))
