"""Do both sides come to the same positions, and where they do not: is it a rule known to be read differently?

What a phase came to is a dict: phase (the next one's name), units, centres and retreats, names in capitals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

KNOWN = {
    "own-support": "it counts a support against a unit of the supporter's own power, where the attack comes by convoy "
    "or meets the unit head to head (DATC 6.D.12: never)",
    "free-retreats": "a unit that an army from over the water drove out may go to occupied and contested places "
    "(DATC 6.H.5, 6.H.6: never)",
    "UNEXPLAINED": "not known: one of the two is wrong",
}

Line = dict[str, Any]
Found = dict[str, Any]


def differences(lines: Iterable[Line], ours: Iterable[Found], theirs: Iterable[Found]) -> Counter[str]:
    """How many phases differ, by the reason; the numbers of those not explained go by their own keys ("id 17")."""
    counted: Counter[str] = Counter()
    for line, mine, other in zip(lines, ours, theirs, strict=True):
        if mine == other:
            continue
        why = reason(line, mine, other)
        counted[why] += 1
        if why == "UNEXPLAINED":
            counted[f"id {line['id']}"] += 1
    return counted


def reason(line: Line, mine: Found, other: Found) -> str:
    if mine["units"] != other["units"]:
        return "own-support" if supports_against_itself(line) else "UNEXPLAINED"
    if all(set(mine["retreats"].get(unit, ())) <= set(there) for unit, there in other["retreats"].items()):
        return "free-retreats" if any(" C " in text for text in texts(line)) else "UNEXPLAINED"
    return "UNEXPLAINED"


def texts(line: Line) -> list[str]:
    return [text for sheet in line["orders"].values() for text in sheet]


def supports_against_itself(line: Line) -> bool:
    """Whether a power supports a move to where a unit of its own stands."""
    for power, sheet in line["orders"].items():
        own = {unit.split()[1][:3] for unit in line["position"]["units"].get(power, ())}
        if any(" S " in text and " - " in text and text.rsplit(" - ")[-1][:3] in own for text in sheet):
            return True
    return False
