"""The games of other programs that IMPORT reads, in the order in which their text is looked for."""

from __future__ import annotations

from gm.language.formats import backstabbr, backstabbr_source, diplomacy_game, jdip, jdip_objects, webdiplomacy
from gm.language.formats.saved_game import GameFormat

GAME_FORMATS: tuple[GameFormat, ...] = (
    diplomacy_game.FORMAT,
    backstabbr_source.FORMAT,
    jdip_objects.FORMAT,
    jdip.FORMAT,
    webdiplomacy.FORMAT,
    backstabbr.FORMAT,
)


def game_format(text: str) -> GameFormat | None:
    """The format of another program's game; None for our own formats and plain orders."""
    return next((form for form in GAME_FORMATS if len(text) <= form.longest and form.detect(text)), None)
