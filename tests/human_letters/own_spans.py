"""The spans of a letter are its own words, each once."""

from __future__ import annotations

import re

from gm.language.i18n.normalize import clean
from gm.language.lines.letter_contents import LetterContents


def assert_spans_are_the_letter(text: str, reading: LetterContents) -> None:
    assert _squeezed("".join(span.text for span in reading.spans)) == _squeezed(text.replace("\n", "")), reading.spans


def _squeezed(text: str) -> str:
    return re.sub(r"\s", "", clean(text).text)
