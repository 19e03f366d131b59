"""What can go wrong while a board is drawn or checked, in one line each."""

from __future__ import annotations

from typing import NamedTuple

from gm.errors import GmError

Point = tuple[float, float]


class SurveyError(GmError):
    """The board cannot be drawn or read. The text names the file, the key and the fault."""


class BoardFault(NamedTuple):
    """One thing that is wrong with a drawn board. `at` is where, `length` how much of it, both in picture units."""

    kind: str
    what: str
    at: Point | None = None
    length: float | None = None

    def __str__(self) -> str:
        place = f" at ({self.at[0]:.0f}, {self.at[1]:.0f})" if self.at else ""
        length = f", length {self.length:.1f}" if self.length is not None else ""
        return f"{self.kind}: {self.what}{place}{length}"
