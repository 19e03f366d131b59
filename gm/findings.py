"""What `gm doctor` finds."""

from __future__ import annotations

from msgspec import Struct


class DoctorFinding(Struct, frozen=True):
    """One line of `gm doctor`. `good` False: the operator has to do something."""

    what: str
    text: str
    good: bool = True
