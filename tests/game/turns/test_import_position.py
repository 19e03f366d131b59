"""EXPORT by letter, and the very file back by letter: in every form, as by a game master who looks at it elsewhere."""

from __future__ import annotations

import json

import pytest
from support.dialogue import Block, DeskStage, Player
from support.paths import DIALOGUES

from gm.game.model.records import OutLetter
from gm.game.views.exports import EXPORT_FORMATS

MASTER = "ruth@example.org"
GAMES = {
    "started": (
        "ostend",
        {"England": "F Lon - NTH\nF Edi S F Lon - NTH", "Germany": "A Ber - Kie\nA Mun - Bur\nF Kie - Hol"},
    ),
    "youngstown": ("yukon", {"China": "A Pek - Man", "England": "F Lon - ENG"}),
}
"""By the dialogue that begins it: its name, and what some powers write."""
WRITERS = {"England": "hannah@example.org", "Germany": "tom@example.org", "China": "wei@example.org"}


def answer(player: Player, sender: str, to: str, words: str) -> OutLetter:
    player.boxes.clear()
    player.play([Block(1, ">>", f"<{sender}>", [f"To: {to}", "", *words.split("\n")])])
    (letter,) = player.boxes[sender]
    return letter


def returned(stage: DeskStage, dialogue: str, form: str, writing: bool) -> str:
    """The answer to a letter that brings the file back which EXPORT sent."""
    player = Player(stage)
    player.begin(DIALOGUES / f"{dialogue}.part")
    game, sheets = GAMES[dialogue]
    for power, words in sheets.items() if writing else ():
        answer(player, WRITERS[power], f"{game} {power}", words)
    (part,) = answer(player, MASTER, f"{game} GM", f"EXPORT {form}").parts
    return answer(player, MASTER, f"{game} GM", f"IMPORT\n{part.content.decode()}\nEND IMPORT").text


OURS = [name for name, form in EXPORT_FORMATS.items() if not form.program]
"""The formats with sheets, for every variant."""
EXPORTS = [(dialogue, form) for dialogue in GAMES for form in OURS] + [
    ("started", form) for form in ("jdip", "diplomacy")
]


@pytest.mark.parametrize(("dialogue", "form"), EXPORTS)
def test_importing_an_export_changes_nothing(stage: DeskStage, dialogue: str, form: str) -> None:
    reply = returned(stage, dialogue, form, writing=False)
    assert "These lines change nothing: the position is like this already." in reply


@pytest.mark.parametrize("form", [name for name, form in EXPORT_FORMATS.items() if form.program])
def test_a_file_for_another_program_tells_no_orders(stage: DeskStage, form: str) -> None:
    """Byte for byte the same, whatever the players wrote."""
    player = Player(stage)
    player.begin(DIALOGUES / "started.part")
    (before,) = answer(player, MASTER, "ostend GM", f"EXPORT {form}").parts
    for power, words in GAMES["started"][1].items():
        answer(player, WRITERS[power], f"ostend {power}", words)
    (after,) = answer(player, MASTER, "ostend GM", f"EXPORT {form}").parts
    assert before == after


def test_a_saved_game_of_diplomacy_tells_the_phases_before(stage: DeskStage) -> None:
    player = Player(stage)
    player.begin(DIALOGUES / "started.part")
    answer(player, WRITERS["Germany"], "ostend Germany", "A Mun - Bur\nF Kie - Den")
    player.play([Block(1, ">>", f"<{MASTER}>", ["To: ostend GM", "", "PROCESS"])])
    answer(player, WRITERS["Germany"], "ostend Germany", "F Den - Swe")
    (part,) = answer(player, MASTER, "ostend GM", "EXPORT diplomacy").parts
    spring, fall = json.loads(part.content)["phases"]
    assert (spring["name"], spring["orders"]["GERMANY"]) == ("S1901M", ["F KIE - DEN", "A MUN - BUR"])
    assert (fall["name"], fall["orders"]["GERMANY"]) == ("F1901M", None)
    assert "F DEN" in fall["state"]["units"]["GERMANY"]


@pytest.mark.parametrize("form", OURS)
@pytest.mark.parametrize("dialogue", GAMES)
def test_sheets_that_were_exported_are_echoed(stage: DeskStage, dialogue: str, form: str) -> None:
    """And nothing is done before the code is sent."""
    reply = returned(stage, dialogue, form, writing=True)
    sheets = GAMES[dialogue][1]
    echoed = [line.strip() for line in reply.splitlines() if line.strip().startswith("ORDER ")]
    assert echoed == [f"ORDER {power}: {line}" for power in sheets for line in sheets[power].split("\n")]
    assert "nothing is changed" in " ".join(reply.split())


def test_a_text_that_is_longer_than_a_letter_is_not_taken_in_part(stage: DeskStage) -> None:
    player = Player(stage)
    player.begin(DIALOGUES / "started.part")
    page = (
        "Spring, 1901\nItaly:\nThe army at Rome move to Apulia.\n" + "Help, rules and other words of the page\n" * 2_500
    )
    words = answer(player, MASTER, "ostend GM", f"IMPORT\n{page}END IMPORT").text
    assert "Attach the text as a file." in " ".join(words.split())
    assert "CONFIRM" not in words
