"""Sentences where a command is meant: what grammars/plain_questions may say, and what is not repeated to a writer."""

from __future__ import annotations

import re
import tomllib

import pytest

from gm import resources
from gm.language.commands import parser as commands
from gm.language.commands.table import table
from gm.language.letter.letter_reader import read_letter
from gm.language.lines.letter_contents import LetterContents, LetterContext
from gm.variant_files.library import Library

FILES = sorted((resources.folder("grammars") / "plain_questions").glob("*.toml"))
LOOKUPS = {"LookupRequest", "ShowRequest", "DeadlineRequest", "WhoRequest", "MapRequest", "HelpRequest"}
"""All that a sentence may ask for by itself: they change nothing."""
STANDARD = Library((resources.folder("variants"),)).variant("standard", {})


def read(text: str, *, power: str = "France", master: bool = False) -> LetterContents:
    context = LetterContext(STANDARD, STANDARD.start, power, master)
    return read_letter(list(enumerate(text.split("\n"), 1)), context)


def hinted(reading: LetterContents) -> list[str]:
    told = [trouble for trouble in reading.troubles if trouble.key == "said-plainly"]
    return [dict(one.fields)["commands"].split()[0] for one in told]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_sentences_stand_for_commands_that_there_are(file) -> None:  # type: ignore[no-untyped-def]
    said = tomllib.loads(file.read_text(encoding="utf-8"))
    known = {row.name for row in table().commands}
    for row in said["asks"]:
        asked = commands.read_command(row["line"], STANDARD)
        assert asked is not None
        assert type(asked.request).__name__ in LOOKUPS
    for row in said["means"]:
        assert set(row["commands"]) <= known
    for row in (*said["asks"], *said["means"]):
        for sentence in row["said"]:
            assert sentence == sentence.lower() or "\\" in sentence
            re.compile(sentence.replace("{power}", "france"))


def test_the_command_is_one_of_the_writers_own() -> None:
    line = "Please could you extend the deadline a bit?"
    assert hinted(read(line)) == ["extend-ask"]
    assert hinted(read(line, power="", master=True)) == ["extend"]
    assert hinted(read(line, power="")) == []


def test_what_is_asked_for_properly_is_not_pointed_out() -> None:
    assert hinted(read("I shall be away next week.")) == ["absence"]
    assert hinted(read("I shall be away next week.\nABSENCE 9 Mar TO 15 Mar")) == []


def test_a_letter_gets_few_such_remarks_and_each_once() -> None:
    many = "I resign.\nI resign!\nI concede.\nI need an extension.\nI am on vacation."
    assert hinted(read(many)) == ["resign", "vote-concede", "extend-ask"]


def test_a_story_is_no_request() -> None:
    assert hinted(read("\n".join(["Once upon a time."] * 60 + ["I resign."]))) == []
