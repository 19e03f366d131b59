"""Plain sentences that stand for commands (grammars/plain_questions), and which hints a letter gets."""

from __future__ import annotations

import re
import tomllib

import pytest
from support.shipped import LIBRARY

from gm import resources
from gm.language.commands import parser as commands
from gm.language.commands.table import table
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.letter_contents import LetterContents, LetterContext

FILES = sorted((resources.folder("grammars") / "plain_questions").glob("*.toml"))
LOOKUPS = {"LookupRequest", "ShowRequest", "DeadlineRequest", "WhoRequest", "MapRequest", "HelpRequest"}
"""Requests that a sentence may make: they change nothing."""
STANDARD = LIBRARY.variant("standard", {})


def read(text: str, *, power: str = "France", master: bool = False) -> LetterContents:
    context = LetterContext(STANDARD, STANDARD.start, power, master)
    return read_letter(list(enumerate(text.split("\n"), 1)), context)


def hinted(reading: LetterContents) -> list[str]:
    hints = [trouble for trouble in reading.troubles if trouble.key == "said-plainly"]
    return [dict(hint.fields)["commands"].split()[0] for hint in hints]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_sentences_name_existing_commands(file) -> None:  # type: ignore[no-untyped-def]
    content = tomllib.loads(file.read_text(encoding="utf-8"))
    known = {row.name for row in table().commands}
    for row in content["asks"]:
        asked = commands.read_command(row["line"], STANDARD)
        assert asked is not None
        assert type(asked.request).__name__ in LOOKUPS
    for row in content["means"]:
        assert set(row["commands"]) <= known
    for row in (*content["asks"], *content["means"]):
        for sentence in row["said"]:
            assert sentence == sentence.lower() or "\\" in sentence
            re.compile(sentence.replace("{power}", "france"))


def test_a_hint_names_a_command_of_the_writers_role() -> None:
    line = "Please could you extend the deadline a bit?"
    assert hinted(read(line)) == ["extend-ask"]
    assert hinted(read(line, power="", master=True)) == ["extend"]
    assert hinted(read(line, power="")) == []


def test_no_hint_at_a_command_that_the_letter_has() -> None:
    assert hinted(read("I shall be away next week.")) == ["absence"]
    assert hinted(read("I shall be away next week.\nABSENCE 9 Mar TO 15 Mar")) == []


def test_a_letter_gets_few_hints_and_each_once() -> None:
    many = "I resign.\nI resign!\nI concede.\nI need an extension.\nI am on vacation."
    assert hinted(read(many)) == ["resign", "vote-concede", "extend-ask"]


def test_a_long_story_gets_no_hints() -> None:
    assert hinted(read("\n".join(["Once upon a time."] * 60 + ["I resign."]))) == []
