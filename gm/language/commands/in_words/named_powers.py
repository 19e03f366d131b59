"""The powers that words name, where short names are left out: they are also other words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from gm.judge.model.variant import Power, Variant
from gm.language.i18n.place_names import powers

SHORTEST_NAME = 4
"""The shortest name of a power to search for: shorter ones are also other words."""


@lru_cache(maxsize=32)
def called(every: tuple[Power, ...]) -> Mapping[str, str]:
    """The powers by their names in small letters, without the shortest, and without the first word alone of a name of
    several: "Great, two builds!" names nobody.
    """
    whole = {spelling.lower() for power in every for spelling in (power.name, power.adjective, *power.aliases)}
    firsts = {name.split()[0] for name in whole if " " in name} - whole
    return {name: power for name, power in powers(every).items() if len(name) >= SHORTEST_NAME and name not in firsts}


@lru_cache(maxsize=32)
def any_name(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(r"\b(?:" + "|".join(map(re.escape, names)) + r")\b" if names else r"(?!)")


def powers_named(line: str, variant: Variant) -> tuple[str, ...]:
    """The powers that a cleaned line in small letters names, in their order."""
    return tuple(dict.fromkeys(power for _, _, power in find_powers(line, variant)))


def find_powers(line: str, variant: Variant) -> Iterator[tuple[int, int, str]]:
    """(start, end, power) of each name of a power in a cleaned line in small letters."""
    names = called(variant.powers)
    return ((match.start(), match.end(), names[match.group()]) for match in any_name(tuple(names)).finditer(line))
