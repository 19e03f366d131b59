"""Errors that quote words of the letter as it was read, without accents: they show them as they were written."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from gm.language.i18n.normalize import clean
from gm.language.lines.letter_contents import LineError


def as_written(error: LineError, lines: Mapping[int, str]) -> LineError:
    written = lines.get(error.line, "")
    if error.text in written:
        return error
    made = clean(written)
    at = made.text.find(error.text)
    if at < 0:
        return error
    first, past = made.column(at), made.column(at + len(error.text))
    start, end = (made.column(at + column) - first for column in (error.start, error.end))
    return replace(error, text=written[first:past], start=start, end=end)
