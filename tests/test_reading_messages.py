"""`gm read` tells which messages would come back unsent."""

from __future__ import annotations

from gm.library import Library
from gm.reading import Reader
from gm.resources import folder


def read(words: str, power: str = "Holland") -> dict[str, object]:
    reader = Reader(Library((folder("variants"),)), "fin-de-siecle", power, "S1880M")
    return reader.read(f"From: bram@example.org\nSubject: s\n\n{words}\n".encode())


def said(words: str, power: str = "Holland") -> tuple[object, list[str]]:
    found = read(words, power)
    problems = found["problems"]
    assert isinstance(problems, list)
    return found["commands"], [one["message"] for one in problems]


def test_a_long_message_comes_back() -> None:
    commands, problems = said("message Spain: " + "w " * 51)
    assert commands == []
    assert problems == ["Your message has 51 words; the limit is 50. It was not sent and no dip was charged."]


def test_what_a_letter_spends_is_counted() -> None:
    words = "protect against Chile\nmessage Spain: a\nmessage Italy, Japan: b\nmessage all: c\nmessage Spain: d"
    commands, problems = said(words)
    assert commands == ["PRESS Spain a", "PRESS Italy, Japan b", "PRESS c ALL"]
    assert problems == ["You have 0 dips left this turn; a message costs 1."]


def test_the_game_master_is_written_to_for_nothing() -> None:
    commands, problems = said("message GM: May I?\n" * 6)
    assert commands == ["PRESS GM May I?"] * 6
    assert problems == []
