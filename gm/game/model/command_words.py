"""Requests by the words that people know them by."""

from __future__ import annotations

import re

from gm.language.lines import letter_contents

WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])")
"""Between the words of a request's name."""


def word_of(request: letter_contents.Request) -> str:
    """A request by the word a person knows it by."""
    names = {
        "TimeZone": "TZ",
        "SeatPlayer": "SEAT",
        "ActAs": "AS",
        "EndGame": "CLOSE",
        "HistoryRange": "HISTORY",
        "NmrPolicy": "NMR",
        "Correct": "CORRECT RESULT",
        "Ballot": "VOTE",
        "ForPhase": "FOR",
        "NewToken": "TOKEN NEW",
        "Preliminary": "PRELIM",
    }
    name = type(request).__name__.removesuffix("Request")
    return request.WORD or names.get(name, WORDS.sub(" ", name).upper())
