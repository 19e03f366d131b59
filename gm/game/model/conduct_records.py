"""What is counted of a person: phases with and without orders, seats given up, games played to their end (RECORD)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from msgspec import Struct


class Deed(StrEnum):
    """ORDERED, LATE (after the deadline) and MISSED (NMR) are of a phase; RESIGNED and FINISHED of a game."""

    ORDERED = "ordered"
    LATE = "late"
    MISSED = "missed"
    RESIGNED = "resigned"
    FINISHED = "finished"


class Conduct(Struct, frozen=True):
    """What a person did as a power in a phase they owed orders in, or in a whole game (`phase` "")."""

    person: int
    game: int
    power: str
    phase: str
    deed: Deed
    at: datetime


class PlayingRecord(Struct, frozen=True):
    """The counts of a person. `owed`: phases in which they owed orders."""

    owed: int = 0
    missed: int = 0
    late: int = 0
    resigned: int = 0
    finished: int = 0

    @classmethod
    def of(cls, conducts: Iterable[Conduct]) -> PlayingRecord:
        counts = Counter(conduct.deed for conduct in conducts)
        owed = counts[Deed.ORDERED] + counts[Deed.LATE] + counts[Deed.MISSED]
        return cls(owed, counts[Deed.MISSED], counts[Deed.LATE], counts[Deed.RESIGNED], counts[Deed.FINISHED])

    @property
    def reliability(self) -> int:
        """Percent, rounded down: phases with orders, of all that were owed. A seat given up counts as one missed."""
        all_owed = self.owed + self.resigned
        return 100 * (self.owed - self.missed) // all_owed if all_owed else 100

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """The fields of a sentence that tells them; () where nothing has been counted."""
        if not (self.owed or self.resigned or self.finished):
            return ()
        numbers = {"owed": self.owed, "sent": self.owed - self.missed, "missed": self.missed, "late": self.late}
        numbers |= {"resigned": self.resigned, "finished": self.finished, "reliability": self.reliability}
        return tuple((name, str(number)) for name, number in numbers.items())


class ConductPort(Protocol):
    def note(self, *conducts: Conduct) -> None:
        """Each replaces what was noted of its power in its phase, or this deed of the person in the whole game.

        No two of them replace the same.
        """
        ...

    def of(self, person: int) -> tuple[Conduct, ...]: ...
