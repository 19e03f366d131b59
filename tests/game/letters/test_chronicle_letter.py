"""The letter that closes a game, complete, as a golden file in each language."""

from __future__ import annotations

from typing import Final

import pytest
from support.dialogue import DeskStage, Player, read
from support.standard_game import as_sent, golden

SETTINGS: Final = (
    "SET scoring sum-of-squares because all agreed\nSET statements 7 d\nSET press_opened yes\nSET diaries opened"
)
PHASES: Final = (
    {
        "France": "A Mar - Spa\nA Par - Bur\nF Bre - MAO\nDIARY Germany lets me in.",
        "Germany": "A Mun S A Par - Bur\nF Kie - Den\nA Ber - Kie",
        "Russia": "F Sev - BLA\nA War - Gal\nPRESS TO Turkey\nThe Black Sea is mine.\nENDPRESS",
    },
    {
        "France": "A Spa - Por\nF MAO - Spa/sc\nA Bur - Bel",
        "Germany": "F Den - Swe\nA Kie - Den\nA Mun H",
        "Russia": "F BLA - Bul/ec\nA Gal - Rum",
    },
    {"France": "Build A Par\nBuild F Bre\nBuild A Mar", "Germany": "Build F Kie\nBuild A Ber", "Russia": "Build A Sev"},
    {"France": "A Par - Bur\nA Bel S A Par - Bur", "Germany": "A Mun - Bur", "Russia": "A Sev - Ukr"},
    {"France": "A Bur - Mun", "Germany": "A Mun - Bur\nF Kie - Hol\nA Ber - Kie", "Russia": "F Bul/ec - Con"},
)
"""What is written in each phase, until the Fall of 1902; whoever is not named has no orders."""


def write(player: Player, seat: str, words: str, more: str = "") -> None:
    sender = {"France": "luc", "Germany": "tom", "Russia": "irina", "GM": "ruth"}[seat]
    player.play(read(f">> {sender.title()} <{sender}@example.org>\nTo: ostend {seat}\n{more}\n{words}\n")[1])


@pytest.mark.parametrize("stage", ["memory"], indirect=True)
def test_the_chronicle(player: Player, stage: DeskStage) -> None:
    write(player, "GM", SETTINGS)
    write(player, "Germany", "LANGUAGE de", "Auth: pass\n")
    for letters in PHASES:
        for seat, words in letters.items():
            write(player, seat, words)
        write(player, "GM", "PROCESS")
    write(player, "GM", "CLOSE draw France, Germany, Russia")
    for address, name in (("luc@example.org", "chronicle-France"), ("tom@example.org", "chronicle-Germany-de")):
        (letter,) = (letter for letter in player.got[address] if letter.kind == "chronicle")
        golden(name, as_sent(letter))
