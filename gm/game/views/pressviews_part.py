"""What a game's settings let its players write, as fields of the manual's pages."""

from __future__ import annotations

from collections.abc import Mapping

from gm.game.model.pressmodes_part import UNSIGNED, PressMode
from gm.game.model.recipient import Recipient


def help_fields(reader: Recipient) -> Mapping[str, object]:
    """`free_press`: letters are passed on as they come. `press_some`: not only to all; `press_several`: to several."""
    settings, press = reader.settings, reader.variant.press
    mode, opener = settings.press, press.opener
    free = mode is not PressMode.NONE and not opener
    some = mode is not PressMode.PUBLIC
    return {
        "press": mode is not PressMode.NONE,
        "opener": opener if mode is not PressMode.NONE else "",
        "free_press": free,
        "press_mode": mode.value,
        "press_unsigned": mode in UNSIGNED,
        "press_chosen": mode is PressMode.BOTH,
        "press_some": some,
        "free_some": free and some,
        "press_several": free and some and settings.partial,
        "press_minor_phases": settings.press_minor_phases,
        "press_late": settings.press_late,
        "partial": settings.partial,
    }
