"""Codes of provinces that are common words as well: "ist" for Istanbul, "den" for Denmark, "war" for Warsaw; and names
of provinces in names that the board does not have.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from gm.language.i18n.place_names import PlaceNames

CODE = 3
"""Letters of the codes of most provinces."""
CLAUSE_ENDS = frozenset({"", ",", ";", "."})
ACTS_OF_PLACE = frozenset({"HOLD", "TO"})
"""Token types behind which no article stands at the beginning of a clause; but "den unterstützt Kiel" is one."""
ACTS_OF_BORDERS = frozenset({"SEPARATE", "CONNECT"})
"""Token types directly behind which no article stands."""


def is_written_code(word: str, kind: str, previous: str, after: tuple[str, str], names: PlaceNames) -> bool:
    """Whether a word of talk is a code: before another one that begins no clause ("ist bul"), or, where it is an
    article, behind a place at the end of a clause ("kie den"), or before what a unit does ("den hält") or happens to
    borders ("kie & den trennen").

    `kind`: the type of the word; `previous`: that of the token before it; `after`: the next text, in lower case, and
    its type.
    """
    if len(word) != CODE or kind not in ("TALK", "FILLER"):
        return False
    behind, act = after
    first = previous in ("", "SEP")
    if kind == "FILLER" and act in ACTS_OF_BORDERS:
        return True
    if kind == "FILLER" and ((first and act in ACTS_OF_PLACE) or (previous == "PLACE" and behind in CLAUSE_ENDS)):
        return True
    return first and len(behind) == CODE and bool(names.exact(behind))


class _Named(Protocol):
    @property
    def type(self) -> str: ...
    @property
    def value(self) -> Any: ...


def is_other_sea(tokens: Sequence[_Named], provinces: Sequence[str]) -> bool:
    """Whether the name of a land that goes on behind these tokens is part of one that the board does not have: "Gulf of
    Mexico", where several gulfs are of others. `provinces`: what the name behind means.
    """
    if [token.type for token in tokens[-2:]] != ["PLACE", "OF"]:
        return False
    sea = tokens[-2].value
    return len(sea.provinces) > 1 and " " not in sea.text and not sea.coast and not {*provinces} & {*sea.provinces}
