"""Who sees votes to end a game, and how long they stand: the setting `draw_votes`, two choices in one line.

    hidden   each is secret                  shown    STATUS tells all of them to everybody
    sticky   until its power votes again     phase    until the phase it was cast in is processed

"SET draw_votes phase" leaves the other choice as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from gm.game.model.records import GameState

SEEN = HIDDEN, SHOWN = ("hidden", "shown")
LASTING = STICKY, PHASE = ("sticky", "phase")
PARTED = re.compile(r"\s*(?:[,;/+&]|\band\b|\bund\b|\s)\s*", re.IGNORECASE)


class DrawVoteRule(Struct, frozen=True):
    """ "" where nothing is said of one of the two."""

    seen: str = ""
    lasting: str = ""

    @classmethod
    def read(cls, text: str) -> DrawVoteRule | None:
        """None where a word is none of the choices, or two of them contradict each other."""
        words = {word for word in PARTED.split(text.lower()) if word}
        seen, lasting = words.intersection(SEEN), words.intersection(LASTING)
        if not words or words - seen - lasting or len(seen) > 1 or len(lasting) > 1:
            return None
        return cls("".join(seen), "".join(lasting))

    def over(self, before: DrawVoteRule) -> DrawVoteRule:
        return DrawVoteRule(self.seen or before.seen, self.lasting or before.lasting)

    def __str__(self) -> str:
        return f"{self.seen} {self.lasting}".strip()

    @property
    def shown(self) -> bool:
        return self.seen == SHOWN

    @property
    def lapses(self) -> bool:
        return self.lasting == PHASE


USUAL = DrawVoteRule(HIDDEN, STICKY)


class Anonymity(StrEnum):
    NO = "no"
    YES = "yes"
    ALWAYS = "always"

    def hides(self, state: GameState) -> bool:
        return self is Anonymity.ALWAYS or (self is Anonymity.YES and state is not GameState.ENDED)


SPELLINGS = {
    **dict.fromkeys(("no", "off", "false", "none", "0", "names", "open"), Anonymity.NO),
    **dict.fromkeys(("yes", "on", "true", "1", "gunboat", "hidden", "until end", "till end"), Anonymity.YES),
    **dict.fromkeys(("always", "forever", "for ever"), Anonymity.ALWAYS),
}


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
