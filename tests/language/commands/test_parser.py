"""Requests are found by their first letters."""

from __future__ import annotations

from support.corpus import cases
from support.shipped import LIBRARY

from gm.language.commands import parser


def test_no_request_is_missed_by_its_first_letter() -> None:
    """Lines, and their words alone, begin a request where the pattern of all beginnings says so."""
    every = parser._opening("")
    lines = {line for case in cases(LIBRARY) for line in (case.written, *case.written.split()) if line}
    lines |= {form for row in parser.table().commands for form in (row.form, row.form.lower())}
    begin = {line for line in lines if every.match(line)}
    assert len(begin) > 100
    assert begin == set(filter(parser._begins_request, lines))
