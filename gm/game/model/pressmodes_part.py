"""Which letters a game lets its players write to each other: the values of the setting `press`, and their spellings."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class PressMode(StrEnum):
    """`PUBLIC`: only to all. `WHITE`: signed. `GREY`: unsigned. `BOTH`: signed, unless the writer says otherwise."""

    NONE = "none"
    PUBLIC = "public"
    WHITE = "white"
    GREY = "grey"
    BOTH = "both"


MODES: Mapping[str, PressMode] = {
    **{mode.value: mode for mode in PressMode},
    **dict.fromkeys(("no", "off", "false", "0", "no press"), PressMode.NONE),
    **dict.fromkeys(("yes", "on", "true", "1", "signed"), PressMode.WHITE),
    **dict.fromkeys(("gray", "anonymous", "unsigned"), PressMode.GREY),
    **dict.fromkeys(("broadcast", "broadcasts", "all"), PressMode.PUBLIC),
    **dict.fromkeys(("white/grey", "grey/white", "white/gray", "gray/white"), PressMode.BOTH),
}

UNSIGNED = frozenset({PressMode.GREY, PressMode.BOTH})
"""Modes with letters that do not tell who wrote them."""
EVERYWHERE = frozenset({PressMode.NONE, PressMode.WHITE})
"""Modes that any variant's letters can have: none at all, or as its rules say."""
