"""The words of DAIDE's language for a board: three capital letters for each province, power, kind, coast and turn.

A province's word is its own abbreviation in capitals, a power's are the first three letters of its name. Where that is
no such word, or is one of the language's own, or is taken, it is the first letter of the name with two later ones, the
first such word that is free. Powers with a seat choose first, then provinces, then powers without a seat. What
a variant gives under [daide] goes before all of them. The language's own words are data: grammars/daide.toml.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import combinations, product
from string import ascii_uppercase
from typing import Any

from msgspec import Struct

from gm import resources
from gm.judge.board.board import Board, Place
from gm.judge.model.variant import Variant
from gm.language.i18n.normalize import clean

WORD = re.compile(r"[A-Z]{3}")


class Language(Struct, frozen=True):
    """What DAIDE's language has for every map. `turns` are by the first and last letter of a phase's name."""

    unowned: str
    kinds: Mapping[str, str]
    turns: Mapping[str, str]
    coasts: Mapping[str, str]
    reserved: frozenset[str]


@cache
def language() -> Language:
    told: dict[str, Any] = tomllib.loads((resources.folder("grammars") / "daide.toml").read_text(encoding="utf-8"))
    kinds, turns, coasts = (dict(told[name]) for name in ("kinds", "turns", "coasts"))
    own = " ".join(told["reserved"].values()).split()
    return Language(
        told["unowned"], kinds, turns, coasts, frozenset((*own, *kinds.values(), *turns.values(), *coasts.values()))
    )


class Tokens(Struct, frozen=True):
    """Of one board. `powers` are by name, `provinces` by code: all that a unit can stand in."""

    powers: Mapping[str, str]
    provinces: Mapping[str, str]

    def place(self, place: Place) -> str | None:
        """ "SPA", "(SPA NCS)"; None for a coast that the language has no word for."""
        coast = language().coasts.get(place.coast)
        word = self.provinces[place.province]
        if not place.coast:
            return word
        return f"({word} {coast})" if coast is not None else None


def tokens(variant: Variant, board: Board) -> Tokens:
    areas = [province for province in board.provinces.values() if province.slots]
    powers = {name: word for name, word in variant.tokens.items() if name not in board.provinces}
    provinces = {code: word for code, word in variant.tokens.items() if code in board.provinces}
    taken = {*variant.tokens.values(), *language().reserved}
    _choose(powers, taken, ((power.name, "", power.name) for power in variant.powers))
    # Those whose own abbreviation will do have it before others look for something like theirs.
    will_do = {area.code for area in areas if WORD.fullmatch(area.code.upper()) and area.code.upper() not in taken}
    for first in (True, False):
        _choose(
            provinces, taken, ((area.code, area.code, area.name) for area in areas if (area.code in will_do) is first)
        )
    _choose(powers, taken, ((minor.name, "", minor.name) for minor in variant.minors))
    return Tokens({name: powers[name] for name in variant.nations}, {area.code: provinces[area.code] for area in areas})


def _choose(found: dict[str, str], taken: set[str], wanting: Iterable[tuple[str, str, str]]) -> None:
    """For each (key, abbreviation, name) that has no word yet."""
    for key, code, name in wanting:
        if key not in found:
            found[key] = next(word for word in _proposals(code, name) if word not in taken)
            taken.add(found[key])


def _proposals(code: str, name: str) -> Iterator[str]:
    """The best first; at last every word there is."""
    if WORD.fullmatch(code.upper()):
        yield code.upper()
    letters = re.sub(r"[^A-Z]", "", clean(name).text.upper())
    for pair in combinations(letters[1:], 2):
        yield letters[0] + "".join(pair)
    for three in product(letters[:1] + ascii_uppercase, ascii_uppercase, ascii_uppercase):
        yield "".join(three)
