"""VACATION in a named and an anonymous game: neither dates nor hours show which anonymous power is whose."""

from __future__ import annotations

import pytest
from game.identity.test_attacks import LUC, post, token
from support.dialogue import DeskStage, Player

pytestmark = pytest.mark.parametrize("stage", ["memory"], indirect=True)
TOM = "tom@example.org"
POWERS = ("Austria", "England", "Italy", "Russia", "Turkey")


@pytest.fixture
def two_games(player: Player, stage: DeskStage) -> Player:
    """Luc and Tom play in ostend, where all know each other, and in lisbon, where nobody does."""
    seats = "".join(f"SEAT {power}: {power} <{power.lower()}@example.net>\n" for power in POWERS)
    seats += f"SEAT France: Luc <{LUC}>\nSEAT Germany: Tom <{TOM}>\n"
    post(
        player,
        "Ruth <ruth@example.org>",
        "gm@gm.example",
        f"CREATE lisbon\nanonymous yes\n{seats}START",
        "Auth: pass\n",
    )
    player.boxes.clear()
    return player


@pytest.mark.parametrize("to", ["ostend", "lisbon"])
@pytest.mark.parametrize("words", ["VACATION 2 Apr TO 9 Apr", "ABSENCE 2 Apr TO 9 Apr ALL GAMES"])
def test_an_absence_in_all_games_does_not_link_the_games(
    two_games: Player, stage: DeskStage, to: str, words: str
) -> None:
    post(two_games, f"Luc <{LUC}>", "gm@gm.example", words, f"Subject: [{to}]\nAuth: pass\n")
    (notice,) = two_games.boxes[TOM]
    assert "[ostend" in notice.subject
    assert "2 April" in notice.text
    master = [letter.subject for letter in two_games.boxes["ruth@example.org"]]
    assert any("[lisbon" in subject for subject in master)
    two_games.boxes.clear()
    post(two_games, f"Tom <{TOM}>", "gm@gm.example", "ABSENCES\nSTATUS", "Subject: [lisbon]\nAuth: pass\n")
    (answer,) = two_games.boxes[TOM]
    assert "April" not in answer.text
    assert "One of the players or more" in answer.text
    two_games.boxes.clear()
    post(two_games, f"Luc <{LUC}>", "gm@gm.example", "CANCEL ABSENCE ALL GAMES", f"Subject: [{to}]\nAuth: pass\n")
    assert ["[ostend" in letter.subject for letter in two_games.boxes[TOM]] == [True]


def test_an_absence_in_one_anonymous_game_names_no_days(two_games: Player, stage: DeskStage) -> None:
    post(two_games, f"Luc <{LUC}>", "gm@gm.example", "ABSENCE 2 Apr TO 9 Apr", "Subject: [lisbon]\nAuth: pass\n")
    (notice,) = two_games.boxes[TOM]
    assert "One of the players will be away for some days" in " ".join(notice.text.split())
    assert "April" not in notice.text
    assert token(stage, "Germany") not in notice.text
