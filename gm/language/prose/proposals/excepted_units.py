"""Units that are excepted do not do what the others do: "all attack Burgundy except Marseilles, which goes …"."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from gm.language.prose.memory import CODES, province_of, unit_of
from gm.language.prose.phrases.prose_phrases import ProsePhrases


class _Reader(Protocol):
    @property
    def phrases(self) -> ProsePhrases: ...

    def places_in(self, text: str, start: int, end: int) -> Iterable[tuple[str, ...]]: ...


def without_excepted(reader: _Reader, text: str, start: int, end: int, lines: tuple[str, ...]) -> tuple[str, ...]:
    """The lines without those that send an excepted unit to a place that is named for the others alone."""
    exception = reader.phrases.exception.search(text[:end].lower(), start) if lines else None
    if exception is None:
        return lines
    before, behind = (
        {code for codes in reader.places_in(text, *columns) for code in codes}
        for columns in ((start, exception.start()), (exception.end(), end))
    )
    theirs = before - behind
    return tuple(
        line for line in lines if province_of(unit_of(line)) not in behind or theirs.isdisjoint(CODES.findall(line))
    )
