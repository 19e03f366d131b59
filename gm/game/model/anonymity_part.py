"""Whether the players of a game may know who plays what (gunboat): the setting `anonymous`, chosen before the start.

    no      names stand in WHO and in first letters
    yes     nobody but a game master learns them before the game is over; then its last letter tells them
    always  not then either, until a game master opens them

Addresses are nobody's business in any game. A variant whose press is anonymous has `yes` unless the game says
otherwise.
"""

from __future__ import annotations

from enum import StrEnum

from gm.game.model.records import GameState


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
