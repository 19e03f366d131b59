"""Events in words that are not whole are quoted with all of their words."""

from __future__ import annotations

import pytest
from support.corpus import Scene, position
from support.shipped import LIBRARY

from gm.language.letter.letter_reader import read_letter
from gm.language.lines.letter_contents import LetterContext


@pytest.mark.parametrize(
    ("line", "quoted"),
    [
        ("I want to split Spain from itself.", "to split Spain from itself"),
        ("I split the Mid-Atlantic from itself this time", "split the Mid-Atlantic from itself"),
        ("I want to split Spain from Portugal.", "to split Spain from Portugal"),
    ],
)
def test_half_an_event_is_quoted_to_its_last_province(line: str, quoted: str) -> None:
    variant = LIBRARY.variant("seismic")
    context = LetterContext(variant, position(variant, Scene("S1901S")), "France")
    (trouble,) = read_letter([(1, line)], context).troubles
    assert trouble.text[trouble.start : trouble.end] == quoted
