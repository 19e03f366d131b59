"""Words about a player are not offered to them, and where it is not certain whom words are for, nothing is offered."""

from __future__ import annotations

import pytest
from game.secrecy.test_press_to_names import begun
from support.twin_games import Stage, Twins

from gm.game.model.services import Services

NAMES = {
    "Germany": "Tom Ashby",
    "Italy": "Chiara Bellini",
    "Russia": "Irina Sokolova",
    "Turkey": "Deniz Kaya",
    "Austria": "Anna Berg",
}
POWERS = ("Austria", "England", "Germany", "Italy", "Russia", "Turkey")


def answer(stage: Stage, words: str) -> str:
    """The answer to a letter from France; nobody else gets any letter."""
    stage.write(Twins.address("France"), stage.seat_address("France"), words)
    assert not any(
        sent.row.letter.kind == "press" for power in POWERS for sent in stage.recorder.sent[Twins.address(power)]
    )
    return stage.recorder.sent[Twins.address("France")][-1].row.letter.text


ABOUT = (
    "Dear Tom,\nshall we share the lowlands?\nChiara, of course, must not hear of it.",
    "Dear Tom, let us attack in spring. Chiara, poor thing, suspects nothing. I have Bur-Mar ready.",
    "Tom, who do you trust? Irina, Deniz or me? Irina, by the way, wants your Sweden.",
    "Dear Tom, peace. Chiara, you know, is new. She falls first.",
    "A Mar - Spa. Tell Tom yes, and Chiara no.",
    "Tell Tom yes.",
    "Dear Tom, dear Chiara, peace.\nTom: and between us, Chiara is next.",
)


@pytest.mark.parametrize("words", ABOUT)
def test_a_remark_about_a_player_is_not_offered_to_them(services: Services, words: str) -> None:
    text = answer(begun(services, NAMES), words)
    assert "PRESS TO Italy" not in text
    assert "PRESS TO Russia" not in text
    assert "PRESS TO Germany" not in text
    assert "has gone to nobody" in " ".join(text.split())


@pytest.mark.parametrize(
    "words",
    [
        "Dear Tom, peace. Chiara, help me against Tom and take Trieste.",
        "Dear Tom, peace. Chiara, you should move to Trieste.",
        "Dear Tom, peace. Chiara, would Trieste suit you?",
    ],
)
def test_a_demand_behind_a_name_is_offered_to_its_player(services: Services, words: str) -> None:
    text = answer(begun(services, NAMES), words)
    assert "PRESS TO Germany" in text
    assert "PRESS TO Italy" in text


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("Lieber Tom, Frieden. Chiara, hilf mir gegen Tom.", "PRESSE AN Italien"),
        ("Lieber Tom, Frieden. Chiara, das arme Ding, ahnt nichts.", "Frieden. Chiara, das arme Ding, ahnt nichts."),
        ("A Mar - Spa. Sag Tom ja und Chiara nein.", "an niemanden gegangen"),
    ],
)
def test_words_in_german(services: Services, words: str, offered: str) -> None:
    assert offered in " ".join(answer(begun(services, NAMES), words).split())


def test_what_the_game_master_is_told_about_players_stays_together(services: Services) -> None:
    words = "Ruth, Tom says that Chiara cheats. Chiara, you know, is new. Please don't tell Tom: I will attack him."
    text = answer(begun(services, NAMES), words.replace("Ruth", "GM"))
    assert "PRESS TO Italy" not in text
    assert text.count("I will attack him") > 0


@pytest.mark.parametrize(
    "words",
    [
        "Chiara will be surprised, won't she?",
        "Chiara, of course, will be surprised.",
        "Chiara, you know, is new.",
        "Tom attacks me this year, should I tell Irina?",
        "Anna and Tom have not sent anything yet I guess, is the turn late?",
    ],
)
def test_a_question_about_a_player_is_not_offered_to_them(services: Services, words: str) -> None:
    assert "PRESS TO Italy" not in (text := answer(begun(services, NAMES), f"A Par - Bur\n{words}"))
    assert "PRESS TO Germany" not in text
    assert "PRESS TO Austria" not in text


@pytest.mark.parametrize("words", ["Chiara what are you doing in my Tyrolia?", "Chiara, truce?", "Chiara you are late"])
def test_a_question_to_a_player_is_offered_to_them(services: Services, words: str) -> None:
    assert "PRESS TO Italy" in answer(begun(services, NAMES), f"A Par - Bur\n{words}")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Will", "Will the deadline be moved over Easter?"),
        ("Will", "Will you move the deadline by a day?"),
        ("Can", "A Par - Bur\nCan I change my orders later?"),
        ("May", "A Par - Bur\nMay we talk about the rules?"),
    ],
)
def test_a_name_that_also_begins_a_question_calls_nobody(services: Services, name: str, words: str) -> None:
    assert "PRESS TO Italy" not in answer(begun(services, {"Italy": f"{name} Bellini"}), words)
