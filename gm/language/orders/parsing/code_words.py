"""Codes of provinces that are common words as well: "ist" for Istanbul, "den" for Denmark, "war" for Warsaw."""

from __future__ import annotations

from gm.language.i18n.place_names import PlaceNames

CODE = 3
"""Letters of the codes of most provinces."""
CLAUSE_ENDS = frozenset({"", ",", ";", "."})


def is_written_code(word: str, kind: str, previous: str, after: str, names: PlaceNames) -> bool:
    """Whether a word of talk is a code: before another one that begins no clause ("ist bul"), or, where it is an
    article, behind a place at the end of a clause ("kie den").

    `kind`: the type of the word; `previous`: that of the token before it; `after`: the next text, in lower case.
    """
    if len(word) != CODE or kind not in ("TALK", "FILLER"):
        return False
    begins = previous in ("", "SEP") and len(after) == CODE and bool(names.exact(after))
    return begins or (kind == "FILLER" and previous == "PLACE" and after in CLAUSE_ENDS)
