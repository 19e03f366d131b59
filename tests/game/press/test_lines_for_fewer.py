"""A reply to a letter with several readers that holds a line for fewer of them: it is never sent to more."""

from __future__ import annotations

import pytest
from game.identity.test_attacks import post, token
from support.dialogue import DeskStage, Player, read

pytestmark = pytest.mark.parametrize("stage", ["memory"], indirect=True)
OTHERS = ("tom@example.org", "hannah@example.org")
SECRET = "Let us stab her"


def reply(player: Player, words: str) -> None:
    """Luc replies to a letter of Tom's (Germany) to him and to England."""
    player.play(read(f">> Luc <luc@example.org>\nReply: Germany\n\n{words}\n")[1])


@pytest.fixture
def group(player: Player, stage: DeskStage) -> Player:
    post(player, "Tom <tom@example.org>", token(stage, "Germany"), "PRESS TO France, England\nHello both.\nENDPRESS")
    player.boxes.clear()
    return player


def readers(player: Player) -> set[str]:
    return {address for address in OTHERS if any(SECRET in box.text for box in player.boxes[address])}


@pytest.mark.parametrize(
    "words",
    [
        f"Psst, Germany only:\nPRESS TO Germany\n{SECRET}.",
        f"Psst, Germany only:\nPRESS TO Germany\n{SECRET}.\nENDPRESS\nAnd hello to both of you.",
        f"press to germany\n{SECRET}.",
        f"Hello.\nPRESS TO Germany: {SECRET}.",
        f"Hello.\nPRESS TO G\n{SECRET}.\nENDPRESS",
    ],
)
def test_press_to_in_a_reply_goes_to_those_alone(group: Player, stage: DeskStage, words: str) -> None:
    reply(group, words)
    assert readers(group) == {"tom@example.org"}


@pytest.mark.parametrize(
    "line",
    [
        "Psst, Germany only:",
        "Germany only",
        "For Germany's eyes only:",
        "This part is for Germany only.",
        "(private to Germany)",
        "Next bit just for Germany:",
        "Secret - for Tom",
        "Only Germany",
        "Nur Deutschland",
        "Deutschland vertraulich",
        "Germany (secret):",
    ],
)
def test_a_line_for_fewer_without_a_command_sends_nothing(group: Player, stage: DeskStage, line: str) -> None:
    reply(group, f"{line}\n{SECRET}.")
    assert readers(group) == set()
    (answer,) = group.boxes["luc@example.org"]
    assert "seems to be for Germany only" in " ".join(answer.text.split())
    assert SECRET in answer.text


@pytest.mark.parametrize(
    "line",
    [
        "Only Germany can stop Russia now.",
        "Germany, hello!",
        "Germany and England only:",
        "Dear Germany,",
        "It is no secret that Germany is strong, England.",
    ],
)
def test_other_words_about_a_power_go_to_all(group: Player, stage: DeskStage, line: str) -> None:
    reply(group, f"{line}\n{SECRET}.")
    assert readers(group) == set(OTHERS)


def test_the_question_names_the_readers_and_its_answer_sends_to_no_more(group: Player, stage: DeskStage) -> None:
    """A line of orders beside it: the question comes, and PRESS, which it does not offer, sends nothing."""
    reply(group, f"A Par - Bur\nPsst, Germany only:\nPRESS TO Germany\n{SECRET}.")
    (question,) = group.boxes["luc@example.org"]
    assert question.kind == "question"
    assert "passes it on" not in " ".join(question.text.split())
    group.boxes.clear()
    group.play(read(">> Luc <luc@example.org>\nReply: Press or orders\n\nPRESS\n")[1])
    assert readers(group) == set()
    (answer,) = group.boxes["luc@example.org"]
    assert "Nothing was sent" in answer.text


def test_an_unknown_name_in_an_address_line_sends_nothing(group: Player, stage: DeskStage) -> None:
    reply(group, f"Hello.\nPRESS TO Germny\n{SECRET}.")
    assert readers(group) == set()
