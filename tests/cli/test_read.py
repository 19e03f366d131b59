"""`gm read`: messages that would be returned, other ways to open a message, hints."""

from __future__ import annotations

import json

import pytest
from support.shipped import LIBRARY

from gm.cli.read import MessageReader
from gm.errors import GmError
from gm.language.formats.json_position import position_to_json


def read(words: str, power: str = "Holland") -> dict[str, object]:
    reader = MessageReader(LIBRARY, "fin-de-siecle", power, "S1880M")
    return reader.read(f"From: bram@example.org\nSubject: s\n\n{words}\n".encode())


def commands_and_problems(words: str, power: str = "Holland") -> tuple[object, list[str]]:
    reading = read(words, power)
    problems = reading["problems"]
    assert isinstance(problems, list)
    return reading["commands"], [problem["message"] for problem in problems]


def test_a_message_that_is_too_long() -> None:
    commands, problems = commands_and_problems("message Spain: " + "w " * 51)
    assert commands == []
    assert problems == ["Your message has 51 words; the limit is 50. It was not sent and no dip was charged."]


def test_dips_spent_in_the_same_letter_count() -> None:
    words = "protect against Chile\nmessage Spain: a\nmessage Italy, Japan: b\nmessage all: c\nmessage Spain: d"
    commands, problems = commands_and_problems(words)
    assert commands == ["PRESS Spain a", "PRESS Italy, Japan b", "PRESS c ALL"]
    assert problems == ["You have 0 dips left this turn; a message costs 1."]


def test_messages_to_the_game_master_are_free() -> None:
    commands, problems = commands_and_problems("message GM: May I?\n" * 6)
    assert commands == ["PRESS GM May I?"] * 6
    assert problems == []


@pytest.mark.parametrize(
    ("words", "commands"),
    [
        ("tell Spain: we sail at dawn", ["PRESS Spain we sail at dawn"]),
        ("Send a message to Spain and Mexico: hello", ["PRESS Spain, Mexico hello"]),
        ("msg Spain: hello", ["PRESS Spain hello"]),
        ("write to Spain: hello", ["PRESS Spain hello"]),
        ("message: Spain: hello", ["PRESS Spain hello"]),
        ("tell Spain: one\ntell Mexico: two", ["PRESS Spain one", "PRESS Mexico two"]),
    ],
)
def test_other_keywords_open_a_message(words: str, commands: list[str]) -> None:
    assert commands_and_problems(words) == (commands, [])


@pytest.mark.parametrize("words", ["Tell Spain we sail", "Write to me soon.", "tell Spian: hello", "message received"])
def test_talk_is_not_a_message(words: str) -> None:
    assert commands_and_problems(words) == ([], [])


def test_talk_that_looks_like_a_question_is_a_hint() -> None:
    assert read("Tell Spain we sail")["hints"] == [1]
    assert "hints" not in read("Write to me soon.")


@pytest.mark.parametrize("words", ["message Spain - hello there", "Message: hello", "TELL Spain hello"])
def test_a_message_without_a_colon_is_a_problem(words: str) -> None:
    commands, problems = commands_and_problems(words)
    assert commands == []
    assert problems[0].startswith("To whom? Write the countries and a colon")
    assert "message Great Britain: your words" in problems[0]


def test_a_position_brings_the_options_of_its_game() -> None:
    variant = LIBRARY.variant("europe-1933", {"wings": "on"})
    document = position_to_json(variant, variant.start) | {"phase": "W1933A"}
    document["units"]["France"] = ["A Par"]
    letter = b"From: marie@example.org\n\nBuild W Mar\n"
    with_wings = MessageReader(LIBRARY, "europe-1933", "France", position=json.dumps(document)).read(letter)
    assert (with_wings["orders"], with_wings["problems"]) == (["Build W Mar"], [])
    without = MessageReader(LIBRARY, "europe-1933", "France", position=json.dumps(document | {"options": {}}))
    assert without.read(letter)["orders"] == []


@pytest.mark.parametrize(
    ("options", "words"),
    [({"wings": "purple"}, "the setting wings is off or on"), ({"foo": 1}, "no setting 'foo'"), ([], "must be an")],
)
def test_wrong_options_are_one_clear_line(options: object, words: str) -> None:
    with pytest.raises(GmError, match=words):
        MessageReader(LIBRARY, "europe-1933", "France", position=json.dumps({"options": options}))
