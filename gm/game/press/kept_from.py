"""Words that say who is to learn nothing, where nothing is sent: "Don't tell Germany." asks for no letter to them."""

from __future__ import annotations

from msgspec.structs import replace

from gm.game.model.records import Letter
from gm.game.press.limited_readers import find_limits
from gm.game.session.session import LetterSession
from gm.language.lines.letter_contents import LetterContents, LineError

PRESS = "press"
"""The command at which such words hint by mistake."""
KEY = "words-kept-from"


def with_words_kept_from(session: LetterSession, _: Letter, reading: LetterContents) -> LetterContents:
    """In place of a hint how to write to a player, what is true of words that this player must not read."""
    return replace(reading, troubles=tuple(_kept(session, trouble) for trouble in reading.troubles))


def _kept(session: LetterSession, trouble: LineError) -> LineError:
    if PRESS not in dict(trouble.fields).get("commands", "").split():
        return trouble
    never = find_limits(session, frozenset(), trouble.marked or trouble.text).never
    if not never:
        return trouble
    fields = (("powers", ", ".join(sorted(never))),)
    return replace(trouble, key=KEY, fields=fields, suggestions=(), obeyed=True)
