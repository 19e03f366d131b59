"""Orders of a power in permanent civil disorder: its player is told that it gives none."""

from __future__ import annotations

from msgspec.structs import replace

from gm.game.session.session import LetterSession
from gm.language.lines.letter_contents import LetterContents
from gm.language.lines.trouble_keys import ASK_FOR_NOTHING


def without_orders_of_fallen(session: LetterSession, reading: LetterContents) -> LetterContents:
    """Its orders and what is to be said of them give way to one sentence; requests and words stay."""
    if not session.plays or not session.loaded_game.position.collapsed(session.author):
        return reading
    kept = tuple(trouble for trouble in reading.troubles if trouble.obeyed and trouble.key not in ASK_FOR_NOTHING)
    if not reading.orders and kept == reading.troubles:
        return reading
    session.note("collapsed", done=False, headline=True, power=session.author)
    return replace(reading, orders=(), troubles=kept)
